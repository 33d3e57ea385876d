#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>

#include "robots/plant/controller.h"
#include "scenarios/options/capability.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Writes the joint torque [N·m or N] at (q, q̇, q̈) to the last argument, n, which the caller
/// has allocated.
using InverseDynamics = std::function<void(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                                           const Eigen::VectorXd& qdd, Eigen::VectorXd& tau)>;

/// Parameters of a controller's own model.
enum class ControlModel {
  kPrior,
  kTruth,
  kEstimate,  ///< What an estimator found: each moves the robot with its own.
};
template <>
inline constexpr auto kEnumNames<ControlModel> =
    std::to_array<EnumName<ControlModel>>({{ControlModel::kPrior, "prior"},
                                           {ControlModel::kTruth, "truth"},
                                           {ControlModel::kEstimate, "estimate"}});
constexpr Capabilities NeedsOf(ControlModel model) {
  return model == ControlModel::kPrior ? Capabilities{Capability::kPrior} : Capabilities{};
}

/// State that a controller is fed back.
enum class Feedback {
  kTrueState,  ///< Exact, so that trials share their roll-outs.
  kMeasured,   ///< What the sensors read at the controller's rate, noise and all.
};
template <>
inline constexpr auto kEnumNames<Feedback> = std::to_array<EnumName<Feedback>>(
    {{Feedback::kTrueState, "true_state"}, {Feedback::kMeasured, "measured"}});
constexpr Capabilities NeedsOf(Feedback feedback) {
  return feedback == Feedback::kMeasured ? Capabilities{Capability::kMeasuredPositions}
                                         : Capabilities{};
}

/// Options that all controllers with feedback share.
struct ControlLoopOptions {
  ControlModel model = ControlModel::kPrior;
  double rate_hz = 1000.0;
  Feedback feedback = Feedback::kTrueState;
  double velocity_cutoff_hz = 100.0;
  bool effort_limits = false;

  bool operator==(const ControlLoopOptions&) const = default;
};
/// Adds these options to the table of a controller's options.
void AddFields(FieldTable& table, ControlLoopOptions& options);

/// Adds a check that the tracking error, q̈ = −2ζω·q̇ − ω²·q with ω = 2π·natural_frequency_hz, is
/// stable if its right side is held for T = 1/rate_hz. Jury's criterion for the exactly discretised
/// double integrator: ωT < 4ζ and ζωT < 1.
/// @param counts  whether gains follow from this frequency; empty: they do.
void AddStabilityCheck(FieldTable& table, const double& natural_frequency_hz,
                       const double& damping_ratio, const double& rate_hz,
                       const std::function<bool()>& counts = {});

/// Controller that clips the torques of another one: |τ_j| ≤ limit_j.
class EffortLimited : public Controller {
 public:
  /// @param limits  n [N·m or N]; infinity leaves a joint's torque unchanged.
  EffortLimited(std::unique_ptr<Controller> controller, Eigen::VectorXd limits);

  double hold_s() const override { return controller_->hold_s(); }
  void Act(const JointState& desired, const Reading& reading, Command& command) override;
  double released_s() const override { return controller_->released_s(); }
  void LetGo(const Reading& reading, Command& command) override;

 private:
  void Clip(Command& command) const;

  std::unique_ptr<Controller> controller_;
  Eigen::VectorXd limits_;
};

}  // namespace idbench
