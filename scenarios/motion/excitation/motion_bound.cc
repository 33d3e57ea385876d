#include "scenarios/motion/excitation/motion_bound.h"

#include <fmt/format.h>
#include <nlopt.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "robots/plant/plant_error.h"
#include "robots/random/random_stream.h"
#include "scenarios/motion/excitation/augmented_lagrangian.h"
#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
/// Rounds of the search, and evaluations of its parts.
constexpr int kMostRounds = 200;
constexpr int kEvaluations = 300;
constexpr int kClimbs = 100;
/// Times that signs of velocities and accelerations are tried, and the climb goes on.
constexpr int kFlips = 3;
/// States looked at, and those of them from which a climb begins: at first, and where nothing more
/// is found.
constexpr Eigen::Index kLooks = 2000, kManyLooks = 40000;
constexpr std::size_t kStarts = 200, kManyStarts = 2000;
constexpr std::size_t kOfThose = 100;  ///< Beside the highest of those that are there.
constexpr Eigen::Index kMostJoin = 100;
/// Distance of two states, in parts of half the box, below which they count as one.
constexpr double kSamePlace = 0.02;
constexpr double kNoWeight = 1e-6;
constexpr double kNewcomer = 0.3;  ///< Weight of a state that joins over that of the others.

/// States, N × n each.
struct States {
  Eigen::MatrixXd q, qd, qdd;
  StateSamples samples() const { return {q, qd, qdd}; }
  Eigen::Index size() const { return q.rows(); }
  void Append(const States& more) {
    for (auto part : {&States::q, &States::qd, &States::qdd}) {
      Eigen::MatrixXd& mine = this->*part;
      const Eigen::MatrixXd& others = more.*part;
      const Eigen::Index before = mine.rows();
      mine.conservativeResize(before + others.rows(), others.cols());
      mine.bottomRows(others.rows()) = others;
    }
  }
  States Rows(const std::vector<Eigen::Index>& rows) const {
    return {q(rows, Eigen::all), qd(rows, Eigen::all), qdd(rows, Eigen::all)};
  }
};

/// |x − middle| ≤ half of positions, velocities and accelerations.
struct Box {
  Eigen::RowVectorXd middle;
  Eigen::RowVectorXd half_q, half_qd, half_qdd;

  States At(const Eigen::MatrixXd& u) const {
    const Eigen::Index n = middle.size();
    States s{u.leftCols(n) * half_q.asDiagonal(), u.middleCols(n, n) * half_qd.asDiagonal(),
             u.rightCols(n) * half_qdd.asDiagonal()};
    s.q.rowwise() += middle;
    return s;
  }
  Eigen::MatrixXd From(const States& s) const {
    Eigen::MatrixXd u(s.size(), 3 * middle.size());
    u << (s.q.rowwise() - middle).array().rowwise() / half_q.array(),
        s.qd.array().rowwise() / half_qd.array(), s.qdd.array().rowwise() / half_qdd.array();
    return u.cwiseMax(-1.0).cwiseMin(1.0);
  }
};

Box BoxOf(const RobotModel& model) {
  const int n = model.dofs();
  Box box;
  for (auto* part : {&box.middle, &box.half_q, &box.half_qd, &box.half_qdd}) part->resize(n);
  for (int j = 0; j < n; ++j) {
    const auto [lower, upper] = PositionRange(model, j);
    box.middle[j] = 0.5 * (lower + upper);
    box.half_q[j] = 0.5 * (upper - lower);
    const JointLimits& limits = model.limits();
    const double a = limits.acceleration[j];
    const auto refuse = [&](const char* what) {
      return PlantError(fmt::format("nothing limits the {} of {}", what, model.link(j).joint));
    };
    if (!std::isfinite(a)) throw refuse("acceleration");
    box.half_qdd[j] = a;
    box.half_qd[j] = limits.velocity[j];
    if (std::isfinite(limits.velocity[j])) continue;
    const double range = limits.upper[j] - limits.lower[j];
    if (!std::isfinite(range)) throw refuse("velocity");
    box.half_qd[j] = std::sqrt(a * range);  // half of it to get there, half to stop
  }
  return box;
}

/// What all states have in common.
struct Setting {
  const Dynamics& dynamics;
  const RowRegressor& rows;
  const Eigen::VectorXd& weights;  ///< Of each row: samples·precision.
  const InformationLoss& loss;
};

