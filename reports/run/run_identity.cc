#include "reports/run/run_identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kOneVersion = "shards are computed by one version of idbench";
constexpr const char* kSameScenario = "--resume goes on with the same scenario and options";
constexpr const char* kSameProgram =
    "go on with the program that began the run, or begin a new one with another --out";

/// A part of the manifest that all records of a run have in common.
struct IdentityKey {
  const char* pointer;
  const char* what;
  const char* cure_of_shards;
  const char* cure_of_resume;
};

// Inputs and the program file, which have rules of their own, are compared between these.
constexpr IdentityKey kKeysBeforeInputs[] = {
    {"/format", "another format of the run folder", kOneVersion, kSameProgram},
    {"/scenario", "another scenario", "shards are calls with the same scenario and options",
     kSameScenario},
    {"/seed", "another seed", "shards are calls with the same --seed", kSameScenario},
    {"/trials", "another number of trials", "shards are calls with the same --trials",
     kSameScenario}};
constexpr IdentityKey kKeysOfProgram[] = {
    {"/versions/mujoco", "another version of MuJoCo", "shards are simulated by one version",
     kSameProgram},
    {"/versions/idbench", "another version of idbench", kOneVersion, kSameProgram},
    {"/versions", "other versions of what idbench is built with",
     "shards are computed with the same libraries and compiler", kSameProgram},
    {"/build", "another build", "shards are computed by programs of the same build type and flags",
     kSameProgram},
    {"/commit", "another commit", "shards are computed at one commit", kSameProgram}};
constexpr IdentityKey kKeyOfProgramFile = {
    "/program", "another program file, and no commit says that it computes the same",
    "copy one program to all machines, or build a commit without changes", kSameProgram};
constexpr IdentityKey kKeysBehindProgram[] = {
    {"/fingerprint", "another floating-point fingerprint",
     "on those machines records differ in their last bits; paired comparison (`idbench compare`) "
     "bears that, merging does not",
     "go on on a machine of the same kind"},
    {"/estimators", "other estimators", kOneVersion, kSameProgram},
    {"/observers", "other observers", kOneVersion, kSameProgram},
    {"/metrics", "other metrics", kOneVersion, kSameProgram}};

const Json* FindAt(const Json& json, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  return json.contains(place) ? &json.at(place) : nullptr;
}

/// Whether values differ, or the order of their keys.
bool Differ(const Json& first, const Json& second, const char* pointer) {
  const Json* const a = FindAt(first, pointer);
  const Json* const b = FindAt(second, pointer);
  if (a == nullptr || b == nullptr) return a != b;
  return *a != *b;
}

/// The place of the first difference at a pointer or below it.
std::string PlaceBelow(const Json& first, const Json& second, const std::string& pointer) {
  const Json* const a = FindAt(first, pointer);
  const Json* const b = FindAt(second, pointer);
  if (a == nullptr || b == nullptr) return pointer;
  return pointer + FirstDifference(*a, *b).value_or("");
}

IdentityDifference DifferenceAt(const IdentityKey& key, const Json& first, const Json& second) {
  const std::string place = PlaceBelow(first, second, key.pointer);
  std::string of_first = DescribeAt(first, place);
  std::string of_second = DescribeAt(second, place);
  const Json* const a = FindAt(first, key.pointer);
  const Json* const b = FindAt(second, key.pointer);
  if (a != nullptr && b != nullptr && !FirstDifference(*a, *b)) {
    // Records list estimators and metrics in the order of the scenario.
    of_first = "in one order";
    of_second = "in another";
  }
  return {key.what,          place, std::move(of_first), std::move(of_second), key.cure_of_shards,
          key.cure_of_resume};
}

template <std::size_t N>
std::optional<IdentityDifference> FirstOf(const IdentityKey (&keys)[N], const Json& first,
                                          const Json& second) {
  const auto key = std::ranges::find_if(
      keys, [&](const IdentityKey& each) { return Differ(first, second, each.pointer); });
  if (key == std::end(keys)) return std::nullopt;
  return DifferenceAt(*key, first, second);
}

/// Enough of a hash to tell files apart by eye.
std::string Shortened(const Json& hash) {
  return hash.is_string() ? "sha256:" + hash.get<std::string>().substr(0, 12) + "…"
                          : Describe(hash);
}

using NamedHash = std::pair<std::string, Json>;

/// The files of a role that `other` does not have by that name.
std::vector<NamedHash> OnlyIn(const Json& role, const Json& other) {
  std::vector<NamedHash> files;
  for (const auto& [name, hash] : role.items()) {
    if (!other.contains(name)) files.emplace_back(name, hash);
  }
  return files;
}

