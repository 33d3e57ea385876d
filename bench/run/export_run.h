#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/run/kept_trials.h"
#include "bench/run/manifest.h"
#include "robots/export/identified_whole.h"
#include "robots/export/joint_passive.h"
#include "robots/model_text.h"

namespace idbench {

/// What `idbench run --export` asks for.
struct ExportOptions {
  std::filesystem::path folder;
  bool nearest = false;  ///< Where an estimate is of no body: the nearest set, see Complete().
  std::vector<std::string> only = {};                ///< Labels of the estimators; empty: all.
  std::int64_t trial = 0;                            ///< The trial whose estimates are written.
  std::optional<ModelFormat> format = std::nullopt;  ///< Absent: that of the robot's own file.
  LockedBodies locked = LockedBodies::kAsWritten;    ///< Of a robot that is a part of its file.
  ExportedCoulomb coulomb = ExportedCoulomb::kBeside;
};

struct ExportReport {
  std::string text;                   ///< What was written where, and what it costs; for people.
  std::vector<std::string> refusals;  ///< What could not be written, one sentence each.
};

/// Writes the robot with the estimate of each estimator that succeeded:
/// FOLDER/[<cell>/]<estimator>/<model file> and robot.json beside it. Each is loaded again and
/// compared with the estimate, see CheckExport() and, on the states of a validation experiment or,
/// without one, of an identification, CheckExportOnMotion(). One that fails is refused, and its
/// folder keeps the name <estimator>.refused.
/// Letters that a file's name should not have become '_'.
/// @param kept  the estimates of `options.trial`, which is one that is kept.
/// @throws std::filesystem::filesystem_error if it cannot be written.
ExportReport ExportRun(const LoadedScenario& loaded, const PreparedCells& contexts,
                       KeptTrials& kept, const ExportOptions& options);

}  // namespace idbench
