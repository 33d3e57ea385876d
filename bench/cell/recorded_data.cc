#include "bench/cell/recorded_data.h"

#include "hw/csv_recording.h"
#include "robots/recording/processing.h"

namespace idbench {

RecordedData::RecordedData(const Scenario& scenario, const Robot& robot) {
  for (const auto& [label, experiment] : scenario.experiments) {
    const Dataset raw = ReadCsvRecording(*scenario.recording, *experiment.file, label,
                                         experiment.role, robot.model.dofs());
    recordings_.push_back(
        WithDeclaredSigma(Process(raw, scenario.processing), *scenario.recording));
  }
}

bool RecordedData::Measures(std::string_view channel) const {
  return recordings_.front().Find(channel) != nullptr;
}

Eigen::VectorXd RecordedData::DeclaredSigma(std::string_view channel) const {
  const Channel* measured = recordings_.front().Find(channel);
  return measured != nullptr ? measured->sigma : Eigen::VectorXd();
}

void RecordedData::AddDatasets(TrialData& data) const {
  data.datasets = recordings_;
  data.rollout = "recording";
}

}  // namespace idbench
