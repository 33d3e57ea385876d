#include "estimators/active/swing.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "estimators/interface/estimate.h"
#include "robots/recording/channels.h"

namespace idbench {
namespace {

/// Compensates what β' says, and remembers what it commanded.
class Compensation : public Controller {
 public:
  Compensation(const PlanarLagrangian& lagrangian, Eigen::VectorXd beta, Eigen::Index most)
      : lagrangian_(lagrangian),
        beta_(std::move(beta)),
        zero_(Eigen::VectorXd::Zero(lagrangian.dofs())),
        commanded_(lagrangian.dofs(), most) {}

  /// Returns the torques that it commanded, one column each.
  auto commanded() const { return commanded_.leftCols(count_); }

  void Act(const JointState&, const Reading& reading, Command& command) override {
    lagrangian_.Torque(beta_, reading[kJointPosition], reading[kJointVelocity], zero_,
                       command.value);
    commanded_.col(count_++) = command.value;
  }

 private:
  const PlanarLagrangian& lagrangian_;
  Eigen::VectorXd beta_, zero_;
  Eigen::MatrixXd commanded_;
  Eigen::Index count_ = 0;
};

/// The time of an experiment in which no motion is wanted; the chain begins with these velocities.
class Free : public Motion {
 public:
  Free(Eigen::VectorXd q, Eigen::VectorXd qd, double duration_s)
      : q_(std::move(q)), qd_(std::move(qd)), duration_s_(duration_s) {}
  double duration_s() const override { return duration_s_; }
  void Evaluate(double, JointState& desired) const override {
    desired.q = q_;
    desired.qd = qd_;
    desired.qdd.setZero();
  }
  void Describe(CanonicalText& text) const override {
    text.Add("kind", "free").Add("q", q_).Add("qd", qd_).Add("duration_s", duration_s_);
  }