/// f over distributions on some states, p_i = x_i²/Σx².
class OverDistributions : public ConstrainedFunction {
 public:
  OverDistributions(const Setting& setting, const States& states) : setting_(setting) {
    Dynamics::Scratch scratch(setting.dynamics);
    setting.rows.Dense(states.samples(), scratch, W_);
  }

  Eigen::Index constraints() const override { return 0; }
  double MoveTo(const Eigen::VectorXd& x, Eigen::VectorXd& g) override {
    g.resize(0);
    x_ = x;
    p_ = x.cwiseAbs2() / x.squaredNorm();
    const int size = setting_.rows.column_count();
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size);
    for (std::size_t r = 0; r < W_.size(); ++r) {
      const std::vector<int>& columns = setting_.rows.ColumnsOf(static_cast<int>(r));
      const double weight = setting_.weights[static_cast<Eigen::Index>(r)];
      M(columns, columns) += weight * (W_[r].transpose() * p_.asDiagonal() * W_[r]);
    }
    return setting_.loss.At(M, G_);
  }
  Eigen::VectorXd Gradient(const Eigen::VectorXd&) override {
    Eigen::VectorXd by_p = Eigen::VectorXd::Zero(p_.size());
    for (std::size_t r = 0; r < W_.size(); ++r) {
      const std::vector<int>& columns = setting_.rows.ColumnsOf(static_cast<int>(r));
      const double weight = setting_.weights[static_cast<Eigen::Index>(r)];
      by_p -= weight * (W_[r] * G_(columns, columns)).cwiseProduct(W_[r]).rowwise().sum();
    }
    return (2.0 / x_.squaredNorm()) * x_.cwiseProduct((by_p.array() - p_.dot(by_p)).matrix());
  }

  const Eigen::MatrixXd& G() const { return G_; }
  const Eigen::VectorXd& p() const { return p_; }

 private:
  const Setting& setting_;
  std::vector<Eigen::MatrixXd> W_;
  Eigen::VectorXd x_, p_;
  Eigen::MatrixXd G_;
};

/// Heights Σ_rows weight·w·G·wᵀ of states: what a motion that stays in one has for tr(G·M).
class Heights {
 public:
  Heights(const Setting& setting, const Box& box, const Eigen::MatrixXd& G)
      : setting_(setting), box_(box), G_(G), scratch_(setting.dynamics) {}

  /// Returns those of all states. @param[out] gradient  of their sum; or nullptr.
  Eigen::VectorXd At(const States& states, StateGradient* gradient) {
    std::vector<Eigen::MatrixXd> W;
    setting_.rows.Dense(states.samples(), scratch_, W);
    Eigen::VectorXd heights = Eigen::VectorXd::Zero(states.size());
    for (std::size_t r = 0; r < W.size(); ++r) {
      const std::vector<int>& columns = setting_.rows.ColumnsOf(static_cast<int>(r));
      const Eigen::MatrixXd product =
          setting_.weights[static_cast<Eigen::Index>(r)] * (W[r] * G_(columns, columns));
      heights += product.cwiseProduct(W[r]).rowwise().sum();
      W[r] = 2.0 * product;
    }
    if (gradient != nullptr) setting_.rows.Gradient(states.samples(), W, scratch_, *gradient);
    return heights;
  }

  /// Climbs from all states, and across to other signs of a velocity or an acceleration: heights
  /// are convex in accelerations, and nearly so in velocities, so that they are greatest at the
  /// ends.
  /// @param[in,out] u  one state a row, see Box. Returns their heights.
  Eigen::VectorXd Climb(Eigen::MatrixXd& u) {
    Up(u);
    for (int k = 0; k < kFlips; ++k) {
      Flip(u);
      Up(u);
    }
    return At(box_.At(u), nullptr);
  }

