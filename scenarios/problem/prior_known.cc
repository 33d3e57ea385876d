#include "scenarios/problem/prior_known.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "robots/dynamics/parameters.h"
#include "scenarios/options/name_pattern.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/prior_entries.h"

namespace idbench {
namespace {

/// A kind, a name or a body, and its place.
struct KnownEntry {
  std::string where, key;
};

/// The entries, without those of patterns that cannot be read, of which it appends issues.
std::vector<KnownEntry> EntriesOf(const PriorOptions& prior, std::vector<Issue>& issues) {
  std::vector<KnownEntry> entries;
  for (std::size_t i = 0; i < prior.known.patterns.size(); ++i) {
    const std::string where = fmt::format("/problem/prior/known/{}", i);
    std::string problem;
    for (std::string& key : ExpandPattern(prior.known.patterns[i], problem)) {
      entries.push_back({where, std::move(key)});
    }
    if (!problem.empty()) issues.push_back({where, problem, {}});
  }
  return entries;
}

/// Parameters that are asked for, by name.
class KnownAmong {
 public:
  KnownAmong(const RobotModel& model, const std::vector<int>& asked)
      : model_(model), layout_(model), names_(ParameterNames(model)), asked_(asked) {}

  const std::string& Name(int index) const { return names_[static_cast<std::size_t>(index)]; }
  /// The body whose parameter it is; "" for one of joints and other terms.
  std::string BodyOf(int index) const {
    if (index >= layout_.inertial_size()) return "";
    return model_.BodyName(index / kInertialCount - 1);
  }
  bool Speaks(const std::string& key, int index) const {
    if (std::ranges::count(KeysOf(Name(index)), key) > 0) return true;
    const std::string body = BodyOf(index);
    return !body.empty() && (key == body || key == kBodyKind);
  }
  /// All keys, kinds first.
  std::vector<std::string> Accepted(const std::string& key) const {
    std::vector<std::string> names, bodies;
    for (const int k : asked_) {
      names.push_back(Name(k));
      const std::string body = BodyOf(k);
      if (!body.empty() && std::ranges::count(bodies, body) == 0) bodies.push_back(body);
    }
    if (key.find('.') != std::string::npos) return AcceptedNames(key, names);
    std::vector<std::string> keys = KindsOf(names);
    if (!bodies.empty()) keys.emplace_back(kBodyKind);
    keys.insert(keys.end(), bodies.begin(), bodies.end());
    return AcceptedNames(key, keys);
  }

 private:
  const RobotModel& model_;
  ParameterLayout layout_;
  std::vector<std::string> names_;
  const std::vector<int>& asked_;
};

/// Bodies of which some parameters are known and some are not.
std::vector<std::string> PartlyKnown(const KnownAmong& among, const std::vector<int>& asked,
                                     const std::vector<int>& known) {
  std::vector<std::string> partly;
  for (const int k : asked) {
    const std::string body = among.BodyOf(k);
    if (body.empty() || std::ranges::count(partly, body) > 0) continue;
    const auto of_body = [&](int other) { return among.BodyOf(other) == body; };
    const auto count = std::ranges::count_if(known, of_body);
    if (count > 0 && count < std::ranges::count_if(asked, of_body)) partly.push_back(body);
  }
  return partly;
}

}  // namespace

std::vector<int> KnownOf(const ProblemOptions& options, const RobotModel& model,
                         const std::vector<int>& asked) {
  std::vector<int> known;
  if (!options.prior || options.prior->known.patterns.empty()) return known;
  std::vector<Issue> ignored;  // CheckKnown() tells them
  const std::vector<KnownEntry> entries = EntriesOf(*options.prior, ignored);
  const KnownAmong among(model, asked);
  for (const int k : asked) {
    const auto speaks = [&](const KnownEntry& entry) { return among.Speaks(entry.key, k); };
    if (std::ranges::any_of(entries, speaks)) known.push_back(k);
  }
  return known;
}

std::vector<Issue> CheckKnown(const ProblemOptions& options, const RobotModel& model,
                              const std::vector<int>& asked) {
  std::vector<Issue> issues;
  if (!options.prior || options.prior->known.patterns.empty()) return issues;
  const char* const at = "/problem/prior/known";
  const std::string& type = options.parametrisation.type;
  const ParametrisationKind& kind = KindNamed(type);
  if (!kind.takes_terms) {
    return {{at,
             fmt::format("has no meaning for \"{}\"", type),
             {"remove it: its unknowns are no single parameters of bodies and joints"}}};
  }
  const std::vector<KnownEntry> entries = EntriesOf(*options.prior, issues);
  const KnownAmong among(model, asked);
  for (const auto& [where, key] : entries) {
    const auto speaks = [&among, &key](int k) { return among.Speaks(key, k); };
    if (std::ranges::any_of(asked, speaks)) continue;
    issues.push_back({where,
                      fmt::format("nothing that is asked for has this kind or name: \"{}\"", key),
                      among.Accepted(key)});
  }
  const std::vector<int> known = KnownOf(options, model, asked);
  const std::vector<std::string> partly = PartlyKnown(among, asked, known);
  if (kind.whole_bodies && !partly.empty()) {
    issues.push_back({at,
                      fmt::format("holds a part of {}, and \"{}\" has unknowns of whole bodies",
                                  ListSome(partly), type),
                      {"name the body to hold all of it, or take \"standard\" or \"base\""}});
  }
  if (!asked.empty() && known.size() == asked.size()) {
    issues.push_back({at, "leaves no unknown", {"hold less"}});
  }
  return issues;
}

}  // namespace idbench
