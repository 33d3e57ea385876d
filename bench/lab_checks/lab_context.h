#pragma once

#include <string>
#include <vector>

#include "bench/lab_checks/cure_search.h"
#include "bench/lab_checks/lab_fit.h"
#include "bench/lab_checks/lab_log.h"
#include "bench/lab_checks/lab_rows.h"

namespace idbench {

/// What checks look at.
struct LabContext {
  const LabLog& log;
  /// The cures that were found, and the data with them; nullptr if the log is too short to fit.
  const CureSearch* search = nullptr;
  const LabRows* rows = nullptr;
  LabFit* fit = nullptr;

  const RobotModel& model() const { return log.robot.model; }
  const std::string& joint(Eigen::Index j) const { return model().link(static_cast<int>(j)).joint; }
};

/// Whether no robot of these joints explains the log: what a fit tells of it says nothing then.
bool NothingFits(const LabContext& context);

/// Whether torques never change or have spikes, or positions jump: fits make no sense then.
bool IsUnusable(const LabLog& log);

std::vector<LabFinding> TellDeadTorque(const LabContext& context);
std::vector<LabFinding> TellPositionJumps(const LabContext& context);
std::vector<LabFinding> TellTorqueSpikes(const LabContext& context);
std::vector<LabFinding> TellStandingStill(const LabContext& context);
std::vector<LabFinding> TellGaps(const LabContext& context);
std::vector<LabFinding> TellRepeatedStamps(const LabContext& context);
std::vector<LabFinding> TellJitter(const LabContext& context);
std::vector<LabFinding> TellSaturation(const LabContext& context);
std::vector<LabFinding> TellQuantised(const LabContext& context);
std::vector<LabFinding> TellLowRate(const LabContext& context);
std::vector<LabFinding> TellTooFast(const LabContext& context);
std::vector<LabFinding> TellVelocityFactor(const LabContext& context);
std::vector<LabFinding> TellVelocityUnits(const LabContext& context);
std::vector<LabFinding> TellNothingFits(const LabContext& context);
std::vector<LabFinding> TellMissingTool(const LabContext& context);
std::vector<LabFinding> TellCommanded(const LabContext& context);
std::vector<LabFinding> TellExcitation(const LabContext& context);
std::vector<LabFinding> TellDrift(const LabContext& context);
std::vector<LabFinding> TellFrictionShape(const LabContext& context);

}  // namespace idbench
