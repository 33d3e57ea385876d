#pragma once

#include <optional>
#include <string>

#include "robots/plant/controller.h"
#include "robots/plant/torque_law.h"
#include "scenarios/options/config_error.h"
#include "sim/sensors/feedback_source.h"
#include "sim/sensors/signals.h"
#include "sim/signal_sources.h"
#include "sim/simulated_robot.h"
#include "sim/truth/scene.h"

namespace idbench {

/// Checks that a rate divides the step rate 1/step_s (to 1e-9). Returns nothing if it does, else an
/// issue at `where` that names the nearest rates that do.
std::optional<Issue> CheckRate(const std::string& where, double rate_hz, double step_s);

/// Moves `robot` along `motion` under `controller`, and on while that lets it go, and keeps every
/// (1/(rate_hz·step))-th sample.
///
/// The first sample is taken half a hold of the controller after the start, so that all lie in the
/// middle of a hold as far as the rates allow. The mean acceleration over the hold is the one
/// there, and signals differentiated from position agree best with the sampled acceleration. The
/// samples (q, q̇, q̈, τ) are those of the robot, bit for bit.
/// @param feedback  what the controller is told of the robot's state.
/// @throws std::invalid_argument if the sensor's or the controller's rate does not divide the
///         robot's step rate.
/// @throws PlantError as `robot` does.
Signals Record(SimulatedRobot& robot, Controller& controller, FeedbackSource& feedback,
               const Motion& motion, double rate_hz);

/// Calls CheckFrictionStep(), then Record() on its own MujocoRobot, then computes the requested
/// signals for the samples, and of a scene with an environment its external wrench. Where a robot
/// goes that is let go is not known before, and not checked.
/// @throws as those do; PlantError also if the distance meter does not see the ground.
Signals Simulate(const Scene& scene, Controller& controller, FeedbackSource& feedback,
                 const Motion& motion, double rate_hz, const RequestedSources& requested = {});

/// Returns the signals of a robot under open-loop torque. Calls CheckFrictionStep() at the initial
/// state, then samples at 0, 1/rate, 2/rate … up to the end, which is a sample if it is a whole
/// number of periods.
/// @param initial  its state at 0, and its duration.
/// @throws std::invalid_argument if the rate does not divide the plant's step rate.
/// @throws PlantError as MujocoRobot does, or if the distance meter does not see the ground.
Signals Simulate(const Scene& scene, const TorqueLaw& law, const Motion& initial, double rate_hz,
                 const RequestedSources& requested = {});

/// Returns the signals of a robot that is exactly on `motion` at 0, 1/rate, 2/rate …, before its
/// end, with the torque that this takes. Nothing is integrated and nothing can diverge. Presliding
/// is followed along the motion from its beginning, where z = 0, reversals between samples
/// included.
/// @throws std::invalid_argument if another effect of the robot's mismatch has a state or is a
///         constraint, see MismatchOptions::NeedsSimulation().
/// @throws PlantError if the distance meter does not see the ground.
Signals ReplayExactly(const Scene& scene, const Motion& motion, double rate_hz,
                      const RequestedSources& requested = {});

}  // namespace idbench
