#include "bench/motion/motion_review.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "robots/dynamics/kinematics.h"
#include "robots/recording/channels.h"
#include "scenarios/motion/excitation/exciting_motion.h"
#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

constexpr double kRoundOff = 1e-9;

Eigen::VectorXd InstantsOf(const Motion& motion, double rate_hz) {
  const auto steps =
      static_cast<Eigen::Index>(std::ceil(motion.duration_s() * rate_hz - kRoundOff));
  Eigen::VectorXd time_s(steps + 1);
  for (Eigen::Index k = 0; k <= steps; ++k) {
    time_s[k] = std::min(static_cast<double>(k) / rate_hz, motion.duration_s());
  }
  return time_s;
}

/// Greatest |value|/limit of a column; nothing without a limit.
std::optional<double> Used(const Eigen::MatrixXd& values, Eigen::Index joint, double limit) {
  if (!std::isfinite(limit)) return std::nullopt;
  return values.col(joint).lpNorm<Eigen::Infinity>() / limit;
}

void LookAtPlaces(const RobotModel& model, MotionReview& review) {
  const CollisionModel& collision = model.collision();
  std::vector<Pose> poses(model.links().size());
  std::vector<Eigen::Vector3d> centres(collision.spheres.size());
  const auto keep = [](std::optional<NearestPlace>& least, double distance_m, const auto& name) {
    if (least && least->distance_m <= distance_m) return;
    least = NearestPlace{name(), distance_m};
  };
  const auto sphere = [&](int s) -> const CollisionSphere& {
    return collision.spheres[static_cast<std::size_t>(s)];
  };
  for (Eigen::Index k = 0; k < review.q.rows(); ++k) {
    ForwardKinematics(model, review.q.row(k).transpose(), poses);
    for (std::size_t s = 0; s < centres.size(); ++s) {
      const CollisionSphere& each = collision.spheres[s];
      centres[s] = PoseOf({each.link, Eigen::Matrix3d::Identity(), each.p_LC_L}, poses).p_BL_B;
    }
    const auto at = [&](int s) -> const Eigen::Vector3d& {
      return centres[static_cast<std::size_t>(s)];
    };
    for (const std::pair<int, int>& pair : collision.pairs) {
      const CollisionSphere& one = sphere(pair.first);
      const CollisionSphere& other = sphere(pair.second);
      const double apart = (at(pair.first) - at(pair.second)).norm();
      keep(review.nearest, apart - one.radius_m - other.radius_m, [&] {
        return fmt::format("{} and {} at {:.2f} s", one.name, other.name, review.time_s[k]);
      });
    }
    for (const int s : collision.above_floor) {
      keep(review.lowest, at(s).z(),
           [&] { return fmt::format("{} at {:.2f} s", sphere(s).name, review.time_s[k]); });
    }
  }
}

std::string Percent(const std::optional<double>& part) {
  return part ? fmt::format("{:.0f} %", 100.0 * *part) : std::string("–");
}

}  // namespace

