#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/identify/preparation.h"

namespace idbench {

/// Time in which runs show no progress [s]: few take longer.
inline constexpr double kQuietRun = 5.0;

/// A preparation that was chosen, and how.
struct ChosenPreparation {
  Preparation preparation;
  std::vector<std::string> sentences;  ///< One for each choice, with the errors that decided it.
  bool interrupted = false;
};

/// Chooses a preparation by the torque error on the tuning time, of weighted least squares that was
/// fitted before it: first Coulomb width and rotor inertia behind the lowest cut-off, finer widths
/// beside that one, then of each joint the width of the least error, between those tried too
/// (viscous and Coulomb friction behind one that is a twentieth off may be several σ off), then
/// cut-off and alignment of held torque (what friction or
/// rotors lack, a wrong filter may seem to mend), then further friction. Each choice is a scenario
/// with a sweep, which is run into a folder of its own: `FOLDER/1_friction`, `2_width`,
/// `3_own_widths` to `5_own_widths`, `6_filter`, `7_terms`, and its scenario.json.
///
/// The error is the mean, over joints and tuning experiments, of the rms error over the torque's
/// standard deviation in all of the fitted time: one over that in the tuning time alone would be
/// about joints that hardly move then. Candidates are in order of simplicity; the first one within
/// 5 % of the least error is taken.
/// @param stop  see RunOptions.
/// @throws ConfigError if the fit fails with every candidate.
ChosenPreparation ChoosePreparation(const LabLogs& logs, const MotionFacts& facts,
                                    const std::filesystem::path& folder, int jobs,
                                    const std::atomic<bool>* stop);

}  // namespace idbench
