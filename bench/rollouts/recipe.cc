#include "bench/rollouts/recipe.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "robots/dynamics/dynamics.h"
#include "scenarios/motion/controllers.h"
#include "scenarios/motion/trajectory/spline.h"
#include "scenarios/options/json.h"
#include "sim/friction_step.h"
#include "sim/rollout.h"
#include "sim/sensors/measured_feedback.h"
#include "sim/sensors/per_joint.h"

namespace idbench {
namespace {

// Each function here names all members of what it adds in one structured binding: with a further
// member it no longer compiles.

CanonicalText TextOf(const RequestedSources& requested) {
  CanonicalText text;
  for (const SignalSource& source : SignalSources()) {
    text.Add(source.name, std::ranges::find(requested, &source) != requested.end());
  }
  return text;
}

/// Roll-outs keep the names that they had before sensors had calibration errors, shifts and drift.
std::string TextOf(const SensorOptions& sensors) {
  Json json = WriteValue(sensors);
  for (const ChannelSensorOptions* sensor : sensors.channels()) {
    const ChannelInfo& info = *sensor->channel;
    const bool placed = info.kind != nullptr;
    Json& own = json[std::string(placed ? info.kind->name : info.name)];
    Json& written = placed ? own[std::string(info.mount)] : own;
    const std::string suffix = "_" + std::string(info.suffix);
    if (!AnyNonZero(sensor->bias_shift_std)) written.erase("bias_shift_std" + suffix);
    if (sensor->bias_shift_draw == ShiftDraw::kExperiment) written.erase("bias_shift_draw");
    if (!AnyNonZero(sensor->drift_std)) {
      written.erase("drift_std" + suffix);
      written.erase("drift_time_s");
    }
    if (!sensor->calibration_error) written.erase("calibration_error");
  }
  return json.dump();
}

CanonicalText TextOf(const FeedbackRecipe& feedback) {
  const auto& [sensors, noise] = feedback;
  const auto& [seed, trial, name, run] = noise;
  CanonicalText text;
  text.Add("sensors", TextOf(sensors)).Add("seed", seed).Add("trial", trial).Add("name", name);
  if (!run.empty()) text.Add("run", run);
  return text;
}

CanonicalText TextOf(const TimedTable& table) {
  const auto& [time_s, values] = table;
  CanonicalText text;
  text.Add("time_s", time_s).Add("values", values);
  return text;
}

CanonicalText TextOf(const Touch& touch) {
  const auto& [link, beyond_cuts, p_LT_L, force, axes, shape, begin_s, ramp_s, hold_s] = touch;
  CanonicalText text;
  text.Add("link", link).Add("beyond_cuts", beyond_cuts).Add("p_LT_L", p_LT_L);
  text.Add("force", force).Add("axes", axes).Add("shape", shape);
  text.Add("begin_s", begin_s).Add("ramp_s", ramp_s).Add("hold_s", hold_s);
  return text;
}

CanonicalText TextOf(const Wall& wall) {
  const auto& [name, link, beyond_cuts, p_LT_L, p_BW_B, normal_B, stiffness, damping, friction,
               friction_width] = wall;
  CanonicalText text;
  text.Add("name", name).Add("link", link).Add("beyond_cuts", beyond_cuts).Add("p_LT_L", p_LT_L);
  text.Add("p_BW_B", p_BW_B).Add("normal_B", normal_B).Add("stiffness", stiffness);
  text.Add("damping", damping).Add("friction", friction).Add("friction_width", friction_width);
  return text;
}

CanonicalText TextOf(const Environment& environment) {
  const auto& [touches, walls, motor_noise] = environment;
  CanonicalText text;
  for (const Touch& touch : touches) text.Add("touch", TextOf(touch));
  for (const Wall& wall : walls) text.Add("wall", TextOf(wall));
  if (motor_noise) {
    text.Add("noise_torques", motor_noise->torques)
        .Add("noise_rates", motor_noise->rates)
        .Add("noise_phases", motor_noise->phases);
  }
  return text;
}

CanonicalText TextOf(const Recipe& recipe) {
  const auto& [truth, motion, control, torque, control_pi, rate_hz, signals, feedback, environment,
               release] = recipe;
  CanonicalText of_truth, of_motion;
  truth.Describe(of_truth);
  motion.Describe(of_motion);
  CanonicalText text;
  text.Add("truth", of_truth)
      .Add("motion", of_motion)
      .Add("control", WriteValue(control).dump())
      .Add("control_pi", control_pi)
      .Add("rate_hz", rate_hz)
      .Add("extras", TextOf(signals));
  if (torque) text.Add("torque", TextOf(*torque));
  if (feedback) text.Add("feedback", TextOf(*feedback));
  if (environment) text.Add("environment", TextOf(*environment));
  if (release) text.Add("release", WriteValue(*release).dump());
  return text;
}

/// The robot, and what surrounds it.
Scene SceneOf(const Recipe& recipe) {
  return {recipe.truth.true_robot(), recipe.environment ? &*recipe.environment : nullptr};
}

/// Checks the step of friction where a robot went without a desired motion, which is not known
/// before: in the samples from `from_s` on.
void CheckFrictionOnWay(const TrueRobot& robot, const Signals& signals, double from_s) {
  const Eigen::VectorXd& t = signals.time_s;
  const Eigen::Index samples = t.size() - (t.array() < from_s).count();
  if (samples < 2) return;
  const Eigen::VectorXd time_s = t.tail(samples).array() - t[t.size() - samples];
  CheckFrictionStep(robot, SplineMotion({time_s, signals[kJointPosition].bottomRows(samples)}));
}

/// Open-loop torque, from the motion's state at its beginning.
Signals SimulateOpenLoop(const Recipe& recipe, const TorqueReplayOptions& options) {
  const std::unique_ptr<TorqueLaw> law =
      MakeTorqueLaw(options, recipe.torque, recipe.truth.robot().model);
  Signals signals = Simulate(SceneOf(recipe), *law, recipe.motion, recipe.rate_hz, recipe.signals);
  CheckFrictionOnWay(recipe.truth.true_robot(), signals, 0.0);
  return signals;
}

Signals SimulateClosedLoop(const Recipe& recipe) {
  const TrueRobot& robot = recipe.truth.true_robot();
  const RobotModel& model = recipe.truth.robot().model;
  const Dynamics dynamics(model, robot.friction_shape(), recipe.truth.recipe().configuration);
  Dynamics::Scratch scratch(dynamics);
  const std::unique_ptr<Controller> controller = MakeController(
      recipe.control, model,
      [&](const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
          Eigen::VectorXd& tau) {
        dynamics.InverseDynamics(recipe.control_pi, q, qd, qdd, scratch, tau);
      },
      recipe.motion, recipe.release);
  std::unique_ptr<FeedbackSource> feedback = std::make_unique<TrueFeedback>();
  if (recipe.feedback) {
    feedback = std::make_unique<MeasuredFeedback>(recipe.feedback->sensors,
                                                  LoopOf(recipe.control)->velocity_cutoff_hz,
                                                  recipe.feedback->noise);
  }
  Signals signals = Simulate(SceneOf(recipe), *controller, *feedback, recipe.motion, recipe.rate_hz,
                             recipe.signals);
  if (recipe.release) CheckFrictionOnWay(robot, signals, recipe.motion.duration_s());
  return signals;
}

}  // namespace

std::string KeyOf(const Recipe& recipe) { return TextOf(recipe).Hash(); }

Signals Simulate(const Recipe& recipe) {
  if (std::holds_alternative<ExactReplayOptions>(recipe.control)) {
    return ReplayExactly(SceneOf(recipe), recipe.motion, recipe.rate_hz, recipe.signals);
  }
  if (const auto* replay = std::get_if<TorqueReplayOptions>(&recipe.control)) {
    return SimulateOpenLoop(recipe, *replay);
  }
  return SimulateClosedLoop(recipe);
}

}  // namespace idbench
