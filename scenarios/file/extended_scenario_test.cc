#include "scenarios/file/extended_scenario.h"

#include <doctest/doctest.h>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// What a scenario makes of a base.
Json Extended(const TemporaryFolder& folder, const Json& scenario) {
  Json json = scenario;
  ExtendScenario(folder.path(), "s.json", json);
  return json;
}

TEST_CASE("A scenario that extends another one says what differs") {
  const TemporaryFolder folder;
  folder.Write("base.json", R"({"name": "base", "robot": {"model": "planar2", "truth": {"a": 1}},
    "control": {"type": "pd_gravity", "rate_hz": 500},
    "experiments": {"first": {"motion": {"type": "fourier", "duration_s": 5}}, "second": {}},
    "metrics": ["a", "b"], "trials": 3})");
  const Json extended = Extended(folder, Json::parse(R"({"extends": "base.json", "name": "own",
    "robot": {"truth": {"b": 2}}, "control": {"type": "exact_replay"},
    "experiments": {"first": {"motion": {"type": "fourier", "harmonics": 2}}, "second": null,
                    "third": {"role": "validation"}},
    "metrics": ["c"]})"));
  CHECK(extended == Json::parse(R"({"name": "own", "robot": {"model": "planar2",
    "truth": {"a": 1, "b": 2}}, "control": {"type": "exact_replay"},
    "experiments": {"first": {"motion": {"type": "fourier", "duration_s": 5, "harmonics": 2}},
                    "third": {"role": "validation"}},
    "metrics": ["c"], "trials": 3})"));
  const Json alone = Json::parse(R"({"name": "own", "experiments": {"a": null}})");
  CHECK(Extended(folder, alone) == alone);
}

TEST_CASE("An object with a type where the other has none, or another one, is a new one") {
  const TemporaryFolder folder;
  folder.Write("base.json", R"({"control": {"rate_hz": 500}, "plant": {"type": "a", "x": 1}})");
  const Json extended =
      Extended(folder, Json::parse(R"({"extends": "base.json", "control": {"type": "b"},
                              "plant": {"x": 2}})"));
  CHECK(extended == Json::parse(R"({"control": {"type": "b"}, "plant": {"type": "a", "x": 2}})"));
}

TEST_CASE("Paths of the extended file count from its own folder") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "inner");
  folder.Write("inner/arm.urdf", "<robot/>");
  folder.Write("inner/base.json", R"({"robot": {"model": "arm.urdf"}})");
  const Json extended = Extended(folder, Json{{"extends", "inner/base.json"}});
  CHECK(extended["robot"]["model"] == (folder.path() / "inner" / "arm.urdf").string());
}

TEST_CASE("What cannot be extended is refused by name") {
  const TemporaryFolder folder;
  folder.Write("list.json", "[1]");
  folder.Write("base.json", "{}");
  folder.Write("twice.json", R"({"extends": "base.json"})");
  const auto refusal = [&](const Json& scenario) {
    try {
      Extended(folder, scenario);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string at = folder.path().string() + "/";
  CHECK(refusal({{"extends", 3}}) ==
        "s.json: /extends: got 3\n  accepted here: the path of a scenario, a string");
  CHECK(refusal({{"extends", "none.json"}}) ==
        "s.json: /extends: there is no file " + at +
            "none.json\n  the path counts from the folder of the scenario");
  CHECK(refusal({{"extends", "list.json"}}) ==
        "s.json: /extends: " + at + "list.json holds no object\n  name a scenario");
  CHECK(refusal({{"extends", "twice.json"}}) ==
        "s.json: /extends: " + at +
            "twice.json extends another file itself\n  extend that one, and say here what this one "
            "adds");
}

}  // namespace
}  // namespace idbench