 private:
  /// Takes the better sign of each velocity and acceleration, one after the other.
  void Flip(Eigen::MatrixXd& u) {
    Eigen::VectorXd heights = At(box_.At(u), nullptr);
    for (Eigen::Index c = box_.middle.size(); c < u.cols(); ++c) {
      Eigen::MatrixXd flipped = u;
      flipped.col(c) = u.col(c).unaryExpr([](double value) { return value > 0.0 ? -1.0 : 1.0; });
      const Eigen::VectorXd others = At(box_.At(flipped), nullptr);
      for (Eigen::Index i = 0; i < u.rows(); ++i) {
        if (!(others[i] > heights[i])) continue;
        u(i, c) = flipped(i, c);
        heights[i] = others[i];
      }
    }
  }
  /// Climbs from all states at once: their sum is greatest where each is.
  void Up(Eigen::MatrixXd& u) {
    states_ = u.rows();
    using Climber = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, decltype(&nlopt_destroy)>;
    const Climber climber(nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(u.size())),
                          &nlopt_destroy);
    nlopt_set_lower_bounds1(climber.get(), -1.0);
    nlopt_set_upper_bounds1(climber.get(), 1.0);
    nlopt_set_max_objective(climber.get(), &Heights::Evaluate, this);
    nlopt_set_maxeval(climber.get(), kClimbs);
    nlopt_set_vector_storage(climber.get(), 20);
    double most = 0.0;
    nlopt_optimize(climber.get(), u.data(), &most);
    u = u.cwiseMax(-1.0).cwiseMin(1.0).eval();
  }
  static double Evaluate(unsigned size, const double* x, double* gradient, void* self) {
    auto& heights = *static_cast<Heights*>(self);
    const Eigen::Map<const Eigen::MatrixXd> u(x, heights.states_, size / heights.states_);
    StateGradient by_state;
    const Eigen::VectorXd all =
        heights.At(heights.box_.At(u), gradient == nullptr ? nullptr : &by_state);
    if (gradient != nullptr) {
      Eigen::Map<Eigen::MatrixXd> by_u(gradient, u.rows(), u.cols());
      by_u << by_state.q * heights.box_.half_q.asDiagonal(),
          by_state.qd * heights.box_.half_qd.asDiagonal(),
          by_state.qdd * heights.box_.half_qdd.asDiagonal();
    }
    return all.sum();
  }

  const Setting& setting_;
  const Box& box_;
  const Eigen::MatrixXd& G_;
  Dynamics::Scratch scratch_;
  Eigen::Index states_ = 0;
};

/// Indices of the greatest values, from the greatest on.
std::vector<Eigen::Index> Greatest(const Eigen::VectorXd& values, std::size_t count) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](Eigen::Index i) { return values[i]; });
  order.resize(std::min(order.size(), count));
  return order;
}

/// Looks for the least f of distributions over states in a box.
class Search {
 public:
  Search(const Setting& setting, const Box& box, const States& begin, std::uint64_t seed)
      : setting_(setting),
        box_(box),
        stream_(seed, 0, "motion bound"),
        states_(begin),
        x_(Eigen::VectorXd::Ones(begin.size())) {}

  MotionBound Run() {
    MotionBound result{.bound = -kUnbounded};
    bool thorough = false;
    while (result.rounds < kMostRounds) {
      ++result.rounds;
      if (result.rounds == 1) EnsureFinite();
      OverDistributions over(setting_, states_);
      x_ = Minimise(over, x_, {.rounds = 1, .evaluations = kEvaluations, .memory = 20}).x;
      x_.normalize();
      Eigen::VectorXd none;
      const double f = over.MoveTo(x_, none);
      if (!std::isfinite(f)) break;
      Eigen::MatrixXd u = Starts(over, thorough);
      const Eigen::VectorXd heights = Heights(setting_, box_, over.G()).Climb(u);
      result.bound = setting_.loss.Bound(f, heights.maxCoeff());
      result.reached = f;
      result.states = static_cast<int>((over.p().array() > kNoWeight).count());
      const bool close = f - result.bound <= setting_.loss.Close(f);
      if (close && thorough) return result;
      thorough = close;
      Join(over, u, heights);
    }
    result.bound = -kUnbounded;
    return result;
  }

