#include "estimators/active/static_torque.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "robots/control/pd_gravity.h"
#include "robots/plant/plant_error.h"
#include "robots/recording/channels.h"

namespace idbench {
namespace {

// Parts of a visit: on the way beside the pose, to the pose, then still; then it counts.
constexpr double kAway = 0.4;
constexpr double kThere = 0.55;
constexpr double kCounts = 0.67;

/// Position between two poses, at rest in both.
Eigen::VectorXd Between(const Eigen::VectorXd& from, const Eigen::VectorXd& to, double part) {
  const double s = std::clamp(part, 0.0, 1.0);
  return from + s * s * s * (10.0 - 15.0 * s + 6.0 * s * s) * (to - from);
}

/// Visits of poses, one after the other, from `start` on; each pose from both sides.
class Visits : public Motion {
 public:
  Visits(Eigen::VectorXd start, Eigen::MatrixXd poses, double approach, double duration_s)
      : start_(std::move(start)),
        poses_(std::move(poses)),
        approach_(approach),
        duration_s_(duration_s) {}

  double duration_s() const override { return duration_s_; }
  Eigen::Index count() const { return 2 * poses_.cols(); }
  double each_s() const { return duration_s_ / static_cast<double>(count()); }
  Eigen::VectorXd Pose(Eigen::Index visit) const {
    return visit < 0 ? start_ : Eigen::VectorXd(poses_.col(visit / 2));
  }

  void Evaluate(double t, JointState& desired) const override {
    desired.q = At(t);
    // The velocity is that of the path to its second order in a step of 1 ms.
    constexpr double kStep = 5e-4;
    desired.qd = (At(t + kStep) - At(t - kStep)) / (2.0 * kStep);
    desired.qdd.setZero();
  }
  void Describe(CanonicalText& text) const override {
    text.Add("kind", "visits")
        .Add("start", start_)
        .Add("poses", poses_)
        .Add("approach", approach_)
        .Add("duration_s", duration_s_);
  }

 private:
  Eigen::VectorXd At(double t) const {
    const auto visit =
        std::clamp<Eigen::Index>(static_cast<Eigen::Index>(t / each_s()), 0, count() - 1);
    const double part = t / each_s() - static_cast<double>(visit);
    const double side = visit % 2 == 0 ? approach_ : -approach_;
    const Eigen::VectorXd pose = Pose(visit);
    const Eigen::VectorXd beside = pose.array() + side;
    if (part < kAway) return Between(Pose(visit - 1), beside, part / kAway);
    return Between(beside, pose, (part - kAway) / (kThere - kAway));
  }

  Eigen::VectorXd start_;
  Eigen::MatrixXd poses_;  ///< n × poses
  double approach_, duration_s_;
};

/// Remembers what another controller commands.
class Remembered : public Controller {
 public:
  explicit Remembered(Controller& controller) : controller_(controller) {}
  void Act(const JointState& desired, const Reading& reading, Command& command) override {
    controller_.Act(desired, reading, command);
    last = command.value;
  }

  Eigen::VectorXd last;

 private:
  Controller& controller_;
};

/// What counts of one visit.
struct Held {
  Eigen::MatrixXd q, tau;  ///< n × 2, means of its first and its second half
  Eigen::Array2i samples = Eigen::Array2i::Zero();

