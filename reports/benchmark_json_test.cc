#include "reports/benchmark_json.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Timings come as Google Benchmark writes them, one entry per timed trial") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  WriteText(
      folder.path() / "timings.jsonl",
      "{\"cell\":0,\"estimator\":\"ols\",\"trial\":0,\"estimate_ms\":2,\"estimate_cpu_ms\":1.5,"
      "\"update_us\":[9,3,4]}\n"
      "{\"cell\":0,\"estimator\":\"ols\",\"trial\":1,\"estimate_ms\":3,\"estimate_cpu_ms\":2.5,"
      "\"update_us\":[5,6,7]}\n"
      "{\"cell\":1,\"estimator\":\"wls\",\"trial\":0,\"estimate_ms\":7}\n");
  const Json json = BenchmarkJson(RunFolder(folder.path()));
  CHECK(json["context"]["commit"] == "abc123");
  const Json& benchmarks = json["benchmarks"];
  REQUIRE(benchmarks.size() == 5);
  CHECK(benchmarks[1] == Json{{"name", "torque noise 0.1/ols/estimate"},
                              {"family_index", 0},
                              {"per_family_instance_index", 0},
                              {"run_name", "torque noise 0.1/ols/estimate"},
                              {"run_type", "iteration"},
                              {"repetitions", 2},
                              {"repetition_index", 1},
                              {"threads", 1},
                              {"iterations", 1},
                              {"real_time", 3.0},
                              {"cpu_time", 2.5},
                              {"time_unit", "ms"}});
  CHECK(benchmarks[2]["name"] == "torque noise 0.1/ols/update");
  CHECK(benchmarks[2]["real_time"] == 4.0);  // the median of 9, 3, 4
  CHECK(benchmarks[2]["time_unit"] == "us");
  CHECK(benchmarks[4]["name"] == "torque noise 0.2/wls/estimate");
  CHECK(benchmarks[4]["cpu_time"] == 7.0);  // not known
}

TEST_CASE("A run that was not timed has no benchmarks") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  CHECK(BenchmarkJson(RunFolder(folder.path()))["benchmarks"].empty());
}

TEST_CASE("The type of the build is the run's own, and is not told if the run does not tell") {
  const auto context = [](const Json& build) {
    const TemporaryFolder folder;
    SampleRun run;
    if (!build.is_null()) run.manifest["build"] = build;
    run.WriteTo(folder.path());
    return BenchmarkJson(RunFolder(folder.path()))["context"];
  };
  CHECK(context({{"type", "Release"}, {"assertions", false}})["library_build_type"] == "release");
  CHECK(context({{"type", ""}, {"assertions", true}})["library_build_type"] == "debug");
  CHECK_FALSE(context(nullptr).contains("library_build_type"));
}

}  // namespace
}  // namespace idbench
