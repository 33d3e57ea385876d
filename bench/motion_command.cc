#include "bench/motion_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell/cell_check.h"
#include "bench/cell/shown_parameters.h"
#include "bench/cell/simulated_experiment.h"
#include "bench/metrics/metric_table.h"
#include "bench/motion/motion_page.h"
#include "bench/motion/motion_review.h"
#include "bench/run/exit_code.h"
#include "bench/scenario_overrides.h"
#include "reports/charts/chart.h"
#include "reports/files/atomic_file.h"
#include "robots/plant/plant_error.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

/// Labels of the experiments that have a motion.
std::vector<std::string> WithMotion(const Scenario& scenario) {
  std::vector<std::string> labels;
  for (const auto& [label, options] : scenario.experiments) {
    if (options.motion) labels.push_back(label);
  }
  return labels;
}

/// The experiment that is asked for, or the first for identification.
const std::pair<std::string, ExperimentOptions>& Chosen(const LoadedScenario& loaded,
                                                        const Scenario& scenario,
                                                        const po::variables_map& values) {
  const std::vector<std::string> labels = WithMotion(scenario);
  if (labels.empty()) {
    throw UsageError(fmt::format("{}: no experiment has a motion", loaded.source));
  }
  std::string label = labels.front();
  for (const auto& [each, options] : scenario.experiments) {
    if (!options.motion || options.role != Role::kIdentification) continue;
    label = each;
    break;
  }
  if (values.count("experiment")) label = values["experiment"].as<std::string>();
  for (const auto& experiment : scenario.experiments) {
    if (experiment.first == label && experiment.second.motion) return experiment;
  }
  std::string accepted;
  for (const std::string& line : AcceptedNames(label, labels)) accepted += "\n  " + line;
  throw UsageError(
      fmt::format("--experiment: no experiment '{}' with a motion{}", label, accepted));
}

const Cell& ChosenCell(const LoadedScenario& loaded, const po::variables_map& values) {
  const int cell = values["cell"].as<int>();
  const auto count = static_cast<int>(loaded.cells.size());
  if (cell < 0 || cell >= count) {
    throw UsageError(
        fmt::format("--cell: got {}, {} has cells 0 to {}", cell, loaded.source, count - 1));
  }
  return loaded.cells[static_cast<std::size_t>(cell)];
}

int MakeMotionOf(const po::variables_map& values) {
  if (!values.count("scenario")) throw UsageError("motion: of which scenario?");
  const double rate_hz = values["rate"].as<double>();
  if (!(rate_hz > 0.0 && rate_hz <= 1e5)) {
    throw UsageError(
        fmt::format("--rate: got {}\n  accepted here: above 0, up to 100000", rate_hz));
  }
  const auto trial = values["trial"].as<std::int64_t>();
  if (trial < 0) {
    throw UsageError(fmt::format("--trial: got {}\n  accepted here: a number from 0 on", trial));
  }
  const LoadedScenario loaded =
      LoadScenario(values["scenario"].as<std::string>(), OverridesOf(values), AllMetrics());
  const Cell& cell = ChosenCell(loaded, values);
  const Scenario& scenario = cell.scenario;
  const auto& experiment = Chosen(loaded, scenario, values);
  const Problem problem = BuildProblem(cell.robot, scenario.problem, loaded.source);
  const std::vector<int> asked = AskedParameters(cell.robot, scenario.problem);
  ShownByMotions shown_by(cell.robot.model, problem, asked);
  const std::vector<ShownParameters> shown = shown_by.Of(experiment.second);
  const HashedRobot robot(cell.robot);
  const std::vector<SimulatedExperiment> all =
      SimulatedExperiments(robot, scenario, shown_by, loaded.scenario.seeds());
  const SimulatedExperiment& simulated =
      *std::ranges::find(all, experiment.first, &SimulatedExperiment::label);
  MotionStore motions;
  const DesiredMotion desired = [&] {
    try {
      return simulated.MotionOf(trial, motions);
    } catch (const PlantError& error) {
      RefuseCell(loaded, cell, {{PointerTo("/experiments", experiment.first), error.what(), {}}});
    }
  }();
  const int configuration = cell.robot.model.ConfigurationIndex(experiment.second.configuration);
  // Of a sequence, what its first part is to show.
  MotionReview review =
      ReviewMotion(cell.robot, shown.front(), configuration, *desired.motion, desired.histories);
  if (values.count("bound")) BoundReview(cell.robot, shown.front(), configuration, review);
  const std::string title =
      fmt::format("{}: {}{}", scenario.name, experiment.first,
                  loaded.cells.size() > 1 ? ", " + cell.coordinates.Label() : std::string());
  fmt::print("{}\n{}", title, ReviewText(review));
  if (shown.size() > 1) {
    fmt::print("the sequence is judged by what its first part is to show\n");
  }
  const std::filesystem::path folder = values.count("out")
                                           ? std::filesystem::path(values["out"].as<std::string>())
                                           : std::filesystem::path("out") / scenario.name /
                                                 "motion" / FileStem(experiment.first, "x");
  std::filesystem::create_directories(folder);
  const std::filesystem::path csv = folder / "motion.csv", page = folder / "motion.html";
  WriteAtomically(csv, MotionCsv(cell.robot, *desired.motion, rate_hz));
  WriteAtomically(page, MotionPage(cell.robot, review, title, ChartScript()));
  fmt::print("written: {}, {}\n", csv.string(), page.string());
  return kExitFine;
}

}  // namespace

Subcommand MotionCommand() {
  Subcommand motion{"motion",
                    "SCENARIO",
                    "make an experiment's motion, judge it and write it as CSV",
                    po::options_description("options"),
                    {"scenario"},
                    &MakeMotionOf};
  AddScenarioOptions(motion.options, false);
  motion.options.add_options()  //
      ("experiment", po::value<std::string>()->value_name("LABEL"),
       "take this experiment (default: the first for identification)")  //
      ("cell", po::value<int>()->default_value(0)->value_name("N"),
       "take this cell of the sweep, from 0 on")  //
      ("trial", po::value<std::int64_t>()->default_value(0)->value_name("N"),
       "take the motion of this trial, where each has its own")  //
      ("rate", po::value<double>()->default_value(1000.0, "1000")->value_name("HZ"),
       "write this many samples a second")  //
      ("bound",
       "print the least jd that a motion within the limits could have, which takes seconds")  //
      ("out", po::value<std::string>()->value_name("DIR"),
       "write motion.csv and motion.html to this folder (default: out/<scenario>/motion/<label>)");
  return motion;
}

}  // namespace idbench
