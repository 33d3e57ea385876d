#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>

#include "bench/run/recorded_log_test.h"

namespace idbench {
namespace {

TEST_CASE("The KUKA LWR4+ recordings give the published figures") {
  if (std::getenv("IDBENCH_DATA") == nullptr) {
    MESSAGE("skipped: IDBENCH_DATA is not set");
    return;
  }
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "run").string();
  const ProgramResult result = Call(
      {"run", std::string(IDBENCH_SOURCE_SCENARIOS) + "/recordings/kuka_lwr4.json", "--out", out});
  CAPTURE(result.errors);
  REQUIRE(result.code == 0);
  const Json summary = Json::parse(ReadText(folder.path() / "run" / "summary.json"));
  const auto error = [&](std::size_t estimator, const char* run) -> const Json& {
    return summary["cells"][0]["estimators"][estimator]["metrics"]
                  [std::string("joint_torque_relative_error@") + run];
  };
  // The published set without any fit, as data/README.md of the recordings expects it.
  CHECK(error(0, "run1")["mean"].get<double>() == doctest::Approx(0.0903).epsilon(0.005));
  CHECK(error(0, "run2")["mean"].get<double>() == doctest::Approx(0.0859).epsilon(0.005));
  CHECK(error(0, "run3")["mean"].get<double>() == doctest::Approx(0.1125).epsilon(0.005));
  CHECK(error(1, "run1")["mean"].get<double>() <= 0.016);
  CHECK(error(1, "run2")["mean"].get<double>() <= 0.020);
  CHECK(error(1, "run3")["mean"].get<double>() <= 0.138);
  // A peer's physical fit of the same runs: 1.90, 2.15, 7.1 %.
  CHECK(summary["cells"][0]["estimators"][5]["label"] == "consistent_wls");
  CHECK(error(5, "run1")["mean"].get<double>() == doctest::Approx(0.0190).epsilon(0.01));
  CHECK(error(5, "run2")["mean"].get<double>() == doctest::Approx(0.0215).epsilon(0.01));
  CHECK(error(5, "run3")["mean"].get<double>() <= 0.071);
  // What follows most samples predicts the motion that it was trained on a little worse.
  CHECK(summary["cells"][0]["estimators"][3]["label"] == "irls");
  for (const char* run : {"run1", "run2"}) {
    const double ratio = error(3, run)["mean"].get<double>() / error(1, run)["mean"].get<double>();
    CHECK(ratio > 1.0);
    CHECK(ratio < 1.2);
  }
  const double limits[] = {0.13, 0.007, 0.055, 0.02, 0.22, 0.29, 0.43};
  for (std::size_t joint = 0; joint < 7; ++joint) {
    CAPTURE(joint);
    CHECK(error(1, "run1")["components"][joint]["mean"].get<double>() <= limits[joint]);
  }
  CHECK(result.output.find("no truth: a recording of a real robot") != std::string::npos);
}

/// The KUKA log by its positions alone, differentiated as they are.
Json KukaPositions() {
  Json json = ReadJsonFile(std::string(IDBENCH_SOURCE_SCENARIOS) + "/recordings/kuka_lwr4.json");
  for (const char* key : {"tables", "gate", "scoring"}) json.erase(key);
  for (const char* channel : {"joint_velocity", "joint_acceleration"}) {
    json["recording"]["columns"].erase(channel);
  }
  json["recording"].erase("derived");
  json["experiments"].erase("run3");
  json["processing"] = {{"resample_rate_hz", 200},
                        {"differentiate", {"joint_velocity", "joint_acceleration"}}};
  json["estimators"] = {{"ols", Json::object()}};
  for (const int cutoff_hz : {20, 10, 5}) {
    json["estimators"]["pf" + std::to_string(cutoff_hz)] = {
        {"type", "ols"}, {"parallel_filter", {{"cutoff_hz", cutoff_hz}}}};
  }
  json["metrics"] = {"joint_torque_relative_error"};
  json["timing_trials"] = 0;
  return json;
}

TEST_CASE("KUKA log, positions alone: scores rank as the authors' filtered rates do") {
  if (std::getenv("IDBENCH_DATA") == nullptr) {
    MESSAGE("skipped: IDBENCH_DATA is not set");
    return;
  }
  const TemporaryFolder folder;
  const ProgramResult result = RunLog(folder, KukaPositions());
  CAPTURE(result.errors);
  REQUIRE(result.code == 0);
  const Json summary = Json::parse(ReadText(folder.path() / "run" / "summary.json"));
  const auto percent = [&](std::size_t estimator, const std::string& cutoff) {
    return 100 * summary["cells"][0]["estimators"][estimator]["metrics"]
                        ["joint_torque_relative_error" + cutoff + "@run2"]["mean"]
                            .get<double>();
  };
  // The same estimates predict run 2 at the filtered rates that the recording has beside.
  const double filtered[] = {2.17, 1.88, 1.85, 1.86};
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(k);
    for (const char* cutoff : {"", "(cutoff=2)"}) {
      CHECK(std::abs(percent(k, cutoff) - filtered[k]) < 0.15);
    }
    if (k > 0) CHECK(percent(0, "") > percent(k, "") + 0.2);
    // Without smoothing the estimate that noise biased low would win by far.
    if (k > 0) CHECK(percent(0, "(cutoff=none)") < 0.5 * percent(k, "(cutoff=none)"));
  }
  const std::string report = ReadText(folder.path() / "run" / "report.md");
  CHECK(report.find("a zero-phase Butterworth low-pass of order 5 at 7.") != std::string::npos);
  // Nobody is best at all smoothings.
  CHECK(ReadText(folder.path() / "run/report.html").find("class=\"best\"") == std::string::npos);
  const std::string run = (folder.path() / "run").string();
  const std::string metric = "joint_torque_relative_error@run2";
  const std::string compared =
      Call({"compare", run, "--estimators", "ols,pf10", "--metric", metric}).output;
  CAPTURE(compared);
  CHECK(compared.find("**") == std::string::npos);
  CHECK(compared.find("joint_torque_relative_error(cutoff=none)@run2 +") != std::string::npos);
  // A baseline keeps what a gate needs to see a gain.
  const std::string baseline = (folder.path() / "baseline").string();
  REQUIRE(Call({"gate", run, "--write-baseline", baseline, "--metric", metric}).code == 0);
  CHECK(ReadText(folder.path() / "baseline/records.jsonl")
            .find("joint_torque_relative_error(cutoff=none)@run2") != std::string::npos);
}

