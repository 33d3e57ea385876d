#include "scenarios/motion/excitation/exciting_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "robots/plant/plant_error.h"
#include "robots/random/random_stream.h"
#include "scenarios/motion/excitation/excitation_objective.h"
#include "scenarios/motion/excitation/motion_constraints.h"
#include "scenarios/motion/excitation/motion_curve.h"
#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

/// Factor from one attempt to the next, on the size of a random motion.
constexpr double kShrink = 0.97;
constexpr int kMostShrinks = 200;
/// Parts of the way that are tried when a motion breaks a limit: 1 − 2⁻¹² … 1 − 2⁻², 2⁻¹ … 2⁻¹³.
constexpr int kFinestDraw = 12;
constexpr int kFinestPart = 13;
/// Passes of the optimiser, the next where less than kMostlyKept of what it found is within limits.
constexpr int kMostPasses = 4;
constexpr double kPenaltyOfPass = 10.0;
/// Largest number of coefficients of a joint, which separates the draws of two starts.
constexpr std::uint64_t kMostCoefficients = 1 << 20;

std::unique_ptr<MotionCurve> MakeCurve(const ExcitingMotionOptions& options) {
  if (const auto* spline = std::get_if<SplineCurveOptions>(&options.curve)) {
    return std::make_unique<SplineCurve>(options.duration_s, spline->waypoint_s);
  }
  const auto& fourier = std::get<FourierCurveOptions>(options.curve);
  return std::make_unique<FourierCurve>(options.duration_s, fourier.harmonics, fourier.rest);
}

/// @param last  the sample at the end too.
SampledBasis Sample(const MotionCurve& curve, double rate_hz, bool last) {
  const auto count = std::max<Eigen::Index>(
      1,
      static_cast<Eigen::Index>(std::floor(curve.duration_s() * rate_hz + 1e-9)) + (last ? 1 : 0));
  SampledBasis basis;
  basis.rate_hz = rate_hz;
  for (Eigen::MatrixXd* part : {&basis.B, &basis.Bd, &basis.Bdd}) part->resize(count, curve.size());
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::MatrixXd at = curve.At(static_cast<double>(k) / rate_hz);
    basis.B.row(k) = at.row(0);
    basis.Bd.row(k) = at.row(1);
    basis.Bdd.row(k) = at.row(2);
  }
  return basis;
}

/// States of a motion, N × n.
struct MotionStates {
  MotionStates(const SampledBasis& basis, const Eigen::MatrixXd& c)
      : q(basis.B * c), qd(basis.Bd * c), qdd(basis.Bdd * c) {}
  StateSamples samples() const { return {q, qd, qdd}; }

  Eigen::MatrixXd q, qd, qdd;
};

/// States of a motion at kCriterionRateHz.
struct ReportedStates {
  ReportedStates(const Motion& motion, int n) {
    const auto count = std::max<Eigen::Index>(
        1, static_cast<Eigen::Index>(std::floor(motion.duration_s() * kCriterionRateHz + 1e-9)));
    for (Eigen::MatrixXd* part : {&q, &qd, &qdd}) part->resize(count, n);
    JointState state = JointState::Zero(n);
    for (Eigen::Index k = 0; k < count; ++k) {
      motion.Evaluate(static_cast<double>(k) / kCriterionRateHz, state);
      q.row(k) = state.q;
      qd.row(k) = state.qd;
      qdd.row(k) = state.qdd;
    }
  }
  StateSamples samples() const { return {q, qd, qdd}; }

  Eigen::MatrixXd q, qd, qdd;
};

/// Designs motions of one curve.
class Designer {
 public:
  Designer(const ExcitationSubject& subject, const ExcitingMotionOptions& options)
      : subject_(subject),
        options_(options),
        curve_(MakeCurve(options)),
        errors_(ErrorsOfRows(options.errors, options.design, subject.model)),
        inside_(subject.model, subject.dynamics, subject.pi,
                Limits(options.margin, options.clearance_m)),
        limits_(subject.model, subject.dynamics, subject.pi, Limits(1.0, 0.0)),
        coarse_(Sample(*curve_, options.rate_hz, true)),
        fine_(Sample(*curve_, kLimitRateHz, true)),
        reported_(Sample(*curve_, kCriterionRateHz, false)),
        scratch_(subject.dynamics),
        middle_(MiddlePose()) {}

  const MotionCurve& curve() const { return *curve_; }

