#include "reports/run/run_identity.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A run of a URDF with a mesh along one of two recorded motions.
Json IdentifiedManifest() {
  return Json::parse(R"({"format": 1, "seed": 1, "trials": 3, "fingerprint": "f",
    "scenario": {"robot": {"model": "arm.urdf"}},
    "inputs": {"/robot/model": {"arm.urdf": "aaaaaaaaaaaaaaaa", "meshes/a.obj": "bbbbbbbbbbbbbbbb"},
               "/experiments/e/motion/file": {"one.csv": "1111111111111111", "two.csv": "2222222222222222"}},
    "versions": {"idbench": "0.1.0", "mujoco": "4.0.1", "compiler": "12.2.0", "libc": "glibc 2.36"},
    "build": {"type": "Release", "flags": "-O3"}, "commit": "abc", "program": "p1",
    "estimators": ["ols"], "metrics": {}})");
}

Json With(const std::function<void(Json&)>& change) {
  Json manifest = IdentifiedManifest();
  change(manifest);
  return manifest;
}

/// "what | where: first, second", "" without a difference.
std::string Difference(const Json& first, const Json& second) {
  const auto difference = FindIdentityDifference(first, second);
  if (!difference) return "";
  CHECK_FALSE(difference->cure_of_shards.empty());
  CHECK_FALSE(difference->cure_of_resume.empty());
  return difference->what + " | " + difference->where + ": " + difference->first + ", " +
         difference->second;
}

TEST_CASE("Every part of a run's identity is compared, and the first difference is told") {
  struct Case {
    const char* pointer;
    Json value;
    const char* expected;
  };
  const Case cases[] = {
      {"/format", 2, "another format of the run folder | /format: 1, 2"},
      {"/scenario/robot/model", "b",
       R"(another scenario | /scenario/robot/model: "arm.urdf", "b")"},
      {"/seed", 2, "another seed | /seed: 1, 2"},
      {"/trials", 4, "another number of trials | /trials: 3, 4"},
      {"/inputs/~1robot~1model/arm.urdf", "cccccccccccccccc",
       "another input | arm.urdf of /robot/model: sha256:aaaaaaaaaaaa…, sha256:cccccccccccc…"},
      {"/versions/mujoco", "5", R"(another version of MuJoCo | /versions/mujoco: "4.0.1", "5")"},
      {"/versions/idbench", "1", R"(another version of idbench | /versions/idbench: "0.1.0", "1")"},
      {"/versions/compiler", "13",
       R"(other versions of what idbench is built with | /versions/compiler: "12.2.0", "13")"},
      {"/versions/libc", "glibc 2.37",
       R"(other versions of what idbench is built with | /versions/libc: "glibc 2.36", "glibc 2.37")"},
      {"/build/type", "Debug", R"(another build | /build/type: "Release", "Debug")"},
      {"/build/flags", "-O2", R"(another build | /build/flags: "-O3", "-O2")"},
      {"/commit", "def", R"(another commit | /commit: "abc", "def")"},
      {"/fingerprint", "g", R"(another floating-point fingerprint | /fingerprint: "f", "g")"},
      {"/estimators/0", "wls", R"(other estimators | /estimators/0: "ols", "wls")"},
      {"/metrics/m", 1, "other metrics | /metrics/m: nothing, 1"}};
  const Json manifest = IdentifiedManifest();
  CHECK(Difference(manifest, manifest) == "");
  for (const Case& item : cases) {
    CAPTURE(item.pointer);
    const Json other =
        With([&item](Json& json) { json[Json::json_pointer(item.pointer)] = item.value; });
    CHECK(Difference(manifest, other) == item.expected);
    CHECK(Difference(other, manifest) != "");
  }
}

TEST_CASE("The order of estimators is that of their records, so another order is another run") {
  const auto ordered = [](const char* scenario) {
    return With([scenario](Json& json) { json["scenario"] = Json::parse(scenario); });
  };
  CHECK(Difference(ordered(R"({"estimators": {"ols": {}, "wls": {}}})"),
                   ordered(R"({"estimators": {"wls": {}, "ols": {}}})")) ==
        "another scenario | /scenario: in one order, in another");
}

TEST_CASE("Machines, marks and shards are no part of the identity") {
  CHECK(Difference(IdentifiedManifest(), With([](Json& json) {
                     json["machine"] = {{"processor", "Q"}};
                     json["marks"] = {"x"};
                     json["shard"] = {{"index", 1}, {"count", 2}};
                   })) == "");
}

