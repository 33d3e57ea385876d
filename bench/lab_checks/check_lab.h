#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bench/lab_checks/cure.h"
#include "bench/lab_checks/lab_context.h"
#include "bench/lab_checks/lab_log.h"

namespace idbench {

/// One kind of mistake that labs make. A further one is a row of LabChecks() and its functions.
struct LabCheck {
  std::string_view key;  ///< LabFinding::check
  std::string_view doc;  ///< What it looks for.
  /// Cures that compete with those of all other checks, see SearchCures(); nullptr without.
  CuresOf cures = nullptr;
  /// What else it tells: of the log once the cures that were found are applied; nullptr if nothing.
  std::vector<LabFinding> (*tell)(const LabContext& context) = nullptr;
  bool spoils = false;  ///< What is fitted to such data says nothing, though no change cures them.

  /// Whether data of which it tells something are in doubt.
  bool doubtful() const { return cures != nullptr || spoils; }
};

/// All checks, in the order in which they are told.
std::span<const LabCheck> LabChecks();

/// Whether a log is long and fast enough for the checks that fit the robot to it: 4 s, 12 samples
/// in each of the blocks of LabRows, and nothing to tell for `low_rate`, `dead_torque`,
/// `position_jumps` and `torque_spikes`. Of others CheckLab() looks at stamps and samples alone.
bool CanFit(const LabLog& log);

/// Looks for what goes wrong in labs. Corrects nothing: findings say what was seen and what to do.
///
/// Mistakes of the data that a change would undo (units, order, signs, zeros, factors, delays,
/// mounting) compete with each other, and only what the data clearly prefer is told; what cannot be
/// told apart is told together. All other checks look at the data with these changes applied, so
/// that a symptom is not told as another mistake.
///
/// Deterministic. About 2 s for a clean log of a robot of seven joints, whatever the rate, and half
/// a minute for 24 joints; as long again for each change that is told.
/// @param trace  gets a line of each change of the data that was compared.
/// @throws std::invalid_argument if a dataset lacks joint_position or joint_torque, or if a
///         processed one lacks the rates.
std::vector<LabFinding> CheckLab(const LabLog& log, const CureTrace& trace = nullptr);

}  // namespace idbench