  /// Returns the coefficients of a random motion that keeps all limits, inside their margin.
  Eigen::MatrixXd Draw(const RandomStream& stream, int start) {
    Eigen::MatrixXd shape(curve_->size(), subject_.model.dofs());
    for (Eigen::Index j = 0; j < shape.cols(); ++j) {
      for (Eigen::Index m = 0; m < shape.rows(); ++m) {
        const auto index =
            static_cast<std::uint64_t>(start) * kMostCoefficients + static_cast<std::uint64_t>(m);
        shape(m, j) = 2.0 * stream.Uniform(static_cast<std::uint64_t>(j), index) - 1.0;
      }
      ScaleJoint(j, shape);
    }
    const Eigen::MatrixXd rest = curve_->Constant() * middle_.transpose();
    double size = 1.0;
    for (int k = 0; k < kMostShrinks; ++k, size *= kShrink) {
      Eigen::MatrixXd c = rest + size * shape;
      if (Worst(inside_, fine_, c) <= 0.0) return c;
    }
    Worst(inside_, fine_, rest);
    throw PlantError(fmt::format(
        "no motion about the middle pose keeps the limits, {} first: give another centre_q_rad, "
        "floor_m or margin",
        worst_));
  }

  /// Minimises the criterion from `c` on. @param[in,out] c  coefficients.
  ExcitationStart Optimise(Eigen::MatrixXd& c) {
    const WeighedRows criterion(subject_.rows, *options_.criterion, errors_, subject_.known);
    if (errors_.disturbances.empty()) return Optimise(criterion, c);
    // From the motion that is best without disturbances: a random one leads into poorer minima.
    DesignErrors white = errors_;
    white.disturbances.clear();
    const double random = Criterion(criterion, c);
    const int evaluations =
        Optimise({subject_.rows, *options_.criterion, white, subject_.known}, c).evaluations;
    ExcitationStart start = Optimise(criterion, c);
    start.random = random;
    start.evaluations += evaluations;
    return start;
  }

 private:
  ExcitationStart Optimise(const WeighedRows& criterion, Eigen::MatrixXd& c) {
    ExcitationStart start{.random = Criterion(criterion, c)};
    const double weight = WeightOf(*options_.criterion);
    ExcitationObjective objective(subject_.dynamics, subject_.rows, criterion, weight, inside_,
                                  coarse_);
    Eigen::VectorXd g;
    if (!std::isfinite(start.random) || !std::isfinite(objective.MoveTo(c.reshaped(), g))) {
      throw PlantError(
          fmt::format("a motion of {:.6g} s in this form cannot tell the {} columns of its design "
                      "apart: give it a longer duration_s, nearer way points, more harmonics or a "
                      "higher rate_hz, or ask less of design",
                      options_.duration_s, subject_.rows.column_count()));
    }
    start.designed = start.random;
    LagrangianOptions optimiser = options_.optimiser;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      const LagrangianSolution found = Minimise(objective, c.reshaped(), optimiser);
      start.evaluations += found.evaluations;
      const Eigen::MatrixXd away = found.x.reshaped(c.rows(), c.cols()) - c;
      start.kept = PartWithinLimits(c, away);
      const Eigen::MatrixXd moved = c + start.kept * away;
      if (const double value = Criterion(criterion, moved); value < start.designed) {
        start.designed = value;
        c = moved;
      }
      if (start.kept > kMostlyKept) break;
      // What was found lies far beyond the limits: from here on they weigh more.
      optimiser.penalty *= kPenaltyOfPass;
    }
    return start;
  }

  /// The part of the way from `c` along `away` that keeps all limits at 1 kHz, as `c` does.
  double PartWithinLimits(const Eigen::MatrixXd& c, const Eigen::MatrixXd& away) {
    const auto keeps = [&](double part) { return Worst(limits_, fine_, c + part * away) <= 0.0; };
    if (keeps(1.0)) return 1.0;
    for (int k = kFinestDraw; k > 1; --k) {
      const double part = 1.0 - std::ldexp(1.0, -k);
      if (keeps(part)) return part;
    }
    for (int k = 1; k <= kFinestPart; ++k) {
      const double part = std::ldexp(1.0, -k);
      if (keeps(part)) return part;
    }
    return 0.0;
  }

  MotionConstraints::Options Limits(double margin, double clearance_m) const {
    return {.margin = margin,
            .torques = options_.torque_limits,
            .torque_sigmas = options_.torque_sigmas,
            .pi_covariance = subject_.pi_covariance,
            .pairs = options_.self_collision,
            .floor_m = options_.floor_m,
            .clearance_m = clearance_m};
  }
  Eigen::VectorXd MiddlePose() const {
    if (options_.centre_q_rad) return ToVector(*options_.centre_q_rad);
    Eigen::VectorXd middle(subject_.model.dofs());
    for (int j = 0; j < subject_.model.dofs(); ++j) {
      const auto [lower, upper] = PositionRange(subject_.model, j);
      middle[j] = 0.5 * (lower + upper);
    }
    return middle;
  }
  /// Condition numbers change by 1 where J_d changes by the number of columns.
  double WeightOf(ExcitationCriterion criterion) const {
    const bool sums =
        criterion == ExcitationCriterion::kLogDet || criterion == ExcitationCriterion::kHadamard;
    return sums ? 1.0 : subject_.rows.column_count();
  }
  /// Scales one joint's motion about its mean as far as it may go.
  void ScaleJoint(Eigen::Index j, Eigen::MatrixXd& shape) const {
    const auto [lower, upper] = PositionRange(subject_.model, static_cast<int>(j));
    const double reach = std::min(middle_[j] - lower, upper - middle_[j]);
    const JointLimits& limits = subject_.model.limits();
    const auto most = [&](const Eigen::MatrixXd& B) {
      return (B * shape.col(j)).template lpNorm<Eigen::Infinity>();
    };
    double scale = options_.amplitude_fraction * reach / most(fine_.B);
    scale = std::min(scale, options_.margin * limits.velocity[j] / most(fine_.Bd));
    scale = std::min(scale, options_.margin * limits.acceleration[j] / most(fine_.Bdd));
    shape.col(j) *= scale;
  }
  double Worst(const MotionConstraints& constraints, const SampledBasis& basis,
               const Eigen::MatrixXd& c) {
    const MotionStates states(basis, c);
    constraints.Values(states.samples(), scratch_, g_);
    if (g_.size() == 0) return 0.0;
    Eigen::Index sample = 0, constraint = 0;
    const double worst = g_.maxCoeff(&sample, &constraint);
    worst_ = constraints.NameOf(constraint);
    return worst;
  }
  double Criterion(const WeighedRows& criterion, const Eigen::MatrixXd& c) {
    const MotionStates states(reported_, c);
    std::vector<Eigen::MatrixXd> W;
    subject_.rows.Dense(states.samples(), scratch_, W);
    return criterion.Value({states.samples(), W, reported_.rate_hz});
  }

  const ExcitationSubject& subject_;
  const ExcitingMotionOptions& options_;
  std::unique_ptr<MotionCurve> curve_;
  DesignErrors errors_;
  MotionConstraints inside_, limits_;
  SampledBasis coarse_, fine_, reported_;
  Dynamics::Scratch scratch_;
  Eigen::VectorXd middle_;
  Eigen::MatrixXd g_;
  std::string worst_;  ///< What Worst() found.
};

}  // namespace

