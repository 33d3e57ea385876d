#include "scenarios/file/extended_scenario.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "scenarios/file/scenario_paths.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr const char* kExtends = "extends";
/// Objects of a scenario whose keys are labels.
constexpr std::string_view kLabelled[] = {"attached", "configurations", "experiments", "estimators",
                                          "observers"};

[[noreturn]] void RefuseBase(const std::string& source, std::string what, std::string cure) {
  throw ConfigError(source, {{std::string("/") + kExtends, std::move(what), {std::move(cure)}}});
}

bool IsAnotherType(const Json& base, const Json& over) {
  return over.contains("type") && over["type"] != base.value("type", Json());
}

void Lay(const Json& over, Json& base) {
  if (!base.is_object() || !over.is_object() || IsAnotherType(base, over)) {
    base = over;
    return;
  }
  for (const auto& [key, value] : over.items()) {
    if (base.contains(key)) {
      Lay(value, base[key]);
    } else {
      base[key] = value;
    }
  }
}

}  // namespace

std::vector<std::string> ExtendScenario(const std::filesystem::path& folder,
                                        const std::string& source, Json& scenario) {
  if (!scenario.is_object() || !scenario.contains(kExtends)) return {};
  const Json named = scenario[kExtends];
  scenario.erase(kExtends);
  if (named.is_null()) return {};
  if (!named.is_string()) {
    RefuseBase(source, "got " + named.dump(), "accepted here: the path of a scenario, a string");
  }
  const std::filesystem::path file = folder / named.get<std::string>();
  if (!std::filesystem::is_regular_file(file)) {
    RefuseBase(source, "there is no file " + file.string(),
               "the path counts from the folder of the scenario");
  }
  Json base = ReadJsonFile(file);
  if (!base.is_object()) RefuseBase(source, file.string() + " holds no object", "name a scenario");
  if (base.contains(kExtends)) {
    RefuseBase(source, file.string() + " extends another file itself",
               "extend that one, and say here what this one adds");
  }
  std::vector<std::string> notes = ResolvePaths(file.parent_path(), base);
  Lay(scenario, base);
  for (const std::string_view labelled : kLabelled) {
    const auto found = base.find(labelled);
    if (found == base.end() || !found->is_object()) continue;
    for (auto entry = found->begin(); entry != found->end();) {
      entry = entry->is_null() ? found->erase(entry) : std::next(entry);
    }
  }
  scenario = std::move(base);
  return notes;
}

}  // namespace idbench