/// Takes out of both lists what is in both, by content.
void CancelEqual(std::vector<NamedHash>& first, std::vector<NamedHash>& second) {
  std::erase_if(first, [&second](const NamedHash& file) {
    const auto same = std::ranges::find(second, file.second, &NamedHash::second);
    if (same == second.end()) return false;
    second.erase(same);
    return true;
  });
}

void AddDifferencesOfRole(const std::string& role, const Json& first, const Json& second,
                          std::vector<InputDifference>& differences) {
  for (const auto& [name, hash] : first.items()) {
    if (!second.contains(name) || second.at(name) == hash) continue;
    differences.push_back({role, name, Shortened(hash), Shortened(second.at(name))});
  }
  std::vector<NamedHash> a = OnlyIn(first, second);
  std::vector<NamedHash> b = OnlyIn(second, first);
  CancelEqual(a, b);
  if (a.size() == 1 && b.size() == 1) {
    differences.push_back({role, b[0].first, Shortened(a[0].second), Shortened(b[0].second)});
    return;
  }
  for (const auto& [name, hash] : a)
    differences.push_back({role, name, Shortened(hash), "nothing"});
  for (const auto& [name, hash] : b)
    differences.push_back({role, name, "nothing", Shortened(hash)});
}

bool IsOfUnchangedCommit(const Json& manifest) {
  const std::string commit = manifest.value("commit", "");
  return !commit.empty() && !commit.ends_with("-dirty");
}

std::optional<IdentityDifference> DifferenceOfInputs(const Json& first, const Json& second) {
  if (FindAt(first, "/inputs") == nullptr || FindAt(second, "/inputs") == nullptr) {
    if (!Differ(first, second, "/inputs")) return std::nullopt;
    return DifferenceAt(
        {"/inputs", "inputs that one of them does not tell", kOneVersion, kSameProgram}, first,
        second);
  }
  const std::vector<InputDifference> inputs = DifferentInputs(first, second);
  if (inputs.empty()) return std::nullopt;
  return IdentityDifference{"another input",
                            inputs.front().Label(),
                            inputs.front().first,
                            inputs.front().second,
                            "shards read the same files: copy them from one machine to the other, "
                            "and compute what read others anew",
                            "put the file back as it was, or begin a new run with another --out"};
}

}  // namespace

std::string InputDifference::Label() const {
  return name.empty() ? role : fmt::format("{} of {}", name, role);
}

std::vector<InputDifference> DifferentInputs(const Json& first, const Json& second) {
  std::vector<InputDifference> differences;
  const Json* const a = FindAt(first, "/inputs");
  const Json* const b = FindAt(second, "/inputs");
  if (a == nullptr || b == nullptr || !a->is_object() || !b->is_object()) return differences;
  for (const auto& [role, files] : a->items()) {
    if (b->contains(role)) {
      AddDifferencesOfRole(role, files, b->at(role), differences);
    } else {
      differences.push_back({role, "", Describe(files), "nothing"});
    }
  }
  for (const auto& [role, files] : b->items()) {
    if (!a->contains(role)) differences.push_back({role, "", "nothing", Describe(files)});
  }
  return differences;
}

std::optional<IdentityDifference> FindIdentityDifference(const Json& first, const Json& second) {
  if (auto difference = FirstOf(kKeysBeforeInputs, first, second)) return difference;
  if (auto difference = DifferenceOfInputs(first, second)) return difference;
  if (auto difference = FirstOf(kKeysOfProgram, first, second)) return difference;
  if (!IsOfUnchangedCommit(first) && Differ(first, second, kKeyOfProgramFile.pointer)) {
    return DifferenceAt(kKeyOfProgramFile, first, second);
  }
  return FirstOf(kKeysBehindProgram, first, second);
}

std::vector<std::string> ProgramDifferences(const Json& a, const std::string& a_name, const Json& b,
                                            const std::string& b_name) {
  std::vector<std::string> sentences;
  std::vector<std::string> places;
  const auto add = [&](const std::string& pointer) {
    const std::string place = PlaceBelow(a, b, pointer);
    places.push_back(fmt::format("{} is {} in {}, {} in {}", place, DescribeAt(a, place), a_name,
                                 DescribeAt(b, place), b_name));
  };
  for (const char* pointer : {"/commit", "/versions", "/build"}) {
    if (Differ(a, b, pointer)) add(pointer);
  }
  if (places.empty() && !IsOfUnchangedCommit(a) && Differ(a, b, "/program")) add("/program");
  if (!places.empty()) {
    sentences.push_back(
        fmt::format("the runs are of different programs: {}", fmt::join(places, "; ")));
  }
  for (const auto& [manifest, name] : {std::pair(&a, &a_name), std::pair(&b, &b_name)}) {
    if (manifest->contains("inputs")) continue;
    sentences.push_back(fmt::format(
        "{} does not tell its inputs (an older idbench made it): whether both read the same files "
        "is not known",
        *name));
  }
  return sentences;
}

}  // namespace idbench