Eigen::MatrixXd InformationOn(const Dynamics& dynamics, const RowRegressor& rows,
                              const StateSamples& samples) {
  Dynamics::Scratch scratch(dynamics);
  std::vector<Eigen::MatrixXd> W;
  rows.Dense(samples, scratch, W);
  return InformationOf(rows, W);
}

Eigen::MatrixXd InformationOn(const ExcitationSubject& subject, const Motion& motion) {
  const ReportedStates states(motion, subject.model.dofs());
  return InformationOn(subject.dynamics, subject.rows, states.samples());
}

Eigen::MatrixXd InformationOn(const ExcitationSubject& subject, const Motion& motion,
                              const ExcitingMotionOptions& options) {
  const ReportedStates states(motion, subject.model.dofs());
  Dynamics::Scratch scratch(subject.dynamics);
  std::vector<Eigen::MatrixXd> W;
  subject.rows.Dense(states.samples(), scratch, W);
  const DesignErrors errors = ErrorsOfRows(options.errors, options.design, subject.model);
  return InformationOf(
      subject.rows, W,
      errors.rate_hz.value_or(kCriterionRateHz) / kCriterionRateHz * errors.precision);
}

ExcitingMotion DesignExcitingMotion(const ExcitationSubject& subject,
                                    const ExcitingMotionOptions& options, std::uint64_t seed,
                                    std::int64_t trial) {
  const RandomStream stream(seed, options.draw == Draw::kTrial ? trial : -1,
                            "motion/" + options.stream);
  if (options.criterion && subject.rows.column_count() == 0) {
    throw PlantError("there is nothing for the motion to show: no column of its design is left");
  }
  Designer designer(subject, options);
  ExcitingMotion designed;
  designed.criterion = options.criterion;
  designed.weighed = options.errors.has_value();
  designed.told = subject.known.size() > 0 && !subject.known.isZero(0.0);
  Eigen::MatrixXd best;
  if (!options.criterion) {
    best = designer.Draw(stream, 0);
  } else {
    for (int start = 0; start < options.starts; ++start) {
      try {
        Eigen::MatrixXd c = designer.Draw(stream, start);
        designed.starts.push_back(designer.Optimise(c));
        const std::size_t last = designed.starts.size() - 1;
        const bool better =
            designed.starts[last].designed < designed.starts[designed.best].designed;
        if (last > 0 && !better) continue;
        designed.best = last;
        best = std::move(c);
      } catch (const PlantError& error) {
        if (designed.failed == 0) designed.failure = error.what();
        ++designed.failed;
      }
    }
    if (designed.starts.empty()) throw PlantError(designed.failure);
  }
  designed.motion = designer.curve().Make(best);
  return designed;
}

}  // namespace idbench
