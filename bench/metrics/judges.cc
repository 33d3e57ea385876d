#include "bench/metrics/judges.h"

#include <string>

namespace idbench {
namespace {

/// Why no one estimate leaves noise alone of the data of a cell; "" if one may.
std::string WhyNoOneFit(const PreparedCell& cell) {
  for (const auto& [label, change] : ChangesIn(cell)) {
    if (change.role == Role::kIdentification) {
      return change.Describe(label) + ": no one estimate fits all";
    }
  }
  return "";
}

}  // namespace

PayloadChanges ChangesIn(const PreparedCell& cell) {
  if (!cell.scenario().simulated()) return {};
  return ChangesOfPayloads(cell.scenario(), cell.robot());
}

Judges::Judges(const PreparedCell& cell)
    : torques(cell.problem(), cell.NoiseOf(kJointTorque).sample_sigma(),
              cell.scenario().overall_ratio_to_prior, ChangesIn(cell)),
      fits(cell.problem(), cell.asked(), WhyNoOneFit(cell)),
      simulations(cell.scenario(), cell.problem()),
      simulation_bound(cell.problem(), cell.sensors()),
      parameters(cell.scenario(), cell.problem(), cell.asked(), cell.sensors(),
                 [&cell](std::string_view channel) { return cell.NoiseOf(channel); }),
      tracking(cell.scenario(), cell.problem()),
      following(cell.problem().model),
      wrenches(cell.problem(), ChangesIn(cell)),
      drives(cell.problem(), cell.asked(), ChangesIn(cell)) {}

void Judges::SetTrial(const TrialData& data) {
  torques.SetTrial(data);
  fits.SetTrial(data);
  simulations.SetTrial(data);
  simulation_bound.SetTrial(data);
  parameters.SetTrial(data);
  plant_use.SetTrial(data);
  tracking.SetTrial(data);
  wrenches.SetTrial(data);
  drives.SetTrial(data);
}

void Judges::SetEstimate(const Estimate& estimate) {
  torques.SetEstimate(estimate);
  simulations.SetEstimate(estimate);
  wrenches.SetEstimate(estimate);
  drives.SetEstimate(estimate);
}

}  // namespace idbench
