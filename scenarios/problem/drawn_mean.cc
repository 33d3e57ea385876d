#include "scenarios/problem/drawn_mean.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "robots/random/random_stream.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parameter_kind.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/prior_entries.h"
#include "scenarios/problem/prior_known.h"

namespace idbench {
namespace {

constexpr const char* kWhere = "/problem/prior/mean_error";

/// The bodies that are drawn, and how.
enum class BodyLaw {
  kNone,              ///< They cannot be.
  kWhole,             ///< All that a body is.
  kMassesAndMoments,  ///< About known centres of mass and principal axes.
};

BodyLaw LawOf(const std::string& parametrisation) {
  if (parametrisation == "masses_and_moments") return BodyLaw::kMassesAndMoments;
  constexpr std::array<std::string_view, 3> kWholeBodies = {"base", "standard", "log_cholesky"};
  const bool whole = std::ranges::find(kWholeBodies, parametrisation) != kWholeBodies.end();
  return whole ? BodyLaw::kWhole : BodyLaw::kNone;
}

/// Normal numbers of one unknown.
class MeanStream {
 public:
  MeanStream(std::uint64_t seed, std::int64_t trial, const std::string& unknown)
      : stream_(seed, trial, "prior/mean_error/" + unknown) {}

  double Normal(std::uint64_t index) const { return stream_.Normal(0, index); }

  /// 1 + σ·ξ, at least kLeastFactor. Of `count` such factors the one with number k.
  double Factor(double sigma, std::uint64_t k, std::uint64_t count) const {
    for (std::uint64_t index = k;; index += count) {
      const double factor = 1.0 + sigma * Normal(index);
      if (factor >= kLeastFactor) return factor;
    }
  }

  /// 1 + σ·S, its eigenvalues at least kLeastFactor.
  Eigen::Matrix4d Congruence(double sigma) const {
    for (std::uint64_t index = 0;;) {
      Eigen::Matrix4d drawn = Eigen::Matrix4d::Identity();
      for (int row = 0; row < 4; ++row) {
        for (int column = 0; column <= row; ++column) {
          const double xi = sigma * Normal(index++);
          drawn(row, column) += row == column ? xi : xi * std::sqrt(0.5);
          drawn(column, row) = drawn(row, column);
        }
      }
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(drawn, Eigen::EigenvaluesOnly);
      if (eigen.eigenvalues().minCoeff() >= kLeastFactor) return drawn;
    }
  }

 private:
  RandomStream stream_;
};

/// L_true·C⁻¹·C⁻ᵀ·L_trueᵀ, C·Cᵀ = 1 + σ·S.
InertialParameters DrawBody(const InertialParameters& truth, double sigma,
                            const MeanStream& stream) {
  const Eigen::LLT<Eigen::Matrix4d> L_true(PseudoInertia(truth));
  const Eigen::LLT<Eigen::Matrix4d> C(stream.Congruence(sigma));
  assert(L_true.info() == Eigen::Success);
  // L·C = L_true
  const Eigen::Matrix4d L_transposed = C.matrixU().solve(Eigen::Matrix4d(L_true.matrixU()));
  return FromPseudoInertia(L_transposed.transpose() * L_transposed);
}

/// @param known  its centre of mass and principal axes.
InertialParameters DrawMassAndMoments(const InertialParameters& truth,
                                      const InertialParameters& known, double sigma,
                                      const MeanStream& stream) {
  CentralInertia body = FromStandard(known);
  const CentralInertia true_body = FromStandard(truth);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(body.I_com);
  const Eigen::Matrix3d& R = axes.eigenvectors();
  const Eigen::Vector3d moments = (R.transpose() * true_body.I_com * R).diagonal();
  Eigen::Vector3d second = Eigen::Vector3d::Constant(0.5 * moments.sum()) - moments;
  constexpr std::uint64_t kDraws = 4;
  for (int k = 0; k < 3; ++k) {
    second[k] /= stream.Factor(sigma, static_cast<std::uint64_t>(k) + 1, kDraws);
  }
  body.mass = true_body.mass / stream.Factor(sigma, 0, kDraws);
  body.I_com = R * (Eigen::Vector3d::Constant(second.sum()) - second).asDiagonal() * R.transpose();
  return ToStandard(body);
}

/// σ of the body as a whole, where it is drawn.
std::optional<double> SigmaOfBody(const PriorOptions& prior, const std::string& body) {
  const std::optional<double>* const entry = BodyEntryFor(prior.std, body);
  return entry != nullptr ? *entry : std::nullopt;
}

/// σ of its own that a parameter has, where it is drawn.
std::optional<double> SigmaOfParameter(const PriorOptions& prior, const std::string& name) {
  const std::optional<double>* const entry = EntryFor(prior.std, name);
  return entry != nullptr ? *entry : std::nullopt;
}

/// What is wrong with `mean_error` beside what else the scenario says.
class MeanErrorCheck {
 public:
  MeanErrorCheck(const ProblemOptions& problem, const TruthOptions* truth, const RobotModel& model)
      : problem_(problem), prior_(*problem.prior), truth_(truth), model_(model) {}

