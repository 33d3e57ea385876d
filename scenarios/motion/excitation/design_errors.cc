#include "scenarios/motion/excitation/design_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

constexpr Eigen::Index kWrenchRows = 6;

bool IsZero(const PerJoint& values) {
  return std::ranges::all_of(values.values, [](double value) { return value == 0.0; });
}

double SignOf(double qd, double width) {
  if (width > 0.0) return std::tanh(qd / width);
  return qd > 0.0 ? 1.0 : (qd < 0.0 ? -1.0 : 0.0);
}

void AddDisturbancesOf(const DesignErrorOptions& options, int joint, double width,
                       std::vector<Disturbance>& disturbances) {
  using Shape = Disturbance::Shape;
  const auto j = static_cast<std::size_t>(joint);
  const auto add = [&](double sigma, Disturbance disturbance) {
    if (sigma == 0.0) return;
    disturbance.joint = joint;
    disturbance.sigma = sigma;
    disturbances.push_back(disturbance);
  };
  add(options.offset_std_nm[j], {.shape = Shape::kConstant});
  // a·sin(p·q + φ) with φ uniform is a sine and a cosine of variance a²/2 each.
  const double of_each = options.cogging_amplitude_nm[j] / std::sqrt(2.0);
  const double p = options.cogging_periods_per_rev[j];
  add(of_each, {.shape = Shape::kSine, .p = p});
  add(of_each, {.shape = Shape::kCosine, .p = p});
  add(options.stribeck_excess_nm[j],
      {.shape = Shape::kStribeck, .velocity = options.stribeck_velocity_rad_s[j], .width = width});
}

}  // namespace

bool DesignErrorOptions::has_disturbances() const {
  return !IsZero(offset_std_nm) || !IsZero(cogging_amplitude_nm) || !IsZero(stribeck_excess_nm);
}

FieldTable Visit(DesignErrorOptions& o) {
  FieldTable table;
  table
      .Add("noise_std_nm", o.noise_std_nm,
           {.doc = "Standard deviation of white noise of joint torques, drawn at rate_hz",
            .unit = "N·m",
            .lower = 0,
            .lower_open = true})
      .Add("wrench_noise_std_n_nm", o.wrench_noise_std_n_nm,
           {.doc = "Likewise of base wrenches: one number, or one for each of three forces and "
                   "three moments",
            .unit = "N, N·m",
            .lower = 0,
            .lower_open = true})
      .Add("rate_hz", o.rate_hz,
           {.doc = "Rate at which noise is drawn: how much a second of measurements tells is in "
                   "proportion to it",
            .unit = "Hz",
            .lower = 0,
            .lower_open = true})
      .Add("offset_std_nm", o.offset_std_nm,
           {.doc = "Standard deviation of a constant in each joint's torque that nothing "
                   "identifies",
            .unit = "N·m",
            .lower = 0})
      .Add("cogging_amplitude_nm", o.cogging_amplitude_nm,
           {.doc = "Amplitude of a torque that is a sine of the joint's position, of unknown phase",
            .unit = "N·m",
            .lower = 0})
      .Add("cogging_periods_per_rev", o.cogging_periods_per_rev,
           {.doc = "Its periods per turn of the joint (prismatic: per 2π m)",
            .lower = 0,
            .lower_open = true})
      .Add("stribeck_excess_nm", o.stribeck_excess_nm,
           {.doc = "Standard deviation of what friction at low speeds is above Coulomb friction",
            .unit = "N·m",
            .lower = 0})
      .Add("stribeck_velocity_rad_s", o.stribeck_velocity_rad_s,
           {.doc = "Velocity over which that falls, exp(-(qd/velocity)²)",
            .unit = "rad/s",
            .lower = 0,
            .lower_open = true});
  return table;
}

std::vector<Issue> CheckDesignErrors(const DesignErrorOptions& options, const RobotModel& model,
                                     const std::string& where) {
  std::vector<Issue> issues;
  CheckPerJoint(options.noise_std_nm, model, where + "/noise_std_nm", issues);
  CheckPerJoint(options.offset_std_nm, model, where + "/offset_std_nm", issues);
  CheckPerJoint(options.cogging_amplitude_nm, model, where + "/cogging_amplitude_nm", issues);
  CheckPerJoint(options.cogging_periods_per_rev, model, where + "/cogging_periods_per_rev", issues);
  CheckPerJoint(options.stribeck_excess_nm, model, where + "/stribeck_excess_nm", issues);
  CheckPerJoint(options.stribeck_velocity_rad_s, model, where + "/stribeck_velocity_rad_s", issues);
  const auto components = std::ssize(options.wrench_noise_std_n_nm.values);
  if (components != 1 && components != kWrenchRows) {
    issues.push_back({where + "/wrench_noise_std_n_nm",
                      fmt::format("got a list of {}", components),
                      {"accepted here: one number, or one for each of three forces and three "
                       "moments"}});
  }
  return issues;
}

Disturbance::Value Disturbance::At(double q, double qd) const {
  switch (shape) {
    case Shape::kConstant:
      return {1.0, 0.0, 0.0};
    case Shape::kSine:
      return {std::sin(p * q), p * std::cos(p * q), 0.0};
    case Shape::kCosine:
      return {std::cos(p * q), -p * std::sin(p * q), 0.0};
    case Shape::kStribeck: {
      const double ratio = qd / velocity, bell = std::exp(-ratio * ratio);
      const double sign = SignOf(qd, width);
      const double slope = width > 0.0 ? (1.0 - sign * sign) / width : 0.0;
      return {sign * bell, 0.0, bell * (slope - 2.0 * ratio / velocity * sign)};
    }
  }
  return {};
}

DesignErrors ErrorsOfRows(const std::optional<DesignErrorOptions>& options,
                          const DesignOptions& design, const RobotModel& model) {
  std::vector<double> precision;
  DesignErrors errors;
  for (const PlacedEquation& equation : design.placed_equations()) {
    const bool torques = equation.kind == Equation::kTorque;
    const Eigen::Index rows = torques ? model.dofs() : kWrenchRows;
    for (Eigen::Index r = 0; r < rows; ++r) {
      double sigma = 1.0;
      if (options) {
        const PerJoint& of = torques ? options->noise_std_nm : options->wrench_noise_std_n_nm;
        sigma = of[static_cast<std::size_t>(r)];
        if (torques) {
          AddDisturbancesOf(*options, static_cast<int>(r), design.coulomb_width_rad_s,
                            errors.disturbances);
        }
      }
      precision.push_back(1.0 / (sigma * sigma));
    }
  }
  errors.precision = Eigen::Map<const Eigen::VectorXd>(precision.data(), std::ssize(precision));
  if (options) errors.rate_hz = options->rate_hz;
  return errors;
}

}  // namespace idbench
