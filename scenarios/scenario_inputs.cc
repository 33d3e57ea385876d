#include "scenarios/scenario_inputs.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "hw/environment.h"
#include "hw/log/log.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// Collects files, each role and name once.
class InputCollector {
 public:
  void Add(InputFile file) {
    if (std::ranges::find(files_, file) == files_.end()) files_.push_back(std::move(file));
  }

  void AddRobot(const Robot& robot) {
    const fs::path folder = robot.file.parent_path();
    for (const fs::path& file : robot.files) {
      Add({"/robot/model", file.lexically_proximate(folder).generic_string(), file});
    }
  }

  /// Torques that an experiment replays, if its control names a file.
  void AddControl(const ControlOptions& control, const std::string& where) {
    const auto* replay = std::get_if<TorqueReplayOptions>(&control);
    if (replay != nullptr && replay->file) Add({where + "/file", *replay->file, *replay->file});
  }

  void AddExperiment(const Scenario& scenario, const std::string& label,
                     const ExperimentOptions& experiment) {
    const std::string where = PointerTo("/experiments", label);
    if (scenario.recording && experiment.file) {
      const fs::path root = ExpandEnvironment(scenario.recording->root);
      if (experiment.file->by_channel.empty()) {
        AddLog(where + "/file", experiment.file->all, root);
      }
      for (const auto& [channel, file] : experiment.file->by_channel) {
        AddLog(PointerTo(where + "/file", channel), file, root);
      }
    }
    if (experiment.motion) {
      ForEachPart(*experiment.motion, [&]<class Part>(const Part& part, const std::string& at) {
        if constexpr (std::is_same_v<Part, RecordedMotionOptions>) {
          Add({where + "/motion" + at + "/file", part.file, part.file});
        }
      });
    }
    if (experiment.control) AddControl(*experiment.control, where + "/control");
  }

  std::vector<InputFile> Take() { return std::move(files_); }

 private:
  /// A log, of a folder each of its files.
  void AddLog(const std::string& where, const std::string& name, const fs::path& root) {
    for (const fs::path& file : FilesOfLog(root / name)) {
      const bool itself = file == root / name;
      Add({where, itself ? name : (fs::path(name) / file.filename()).generic_string(), file});
    }
  }

  std::vector<InputFile> files_;
};

}  // namespace

std::vector<InputFile> InputsOf(const LoadedScenario& loaded) {
  InputCollector collector;
  collector.AddRobot(loaded.robot);
  for (const Cell& cell : loaded.cells) {
    if (cell.scenario.control) collector.AddControl(*cell.scenario.control, "/control");
    for (const auto& [label, experiment] : cell.scenario.experiments) {
      collector.AddExperiment(cell.scenario, label, experiment);
    }
  }
  return collector.Take();
}

}  // namespace idbench
