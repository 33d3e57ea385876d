#include "scenarios/problem/drawn_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "robots/random/random_stream.h"
#include "scenarios/problem/prior_entries.h"

namespace idbench {
namespace {

/// Draws of one body: x, y, z.
constexpr std::uint64_t kAxes = 3;

/// The relative errors of one kind of parameter.
class ErrorStream {
 public:
  /// @param declared_std  what DeclaredError refers to.
  ErrorStream(const std::optional<ErrorLaw>& law, std::uint64_t seed, std::int64_t trial,
              const std::string& name, double declared_std)
      : law_(law), stream_(seed, trial, name), declared_std_(declared_std) {}

  bool draws() const { return law_.has_value(); }

  /// What a value that stays positive is multiplied by.
  double Factor(int body, std::uint64_t axis) const {
    const bool declared = std::holds_alternative<DeclaredError>(*law_);
    for (std::uint64_t index = axis;; index += kAxes) {
      const double factor = 1.0 + Error(body, index);
      if (factor >= kLeastFactor) return declared ? 1.0 / factor : factor;
    }
  }

  double Error(int body, std::uint64_t index) const {
    return DrawError(*law_, stream_, static_cast<std::uint64_t>(body) + 1, index, declared_std_);
  }

 private:
  const std::optional<ErrorLaw>& law_;
  RandomStream stream_;
  double declared_std_;
};

/// I_com with its principal moments multiplied.
Eigen::Matrix3d WithMoments(const Eigen::Matrix3d& I_com, const Eigen::Vector3d& factors) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I_com);
  return principal.eigenvectors() * principal.eigenvalues().cwiseProduct(factors).asDiagonal() *
         principal.eigenvectors().transpose();
}

/// Whether a body is attached and known: then it is what it is declared to be.
bool IsKnown(const RobotModel& model, int body) {
  return body >= model.dofs() &&
         model.attached()[static_cast<std::size_t>(body - model.dofs())].known;
}

/// @param pi  without errors.
Eigen::VectorXd DrawSet(const Robot& robot, const SetOptions& options, Eigen::VectorXd pi,
                        std::uint64_t seed, std::int64_t trial, const std::string& what,
                        double declared_std) {
  const std::int64_t key = DrawnPerTrial(options) ? trial : -1;
  const ErrorStream density(options.density_error, seed, key, what + "/density_error",
                            declared_std);
  const ErrorStream mass(options.mass_error, seed, key, what + "/mass_error", declared_std);
  const ErrorStream com(options.com_error, seed, key, what + "/com_error", declared_std);
  const std::optional<ErrorLaw> in_metres =
      options.com_error_std_m ? std::optional<ErrorLaw>(GaussianError{*options.com_error_std_m})
                              : std::nullopt;
  const ErrorStream com_m(in_metres, seed, key, what + "/com_error_m", declared_std);
  const ErrorStream moment(options.inertia_error, seed, key, what + "/inertia_error", declared_std);
  if (!density.draws() && !mass.draws() && !options.draws_com() && !moment.draws()) return pi;
  const ParameterLayout layout(robot.model);
  for (int body = -1; body < robot.model.body_end(); ++body) {
    auto parameters = pi.segment<kInertialCount>(layout.Body(body));
    if (parameters[0] == 0.0 || IsKnown(robot.model, body)) continue;
    CentralInertia inertia = FromStandard(parameters);
    const double gyration = std::sqrt(std::max(inertia.I_com.trace(), 0.0) / (2.0 * inertia.mass));
    if (density.draws()) {
      const double factor = density.Factor(body, 0);
      inertia.mass *= factor;
      inertia.I_com *= factor;
    }
    if (mass.draws()) inertia.mass *= mass.Factor(body, 0);
    if (com.draws()) {
      inertia.com +=
          gyration * Eigen::Vector3d(com.Error(body, 0), com.Error(body, 1), com.Error(body, 2));
    }
    if (com_m.draws()) {
      inertia.com +=
          Eigen::Vector3d(com_m.Error(body, 0), com_m.Error(body, 1), com_m.Error(body, 2));
    }
    if (moment.draws()) {
      inertia.I_com = WithMoments(
          inertia.I_com, {moment.Factor(body, 0), moment.Factor(body, 1), moment.Factor(body, 2)});
    }
    parameters = ToStandard(inertia);
  }
  return pi;
}

}  // namespace

