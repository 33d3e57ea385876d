#include "bench/cell/recorded_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/csv_recording.h"
#include "robots/dynamics/actuation.h"
#include "robots/recording/data_window.h"
#include "robots/recording/processing.h"
#include "robots/recording/transmission.h"
#include "scenarios/options/config_error.h"

namespace idbench {

namespace {

/// What is read of an experiment's files.
struct Part {
  const std::string* label;
  const ExperimentOptions* experiment;
  TimeSpan span;
};

/// Refuses windows through which an experiment of one role gets what another one's has.
void CheckApart(const std::vector<Part>& parts, const std::string& source) {
  for (std::size_t b = 0; b < parts.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const ExperimentOptions& first = *parts[a].experiment;
      const ExperimentOptions& second = *parts[b].experiment;
      if (first.role == second.role || *first.file != *second.file) continue;
      if (!(first.window || second.window) || !parts[a].span.Overlaps(parts[b].span)) continue;
      throw ConfigError(
          source, PointerTo("/experiments", *parts[b].label) + "/window",
          fmt::format("overlaps with that of \"{}\" from {:.6g} s to {:.6g} s, and their roles are "
                      "{} and {}",
                      *parts[a].label, std::max(parts[a].span.from_s, parts[b].span.from_s),
                      std::min(parts[a].span.until_s, parts[b].span.until_s), ToString(first.role),
                      ToString(second.role)),
          {"data that were trained on validate nothing: cut the windows apart"});
    }
  }
}

/// The dataset, processed, with joint positions and torques that only the motors' channels tell;
/// whatever was done to these, they are derived.
Dataset ProcessWithJoints(const Dataset& dataset, const RobotModel& model,
                          const ProcessingOptions& processing) {
  const auto lacks = [&](std::string_view joint, std::string_view motor) {
    return dataset.Find(joint) == nullptr && dataset.Find(motor) != nullptr;
  };
  const bool position = lacks(kJointPosition, kMotorPosition);
  const bool torque = lacks(kJointTorque, kMotorTorque);
  if (HasMotorOnEachJoint(model) || (!position && !torque)) return Process(dataset, processing);
  const Actuation& actuation = model.actuation();
  const Dataset processed =
      Process(ThroughTransmission(dataset, {actuation.B.transpose(), actuation.zero}), processing);
  Dataset marked = processed.WithoutChannels();
  marked.lowpass_cutoff_hz = processed.lowpass_cutoff_hz;
  for (Channel channel : processed.channels()) {
    const bool derived =
        (position && channel.name == kJointPosition) || (torque && channel.name == kJointTorque);
    if (derived && channel.origin == Origin::kMeasured) channel.origin = Origin::kDerived;
    marked.Add(std::move(channel));
  }
  return marked;
}

}  // namespace

RecordedData::RecordedData(const Scenario& scenario, const Robot& robot,
                           const std::string& source) {
  std::vector<Part> parts;
  for (const auto& [label, experiment] : scenario.experiments) {
    Dataset raw = ReadCsvRecording(*scenario.recording, *experiment.file, label, experiment.role,
                                   robot.model.dofs());
    raw.set_configuration(experiment.configuration);
    parts.push_back(
        {&label, &experiment, SpanOf(raw, experiment.window.value_or(DataWindowOptions{}))});
    if (experiment.window) raw = CutOut(raw, parts.back().span);
    recordings_.push_back(WithDeclaredSigma(
        ProcessWithJoints(raw, robot.model, scenario.processing), *scenario.recording));
  }
  CheckApart(parts, source);
}

bool RecordedData::Measures(std::string_view channel) const {
  return recordings_.front().Find(channel) != nullptr;
}

ChannelNoise RecordedData::NoiseOf(std::string_view channel) const {
  const Channel* measured = recordings_.front().Find(channel);
  if (measured == nullptr || measured->time_s.size() < 2) return {{}, 0.0};
  return {measured->sigma, NominalRate(measured->time_s)};  // declared as estimators get it
}

void RecordedData::AddDatasets(TrialData& data) const {
  data.datasets = recordings_;
  data.rollout = "recording";
}

}  // namespace idbench