  explicit Held(Eigen::Index n) : q(Eigen::MatrixXd::Zero(n, 2)), tau(q) {}
  void Add(const Eigen::VectorXd& position, const Eigen::VectorXd& torque, bool second) {
    q.col(second ? 1 : 0) += position;
    tau.col(second ? 1 : 0) += torque;
    ++samples[second ? 1 : 0];
  }
  bool complete() const { return samples.minCoeff() > 0; }
  void Divide() {
    for (const int half : {0, 1}) {
      q.col(half) /= samples[half];
      tau.col(half) /= samples[half];
    }
  }
  Eigen::VectorXd position() const { return q.rowwise().mean(); }
  Eigen::VectorXd torque() const {
    return tau * samples.cast<double>().matrix() / static_cast<double>(samples.sum());
  }
  /// How far a joint still moves [rad].
  double moved() const { return (q.col(1) - q.col(0)).cwiseAbs().maxCoeff(); }
  /// By how much the torque of a joint changes [N·m].
  double torque_change() const { return (tau.col(1) - tau.col(0)).cwiseAbs().maxCoeff(); }
};

/// Positions between the halves of a visit that change by more are not at rest, and by far more
/// tell nothing [rad].
constexpr double kAtRest = 1e-3;
constexpr double kMoving = 0.05;
/// Part of the greatest torque by which torques between the halves of a visit may change: it is not
/// gravity that changes. Swings under control, where the mean over poses has about a twentieth of
/// it, then err by some 3e-4.
constexpr double kEven = 5e-3;
/// Positions from above and from below a pose that differ by a greater part of the way are held
/// there by friction.
constexpr double kHeldApart = 0.5;

/// Tells whether the robot was at rest, and where it was to be.
/// @throws EstimationFailure (not_converged) if it moved far.
std::string HealthOf(const std::vector<Held>& held, double approach) {
  const auto moved = std::ranges::max(held, {}, &Held::moved).moved();
  if (moved > kMoving) {
    throw EstimationFailure(
        Outcome::kNotConverged,
        fmt::format("the robot does not come to rest in its poses, but moves by up to {:.2g} rad "
                    "while it is to be still: take more time (/duration_s) or fewer /poses",
                    moved));
  }
  if (moved > kAtRest) {
    return fmt::format(
        "the robot was not at rest in its poses; it moved by up to {:.2g} rad while "
        "it was to be still: take more time (duration_s) or fewer poses",
        moved);
  }
  double greatest = 0.0;
  double change = 0.0;
  for (const Held& visit : held) {
    greatest = std::max(greatest, visit.tau.cwiseAbs().maxCoeff());
    change = std::max(change, visit.torque_change());
  }
  if (change > kEven * greatest) {
    return fmt::format(
        "torques change while the robot is to be still; by up to {:.2g} % of the greatest one: "
        "if it swings about its poses, take a higher rate of the laboratory, a softer control "
        "(natural_frequency_hz) or more damping (damping_ratio), else more time (duration_s)",
        100.0 * change / greatest);
  }
  double apart = 0.0;
  for (std::size_t k = 0; k + 1 < held.size(); k += 2) {
    apart = std::max(apart, (held[k].position() - held[k + 1].position()).cwiseAbs().maxCoeff());
  }
  if (apart <= kHeldApart * approach) return "";
  return fmt::format(
      "friction holds the robot apart on its two ways to a pose; by up to {:.2g} "
      "rad: what it holds is no gravity; take a stiffer control "
      "(natural_frequency_hz) or longer ways (approach_rad)",
      apart);
}

}  // namespace

FieldTable Visit(StaticTorqueOptions& o) {
  FieldTable table;
  table
      .Add("poses", o.poses,
           {.doc = "Number of poses, each visited twice", .lower = 1, .upper = 10000})
      .Add("duration_s", o.duration_s,
           {.doc = "Duration of the experiment", .unit = "s", .lower = 0.0, .lower_open = true})
      .Add("reach_rad", o.reach_rad,
           {.doc = "Greatest absolute angle of a link from upright",
            .unit = "rad",
            .lower = 0.0,
            .upper = 3.0,
            .lower_open = true})
      .Add("approach_rad", o.approach_rad,
           {.doc = "Distance of each joint from which a pose is approached, from above and from "
                   "below",
            .unit = "rad",
            .lower = 0.0})
      .Add("natural_frequency_hz", o.natural_frequency_hz,
           {.doc = "Natural frequency of a joint under control, see pd_gravity",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("damping_ratio", o.damping_ratio,
           {.doc = "Damping ratio of the same", .lower = 0.0, .lower_open = true})
      .Add("velocity_cutoff_hz", o.velocity_cutoff_hz,
           {.doc = "Cut-off of the low-pass of velocities that no sensor reads",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("leaning", o.leaning,
           {.doc = "Fit by how much the gravity of each link leans, too, see swing_weak_form"});
  return table;
}

Estimate StaticTorque::Experiment(const Problem& problem, Plant& plant) {
  const PlanarLagrangian& lagrangian = *problem.parameters.lagrangian();
  const Eigen::Index n = lagrangian.dofs();
  const Eigen::MatrixXd S_inverse = lagrangian.S().inverse();
  if (std::ranges::find(plant.info().modes, CommandMode::kTorque) == plant.info().modes.end()) {
    Refuse("commands torques, which the plant does not take");
  }

  // Evenly spread: multiples of irrational numbers, modulo 1.
  Eigen::MatrixXd poses(n, options_.poses);
  for (Eigen::Index k = 0; k < poses.cols(); ++k) {
    Eigen::VectorXd theta(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double x = (static_cast<double>(k) + 0.5) *
                       std::pow(1.6180339887498949, -1.0 - static_cast<double>(i));
      theta[i] = options_.reach_rad * (2.0 * (x - std::floor(x)) - 1.0);
    }
    poses.col(k) = S_inverse * (theta - lagrangian.theta0());
  }
  const Eigen::VectorXd upright = Upright(problem);
  const Visits visits(upright, poses, options_.approach_rad, options_.duration_s);

  // The guess, without friction.
  Eigen::VectorXd beta = problem.parameters.prior->mean;
  beta.tail(beta.size() - lagrangian.FirstJointTerm()).setZero();
  const InverseDynamics guess = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                                    const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) {
    lagrangian.Torque(beta, q, qd, qdd, tau);
  };
  // Inertias that are guessed one by one may be those of no robot; without couplings they are.
  Eigen::VectorXd uncoupled = beta;
  uncoupled.segment(lagrangian.FirstCoupling(), std::ssize(lagrangian.couplings())).setZero();
  const InverseDynamics links_alone = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                                          const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) {
    lagrangian.Torque(uncoupled, q, qd, qdd, tau);
  };
  const PdGravityOptions pd_options{.natural_frequency_hz = options_.natural_frequency_hz,
                                    .damping_ratio = options_.damping_ratio};
  const auto gains = [&] {
    try {
      return GainsOf(pd_options, guess, visits, static_cast<int>(n));
    } catch (const PlantError&) {
      return GainsOf(pd_options, links_alone, visits, static_cast<int>(n));
    }
  };
  PdGravity pd(gains(), 1.0 / plant.info().period_s, guess);
  Remembered control(pd);
  std::vector<Held> held(static_cast<std::size_t>(visits.count()), Held(n));
  // A reading comes before the torque that answers it.
  Reading before;
  const auto add = [&](const Reading& reading) {
    if (control.last.size() > 0 && !before.channels.empty()) {
      const double visit =
          std::min(before.t / visits.each_s(), static_cast<double>(visits.count()) - 1e-9);
      const double part = visit - std::floor(visit);
      if (part >= kCounts) {
        held[static_cast<std::size_t>(visit)].Add(before[kJointPosition], control.last,
                                                  part >= 0.5 * (1.0 + kCounts));
      }
    }
    before = reading;
  };
  if (Follow(plant, {upright, Eigen::VectorXd::Zero(n), {}}, control, visits,
             options_.velocity_cutoff_hz, add) == ExperimentState::kFell) {
    throw EstimationFailure(Outcome::kDiverged,
                            "a joint hit its stop on the way between the poses: take a guess that "
                            "is nearer, a smaller /reach_rad, or a stiffer control "
                            "(/natural_frequency_hz); where the rate of the laboratory is low, a "
                            "softer one");
  }

  // G_i and H_i of −G_i·sin θ_i + H_i·cos θ_i = τ_i, θ and τ the means of both visits of a pose.
  Eigen::MatrixXd theta(n, options_.poses), torque(n, options_.poses);
  for (Held& visit : held) {
    if (!visit.complete()) {
      Refuse("visits are shorter than a few periods of the plant: take more time, or fewer poses");
    }
    visit.Divide();
  }
  const std::string health = HealthOf(held, options_.approach_rad);
  for (std::size_t k = 0; k + 1 < held.size(); k += 2) {
    const Eigen::VectorXd q = 0.5 * (held[k].position() + held[k + 1].position());
    const Eigen::VectorXd tau = 0.5 * (held[k].torque() + held[k + 1].torque());
    theta.col(static_cast<Eigen::Index>(k) / 2) = lagrangian.theta0() + lagrangian.S() * q;
    torque.col(static_cast<Eigen::Index>(k) / 2) = S_inverse.transpose() * tau;
  }
  Eigen::VectorXd gravity(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    Eigen::MatrixXd A(options_.poses, options_.leaning ? 2 : 1);
    A.col(0) = -theta.row(i).array().sin();
    if (options_.leaning) A.col(1) = theta.row(i).array().cos();
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
    if (qr.rank() < A.cols()) {
      throw EstimationFailure(Outcome::kRankDeficient,
                              "poses do not tell gravity from how it leans: take more (/poses), or "
                              "leave that out (/leaning)");
    }
    gravity[i] = qr.solve(torque.row(i).transpose())[0];
  }
  Estimate estimate;
  estimate.x = problem.parameters.prior->mean;
  estimate.x.segment(lagrangian.FirstGravity(), n) = gravity;
  if (!health.empty()) estimate.notes["health"] = health;
  estimate.notes["covariance"] = "none stated: the method has no model of friction at rest";
  estimate.notes["unknowns"] = "of gravity alone (G); the others are those of the prior";
  return estimate;
}

}  // namespace idbench