MotionReview ReviewMotion(const Robot& robot, const ShownParameters& shown, int configuration,
                          const Motion& motion) {
  const RobotModel& model = robot.model;
  const Dynamics dynamics(model, shown.friction, configuration);
  const RowRegressor rows(dynamics, shown.equations, shown.columns);
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  MotionReview review;
  review.duration_s = motion.duration_s();
  review.columns = rows.column_count();
  for (const PlacedEquation& equation : shown.equations) {
    review.equations.emplace_back(ToString(equation.kind));
  }
  const Eigen::MatrixXd M = InformationOn({model, dynamics, rows, pi}, motion);
  for (const auto& [criterion, name] : kEnumNames<ExcitationCriterion>) {
    if (review.columns > 0) review.criteria.emplace_back(name, CriterionOf(criterion, M));
  }
  if (review.columns > 0) {
    review.without_time =
        review.criteria.front().second + review.columns * std::log(review.duration_s);
  }
  review.time_s = InstantsOf(motion, kLimitRateHz);
  const Eigen::Index count = review.time_s.size(), n = model.dofs();
  for (Eigen::MatrixXd* part : {&review.q, &review.qd, &review.qdd, &review.tau}) {
    part->resize(count, n);
  }
  JointState state = JointState::Zero(model.dofs());
  for (Eigen::Index k = 0; k < count; ++k) {
    motion.Evaluate(review.time_s[k], state);
    review.q.row(k) = state.q;
    review.qd.row(k) = state.qd;
    review.qdd.row(k) = state.qdd;
  }
  Dynamics::Scratch scratch(dynamics);
  dynamics.InverseDynamics(pi, {review.q, review.qd, review.qdd}, scratch, review.tau);
  const JointLimits& limits = model.limits();
  for (int j = 0; j < model.dofs(); ++j) {
    UsedLimits& used = review.used.emplace_back();
    used.joint = model.link(j).joint;
    if (std::isfinite(limits.lower[j]) && std::isfinite(limits.upper[j])) {
      const double middle = 0.5 * (limits.lower[j] + limits.upper[j]);
      used.position = (review.q.col(j).array() - middle).abs().maxCoeff() /
                      (0.5 * (limits.upper[j] - limits.lower[j]));
    }
    used.velocity = Used(review.qd, j, limits.velocity[j]);
    used.acceleration = Used(review.qdd, j, limits.acceleration[j]);
    used.torque = Used(review.tau, j, limits.effort[j]);
  }
  LookAtPlaces(model, review);
  return review;
}

std::string ReviewText(const MotionReview& review) {
  std::string text =
      fmt::format("{:.6g} s, {} columns of {}, samples at {:g} Hz\n", review.duration_s,
                  review.columns, fmt::join(review.equations, ", "), kCriterionRateHz);
  for (const auto& [name, value] : review.criteria) {
    text += fmt::format("  {:<12} {:>10.4g}", name, value);
    if (name == ToString(ExcitationCriterion::kLogDet)) {
      text += fmt::format("   ({:.4g} with {} ln T)", review.without_time, review.columns);
    }
    text += '\n';
  }
  std::size_t width = 5;
  for (const UsedLimits& used : review.used) width = std::max(width, used.joint.size());
  text += fmt::format("greatest use of limits at {:g} Hz, torques by the nominal parameters\n",
                      kLimitRateHz);
  text += fmt::format("  {:<{}} {:>9} {:>9} {:>13} {:>7}\n", "joint", width, "position", "velocity",
                      "acceleration", "torque");
  for (const UsedLimits& used : review.used) {
    text += fmt::format("  {:<{}} {:>9} {:>9} {:>13} {:>7}\n", used.joint, width,
                        Percent(used.position), Percent(used.velocity), Percent(used.acceleration),
                        Percent(used.torque));
  }
  if (review.nearest) {
    text += fmt::format("nearest spheres: {}, {:.3f} m apart\n", review.nearest->what,
                        review.nearest->distance_m);
  }
  if (review.lowest) {
    text += fmt::format("lowest sphere: {}, {:.3f} m above the base's origin\n",
                        review.lowest->what, review.lowest->distance_m);
  }
  return text;
}

std::string MotionCsv(const Robot& robot, const Motion& motion, double rate_hz) {
  const RobotModel& model = robot.model;
  std::string text = "t_s";
  for (const auto& [name, rate] :
       {std::pair("q", ""), std::pair("qd", "_s"), std::pair("qdd", "_s2")}) {
    for (int j = 0; j < model.dofs(); ++j) {
      const bool turns = model.link(j).type == JointType::kRevolute;
      text += fmt::format(",{}{}_{}{}", name, j + 1, turns ? "rad" : "m", rate);
    }
  }
  text += '\n';
  JointState state = JointState::Zero(model.dofs());
  for (const double t : InstantsOf(motion, rate_hz)) {
    motion.Evaluate(t, state);
    text += fmt::format("{:.9g}", t);
    for (const Eigen::VectorXd* part : {&state.q, &state.qd, &state.qdd}) {
      for (const double value : *part) text += fmt::format(",{:.12g}", value);
    }
    text += '\n';
  }
  return text;
}

}  // namespace idbench
