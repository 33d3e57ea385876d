#include "bench/lab_checks/check_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace idbench {
namespace {

/// Samples on which all cures are tried, and those on which the best of them are compared.
constexpr Eigen::Index kCoarseSamples = 700;
constexpr Eigen::Index kSamples = 2800;
/// Least duration of what is fitted [s]: blocks are a sixteenth of it.
constexpr double kLeastDuration = 4.0;

constexpr auto kLabChecks = std::to_array<LabCheck>({
    {"degrees", "Degrees that are taken as radians, or the other way round", &DegreesCures,
     &TellVelocityUnits},
    {"joint_order", "Columns in another order than the joints", &JointOrderCures},
    {"sign", "Positions or torques about the opposite axis", &SignCures},
    {"position_offset", "A joint's zero that is not that of the model", &PositionOffsetCures},
    {"torque_scale", "Torques that are wrong by a factor: a gear ratio, a constant, a unit",
     &TorqueScaleCures},
    {"torque_is_current", "Currents, or torques before the gears, in place of joint torques",
     &TorqueIsCurrentCures},
    {"torque_is_commanded", "Torques that a controller computed, not measured ones", nullptr,
     &TellCommanded},
    {"gravity_direction", "A robot that is mounted otherwise than in its file",
     &GravityDirectionCures},
    {"missing_tool", "A load at the last link that the file lacks", nullptr, &TellMissingTool},
    {"clock", "Time stamps that are wrong by a factor", &ClockCures},
    {"torque_delay", "Torques that are late or early beside positions", &TorqueDelayCures},
    {"nothing_fits", "Torques that no robot of these joints could have", nullptr, &TellNothingFits,
     true},
    {"dead_torque", "Torques that never change", nullptr, &TellDeadTorque, true},
    {"position_jumps", "Positions that jump: angles that are wrapped, lost samples", nullptr,
     &TellPositionJumps, true},
    {"torque_spikes", "Single torques that are far from their neighbours", nullptr,
     &TellTorqueSpikes, true},
    {"standing_still", "Parts of the log without motion, joints that never move", nullptr,
     &TellStandingStill},
    {"gaps", "Time without samples", nullptr, &TellGaps},
    {"repeated_stamps", "Samples with the time stamp of another one", nullptr, &TellRepeatedStamps},
    {"jittered_stamps", "Time stamps that are not equally spaced", nullptr, &TellJitter},
    {"saturation", "Signals that stay at their greatest value", nullptr, &TellSaturation},
    {"quantised", "Signals in coarse steps", nullptr, &TellQuantised},
    {"low_rate", "A rate that is too low for the motion", nullptr, &TellLowRate},
    {"velocity_factor", "Velocities that are a multiple of the positions' rates: another clock",
     nullptr, &TellVelocityFactor, true},
    {"too_fast", "Speeds beyond the limits of the file: time stamps of another unit", nullptr,
     &TellTooFast},
    {"poor_excitation", "Motions that do not tell the parameters", nullptr, &TellExcitation},
    {"drift", "Torques that change within the log without a motion that asks for it", nullptr,
     &TellDrift},
    {"friction_shape", "Friction that is not viscous and Coulomb friction", nullptr,
     &TellFrictionShape},
});

std::vector<CuresOf> KindsOfCures() {
  std::vector<CuresOf> kinds;
  for (const LabCheck& check : kLabChecks) {
    if (check.cures != nullptr) kinds.push_back(check.cures);
  }
  return kinds;
}

double DurationOf(const std::vector<Dataset>& segments) {
  double duration = 0.0;
  for (const Dataset& segment : segments) {
    const Eigen::VectorXd& time_s = segment.Get(kJointPosition).time_s;
    if (time_s.size() > 1) duration += time_s[time_s.size() - 1] - time_s[0];
  }
  return duration;
}

LabFinding Worded(const Cure& cure, std::string evidence, const RobotModel& model) {
  return {.check = std::string(cure.check),
          .joint = cure.columns.empty() ? "" : NamesOf(model, cure.columns),
          .evidence = std::move(evidence),
          .cure = cure.advice,
          .joints = cure.columns,
          .value = cure.value};
}

LabFinding FindingOf(const FoundCure& found, const RobotModel& model) {
  LabFinding finding = Worded(found.cure, found.evidence, model);
  finding.gain = found.gain;
  std::vector<std::string> rivals;
  for (const Cure& rival : found.rivals) {
    rivals.push_back(rival.does);
    finding.rivals.push_back(Worded(rival, rival.does, model));
  }
  if (rivals.empty()) return finding;
  finding.evidence +=
      fmt::format(". The data cannot tell this from the following: {}", fmt::join(rivals, "; or "));
  finding.cure += "; or what the evidence says the data cannot tell from it: look at the robot";
  return finding;
}

/// True for factors of torques that are at their ends: smaller torques seem to want one.
bool FollowsFrom(const std::vector<LabFinding>& saturated, const Cure& cure,
                 const LabContext& context) {
  if (cure.check != "torque_scale" && cure.check != "torque_is_current") return false;
  return std::ranges::any_of(cure.columns, [&](int column) {
    return std::ranges::find(saturated, context.joint(column), &LabFinding::joint) !=
           saturated.end();
  });
}

}  // namespace

std::span<const LabCheck> LabChecks() { return kLabChecks; }

bool CanFit(const LabLog& log) {
  return DurationOf(log.processed) >= kLeastDuration && LabRows::CanHold(log.processed) &&
         TellLowRate({.log = log}).empty() && !IsUnusable(log);  // else accelerations are wrong
}

std::vector<LabFinding> CheckLab(const LabLog& log, const CureTrace& trace) {
  LabContext context{.log = log};
  std::optional<LabRows> coarse_rows, rows;
  std::optional<LabFit> coarse, fit;
  std::optional<CureSearch> search;
  if (CanFit(log)) {
    coarse_rows.emplace(log.processed, kCoarseSamples);
    rows.emplace(log.processed, kSamples);
    coarse.emplace(log.robot, *coarse_rows, log.guessed);
    fit.emplace(log.robot, *rows, log.guessed);
    search = SearchCures(*coarse, *fit, KindsOfCures(), trace);
    context.search = &*search;
    context.rows = &*rows;
    context.fit = &*fit;
  }
  std::vector<LabFinding> findings;
  const std::vector<LabFinding> saturated = TellSaturation(context);
  for (const LabCheck& check : kLabChecks) {
    if (search) {
      for (const FoundCure& found : search->found) {
        if (FollowsFrom(saturated, found.cure, context)) continue;
        if (found.cure.check == check.key) findings.push_back(FindingOf(found, context.model()));
      }
    }
    if (check.tell == nullptr) continue;
    for (LabFinding& finding : check.tell(context)) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace idbench