 private:
  /// Adds states anywhere if those to begin with do not tell the columns apart.
  /// @throws PlantError if these do not, either.
  void EnsureFinite() {
    Eigen::VectorXd none;
    if (std::isfinite(OverDistributions(setting_, states_).MoveTo(x_, none))) return;
    states_.Append(box_.At(Anywhere(kLooks)));
    x_ = Eigen::VectorXd::Ones(states_.size());
    if (std::isfinite(OverDistributions(setting_, states_).MoveTo(x_, none))) return;
    throw PlantError("no states within the limits tell the columns apart");
  }
  /// States with velocities and accelerations at their ends, see Box.
  Eigen::MatrixXd Anywhere(Eigen::Index count) {
    const Eigen::Index n = box_.middle.size();
    Eigen::MatrixXd u(count, 3 * n);
    for (Eigen::Index i = 0; i < u.size(); ++i) {
      const double drawn = 2.0 * stream_.Uniform(0, drawn_++) - 1.0;
      u.data()[i] = i < n * count ? drawn : (drawn > 0.0 ? 1.0 : -1.0);
    }
    return u;
  }
  /// The highest of states anywhere, and of those that are there.
  Eigen::MatrixXd Starts(const OverDistributions& over, bool thorough) {
    Heights heights(setting_, box_, over.G());
    const States anywhere = box_.At(Anywhere(thorough ? kManyLooks : kLooks));
    States starts =
        anywhere.Rows(Greatest(heights.At(anywhere, nullptr), thorough ? kManyStarts : kStarts));
    starts.Append(states_.Rows(Greatest(heights.At(states_, nullptr), kOfThose)));
    return box_.From(starts);
  }
  /// Takes in the highest states, each once, and drops those without weight.
  void Join(const OverDistributions& over, const Eigen::MatrixXd& u,
            const Eigen::VectorXd& heights) {
    std::vector<Eigen::Index> kept, joined;
    for (Eigen::Index i = 0; i < states_.size(); ++i) {
      if (over.p()[i] > kNoWeight) kept.push_back(i);
    }
    for (const Eigen::Index i : Greatest(heights, static_cast<std::size_t>(heights.size()))) {
      if (std::ssize(joined) == kMostJoin) break;
      const bool there = std::ranges::any_of(joined, [&](Eigen::Index other) {
        return (u.row(other) - u.row(i)).lpNorm<Eigen::Infinity>() < kSamePlace;
      });
      if (!there) joined.push_back(i);
    }
    const Eigen::VectorXd before = x_;
    states_ = states_.Rows(kept);
    states_.Append(box_.At(u(joined, Eigen::all)));
    x_.resize(states_.size());
    x_.head(std::ssize(kept)) = before(kept);
    x_.tail(std::ssize(joined)).setConstant(kNewcomer / std::sqrt(static_cast<double>(x_.size())));
  }

  const Setting& setting_;
  const Box& box_;
  RandomStream stream_;
  States states_;
  Eigen::VectorXd x_;
  std::uint64_t drawn_ = 0;
};

}  // namespace

double LogDetLoss::At(const Eigen::MatrixXd& M, Eigen::MatrixXd& G) const {
  const Eigen::LLT<Eigen::MatrixXd> llt(M);
  if (llt.info() != Eigen::Success) return kUnbounded;
  G = llt.solve(Eigen::MatrixXd::Identity(M.rows(), M.cols()));
  return -2.0 * Eigen::MatrixXd(llt.matrixL()).diagonal().array().log().sum();
}

double LogDetLoss::Close(double) const { return 0.01 * size_; }

double LogDetLoss::Bound(double f, double most) const { return f - size_ * std::log(most / size_); }

double PredictionLoss::At(const Eigen::MatrixXd& M, Eigen::MatrixXd& G) const {
  const Eigen::LLT<Eigen::MatrixXd> llt(M);
  if (llt.info() != Eigen::Success) return kUnbounded;
  const Eigen::MatrixXd inverse = llt.solve(Eigen::MatrixXd::Identity(M.rows(), M.cols()));
  const double joints = static_cast<double>(C_.size());
  Eigen::MatrixXd weighted = Eigen::MatrixXd::Zero(M.rows(), M.cols());
  double mean = 0.0;
  for (const Eigen::MatrixXd& C : C_) {
    const double root = std::sqrt(C.cwiseProduct(inverse).sum());
    mean += root / joints;
    if (root > 0.0) weighted += C / (2.0 * joints * root);
  }
  G = inverse * weighted * inverse;
  return mean;
}

double PredictionLoss::Close(double f) const { return 0.01 * f; }

double PredictionLoss::Bound(double f, double most) const {
  // f(sM) = f/√s and tr(G·M) = f/2 where G is that of M, so that the best s is 2·most/f.
  return f * std::sqrt(f / (2.0 * most));
}

bool CanBoundMotions(const std::vector<PlacedEquation>& equations) {
  return std::ranges::all_of(equations, [](const PlacedEquation& equation) {
    const RowsFrom from = InfoOf(equation.kind).rows;
    return from == RowsFrom::kTorqueRows || from == RowsFrom::kWrenchRows;
  });
}

MotionBound BoundOfMotions(const RobotModel& model, const Dynamics& dynamics,
                           const RowRegressor& rows, const Eigen::VectorXd& precision,
                           double samples, const InformationLoss& loss, const StateSamples& begin,
                           std::uint64_t seed) {
  const Box box = BoxOf(model);
  const Eigen::VectorXd weights = samples * precision;
  const States within = box.At(box.From({begin.q, begin.qd, begin.qdd}));
  return Search({dynamics, rows, weights, loss}, box, within, seed).Run();
}

}  // namespace idbench
