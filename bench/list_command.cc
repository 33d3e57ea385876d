#include "bench/list_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "bench/lab_checks/check_lab.h"
#include "bench/metrics/metrics.h"
#include "bench/run/exit_code.h"
#include "estimators/observers/observer_registry.h"
#include "estimators/registry.h"
#include "robots/robot.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

void ListRobots() {
  fmt::print("robots\n");
  for (const std::string& name : RobotNames()) {
    const Robot robot = LoadRobot(name);
    fmt::print("  {:<18}{}; sets: {}\n", name, robot.title, fmt::join(robot.set_names(), ", "));
  }
}

/// Methods of a registry, each with its options and their defaults.
template <class Entry>
void ListMethods(const char* title, std::span<const Entry> registry) {
  fmt::print("{}\n", title);
  std::size_t width = 0;
  for (const Entry& entry : registry) width = std::max(width, entry.type.size());
  for (const Entry& entry : registry) {
    fmt::print("  {:<{}}  {}{}\n", entry.type, width, entry.title,
               entry.source.empty() ? "" : fmt::format(" ({})", entry.source));
    const auto method = entry.make();
    const FieldTable fields = method->Fields();
    for (const Field& field : fields.fields()) {
      Json value;
      field.member.Write(value);
      fmt::print("      {} = {}: {}\n", field.name, value.dump(), field.info.doc);
    }
  }
}

void ListEstimators() { ListMethods("estimators", EstimatorRegistry()); }
void ListObservers() { ListMethods("observers", ObserverRegistry()); }

/// "(fpr=0.06)" with its range, of a metric whose name may hold a number.
std::string ArgumentText(const MetricInfo& metric) {
  if (!metric.argument) return "";
  const auto& [name, standard, lower, upper] = *metric.argument;
  return fmt::format("; {}({}={:g}) unless it names another from {:g} to {:g}", metric.name, name,
                     standard, lower, upper);
}

void ListMetricDefinitions() {
  fmt::print("metrics\n");
  std::size_t width = 0;
  for (const MetricInfo& metric : AllMetrics()) width = std::max(width, metric.name.size());
  for (const MetricInfo& metric : AllMetrics()) {
    fmt::print("  {:<{}} [{}] {}{}{}{}{}\n", metric.name, width, metric.unit, metric.doc,
               metric.better ? fmt::format("; {} is better", ToString(*metric.better)) : "",
               ArgumentText(metric),
               metric.per_window()        ? "; online estimators, per window"
               : metric.per_observation() ? "; observers"
               : metric.per_motion()      ? "; motions"
               : metric.per_staged()      ? "; experiments controlled with an estimate"
                                          : "",
               metric.needs.Has(Capability::kTruth) ? "; simulation only" : "");
  }
}

void ListChecks() {
  fmt::print("checks of logs (identify)\n");
  std::size_t width = 0;
  for (const LabCheck& check : LabChecks()) width = std::max(width, check.key.size());
  for (const LabCheck& check : LabChecks()) {
    fmt::print("  {:<{}}  {}\n", check.key, width, check.doc);
  }
}

struct ListedKind {
  std::string_view name;
  void (*print)();
};
constexpr auto kListed = std::to_array<ListedKind>({{"robots", &ListRobots},
                                                    {"estimators", &ListEstimators},
                                                    {"observers", &ListObservers},
                                                    {"metrics", &ListMetricDefinitions},
                                                    {"checks", &ListChecks}});

/// "robots, estimators, …"
std::string ListedNames(std::string_view separator) {
  std::vector<std::string_view> names;
  for (const ListedKind& kind : kListed) names.push_back(kind.name);
  return fmt::format("{}", fmt::join(names, separator));
}

int List(const po::variables_map& values) {
  const std::string what = values.count("what") ? values["what"].as<std::string>() : "";
  bool found = what.empty();
  for (const ListedKind& kind : kListed) {
    if (!what.empty() && what != kind.name) continue;
    kind.print();
    found = true;
  }
  if (!found) {
    throw UsageError(fmt::format("list: got '{}'\n  accepted here: {}", what, ListedNames(", ")));
  }
  return kExitFine;
}

}  // namespace

Subcommand ListCommand() {
  return {"list",
          fmt::format("[{}]", ListedNames("|")),
          "list what scenarios can use, and what identify looks for in logs",
          po::options_description("options"),
          {"what"},
          &List};
}

}  // namespace idbench
