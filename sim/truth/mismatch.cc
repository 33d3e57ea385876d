#include "sim/truth/mismatch.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "robots/random/random_stream.h"
#include "sim/sensors/per_joint.h"

namespace idbench {
namespace {

constexpr double kMostTilt = 1.5;  // [rad]

}  // namespace

double CoggingOptions::Torque(std::size_t joint, double q) const {
  return amplitude_nm[joint] * std::sin(periods_per_rev[joint] * q + phase_rad[joint]);
}

CoggingOptions DrawPhases(const CoggingOptions& options, int joints, std::uint64_t seed,
                          std::int64_t trial) {
  CoggingOptions drawn = options;
  drawn.random_phase.reset();
  if (!options.random_phase) return drawn;
  const RandomStream stream(seed, *options.random_phase == Draw::kTrial ? trial : -1,
                            "truth/cogging");
  drawn.phase_rad.values.assign(static_cast<std::size_t>(joints), 0.0);
  for (std::size_t j = 0; j < drawn.phase_rad.values.size(); ++j) {
    drawn.phase_rad.values[j] = 2.0 * std::numbers::pi * stream.Uniform(j, 0);
  }
  return drawn;
}

double FrictionWarmUpOptions::FactorAt(double t) const {
  return 1.0 - fraction * std::expm1(-t / time_s);
}

double FrictionWarmUpOptions::GreatestFactor() const { return 1.0 + std::max(fraction, 0.0); }

bool MismatchOptions::NeedsSimulation() const {
  return lugre || AnyNonZero(frictionloss_nm) || AnyNonZero(torque_resolution_nm);
}

double MismatchOptions::Resolved(std::size_t joint, double tau) const {
  const double resolution = torque_resolution_nm[joint];
  return resolution > 0.0 ? resolution * std::nearbyint(tau / resolution) : tau;
}

bool MismatchOptions::tilted() const {
  return std::ranges::any_of(base_tilt_rad, [](double angle) { return angle != 0.0; });
}

Eigen::Vector3d MismatchOptions::Tilted(const Eigen::Vector3d& gravity) const {
  const Eigen::Vector3d rotation(base_tilt_rad[0], base_tilt_rad[1], 0.0);
  const double angle = rotation.norm();
  return angle > 0.0 ? Eigen::AngleAxisd(-angle, rotation / angle) * gravity : gravity;
}

FieldTable Visit(CoggingOptions& options) {
  FieldTable table;
  table
      .Add("amplitude_nm", options.amplitude_nm,
           {.doc = "Amplitude of the cogging torque", .unit = "N·m"})
      .Add("periods_per_rev", options.periods_per_rev,
           {.doc = "Periods per turn of the joint", .lower = 0, .lower_open = true})
      .Add("phase_rad", options.phase_rad, {.doc = "Phase at joint position 0", .unit = "rad"})
      .Add("random_phase", options.random_phase,
           {.doc = "Draw each joint's phase in place of phase_rad, once for all trials of a cell "
                   "(cell) or in each trial (trial), the same in all its experiments; null: none"})
      .Check([&options](std::vector<Issue>& issues) {
        if (!options.random_phase || !AnyNonZero(options.phase_rad)) return;
        issues.push_back({"/random_phase", "contradicts /phase_rad", {"give one of the two"}});
      });
  return table;
}

FieldTable Visit(FrictionWarmUpOptions& options) {
  FieldTable table;
  table
      .Add(
          "fraction", options.fraction,
          {.doc = "Change of the friction of the warm robot, as a fraction of that at the start of "
                  "an experiment, which is the true friction of metrics",
           .lower = -1,
           .lower_open = true})
      .Add("time_s", options.time_s,
           {.doc = "Time in which 63 % of the change have come",
            .unit = "s",
            .lower = 0,
            .lower_open = true});
  return table;
}

FieldTable Visit(MismatchOptions& options) {
  FieldTable table;
  table
      .Add("frictionloss_nm", options.frictionloss_nm,
           {.doc = "MuJoCo's frictionloss, a soft constraint", .unit = "N·m", .lower = 0})
      .Add("lugre", options.lugre,
           {.doc = "LuGre friction, in addition to that of /friction; null: none"})
      .Add("cogging", options.cogging, {.doc = "Torque of the rotor's slots; null: none"})
      .Add("torque_resolution_nm", options.torque_resolution_nm,
           {.doc = "Step of the torques that drives can make: commands are rounded to multiples; "
                   "0: none",
            .unit = "N·m",
            .lower = 0})
      .Add("presliding_rad", options.presliding_rad,
           {.doc = "Travel over which Coulomb friction of joints, motors and own terms reverses "
                   "(Dahl), in m along prismatic joints; 0: none",
            .unit = "rad",
            .lower = 0})
      .Add("cables", options.cables,
           {.doc = "Cables, whose torques and wrenches depend on the pose alone"})
      .Add("base_tilt_rad", options.base_tilt_rad,
           {.doc = "Angles about the base's x and y axes by which it is not level; models take it "
                   "as level",
            .unit = "rad",
            .lower = -kMostTilt,
            .upper = kMostTilt})
      .Add("friction_warm_up", options.friction_warm_up,
           {.doc = "Friction that grows or falls in each experiment; null: it stays"})
      .Check([&options](std::vector<Issue>& issues) {
        if (options.base_tilt_rad.size() == 2) return;
        issues.push_back({"/base_tilt_rad",
                          fmt::format("has {} entries", options.base_tilt_rad.size()),
                          {"give two: the angles about the base's x and y axes"}});
      })
      .Check([&options](std::vector<Issue>& issues) {
        if (!options.friction_warm_up || !AnyNonZero(options.frictionloss_nm)) return;
        issues.push_back(
            {"/friction_warm_up",
             "cannot be combined with frictionloss_nm, a constraint of MuJoCo, which "
             "does not warm up",
             {"declare /robot/truth/friction/coulomb_nm in place of frictionloss_nm"}});
      });
  return table;
}

}  // namespace idbench
