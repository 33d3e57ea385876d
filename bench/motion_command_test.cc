#include "bench/motion_command.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "bench/captured_output_test.h"
#include "bench/run/exit_code.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

constexpr const char* kDesigned = R"({
  "name": "designed", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
  "experiments": {
    "v": {"role": "validation", "motion": {"type": "fourier", "candidates": 1}},
    "a": {"motion": {"type": "exciting", "duration_s": 3, "self_collision": false,
                     "optimiser": {"rounds": 2, "evaluations": 20}}}},
  "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
  "problem": {}, "estimators": {"fit": {"type": "ols"}}, "trials": 2})";

/// The program's exit code and output, of a scenario in a folder of its own.
struct Called {
  explicit Called(std::vector<std::string> more, const std::string& scenario = kDesigned) {
    std::ofstream(folder.path() / "s.json") << scenario;
    std::vector<std::string> arguments = {"motion", (folder.path() / "s.json").string(), "--out",
                                          (folder.path() / "out").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = Call(arguments);
    code = result.code;
    output = result.output + result.errors;
  }
  TemporaryFolder folder;
  int code = 0;
  std::string output;
};

TEST_CASE("The motion of the first experiment for identification is judged and written") {
  const Called called({});
  CAPTURE(called.output);
  REQUIRE(called.code == kExitFine);
  CHECK(called.output.starts_with("designed: a\n3 s, "));
  CHECK(called.output.find("\n  jd ") != std::string::npos);
  const std::string csv = ReadText(called.folder.path() / "out/motion.csv");
  CHECK(csv.starts_with("t_s,q1_rad,q2_rad,qd1_rad_s"));
  CHECK(csv.find("\n3,") != std::string::npos);
  CHECK(ReadText(called.folder.path() / "out/motion.html").starts_with("<!DOCTYPE html>"));
  // What is written again is the same.
  const Called again({});
  CHECK(ReadText(again.folder.path() / "out/motion.csv") == csv);
  CHECK(ReadText(Called({"--seed", "9"}).folder.path() / "out/motion.csv") != csv);
}

TEST_CASE("Another experiment, rate and options are taken") {
  const Called called({"--experiment", "v", "--rate", "10"});
  CAPTURE(called.output);
  REQUIRE(called.code == kExitFine);
  CHECK(called.output.starts_with("designed: v\n10 s, "));
  const std::string csv = ReadText(called.folder.path() / "out/motion.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 102);
}

TEST_CASE("What there is not is refused with what there is") {
  const Called experiment({"--experiment", "b"});
  CHECK(experiment.code == kExitUsage);
  CHECK(experiment.output.find("no experiment 'b' with a motion\n  accepted here: v, a") !=
        std::string::npos);
  CHECK(Called({"--cell", "1"}).output.find("--cell: got 1, ") != std::string::npos);
  CHECK(Called({"--rate", "0"}).code == kExitUsage);
  CHECK(Called({"--trial", "-1"}).code == kExitUsage);
}

}  // namespace
}  // namespace idbench
