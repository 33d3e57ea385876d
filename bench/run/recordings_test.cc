#include <doctest/doctest.h>

#include <cstdlib>

#include "bench/captured_output_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kHeader = "t_s,q1_rad,qd1_rad_s,qdd1_rad_s2,tau1_nm\n";

/// A scenario on one recording `a.csv` of planar1 with these contents, and what the program says.
ProgramResult RunOn(const TemporaryFolder& folder, const std::string& csv) {
  folder.Write("a.csv", csv);
  const Json json = {{"name", "r"},
                     {"robot", {{"model", "planar1"}}},
                     {"recording",
                      {{"root", folder.path().string()},
                       {"columns",
                        {{"time", "t_s"},
                         {"joint_position", "q1_rad"},
                         {"joint_velocity", "qd1_rad_s"},
                         {"joint_acceleration", "qdd1_rad_s2"},
                         {"joint_torque", "tau1_nm"}}}}},
                     {"experiments", {{"a", {{"file", "a.csv"}}}}},
                     {"estimators", {{"ols", Json::object()}}}};
  return Call(
      {"run", folder.Write("r.json", json.dump()), "--out", (folder.path() / "run").string()});
}

struct BrokenRecording {
  const char* what;
  std::string csv;
  std::string message;  ///< Behind the file's name.
};

TEST_CASE("Broken recordings are refused with their place, exit code 2 and nothing written") {
  const std::string header = kHeader;
  const BrokenRecording all[] = {
      {"ragged row", header + "0,0,0,0,0\n0.1,0,0,0\n", "line 3: "},
      {"text in a number", header + "0,0,0,0,0\n0.1,0,zero,0,0\n", "line 3, column 'qd1_rad_s': "},
      {"time going backwards", header + "0,0,0,0,0\n0.2,0,0,0,0\n0.1,0,0,0,0\n", "line 4"},
      {"missing column", "t_s,q1_rad,qd1_rad_s,tau1_nm\n0,0,0,0\n",
       "line 1: no column 'qdd1_rad_s2'"},
      {"empty file", "", "is empty"},
  };
  for (const BrokenRecording& broken : all) {
    CAPTURE(broken.what);
    const TemporaryFolder folder;
    const ProgramResult result = RunOn(folder, broken.csv);
    CAPTURE(result.errors);
    CHECK(result.code == 2);
    CHECK(result.errors.find((folder.path() / "a.csv").string() + ": " + broken.message) == 0);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "run"));
  }
}

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
  const double limits[] = {0.13, 0.007, 0.055, 0.02, 0.22, 0.29, 0.43};
  for (std::size_t joint = 0; joint < 7; ++joint) {
    CAPTURE(joint);
    CHECK(error(1, "run1")["components"][joint]["mean"].get<double>() <= limits[joint]);
  }
  CHECK(result.output.find("no truth: a recording of a real robot") != std::string::npos);
}

}  // namespace
}  // namespace idbench