TEST_CASE("Program files may differ for one unchanged commit, and only for that") {
  const auto program = [](const char* commit, const char* hash) {
    return With([=](Json& json) {
      json["commit"] = commit;
      json["program"] = hash;
    });
  };
  CHECK(Difference(program("abc", "p1"), program("abc", "p2")) == "");
  for (const char* unproven : {"abc-dirty", ""}) {
    CAPTURE(unproven);
    CHECK(Difference(program(unproven, "p1"), program(unproven, "p1")) == "");
    CHECK(
        Difference(program(unproven, "p1"), program(unproven, "p2")) ==
        R"(another program file, and no commit says that it computes the same | /program: "p1", "p2")");
  }
}

TEST_CASE("A run whose identity is told and one whose is not are different, two untold are equal") {
  const auto without = [](const char* key) { return With([key](Json& json) { json.erase(key); }); };
  for (const char* key : {"inputs", "versions", "build", "commit", "fingerprint"}) {
    CAPTURE(key);
    CHECK(Difference(without(key), without(key)) == "");
    CHECK(Difference(IdentifiedManifest(), without(key)) != "");
    CHECK(Difference(without(key), IdentifiedManifest()) != "");
  }
}

/// "label: first, second" of each.
std::vector<std::string> InputLines(const Json& first, const Json& second) {
  std::vector<std::string> lines;
  for (const InputDifference& input : DifferentInputs(first, second)) {
    lines.push_back(input.Label() + ": " + input.first + ", " + input.second);
  }
  return lines;
}

TEST_CASE("A file that lies elsewhere is the same input, one that changed is not") {
  const auto motions = [](Json files) {
    return With(
        [&files](Json& json) { json["inputs"]["/experiments/e/motion/file"] = std::move(files); });
  };
  const Json manifest = IdentifiedManifest();
  CHECK(InputLines(manifest, motions({{"/home/x/one.csv", "1111111111111111"},
                                      {"two.csv", "2222222222222222"}})) ==
        std::vector<std::string>{});
  CHECK(InputLines(manifest, motions({{"/home/x/one.csv", "3333333333333333"},
                                      {"two.csv", "2222222222222222"}})) ==
        std::vector<std::string>{"/home/x/one.csv of /experiments/e/motion/file: "
                                 "sha256:111111111111…, sha256:333333333333…"});
  // Their contents exchanged, the files stand for other cells.
  CHECK(InputLines(manifest,
                   motions({{"one.csv", "2222222222222222"}, {"two.csv", "1111111111111111"}}))
            .size() == 2);
  CHECK(InputLines(manifest, motions({{"one.csv", "1111111111111111"}})) ==
        std::vector<std::string>{
            "two.csv of /experiments/e/motion/file: sha256:222222222222…, nothing"});
  CHECK(InputLines(motions({{"one.csv", "1111111111111111"}}), manifest) ==
        std::vector<std::string>{
            "two.csv of /experiments/e/motion/file: nothing, sha256:222222222222…"});
  CHECK(InputLines(manifest, With([](Json& json) { json["inputs"].erase("/robot/model"); })) ==
        std::vector<std::string>{"/robot/model: an object, nothing"});
  CHECK(InputLines(manifest, With([](Json& json) { json.erase("inputs"); })).empty());
}

TEST_CASE("Of two programs it is told in what they differ, and of an older run what is not known") {
  const Json manifest = IdentifiedManifest();
  const auto told = [&manifest](const std::function<void(Json&)>& change) {
    return ProgramDifferences(manifest, "the baseline", With(change), "the run");
  };
  CHECK(told([](Json&) {}).empty());
  CHECK(told([](Json& json) { json["program"] = "p2"; }).empty());
  CHECK(told([](Json& json) {
          json["commit"] = "def";
          json["versions"]["compiler"] = "13";
        }) ==
        std::vector<std::string>{
            "the runs are of different programs: /commit is \"abc\" in the baseline, \"def\" "
            "in the run; /versions/compiler is \"12.2.0\" in the baseline, \"13\" in the run"});
  CHECK(told([](Json& json) { json.erase("inputs"); }) ==
        std::vector<std::string>{"the run does not tell its inputs (an older idbench made it): "
                                 "whether both read the same files is not known"});
  const auto dirty = [](const char* hash) {
    return With([hash](Json& json) {
      json["commit"] = "abc-dirty";
      json["program"] = hash;
    });
  };
  CHECK(ProgramDifferences(dirty("p1"), "A", dirty("p2"), "B") ==
        std::vector<std::string>{
            "the runs are of different programs: /program is \"p1\" in A, \"p2\" in B"});
}

}  // namespace
}  // namespace idbench