  std::vector<Issue> Issues() {
    if (truth_ == nullptr) {
      Add(kWhere, "has no meaning for a recording: the mean is drawn about the truth", "remove it");
      return std::move(issues_);
    }
    const BodyLaw law = LawOf(problem_.parametrisation.type);
    if (law == BodyLaw::kNone) {
      Add(kWhere, fmt::format("has no meaning for \"{}\"", problem_.parametrisation.type),
          "remove it, or choose the parametrisation \"base\", \"standard\", "
          "\"masses_and_moments\" or \"log_cholesky\"");
      return std::move(issues_);
    }
    if (truth_->draw == Draw::kTrial && !DrawnPerTrial(prior_)) {
      Add("/problem/prior/draw",
          "is \"cell\", but each trial draws the truth that the prior's mean is drawn about",
          "set it to \"trial\"");
    }
    Bodies();
    Parameters(law);
    return std::move(issues_);
  }

 private:
  void Add(const std::string& where, std::string what, std::string cure) {
    issues_.push_back({where, std::move(what), {std::move(cure)}});
  }

  void Bodies() {
    std::vector<std::string> drawn;
    for (int body = -1; body < model_.body_end(); ++body) {
      const std::string name = model_.BodyName(body);
      const std::optional<double> sigma = SigmaOfBody(prior_, name);
      const std::size_t known = KnownCount(body);
      if (!sigma || known == kInertialCount) continue;
      drawn.push_back(name);
      if (known > 0) {
        Add("/problem/prior/known",
            fmt::format("holds a part of {}, which mean_error draws as a whole", name),
            "give all of the body, or none of it");
      }
      if (*sigma <= kGreatestDeclared) continue;
      const bool own =
          std::ranges::find(prior_.std, name, &SigmaEntries::value_type::first) != prior_.std.end();
      const std::string where = PointerTo("/problem/prior/std", own ? name : kBodyKind);
      if (!issues_.empty() && issues_.back().where == where) continue;
      Add(where, fmt::format("got {}, above {}", *sigma, kGreatestDeclared),
          "mean_error draws with this standard deviation, and many draws would not be a body");
    }
    if (drawn.empty()) return;
    using Given = std::pair<bool, const char*>;
    for (const auto& [given, key] : {Given(prior_.density_error.has_value(), "density_error"),
                                     Given(prior_.mass_error.has_value(), "mass_error"),
                                     Given(prior_.com_error.has_value(), "com_error"),
                                     Given(prior_.com_error_std_m.has_value(), "com_error_std_m"),
                                     Given(prior_.inertia_error.has_value(), "inertia_error"),
                                     Given(prior_.mass_scale != 1.0, "mass_scale"),
                                     Given(prior_.inertia_scale != 1.0, "inertia_scale")}) {
      if (!given) continue;
      Add(fmt::format("/problem/prior/{}", key),
          fmt::format("is given together with mean_error, which draws {} about the truth",
                      ListSome(drawn)),
          "remove one of the two");
    }
  }

  void Parameters(BodyLaw law) {
    const ParameterLayout layout(model_);
    const std::vector<std::string> names = ParameterNames(model_);
    for (std::size_t k = static_cast<std::size_t>(layout.inertial_size()); k < names.size(); ++k) {
      if (!SigmaOfParameter(prior_, names[k]) || EntryFor(prior_.mean, names[k]) == nullptr) {
        continue;
      }
      Add("/problem/prior/mean",
          fmt::format("gives {}, whose mean mean_error draws about the truth", names[k]),
          "remove it there, or remove /problem/prior/mean_error");
      break;
    }
    if (law == BodyLaw::kWhole && problem_.parametrisation.type != "log_cholesky") return;
    for (const auto& [key, sigma] : prior_.std) {
      const bool body = key == kBodyKind || IsBody(key);
      const bool of_bodies = !body && std::ranges::none_of(names, [&](const std::string& name) {
        const std::optional<double>* const entry = EntryFor(SigmaEntries{{key, sigma}}, name);
        return entry != nullptr && !IsInertialKind(ParameterKind(name));
      });
      if (!sigma || !of_bodies) continue;
      Add(PointerTo("/problem/prior/std", key),
          fmt::format("is of a part of a body, and mean_error draws bodies of \"{}\" as a whole",
                      problem_.parametrisation.type),
          "give \"body\" instead, relative");
    }
  }

