#include "scenarios/motion/computed_torque.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace idbench {
namespace {

/// The greatest natural frequency [Hz] for which q̈ = −2ζω·q̇ − ω²·q is stable with the right side
/// held for T = 1/rate: Jury's criterion on the exactly discretised double integrator gives
/// ωT < 4ζ and ζωT < 1.
double GreatestStableFrequency(double damping_ratio, double rate_hz) {
  return rate_hz / (2.0 * std::numbers::pi) * std::min(4.0 * damping_ratio, 1.0 / damping_ratio);
}

}  // namespace

FieldTable Visit(ComputedTorqueOptions& options) {
  FieldTable table;
  table
      .Add("natural_frequency_hz", options.natural_frequency_hz,
           {.doc = "natural frequency of the tracking error",
            .unit = "Hz",
            .lower = 0,
            .lower_open = true})
      .Add("damping_ratio", options.damping_ratio,
           {.doc = "damping ratio of the tracking error; 1 is critical",
            .lower = 0,
            .lower_open = true})
      .Add("model", options.model,
           {.doc = "parameters of the controller's own model", .choices = {"prior", "truth"}})
      .Add(
          "rate_hz", options.rate_hz,
          {.doc = "torques computed per second, each held until the next; divides the plant's step "
                  "rate",
           .unit = "Hz",
           .lower = 0,
           .lower_open = true})
      .Check([&options](std::vector<Issue>& issues) {
        const double limit = GreatestStableFrequency(options.damping_ratio, options.rate_hz);
        if (options.natural_frequency_hz < limit) return;
        issues.push_back(
            {"/natural_frequency_hz",
             fmt::format(
                 "{} Hz is unstable at a rate of {} Hz and a damping ratio of {}, even with "
                 "a perfect model",
                 options.natural_frequency_hz, options.rate_hz, options.damping_ratio),
             {fmt::format("accepted here: less than {:.6g} Hz, better a tenth of it", limit)}});
      });
  return table;
}

ComputedTorque::ComputedTorque(const ComputedTorqueOptions& options,
                               InverseDynamics inverse_dynamics)
    : inverse_dynamics_(std::move(inverse_dynamics)), rate_hz_(options.rate_hz) {
  const double w = 2.0 * std::numbers::pi * options.natural_frequency_hz;
  kp_ = w * w;
  kd_ = 2.0 * options.damping_ratio * w;
}

void ComputedTorque::Torque(double, const JointState& desired, const JointState& feedback,
                            Eigen::VectorXd& tau) {
  // q̈_r = q̈_d + Kd·(q̇_d − q̇) + Kp·(q_d − q)
  qdd_wanted_ = desired.qdd + kd_ * (desired.qd - feedback.qd) + kp_ * (desired.q - feedback.q);
  inverse_dynamics_(feedback.q, feedback.qd, qdd_wanted_, tau);
}

}  // namespace idbench