TEST_CASE("A low-pass of the processing does not go over the torque that scores call measured") {
  if (std::getenv("IDBENCH_DATA") == nullptr) {
    MESSAGE("skipped: IDBENCH_DATA is not set");
    return;
  }
  const auto unsmoothed = [](const Json& processing, const char* torque) {
    Json json = ReadJsonFile(std::string(IDBENCH_SOURCE_SCENARIOS) + "/recordings/kuka_lwr4.json");
    json.erase("tables");
    json["processing"] = processing;
    json["scoring"] = {{"smoothing", "none"}, {"torque", torque}};
    json["estimators"] = {{"prior_only", Json::object()}};
    json["timing_trials"] = 0;
    const TemporaryFolder folder;
    const ProgramResult result = RunLog(folder, json);
    CAPTURE(result.errors);
    REQUIRE(result.code == 0);
    const Json record = Json::parse(ReadText(folder.path() / "run" / "records.jsonl"));
    return record["metrics"]["joint_torque_relative_error@run3"]["value"].get<double>();
  };
  const Json lowpass = {
      {"resample_rate_hz", 200},
      {"lowpass",
       {{"cutoff_hz", 2}, {"channels", {"joint_torque", "joint_position"}}, {"drop_edges_s", 2}}}};
  Json of_positions = lowpass;
  of_positions["lowpass"]["channels"] = {"joint_position"};
  CHECK(unsmoothed(lowpass, "measured") == unsmoothed(of_positions, "processed"));
  CHECK(unsmoothed(lowpass, "processed") < 0.9995 * unsmoothed(lowpass, "measured"));
}

}  // namespace
}  // namespace idbench
