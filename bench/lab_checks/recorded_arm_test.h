#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/lab_checks/check_lab.h"
#include "robots/dynamics/dynamics.h"
#include "robots/recording/channels.h"
#include "robots/robot.h"
#include "robots/robot_file.h"

namespace idbench {

inline constexpr Eigen::Index kArmRows = 3000;
inline constexpr double kArmStep = 0.005;

/// For tests: the first three joints of a UR10.
inline const Robot& LabArm() {
  static const Robot arm = [] {
    RobotPart part;
    part.joints.patterns = {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint"};
    return LoadRobot("ur10", part);
  }();
  return arm;
}

/// What a lab records.
struct ArmColumns {
  Eigen::VectorXd time_s;
  Eigen::MatrixXd q, tau;
};

struct ArmCircumstances {
  Eigen::Vector3d gravity = LabArm().model.gravity();
  double tool_kg = 0.0;
  double last_link = 1.0;  ///< Factor of its inertia: near 0, its joint carries friction alone.
  double pace = 1.0;       ///< Of the motion.
  double reach = 1.0;      ///< Part of their motion that all joints but the first make.
};

/// 15 s of an arm whose links are 20 % heavier or lighter than the file says, with friction, white
/// noise of 1 % of the torques and of 0.03 mrad.
inline ArmColumns RecordArm(const ArmCircumstances& of = {}) {
  const Robot& arm = LabArm();
  const RobotModel model = UnderGravity(arm.model, of.gravity);
  const Dynamics dynamics(model);
  const ParameterLayout layout(model);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  pi.head(layout.links_size()) = arm.FindSet("")->pi.head(layout.links_size());
  for (int i = 0; i < 3; ++i) {
    pi.segment<kInertialCount>(layout.Body(i)) *= i % 2 == 0 ? 1.2 : 0.8;
    pi[layout.Joint(i, JointParameter::kViscous)] = 8.0;
    pi[layout.Joint(i, JointParameter::kCoulomb)] = 6.0;
  }
  pi.segment<kInertialCount>(layout.Body(2)) *= of.last_link;
  const Eigen::Vector3d at(0.5, 0.0, 0.1);  // of the tool, in the last link's frame
  pi[layout.Body(2)] += of.tool_kg;
  pi.segment<3>(layout.Body(2) + 1) += of.tool_kg * at;
  pi[layout.Body(2) + 4] += of.tool_kg * (at[1] * at[1] + at[2] * at[2]);
  Eigen::MatrixXd q(kArmRows, 3), qd(kArmRows, 3), qdd(kArmRows, 3), tau(kArmRows, 3);
  Eigen::VectorXd time_s(kArmRows);
  for (Eigen::Index i = 0; i < kArmRows; ++i) {
    const double t = time_s[i] = kArmStep * static_cast<double>(i);
    for (int j = 0; j < 3; ++j) {
      const double a = of.pace * 1.3 * (1.0 + 0.37 * j), b = of.pace * 3.1 * (1.0 - 0.2 * j);
      const double c = j == 0 ? 1.0 : of.reach;
      q(i, j) = 0.3 * j + c * (0.8 * std::sin(a * t) + 0.4 * std::cos(b * t));
      qd(i, j) = c * (0.8 * a * std::cos(a * t) - 0.4 * b * std::sin(b * t));
      qdd(i, j) = -c * (0.8 * a * a * std::sin(a * t) + 0.4 * b * b * std::cos(b * t));
    }
  }
  Dynamics::Scratch scratch(dynamics);
  dynamics.InverseDynamics(pi, {q, qd, qdd}, scratch, tau);
  std::mt19937_64 generator(1);
  const auto noise = [&generator] {
    double sum = -6.0;  // of twelve uniform numbers: variance 1
    for (int k = 0; k < 12; ++k) sum += std::ldexp(static_cast<double>(generator() >> 11), -53);
    return sum;
  };
  for (Eigen::Index j = 0; j < 3; ++j) {
    const double sigma = 0.01 * std::sqrt(tau.col(j).squaredNorm() / kArmRows);
    for (double& each : tau.col(j)) each += sigma * noise();
    for (double& each : q.col(j)) each += 3e-5 * noise();
  }
  return {time_s, q, tau};
}

inline LabLog ArmLog(const ArmColumns& columns, const StampCount& stamps = {}) {
  LabLog log{.robot = LabArm(), .stamps = stamps};
  std::vector<Channel> channels = {
      {std::string(kJointPosition), "rad", columns.time_s, columns.q, {}},
      {std::string(kJointTorque), "N·m", columns.time_s, columns.tau, {}}};
  constexpr double kGapSteps = 10.0;
  Segments segments = SplitAtBreaks(std::move(channels), kGapSteps);
  log.breaks = segments.breaks;
  for (std::vector<Channel>& part : segments.parts) {
    Dataset& dataset = log.recorded.emplace_back("log", Role::kIdentification);
    for (Channel& channel : part) dataset.Add(std::move(channel));
  }
  log.processed = ProcessedForChecks(log.recorded);
  return log;
}

inline std::vector<LabFinding> ArmFindings(const ArmColumns& columns,
                                           const StampCount& stamps = {}) {
  return CheckLab(ArmLog(columns, stamps));
}

/// "check of joint", of each finding, in order of the letters; "check" of the whole log.
inline std::string ToldChecks(const std::vector<LabFinding>& findings) {
  std::set<std::string> told;
  for (const LabFinding& finding : findings) {
    told.insert(finding.joint.empty() ? finding.check : finding.check + " of " + finding.joint);
  }
  return fmt::format("{}", fmt::join(told, "; "));
}

}  // namespace idbench
