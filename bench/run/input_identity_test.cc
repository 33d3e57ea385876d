#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/captured_output_test.h"
#include "bench/run/exit_code.h"
#include "bench/small_run_test.h"
#include "reports/run/merge_runs.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
constexpr const char* kLargerTetrahedron =
    "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string PendulumUrdf(double mass) {
  return R"(<robot name="p"><link name="foot"/><link name="arm"><inertial><origin xyz="0 0 0.3"/>
    <mass value=")" +
         std::to_string(mass) + R"("/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
    </inertial></link><joint name="j" type="revolute"><parent link="foot"/><child link="arm"/>
    <axis xyz="0 1 0"/><limit effort="9" velocity="9" lower="-3" upper="3"/></joint></robot>)";
}

constexpr const char* kMeshPendulum =
    R"(<mujoco><compiler meshdir="meshes"/><asset><mesh name="m" file="m.obj"/></asset><worldbody>
    <body name="arm"><joint name="j" axis="0 1 0" range="-3 3"/><geom type="mesh" mesh="m"/></body>
    </worldbody></mujoco>)";

std::string MotionCsv(double amplitude) {
  std::string text = "t_s,q1_rad\n";
  for (int k = 0; k <= 40; ++k) {
    text += std::to_string(0.05 * k) + "," + std::to_string(amplitude * (k % 8 - 4)) + "\n";
  }
  return text;
}

std::string RecordingCsv(double torque) {
  std::string text = "t_s,q1_rad,qd1_rad_s,qdd1_rad_s2,tau1_nm\n";
  for (int k = 0; k < 40; ++k) {
    const double q = 0.1 * (k % 7);
    text += std::to_string(0.01 * k) + "," + std::to_string(q) + "," + std::to_string(1 - q) + "," +
            std::to_string(q * q) + "," + std::to_string(torque * (k % 5)) + "\n";
  }
  return text;
}

Json Simulation(const std::string& model, const Json& motion) {
  return {{"name", "s"},
          {"robot", {{"model", model}}},
          {"control", {{"type", "exact_replay"}}},
          {"experiments", {{"identification", {{"motion", motion}}}}},
          {"sensors", {{"joint_torque", {{"noise_std_nm", 0.1}}}}},
          {"estimators", {{"ols", Json::object()}}},
          {"trials", 12},
          {"timing_trials", 0}};
}

const Json kFourier = {
    {"type", "fourier"}, {"base_frequency_hz", 0.5}, {"duration_s", 2}, {"candidates", 1}};

/// A scenario in a folder with one of its inputs, which is written in two ways.
struct ChangedInput {
  std::string name;   ///< Of the file.
  std::string label;  ///< What messages call it.
  std::string before;
  std::string after;
  std::function<Json(const TemporaryFolder&)> scenario;
};

std::vector<ChangedInput> ChangedInputs() {
  return {{"arm.urdf", "arm.urdf of /robot/model", PendulumUrdf(2), PendulumUrdf(3),
           [](const TemporaryFolder& folder) { return Simulation(folder / "arm.urdf", kFourier); }},
          {"meshes/m.obj", "meshes/m.obj of /robot/model", kTetrahedron, kLargerTetrahedron,
           [](const TemporaryFolder& folder) {
             return Simulation(folder.Write("arm.xml", kMeshPendulum), kFourier);
           }},
          {"motion.csv", "/motion.csv of /experiments/identification/motion/file", MotionCsv(0.1),
           MotionCsv(0.11),
           [](const TemporaryFolder& folder) {
             return Simulation("planar1", {{"type", "recorded"}, {"file", folder / "motion.csv"}});
           }},
          {"run1.csv", "run1.csv of /experiments/one/file", RecordingCsv(1), RecordingCsv(1.5),
           [](const TemporaryFolder& folder) -> Json {
             return {{"name", "s"},
                     {"robot", {{"model", "planar1"}}},
                     {"recording",
                      {{"root", folder.path().string()},
                       {"columns",
                        {{"time", "t_s"},
                         {"joint_position", "q1_rad"},
                         {"joint_velocity", "qd1_rad_s"},
                         {"joint_acceleration", "qdd1_rad_s2"},
                         {"joint_torque", "tau1_nm"}}}}},
                     {"experiments", {{"one", {{"file", "run1.csv"}}}}},
                     {"estimators", {{"ols", Json::object()}}},
                     {"timing_trials", 0}};
           }}};
}