  /// How many parameters of the body are known by declaration.
  std::size_t KnownCount(int body) const {
    std::vector<int> all(kInertialCount);
    std::iota(all.begin(), all.end(), ParameterLayout(model_).Body(body));
    return KnownOf(problem_, model_, all).size();
  }

  bool IsBody(const std::string& name) const {
    for (int body = -1; body < model_.body_end(); ++body) {
      if (model_.BodyName(body) == name) return true;
    }
    return false;
  }

  const ProblemOptions& problem_;
  const PriorOptions& prior_;
  const TruthOptions* truth_;
  const RobotModel& model_;
  std::vector<Issue> issues_;
};

}  // namespace

Eigen::VectorXd DrawPriorMean(const Robot& robot, const ProblemOptions& problem,
                              const Eigen::VectorXd& true_pi, std::uint64_t seed,
                              std::int64_t trial) {
  const PriorOptions& prior = *problem.prior;
  const std::int64_t key = DrawnPerTrial(prior) ? trial : -1;
  Eigen::VectorXd pi = DrawPriorSet(robot, prior, seed, trial);
  const std::vector<int> asked = AskedParameters(robot, problem);
  const std::vector<std::string> names = ParameterNames(robot.model);
  const ParameterLayout layout(robot.model);
  for (int body = -1; body < robot.model.body_end(); ++body) {
    const int first = layout.Body(body);
    const std::string name = robot.model.BodyName(body);
    const std::optional<double> sigma = SigmaOfBody(prior, name);
    if (!sigma || !std::ranges::binary_search(asked, first)) continue;
    const MeanStream stream(seed, key, name);
    auto own = pi.segment<kInertialCount>(first);
    const InertialParameters truth = true_pi.segment<kInertialCount>(first);
    own = LawOf(problem.parametrisation.type) == BodyLaw::kMassesAndMoments
              ? DrawMassAndMoments(truth, own, *sigma, stream)
              : DrawBody(truth, *sigma, stream);
  }
  for (const int k : asked) {
    const std::string& name = names[static_cast<std::size_t>(k)];
    const std::optional<double> sigma = SigmaOfParameter(prior, name);
    if (sigma) pi[k] = true_pi[k] - *sigma * MeanStream(seed, key, name).Normal(0);
  }
  return pi;
}

std::vector<Issue> CheckMeanError(const ProblemOptions& problem, const TruthOptions* truth,
                                  const RobotModel& model) {
  if (problem.prior && problem.prior->unknown_error && truth == nullptr) {
    return {{"/problem/prior/unknown_error",
             "draws about the true values, and a recording has none",
             {"remove it, and give the prior's set"}}};
  }
  if (!problem.prior || !problem.prior->mean_error) return {};
  return MeanErrorCheck(problem, truth, model).Issues();
}

Eigen::VectorXd DrawUnknownFactors(const PriorOptions& prior, const std::vector<std::string>& names,
                                   std::uint64_t seed, std::int64_t trial) {
  Eigen::VectorXd factors = Eigen::VectorXd::Ones(std::ssize(names));
  if (!prior.unknown_error) return factors;
  for (Eigen::Index k = 0; k < factors.size(); ++k) {
    const RandomStream stream(seed, DrawnPerTrial(prior) ? trial : -1,
                              "prior/unknown_error/" + names[static_cast<std::size_t>(k)]);
    factors[k] += DrawError(*prior.unknown_error, stream, 0, 0);
  }
  return factors;
}

std::string DescribeMeanError(const PriorOptions& prior) {
  if (prior.unknown_error) {
    return fmt::format("means of all unknowns drawn {} about the truth: errors {}",
                       DrawnPerTrial(prior) ? "per trial" : "once",
                       DescribeLaw(*prior.unknown_error));
  }
  const bool draws =
      std::ranges::any_of(prior.std, [](const auto& entry) { return entry.second.has_value(); });
  if (!prior.mean_error || !draws) return "";
  return fmt::format("means of the prior drawn {} about the truth, as its std declares",
                     DrawnPerTrial(prior) ? "per trial" : "once");
}

}  // namespace idbench
