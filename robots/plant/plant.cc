#include "robots/plant/plant.h"

#include "robots/plant/derived_velocity.h"
#include "robots/recording/channels.h"

namespace idbench {

ExperimentState Follow(Plant& plant, const ExperimentStart& start, Controller& controller,
                       const Motion& motion, double velocity_cutoff_hz,
                       const std::function<void(const Reading&)>& record) {
  const PlantInfo& info = plant.info();
  HeldControl control(controller, motion, info.dofs, info.period_s);
  DerivedVelocity velocity(velocity_cutoff_hz);
  Reading reading;
  Reading fed_back;
  plant.MoveTo(start, reading);
  velocity.Reset(control.Initial().qd);
  record(reading);
  for (std::int64_t step = 0; step < control.steps(); ++step) {
    if (control.IsAsked(step)) {
      fed_back = reading;
      const ChannelReading* const position = reading.Find(kJointPosition);
      if (position != nullptr && reading.Find(kJointVelocity) == nullptr) {
        ChannelReading& derived = fed_back.At(kJointVelocity);
        derived.t = position->t;
        derived.value = velocity.Next(*position);
      }
      control.Ask(step, fed_back);
    }
    if (plant.Exchange(control.command(), reading) == ExperimentState::kFell) {
      return ExperimentState::kFell;
    }
    record(reading);
  }
  return ExperimentState::kRunning;
}

}  // namespace idbench