Eigen::VectorXd ScaledSet(const Robot& robot, const SetOptions& options) {
  Eigen::VectorXd pi = robot.FindSet(options.set)->pi;
  const ParameterLayout layout(robot.model);
  for (int body = -1; body < robot.model.dofs(); ++body) {
    auto parameters = pi.segment<kInertialCount>(layout.Body(body));
    if (parameters[0] == 0.0) continue;
    CentralInertia inertia = FromStandard(parameters);
    inertia.mass *= options.mass_scale;
    inertia.I_com *= options.inertia_scale;
    parameters = ToStandard(inertia);
  }
  const auto& own = robot.model.terms();
  for (const auto& [name, value] : options.terms) {
    const auto term = std::ranges::find(own, name, &Term::name);
    if (term != own.end()) pi[pi.size() - (own.end() - term)] = value;
  }
  FillOwnTerms(robot.model, options.terms, pi);
  return pi;
}

Eigen::VectorXd PriorSet(const Robot& robot, const PriorOptions& options) {
  Eigen::VectorXd pi = ScaledSet(robot, options);
  SetMeans(robot.model, options.mean, pi);
  return pi;
}

void FillOwnTerms(const RobotModel& model, const Labelled<double>& named, Eigen::VectorXd& pi) {
  const std::vector<Term> terms = TermsOf(model);
  const int first = ParameterLayout(model).inertial_size();
  for (const Configuration& configuration : model.configurations()) {
    for (const OwnTerm& term : configuration.own) {
      const std::string& name = terms[static_cast<std::size_t>(term.own)].name;
      const bool given = std::ranges::any_of(
          named, [&name](const auto& labelled) { return labelled.first == name; });
      if (!given) pi[first + term.own] = pi[first + term.shared];
    }
  }
}

bool DrawnPerTrial(const SetOptions& options) { return options.draw == Draw::kTrial; }

bool DrawnPerTrial(const TruthOptions& options) {
  const auto& cogging = options.joints.mismatch.cogging;
  return options.draw == Draw::kTrial || (cogging && cogging->random_phase == Draw::kTrial);
}

Eigen::VectorXd DrawTrueSet(const Robot& robot, const SetOptions& options, std::uint64_t seed,
                            std::int64_t trial) {
  Eigen::VectorXd pi =
      DrawSet(robot, options, ScaledSet(robot, options), seed, trial, "truth", 0.0);
  if (robot.attached_truth.size() == 0) return pi;
  const Eigen::Index first = ParameterLayout(robot.model).links_size();
  for (std::size_t k = 0; k < robot.attached_drawn.size(); ++k) {
    if (robot.attached_drawn[k]) continue;
    const auto at = static_cast<Eigen::Index>(kInertialCount * k);
    pi.segment<kInertialCount>(first + at) = robot.attached_truth.segment<kInertialCount>(at);
  }
  return pi;
}

Eigen::VectorXd DrawPriorSet(const Robot& robot, const PriorOptions& options, std::uint64_t seed,
                             std::int64_t trial) {
  return DrawSet(robot, options, PriorSet(robot, options), seed, trial, "prior",
                 options.relative_std.value_or(0.0));
}

std::string DescribeDraw(const std::string& what, const SetOptions& options) {
  std::vector<std::string> errors;
  if (options.density_error) errors.push_back("densities " + DescribeLaw(*options.density_error));
  if (options.mass_error) errors.push_back("masses " + DescribeLaw(*options.mass_error));
  if (options.com_error) {
    errors.push_back("centres of mass, in radii of gyration, " + DescribeLaw(*options.com_error));
  }
  if (options.com_error_std_m) {
    errors.push_back(
        fmt::format("centres of mass normal with σ = {:.3g} m", *options.com_error_std_m));
  }
  if (options.inertia_error) {
    errors.push_back("principal moments " + DescribeLaw(*options.inertia_error));
  }
  if (errors.empty()) return "";
  return fmt::format("errors of the {} drawn {}: {}", what,
                     DrawnPerTrial(options) ? "per trial" : "once", fmt::join(errors, "; "));
}

}  // namespace idbench
