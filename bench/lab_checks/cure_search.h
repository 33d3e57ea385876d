#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/lab_checks/cure.h"

namespace idbench {

/// t below which two cures cannot be told apart.
inline constexpr double kToldApart = 4.0;

/// Gets a line of each cure that is compared, for whoever wonders.
using CureTrace = std::function<void(const std::string&)>;

/// A cure that the data prefer.
struct FoundCure {
  Cure cure;
  std::string evidence;      ///< What the data say for it, with numbers.
  std::vector<Cure> rivals;  ///< Cures that the data cannot tell from it.
  double gain = 0.0;         ///< Gain::mean over the data without it.
  bool by_file = false;      ///< Only the file's inertias tell it.
};

/// What a log looks like once the cures that it asks for are applied.
struct CureSearch {
  std::vector<FoundCure> found;  ///< By explaining power.
  DataChange change;             ///< All of them.
  FitScore score;                ///< Of LabFit::Structure() with it.
};

/// Compares all cures on equal terms, each refitted and judged on held-out blocks, takes the one
/// that the data prefer, and starts again from there.
///
/// A cure is taken if, in comparison with the data as they are,
/// - it leaves less of the torques than chance explains: Student's t over blocks, Bonferroni over
///   all cures, at most one in a thousand;
/// - it solves what it cures: most of what it gains is on columns of which it leaves no more than
///   FitScore::kAdequate, with what it loses on any column taken off; where it changes some of
///   the joints, most of their torques are in such columns. Of a log on which no cure leads that
///   far none is told, because models that are poor anyhow prefer what simplifies them;
/// - inertias near those of the file do not speak against it.
/// What no structure of equations can see, torques that all have the wrong sign or unit, is told
/// last: see FindCommonScale(), and by the power that friction dissipates.
///
/// @param coarse  of fewer samples, on which all cures are tried; `fit` compares the best of them.
CureSearch SearchCures(LabFit& coarse, LabFit& fit, std::span<const CuresOf> kinds,
                       const CureTrace& trace = nullptr);

}  // namespace idbench
