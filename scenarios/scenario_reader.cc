#include "scenarios/scenario_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "reports/tables/table_check.h"
#include "scenarios/drawn_as_declared.h"
#include "scenarios/file/extended_scenario.h"
#include "scenarios/file/former_defaults.h"
#include "scenarios/file/scenario_paths.h"
#include "scenarios/metric_list.h"
#include "scenarios/observers.h"
#include "scenarios/options/json.h"
#include "scenarios/scenario_check.h"
#include "scenarios/scenario_robot.h"
#include "scenarios/sweep.h"

namespace idbench {
namespace {

/// What a simulation or a recording has unless the file says otherwise.
void FillDefaults(Scenario& scenario) {
  if (!scenario.simulated()) {
    if (!scenario.scoring) scenario.scoring.emplace();
    return;
  }
  if (!scenario.robot.truth) scenario.robot.truth.emplace();
  if (!scenario.plant) scenario.plant.emplace();
  if (!scenario.control) scenario.control.emplace();
  if (!scenario.sensors) scenario.sensors.emplace();
  if (!scenario.trials) scenario.trials = 100;
  if (!scenario.problem.parametrisation.coulomb_width_rad_s) {
    scenario.problem.parametrisation.coulomb_width_rad_s =
        PerJoint{{std::get<MujocoPlantOptions>(*scenario.plant).coulomb_width_rad_s}};
  }
}

void ApplyOverrides(Json& json, const std::vector<Override>& overrides,
                    std::vector<Issue>& issues) {
  for (const Override& change : overrides) {
    Json value = Json::parse(change.value, nullptr, false);
    if (value.is_discarded()) value = change.value;
    SetAt(json, change.pointer, value, true, fmt::format("--set {}", change.pointer), issues);
  }
}

/// What the tables ask for that the run will not have.
void CheckTheTables(const LoadedScenario& loaded, std::vector<Issue>& issues) {
  TableVocabulary vocabulary{loaded.metrics, {}, {}, {}};
  for (const auto& [name, reason] : loaded.absent_metrics) {
    vocabulary.absent_metrics.push_back(name);
  }
  for (const AxisOptions& axis : loaded.scenario.sweep) {
    vocabulary.axes.push_back({axis.name, axis.ValueLabels()});
  }
  for (const auto& [label, estimator] : loaded.scenario.estimators) {
    vocabulary.estimators.push_back(label);
  }
  for (const auto& [label, observer] : loaded.scenario.observers) {
    vocabulary.observers.push_back({label, ModelsOf(loaded.scenario, observer)});
    for (const std::string& model : vocabulary.observers.back().models) {
      vocabulary.estimators.push_back(ObservationLabel(label, model));
    }
  }
  for (const std::string& experiment : MotionsOf(loaded.metrics)) {
    vocabulary.estimators.push_back(MotionLabel(experiment));
  }
  for (Issue& issue : CheckTables(loaded.scenario.tables, vocabulary)) {
    issues.push_back(std::move(issue));
  }
}

/// A metric that the gate asks for and the run will not have.
void CheckGateMetric(const LoadedScenario& loaded, const std::string& where,
                     const std::string& metric, std::vector<Issue>& issues) {
  std::vector<std::string> names;
  for (const RunMetric& listed : loaded.metrics) names.push_back(listed.name);
  if (std::ranges::find(names, metric) != names.end()) return;
  for (const auto& [absent, reason] : loaded.absent_metrics) {
    if (metric != absent && !metric.starts_with(absent + "@")) continue;
    issues.push_back({where, fmt::format("{} is not available: {}", metric, reason), {}});
    return;
  }
  issues.push_back({where, fmt::format("the scenario has no metric \"{}\"", metric),
                    AcceptedNames(metric, names)});
}

void CheckTheGate(const LoadedScenario& loaded, std::vector<Issue>& issues) {
  const GateOptions& gate = loaded.scenario.gate;
  if (!gate.metric.empty()) CheckGateMetric(loaded, "/gate/metric", gate.metric, issues);
  for (const auto& [metric, said] : gate.metrics) {
    CheckGateMetric(loaded, PointerTo("/gate/metrics", metric), metric, issues);
  }
}

/// Gives the robot the terms and attached bodies that the scenario has; the issues are those of the
/// whole scenario.
void AddPartsOf(const Scenario& scenario, Robot& robot, std::vector<Issue>& issues) {
  std::vector<ConfigurationUse> uses;
  for (const auto& [label, experiment] : scenario.experiments) {
    uses.push_back({experiment.configuration, experiment.role == Role::kIdentification});
  }
  AddAttached(scenario.attached, scenario.configurations, uses, robot, issues);
  AddTerms(scenario.robot.terms, "/robot/terms", robot, issues);
  AddTerms(scenario.problem.terms, "/problem/terms", robot, issues);
  const auto& equations = scenario.problem.equations;
  const auto drives = std::ranges::find_if(equations, [](const EquationOptions& equation) {
    return !InfoOf(equation.type).gain_unit.empty();
  });
  if (drives != equations.end()) {  // a second one is refused, see CheckScenario()
    const auto index = drives - equations.begin();
    AddGains(drives->type, fmt::format("/problem/equations/{}", index), robot, issues);
  }
  AddOwnTerms(scenario.configurations, robot, issues);
}

/// Reads the cells of the sweep; issues that the scenario without the sweep has are not repeated.
void ReadCells(const Robot& robot, std::span<const MetricInfo> metrics, LoadedScenario& loaded,
               std::vector<Issue>& issues) {
  std::set<std::pair<std::string, std::string>> known;
  for (const Issue& issue : issues) known.insert({issue.where, issue.what});
  std::vector<ExpandedCell> cells = ExpandSweep(*loaded.expanded, loaded.scenario.sweep, issues);
  for (ExpandedCell& expanded : cells) {
    Cell cell{std::move(expanded.coordinates), {}, robot};
    std::vector<Issue> found;
    ReadFields(Visit(cell.scenario), expanded.json, "", found);
    AddPartsOf(cell.scenario, cell.robot, found);
    if (found.empty()) found = CheckScenario(cell.scenario, cell.robot, metrics);
    for (Issue& issue : found) {
      if (!known.insert({issue.where, issue.what}).second) continue;
      issue.details.push_back("in the sweep's " + cell.coordinates.Label());
      issues.push_back(std::move(issue));
    }
    loaded.cells.push_back(std::move(cell));
  }
}

/// Marks Bayesian bounds where the truth is not drawn from the prior.
void DoubtBounds(std::span<const MetricInfo> metrics, LoadedScenario& loaded) {
  std::vector<std::string> undrawn;
  for (const Cell& cell : loaded.cells) {
    if (!DrawnAsDeclared(cell.scenario)) undrawn.push_back(cell.coordinates.Label());
  }
  if (undrawn.empty()) return;
  if (undrawn.size() == loaded.cells.size()) undrawn.clear();
  DoubtUndrawn(metrics, undrawn, loaded.metrics);
}

}  // namespace

LoadedScenario LoadScenario(const std::filesystem::path& file,
                            const std::vector<Override>& overrides,
                            std::span<const MetricInfo> metrics) {
  Json json = ReadJsonFile(file);
  if (const Json* scenario = ScenarioOfManifest(json, file.string())) {
    LoadedScenario loaded = LoadScenario(WithFormerDefaults(*scenario),
                                         file.string() + ": /scenario", overrides, metrics);
    loaded.of_manifest = true;
    return loaded;
  }
  std::vector<std::string> notes = ResolvePaths(file.parent_path(), json);
  std::ranges::move(ExtendScenario(file.parent_path(), file.string(), json),
                    std::back_inserter(notes));
  LoadedScenario loaded = LoadScenario(std::move(json), file.string(), overrides, metrics);
  loaded.notes = std::move(notes);
  return loaded;
}

LoadedScenario LoadScenario(Json json, const std::string& source,
                            const std::vector<Override>& overrides,
                            std::span<const MetricInfo> metrics) {
  LoadedScenario loaded;
  loaded.source = source;
  std::vector<Issue> issues;
  ApplyOverrides(json, overrides, issues);
  ReadFields(Visit(loaded.scenario), json, "", issues);
  FillDefaults(loaded.scenario);
  Robot robot;
  const bool robot_loaded = LoadRobotInto(loaded.scenario.robot, robot, issues);
  loaded.robot = robot;
  if (robot_loaded) {
    AddPartsOf(loaded.scenario, loaded.robot, issues);
    const auto found = CheckScenario(loaded.scenario, loaded.robot, metrics, issues);
    issues.insert(issues.end(), found.begin(), found.end());
  }
  loaded.expanded = WriteFields(Visit(loaded.scenario));
  if (issues.empty()) {
    ListMetrics(loaded.scenario, loaded.robot, source, metrics, loaded.metrics,
                loaded.absent_metrics);
    CheckTheTables(loaded, issues);
    CheckTheGate(loaded, issues);
    ReadCells(robot, metrics, loaded, issues);
    if (issues.empty()) DoubtBounds(metrics, loaded);
  }
  if (!issues.empty()) throw ConfigError(source, issues);
  return loaded;
}

Json ExpandedScenario(const Json& scenario) {
  Scenario read;
  std::vector<Issue> issues;
  ReadFields(Visit(read), WithFormerDefaults(scenario), "", issues);
  if (!issues.empty()) return scenario;
  FillDefaults(read);
  return WriteFields(Visit(read));
}

}  // namespace idbench
