#include "scenarios/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::vector<std::string> KeysOf(const Json& json) {
  std::vector<std::string> keys;
  if (!json.is_object()) return keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

/// The member `key` of `json`, nullptr if there is none.
Json* Member(Json& json, const std::string& key) {
  if (json.is_object()) {
    const auto at = json.find(key);
    return at == json.end() ? nullptr : &*at;
  }
  if (json.is_array() && !key.empty() && key.find_first_not_of("0123456789") == std::string::npos &&
      key.size() < 9) {
    const std::size_t index = std::stoul(key);
    return index < json.size() ? &json[index] : nullptr;
  }
  return nullptr;
}

/// What may differ from cell to cell; labels, metrics, trials and the robot are those of the run.
constexpr std::array kSwept = {"/robot/truth/", "/plant",          "/control",  "/sensors/",
                               "/experiments/", "/processing/",    "/problem/", "/estimators/",
                               "/attached/",    "/configurations/"};

/// Models and experiments of an observer, and so the observer as a whole, are those of the run.
bool IsOptionOfObserver(const std::string& pointer) {
  const std::size_t label = std::string("/observers/").size();
  const std::size_t option = pointer.find('/', label);
  if (!pointer.starts_with("/observers/") || option == std::string::npos) return false;
  const std::string name = pointer.substr(option + 1, pointer.find('/', option + 1) - option - 1);
  return name != "models" && name != "experiments";
}

bool CanBeSwept(const std::string& pointer) {
  return IsOptionOfObserver(pointer) ||
         std::ranges::any_of(kSwept, [&](const char* part) { return pointer.starts_with(part); });
}

void CheckAxes(const std::vector<AxisOptions>& axes, std::vector<Issue>& issues) {
  std::set<std::string> names;
  std::set<std::string> pointers;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string where = fmt::format("/sweep/{}", i);
    if (!names.insert(axes[i].name).second) {
      issues.push_back(
          {where + "/name", fmt::format("a second axis called \"{}\"", axes[i].name), {}});
    }
    for (const auto& [pointer, values] : axes[i].set) {
      const std::string at = PointerTo(where + "/set", pointer);
      if (!pointers.insert(pointer).second) {
        issues.push_back({at, "is set by two axes", {"put it into one axis"}});
      }
      if (!CanBeSwept(pointer)) {
        issues.push_back({at,
                          "cannot be swept",
                          {fmt::format("accepted here: keys below {}, and options of an observer, "
                                       "/observers/<label>/<option>",
                                       fmt::join(kSwept, ", "))}});
      }
      if (pointer.ends_with("/type")) {
        issues.push_back(
            {at,
             "sweeps a type without the options that belong to it",
             {fmt::format("set the whole object \"{}\"", pointer.substr(0, pointer.size() - 5))}});
      }
    }
  }
}

}  // namespace

bool SetAt(Json& json, const std::string& pointer, const Json& value, bool create,
           const std::string& where, std::vector<Issue>& issues) {
  std::vector<std::string> keys;
  try {
    Json::json_pointer parsed(pointer);
    while (!parsed.empty()) {
      keys.insert(keys.begin(), parsed.back());
      parsed.pop_back();
    }
  } catch (const Json::exception&) {
    issues.push_back({where, "is not a JSON pointer", {"accepted here: /key/key …"}});
    return false;
  }
  Json* at = &json;
  std::string path;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Json* next = Member(*at, keys[i]);
    if (next == nullptr && create && i + 1 == keys.size() && at->is_object()) {
      next = &(*at)[keys[i]];
    }
    if (next == nullptr) {
      std::vector<std::string> details = AcceptedNames(keys[i], KeysOf(*at));
      if (!at->is_object()) details = {fmt::format("\"{}\" is {}", path, Describe(*at))};
      const bool is_guessed = details.size() > 1;  // "did you mean …?"
      if (create && at->is_object() && !is_guessed) {
        details.push_back(fmt::format("an object that is not there yet is set as a whole: {}={{…}}",
                                      PointerTo(path, keys[i])));
      }
      issues.push_back(
          {where, fmt::format("leads nowhere: no \"{}\" in \"{}\"", keys[i], path), details});
      return false;
    }
    path = PointerTo(path, keys[i]);
    at = next;
  }
  *at = value;
  return true;
}

std::vector<ExpandedCell> ExpandSweep(const Json& expanded, const std::vector<AxisOptions>& axes,
                                      std::vector<Issue>& issues) {
  CheckAxes(axes, issues);
  Json base = expanded;
  base["sweep"] = Json::array();
  std::vector<ExpandedCell> cells = {{RunCell{}, base}};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const std::vector<std::string> labels = axes[a].ValueLabels();
    std::vector<ExpandedCell> next;
    for (const ExpandedCell& cell : cells) {
      for (std::size_t step = 0; step < labels.size(); ++step) {
        next.push_back(cell);
        next.back().coordinates.axes.emplace_back(axes[a].name, labels[step]);
        for (const auto& [pointer, values] : axes[a].set) {
          if (step >= values.size()) continue;  // reported with the axis
          const std::string where = PointerTo(fmt::format("/sweep/{}/set", a), pointer);
          if (!SetAt(next.back().json, pointer, *values[step], false, where, issues)) return {};
        }
      }
    }
    cells = std::move(next);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].coordinates.index = static_cast<std::int64_t>(i);
  }
  return cells;
}

}  // namespace idbench
