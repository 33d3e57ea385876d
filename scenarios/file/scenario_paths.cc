#include "scenarios/file/scenario_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// The values that are paths; * stands for one key or index.
constexpr std::string_view kPaths[] = {"/robot/model",
                                       "/recording/root",
                                       "/control/file",
                                       "/experiments/*/control/file",
                                       "/experiments/*/motion/file",
                                       "/experiments/*/motion/parts/*/file"};

/// The first part of a pointer, and what follows it.
std::pair<std::string_view, std::string_view> Split(std::string_view pointer) {
  const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
  return {pointer.substr(0, end), pointer.substr(end)};
}

bool Matches(std::string_view pointer, std::string_view pattern) {
  while (!pointer.empty() && !pattern.empty()) {
    const auto [key, further] = Split(pointer);
    const auto [wanted, also] = Split(pattern);
    if (wanted != "/*" && wanted != key) return false;
    pointer = further;
    pattern = also;
  }
  return pointer.empty() && pattern.empty();
}

bool IsPath(const std::string& pointer) {
  return std::ranges::any_of(
      kPaths, [&pointer](std::string_view pattern) { return Matches(pointer, pattern); });
}

bool LeadsSomewhere(const fs::path& path) {
  std::error_code unreadable;
  return fs::exists(path, unreadable);
}

class PathResolver {
 public:
  explicit PathResolver(const fs::path& folder) : folder_(folder) {}

  /// @param pointer  of `json` in the scenario.
  void Visit(const std::string& pointer, Json& json) {
    if (json.is_string() && IsPath(pointer)) return Resolve(pointer, json);
    if (json.is_structured()) {
      for (auto& [key, member] : json.items()) Visit(PointerTo(pointer, key), member);
    }
  }

  /// The values of one axis.
  void VisitAxis(Json& axis) {
    if (!axis.is_object() || !axis.contains("set") || !axis["set"].is_object()) return;
    for (auto& [pointer, values] : axis["set"].items()) {
      if (!values.is_array()) continue;
      for (Json& value : values) Visit(pointer, value);
    }
  }

  std::vector<std::string> Take() { return std::move(notes_); }

 private:
  void Resolve(const std::string& pointer, Json& json) {
    const auto text = json.get<std::string>();
    const bool is_name = pointer == "/robot/model" && text.find_first_of("/.") == std::string::npos;
    if (text.empty() || is_name || text.starts_with('$') || fs::path(text).is_absolute()) return;
    const fs::path from_file = folder_ / text;
    if (LeadsSomewhere(from_file)) {
      if (!folder_.empty()) json = from_file.lexically_normal().generic_string();
    } else if (LeadsSomewhere(text)) {
      std::string note = fmt::format("{}: {} counts from the current folder: there is no {}",
                                     pointer, text, from_file.generic_string());
      if (std::ranges::find(notes_, note) == notes_.end()) notes_.push_back(std::move(note));
    }
  }

  const fs::path& folder_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> ResolvePaths(const fs::path& folder, Json& scenario) {
  PathResolver resolver(folder);
  resolver.Visit("", scenario);
  const auto sweep = scenario.is_object() ? scenario.find("sweep") : scenario.end();
  if (sweep != scenario.end() && sweep->is_array()) {
    for (Json& axis : *sweep) resolver.VisitAxis(axis);
  }
  return resolver.Take();
}

}  // namespace idbench