 private:
  Eigen::VectorXd q_, qd_;
  double duration_s_;
};

}  // namespace

void AddFields(FieldTable& table, SwingOptions& o) {
  table
      .Add("duration_s", o.duration_s,
           {.doc = "Duration of an experiment in which the robot does not fall",
            .unit = "s",
            .lower = 0.0,
            .upper = 1e4,
            .lower_open = true})
      .Add("push_rad_s", o.push_rad_s,
           {.doc = "Greatest rate of an absolute angle with which the upright robot is let go",
            .unit = "rad/s",
            .lower = 0.0,
            .lower_open = true})
      .Add("limit_rad", o.limit_rad,
           {.doc = "Absolute angle from upright beyond which the robot has fallen",
            .unit = "rad",
            .lower = 0.0,
            .lower_open = true})
      .Add("coriolis_factor", o.coriolis_factor,
           {.doc = "Part of the Coriolis and centrifugal torques of the guess that is compensated"})
      .Add("velocity_cutoff_hz", o.velocity_cutoff_hz,
           {.doc = "Cut-off of the low-pass of velocities that no sensor reads, for these torques",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true});
}

Eigen::MatrixXd AnglesFromUpright(const SwingRecord& record, const PlanarLagrangian& lagrangian) {
  return (lagrangian.S() * record.q).colwise() + lagrangian.theta0();
}

Series SwingSeries(const SwingRecord& record, const std::string& name, const Problem& problem) {
  const PlanarLagrangian& lagrangian = *problem.parameters.lagrangian();
  Series series{
      .name = std::string(kSwingSeries) + name,
      .columns = {},
      .units = std::vector<std::string>(static_cast<std::size_t>(lagrangian.dofs()), "rad"),
      .time_s = Eigen::VectorXd::LinSpaced(
          record.size(), 0.0, record.period_s * static_cast<double>(record.size() - 1)),
      .values = AnglesFromUpright(record, lagrangian).transpose()};
  for (const Link& link : problem.model.links()) series.columns.push_back(link.name);
  return series;
}

Eigen::VectorXd Upright(const Problem& problem) {
  const PlanarLagrangian& lagrangian = *problem.parameters.lagrangian();
  Eigen::VectorXd upright = -lagrangian.S().inverse() * lagrangian.theta0();
  const JointLimits& limits = problem.model.limits();
  for (int j = 0; j < lagrangian.dofs(); ++j) {
    if (upright[j] >= limits.lower[j] && upright[j] <= limits.upper[j]) continue;
    Refuse(fmt::format(
        "experiments on the upright robot, where {} is at {:.4g} rad, beyond its range [{:.4g}, "
        "{:.4g}]: take a robot that can stand so, such as rods1 to rods4",
        problem.model.joint_names()[static_cast<std::size_t>(j)], upright[j], limits.lower[j],
        limits.upper[j]));
  }
  return upright;
}

void CheckJoints(const Problem& problem, int most) {
  const int joints = problem.model.dofs();
  if (joints <= most) return;
  Refuse(fmt::format("takes {}, and the robot has {}",
                     most == 1 ? "one joint" : fmt::format("{} joints", most), joints));
}

SwingLaboratory::SwingLaboratory(const Problem& problem, Plant& plant, const SwingOptions& options)
    : lagrangian_([&]() -> const PlanarLagrangian& {
        if (problem.parameters.lagrangian() == nullptr || !problem.parameters.prior) {
          Refuse("needs the parametrisation \"planar_lagrangian\" and a prior");
        }
        return *problem.parameters.lagrangian();
      }()),
      prior_(problem.parameters.prior->mean),
      plant_(plant),
      options_(options),
      S_inverse_(lagrangian_.S().inverse()),
      upright_(Upright(problem)) {
  const PlantInfo& info = plant.info();
  if (std::ranges::find(info.modes, CommandMode::kTorque) == info.modes.end()) {
    Refuse("commands torques, which the plant does not take");
  }
  if (!info.starts_moving) Refuse("pushes the robot, and experiments of the plant begin at rest");
}

Eigen::VectorXd SwingLaboratory::Push(PushDirection direction,
                                      const Eigen::VectorXd& gravity) const {
  const int n = dofs();
  // Inertias between absolute rates, upright: K = ½·ωᵀ·A·ω.
  Eigen::MatrixXd A = prior_.head(n).asDiagonal();
  for (std::size_t k = 0; k < lagrangian_.couplings().size(); ++k) {
    const PlanarLagrangian::Coupling& pair = lagrangian_.couplings()[k];
    const double P = prior_[lagrangian_.FirstCoupling() + static_cast<Eigen::Index>(k)];
    A(pair.ancestor, pair.link) = A(pair.link, pair.ancestor) = P;
  }
  Eigen::VectorXd rates(n);
  switch (direction) {
    case PushDirection::kTip:
      rates = A.partialPivLu().solve(Eigen::VectorXd::Ones(n));
      break;
    case PushDirection::kAlternating:
      for (int i = 0; i < n; ++i) rates[i] = i % 2 == 0 ? 1.0 : -1.0;
      break;
    case PushDirection::kLowestMode: {
      // A·φ̈ = −diag(gravity − b)·φ with b unknown: that of the compensation alone stands for it.
      const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(gravity.asDiagonal(),
                                                                            A);
      if (modes.info() != Eigen::Success) {
        Refuse("the inertias of the prior are not those of a robot: no mode is the lowest");
      }
      rates = modes.eigenvectors().col(0);
      break;
    }
  }
  const double greatest = rates.cwiseAbs().maxCoeff();
  if (!(greatest > 0.0) || !rates.allFinite()) {
    Refuse("the inertias of the prior are not those of a robot: a push has no direction");
  }
  return options_.push_rad_s / greatest * rates;
}

SwingRecord SwingLaboratory::Swing(const Eigen::VectorXd& gravity, const Eigen::VectorXd& rates) {
  Eigen::VectorXd beta = Eigen::VectorXd::Zero(lagrangian_.size());
  beta.head(lagrangian_.FirstGravity()) =
      options_.coriolis_factor * prior_.head(lagrangian_.FirstGravity());
  beta.segment(lagrangian_.FirstGravity(), dofs()) = gravity;
  const Free motion(upright_, S_inverse_ * rates, options_.duration_s);
  const double period_s = plant_.info().period_s;
  const Eigen::Index most = std::llround(options_.duration_s / period_s) + 1;
  Compensation compensation(lagrangian_, std::move(beta), most);

  ExperimentStart start{upright_, S_inverse_ * rates, {}};
  for (int i = 0; i < dofs(); ++i) {
    start.limits.push_back(
        {lagrangian_.S().row(i).transpose(), -lagrangian_.theta0()[i], options_.limit_rad});
  }
  SwingRecord record{.period_s = period_s,
                     .torque_delay_periods = plant_.info().torque_delay_periods,
                     .q = Eigen::MatrixXd(dofs(), most),
                     .tau = {},
                     .gravity = gravity,
                     .rates = rates};
  Eigen::Index count = 0;
  record.fell = Follow(plant_, start, compensation, motion, options_.velocity_cutoff_hz,
                       [&](const Reading& reading) {
                         record.q.col(count++) = reading[kJointPosition];
                       }) == ExperimentState::kFell;
  record.q.conservativeResize(Eigen::NoChange, count);
  record.tau = Eigen::MatrixXd(dofs(), count);
  const Eigen::Index held = std::min(count, compensation.commanded().cols());
  record.tau.leftCols(held) = compensation.commanded().leftCols(held);
  if (held < count && held > 0) record.tau.col(held) = record.tau.col(held - 1);
  return record;
}

}  // namespace idbench