std::string MessageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("A changed input is refused by --resume and merge, and told by compare, gate and run") {
  for (const ChangedInput& input : ChangedInputs()) {
    CAPTURE(input.name);
    const TemporaryFolder folder;
    folder.Write(input.name, input.before);
    const std::string file = folder.Write("s.json", input.scenario(folder).dump());
    const auto load = [&file] { return LoadScenario(file, {}, AllMetrics()); };
    const auto path = [&folder](const char* name) { return (folder / name).string(); };
    RunScenario(load(), {.folder = path("whole")});
    RunScenario(load(), {.folder = path("s1"), .shard = Shard{1, 2}});
    CHECK(MessageOf([&] { RunScenario(load(), {.folder = path("whole"), .resume = true}); }) == "");

    folder.Write(input.name, input.after);
    // MuJoCo keeps meshes within a process, by name and the second of their last change.
    const fs::path changed = folder / input.name;
    fs::last_write_time(changed, fs::last_write_time(changed) + std::chrono::seconds(10));
    const std::string resumed =
        MessageOf([&] { RunScenario(load(), {.folder = path("whole"), .resume = true}); });
    CHECK(Has(resumed, path("whole") + ": holds another run: another input\n"));
    CHECK(Has(resumed, input.label + " is sha256:"));
    CHECK(Has(resumed, "put the file back as it was, or begin a new run with another --out"));

    RunScenario(load(), {.folder = path("s2"), .shard = Shard{2, 2}});
    const std::string merged = MessageOf([&] { MergeRuns({path("s1"), path("s2")}, path("m")); });
    CHECK(Has(merged, "not of the same run as " + path("s1") + ": another input\n"));
    CHECK(Has(merged, input.label + " is sha256:"));
    CHECK_FALSE(fs::exists(path("m")));

    const ProgramResult again =
        Call({"run", path("whole") + "/manifest.json", "--out", path("again")});
    CHECK(again.code == kExitFine);
    CHECK(Has(again.errors, input.label + " has changed since that run: it is sha256:"));
    CHECK_FALSE(Has(again.errors, "different programs"));
    const bool same_records =
        ReadText(folder / "again/records.jsonl") == ReadText(folder / "whole/records.jsonl");
    CHECK_FALSE(same_records);
    const ProgramResult compared = Call({"compare", path("whole"), path("again")});
    CHECK(Has(compared.output, "A and B are not runs of the same trials: another input: "));
    CHECK(Has(compared.output, input.label + " is sha256:"));
    const ProgramResult gated = Call({"gate", path("again"), "--baseline", path("whole")});
    CHECK(gated.code == kExitIncomparable);
    CHECK(gated.output.starts_with("gate: incomparable\n- another input: "));
    CHECK(Has(gated.output, input.label + " is sha256:"));
  }
}

TEST_CASE("A run is repeated from its manifest, and equal files in another place are the same") {
  for (const ChangedInput& input : ChangedInputs()) {
    CAPTURE(input.name);
    const TemporaryFolder folder;
    folder.Write(input.name, input.before);
    const Json scenario = input.scenario(folder);
    RunScenario(Load(scenario), {.folder = folder / "run"});
    fs::rename(folder / "run", folder / "moved");
    const ProgramResult again = Call(
        {"run", (folder / "moved/manifest.json").string(), "--out", (folder / "again").string()});
    CHECK(again.code == kExitFine);
    CHECK_FALSE(Has(again.errors, "note: "));
    const bool same_records =
        ReadText(folder / "again/records.jsonl") == ReadText(folder / "moved/records.jsonl");
    CHECK(same_records);

    const TemporaryFolder other;
    other.Write(input.name, input.before);
    RunScenario(Load(input.scenario(other)), {.folder = other / "run"});
    const ProgramResult compared =
        Call({"compare", (folder / "moved").string(), (other / "run").string()});
    CHECK_FALSE(Has(compared.output, "not runs of the same trials"));
    CHECK(Has(compared.output, "nothing changed"));
  }
}

TEST_CASE("Another program is refused by --resume, and told when a manifest is run again") {
  struct Case {
    const char* pointer;
    const char* value;
    const char* told;
  };
  const Case cases[] = {
      {"/commit", "0123456789ab", "another commit\n  /commit is "},
      {"/versions/idbench", "0.0.1", "another version of idbench\n  /versions/idbench is "},
      {"/versions/compiler", "1.2", "other versions of what idbench is built with\n  /versions/c"},
      {"/build/flags", "-Ofast", "another build\n  /build/flags is "},
      {"/fingerprint", "00", "another floating-point fingerprint\n  /fingerprint is "}};
  const TemporaryFolder folder;
  Records(Description(), folder / "r");
  const Json manifest = ReadJsonFile(folder / "r/manifest.json");
  for (const Case& item : cases) {
    CAPTURE(item.pointer);
    Json other = manifest;
    other[Json::json_pointer(item.pointer)] = item.value;
    folder.Write("r/manifest.json", other.dump());
    const std::string message = MessageOf([&] {
      RunScenario(Load(Description()), {.folder = folder / "r", .jobs = 1, .resume = true});
    });
    CHECK(Has(message, ": holds another run: "));
    CHECK(Has(message, item.told));
    CHECK(Has(message, std::string(" here, \"") + item.value + "\" in its manifest.json\n"));
  }
  Json other = manifest;
  other["commit"] = "0123456789ab";
  const ProgramResult again =
      Call({"run", folder.Write("m.json", other.dump()), "--out", (folder / "again").string()});
  CHECK(Has(again.errors,
            "the runs are of different programs: /commit is \"0123456789ab\" in that "
            "run, "));
  const bool same_records =
      ReadText(folder / "again/records.jsonl") == ReadText(folder / "r/records.jsonl");
  CHECK(same_records);
}

TEST_CASE("A manifest of another format is not run") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("m.json", R"({"format": 7, "scenario": {}})");
  const ProgramResult run = Call({"run", file, "--out", (folder / "r").string()});
  CHECK(run.code == kExitUsage);
  CHECK(Has(run.errors, file + ": /format: got 7\n  accepted here: 1\n"));
}

}  // namespace
}  // namespace idbench
