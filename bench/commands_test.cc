#include "bench/commands.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>

#include "bench/captured_output_test.h"
#include "bench/run/sanitized.h"
#include "bench/subcommand.h"
#include "estimators/registry.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A small simulation that is fine.
Json Good() {
  return ParseJson(R"({
    "name": "good", "robot": {"model": "planar1"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"]}},
    "estimators": {"ols": {}}, "trials": 12, "timing_trials": 1})",
                   "good");
}

/// A motion that shows no friction.
Json Still() {
  return ParseJson(R"({"type": "way_points", "points_rad": [[0.3]], "dwell_s": 2})", "still");
}

TEST_CASE(
    "The program without a command, or with a wrong one, tells the commands and exits with 2") {
  CHECK(Call({}).code == 2);
  CHECK(Has(Call({}).errors, "usage: idbench COMMAND"));
  const ProgramResult wrong = Call({"rum"});
  CHECK(wrong.code == 2);
  CHECK(wrong.errors ==
        "no such command: 'rum'\n"
        "  accepted here: list, validate, robot, identify, motion, run, report, compare, gate, "
        "merge, "
        "status, history, nightly\n"
        "  did you mean 'run'?\n");
}

TEST_CASE("Every command has a help, which is no error") {
  CHECK(Call({"--help"}).code == 0);
  CHECK(Has(Call({"--version"}).output, "idbench "));
  for (const char* command : {"list", "validate", "robot", "identify", "run", "report", "compare",
                              "gate", "merge", "status", "history", "nightly"}) {
    const ProgramResult help = Call({command, "--help"});
    CHECK(help.code == 0);
    CHECK(Has(help.output, std::string("usage: idbench ") + command));
    CHECK(help.errors.empty());
  }
}

/// What is wrong with a help text, which begins with the verb of what an option does; "" if nothing
/// is.
std::string HelpFault(const std::string& text) {
  constexpr std::array<std::string_view, 24> kVerbs = {
      "check", "compare", "compute", "count", "export", "identify", "judge",   "keep",
      "list",  "make",    "measure", "merge", "plant",  "print",    "replace", "resume",
      "run",   "say",     "set",     "show",  "take",   "tell",     "use",     "write"};
  const std::string verb = text.substr(0, text.find_first_of(" ,:"));
  if (std::ranges::find(kVerbs, verb) == kVerbs.end()) return "begins with no verb";
  if (text.ends_with('.') || Has(text, ". ")) return "has a full stop";
  return Has(text, "  ") ? "has two blanks side by side" : "";
}

TEST_CASE("Numbers of a channel are refused where they are none, with what is accepted") {
  const std::vector<std::string> call = {"identify", "planar2", "log.csv", "--factor"};
  for (const char* wrong : {"joint_torque=2,x", "joint_torque=2,,3", "joint_torque=inf"}) {
    std::vector<std::string> arguments = call;
    arguments.emplace_back(wrong);
    const ProgramResult result = Call(arguments);
    CHECK(result.code == 2);
    CHECK(Has(result.errors, "--factor: got '"));
    CHECK(Has(result.errors, "joint_torque=12.5,-12.5,8"));
  }
}

TEST_CASE("Commands and their options are told in one form: a verb first, no full stop") {
  for (const Subcommand& command : Commands()) {
    CAPTURE(command.name);
    CAPTURE(command.summary);
    CHECK(HelpFault(command.summary) == "");
    for (const auto& option : command.options.options()) {
      CAPTURE(option->long_name());
      CAPTURE(option->description());
      CHECK(HelpFault(option->description()) == "");
    }
  }
}

TEST_CASE("Every scenario that comes with idbench is valid") {
  int count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(IDBENCH_SOURCE_SCENARIOS)) {
    const std::string file = entry.path().string();
    if (entry.path().extension() != ".json") continue;
    if (Has(file, "/recordings/") && std::getenv("IDBENCH_DATA") == nullptr) continue;
    // Each of their cells designs motions: minutes with a sanitizer.
    if (IDBENCH_SANITIZED && Has(file, "/katsumata2019/") && !Has(file, "/design.json")) continue;
    const ProgramResult result = Call({"validate", file});
    CHECK_MESSAGE(result.code == 0, file, ": ", result.errors);
    ++count;
  }
  CHECK(count >= 2);
}

TEST_CASE("A wrong option is answered with where to look") {
  const ProgramResult result = Call({"run", "--jbos", "2"});
  CHECK(result.code == 2);
  CHECK(Has(result.errors, "run: unrecognised option '--jbos'"));
  CHECK(Has(result.errors, "idbench run --help lists what is accepted"));
  CHECK(Has(Call({"run"}).errors, "which scenario? Give at least one file"));
  CHECK(Has(Call({"report"}).errors, "report: which run folder?"));
  CHECK(Has(Call({"list", "robot"}).errors,
            "accepted here: robots, estimators, observers, metrics, checks"));
  CHECK(Has(Call({"run", "x.json", "--set", "trials=3"}).errors,
            "--set: got 'trials=3'\n  accepted here: /json/pointer=value"));
}

TEST_CASE(
    "list shows robots, estimators and observers with their options, metrics, and checks of logs") {
  const std::string output = Call({"list"}).output;
  for (const char* part :
       {"barrett_wam7", "kuka_lwr4", "planar2", "ols", "wls", "reweightings = null",
        "base_parameter_relative_error", "simulation only", "contact_statistic",
        "detection_tpr(fpr=0.06) unless it names another from 0 to 1; observers", "position_offset",
        "Time stamps that are wrong by a factor"}) {
    CAPTURE(part);
    CHECK(Has(output, part));
  }
  CHECK_FALSE(Has(Call({"list", "robots"}).output, "estimators"));
}

TEST_CASE("validate tells what a run would do, and prints the schema") {
  const TemporaryFolder folder;
  const ProgramResult result = Call({"validate", folder.Write("good.json", Good().dump())});
  CHECK(result.code == 0);
  CHECK(Has(result.output, "good.json: fine: 1 cells × 12 trials × 1 estimators"));
  const Json schema = Json::parse(Call({"validate", "--schema"}).output);
  CHECK(schema["properties"].contains("estimators"));
}

TEST_CASE("validate refuses a step at which friction chatters, or warns where a trial drew it") {
  const TemporaryFolder folder;
  Json json = Good();
  json["control"] = {{"type", "pd_gravity"}};
  json["problem"]["prior"] = Json::object();
  json["robot"]["truth"] = {{"friction", {{"coulomb_nm", 20}}}};
  json["plant"] = {{"coulomb_width_rad_s", 0.001}};
  const ProgramResult shared = Call({"validate", folder.Write("shared.json", json.dump())});
  CHECK(shared.code == 2);
  CHECK(Has(shared.errors, "friction of joint 'joint1' would chatter: timestep_s is 0.00025 s"));
  CHECK(Has(shared.errors, "set /plant/friction_integration to \"implicit\""));

  json["robot"]["truth"]["mass_error"] = {{"type", "random_sign"}, {"size", 0.1}};
  json["robot"]["truth"]["draw"] = "trial";
  const ProgramResult drawn = Call({"validate", folder.Write("drawn.json", json.dump())});
  CHECK(drawn.code == 0);
  CHECK(Has(drawn.errors, "drawn.json: warning: trial 0 fails: friction of joint 'joint1' would"));

  json["plant"]["friction_integration"] = "implicit";
  const ProgramResult cured = Call({"validate", folder.Write("cured.json", json.dump())});
  CHECK(cured.code == 0);
  CHECK_FALSE(Has(cured.errors, "warning: trial"));
}

TEST_CASE("A prior that is relative to 0 is refused, and each cure that is told runs when pasted") {
  const TemporaryFolder folder;
  Json json = Good();
  json["problem"]["parametrisation"] =
      ParseJson(R"({"type": "standard", "friction": ["viscous"], "rotor_inertia": true})", "test");
  json["problem"]["prior"] =
      ParseJson(R"({"relative_std": 0.2, "mean": {"fv": 0, "ia": 0}})", "test");
  json["estimators"] = ParseJson(R"({"map": {}, "ols": {}})", "test");
  json["robot"]["model"] = "planar2";
  json["trials"] = 1;
  int runs = 0;
  const auto call = [&](const char* command) {
    const std::string file = folder.Write("zero.json", json.dump());
    if (std::string(command) == "validate") return Call({command, file});
    return Call({command, file, "--out", folder / fmt::format("run{}", runs++)});
  };
  const ProgramResult refused = call("validate");
  CHECK(refused.code == 2);
  CHECK(call("run").code == 2);
  CHECK(
      Has(refused.errors, "relative to 0 for joint1.fv, joint1.ia, joint2.fv, joint2.ia: methods"));
  const auto told = [&](const std::string& key, char end) {
    const std::size_t begin = refused.errors.find(key) + key.size();
    return ParseJson(refused.errors.substr(begin, refused.errors.find(end, begin) + 1 - begin),
                     "told");
  };
  const Json std = told("\"std\": ", '}');
  CHECK(std["fv"].get<double>() > 0.0);
  for (const Json& cure : {Json{{"std", std}}, Json{{"std", {{"fv", nullptr}, {"ia", nullptr}}}},
                           Json{{"known", told("\"known\": ", ']')}}}) {
    CAPTURE(cure.dump());
    json["problem"]["prior"].erase("std");
    json["problem"]["prior"].update(cure);
    const ProgramResult validated = call("validate");
    CAPTURE(validated.errors);
    CHECK(validated.code == 0);
    CHECK(call("run").code == 0);
  }
}

TEST_CASE("run writes the run folder and prints its tables; report makes the same again") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "run").string();
  const ProgramResult run =
      Call({"run", folder.Write("good.json", Good().dump()), "--out", out, "--jobs", "2"});
  REQUIRE(run.code == 0);
  CHECK(Has(run.output, "base_parameter_relative_error"));
  CHECK(Has(run.errors, "100 %  12/12 trials"));
  for (const char* file : {"manifest.json", "records.jsonl", "timings.jsonl", "summary.json",
                           "report.md", "series/cell0_identification_trial0.csv"}) {
    CAPTURE(file);
    CHECK(std::filesystem::exists(folder.path() / "run" / file));
  }
  const Json summary = Json::parse(ReadText(folder.path() / "run" / "summary.json"));
  const Json& ols = summary["cells"][0]["estimators"][0];
  CHECK(ols["label"] == "ols");
  CHECK(ols["metrics"]["coverage95"]["n"] == 12);
  CHECK(ols["timing"]["estimate_ms"]["median"].get<double>() > 0.0);

  const std::string before = ReadText(folder.path() / "run" / "report.md");
  const ProgramResult report = Call({"report", out, "--format", "md"});
  CHECK(report.code == 0);
  CHECK(ReadText(folder.path() / "run" / "report.md") == before);
  CHECK(Call({"report", out, "--format", "odt"}).code == 2);
  CHECK(Call({"report", (folder.path() / "gone").string()}).code == 2);
}

TEST_CASE("A run in which an estimator fails in every trial ends with 5, unless that is expected") {
  const TemporaryFolder folder;
  Json json = Good();
  json["experiments"]["identification"]["motion"] = Still();
  json["estimators"] = {{"ols", Json::object()}, {"prior_only", Json::object()}};
  json["problem"]["prior"] = Json::object();
  json["trials"] = 2;
  json["timing_trials"] = 0;
  const auto run = [&](const std::string& name, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"run", folder.Write(name + ".json", json.dump()), "--out",
                               (folder.path() / name).string()});
    return Call(more);
  };
  const ProgramResult lost = run("lost");
  CHECK(lost.code == 5);
  CHECK(Has(lost.errors, "\nols failed in every trial: rank_deficient: "));
  CHECK(
      lost.errors.ends_with("  where that is meant, write into the scenario: "
                            "\"expected_failures\": {\"ols\":\"rank_deficient\"}\n"));
  CHECK(run("part", {"--shard", "1/2"}).code == 0);  // shards are judged when they are merged
  CHECK(run("rest", {"--shard", "2/2"}).code == 0);
  CHECK(Call({"merge", (folder.path() / "merged").string(), (folder.path() / "part").string(),
              (folder.path() / "rest").string()})
            .code == 5);
  json["expected_failures"] = {{"ols", "rank_deficient"}};
  CHECK(run("expected").code == 0);
  json["expected_failures"] = {{"ols", "diverged"}};
  CHECK(run("otherwise").code == 5);
}

TEST_CASE("A cell without a success is told last, and --strict makes it exit code 5") {
  const TemporaryFolder folder;
  Json json = Good();
  json["trials"] = 2;
  json["timing_trials"] = 0;
  const Json moving = json["experiments"]["identification"]["motion"];
  json["sweep"] = {{{"name", "motion"},
                    {"values", {"fast", "none"}},
                    {"set", {{"/experiments/identification/motion", {moving, Still()}}}}}};
  const std::string file = folder.Write("cells.json", json.dump());
  const ProgramResult told = Call({"run", file, "--out", (folder.path() / "told").string()});
  CHECK(told.code == 0);
  CHECK(Has(told.errors,
            "\nols has no success in 1 of 2 cells, first motion none: rank_deficient: "));
  CHECK(Call({"run", file, "--strict", "--out", (folder.path() / "strict").string()}).code == 5);
}

TEST_CASE("run refuses a gate of a metric without direction, as validate does, and runs nothing") {
  const TemporaryFolder folder;
  Json json = Good();
  json["problem"]["prior"] = Json::object();
  json["metrics"] = {"base_parameter_relative_error", "nees"};
  json["gate"] = {{"metric", "nees"}};
  const std::string file = folder.Write("gate.json", json.dump());
  const ProgramResult validated = Call({"validate", file});
  const ProgramResult run = Call({"run", file, "--out", folder / "run"});
  CHECK(run.code == 2);
  CHECK(run.errors == file +
                          ": /gate/better: nees does not say which of its values are better\n"
                          "  say \"lower\" or \"higher\", or gate another metric\n");
  // Behind the notes on the scenario, one line each.
  REQUIRE(validated.errors.ends_with(run.errors));
  std::istringstream before(
      validated.errors.substr(0, validated.errors.size() - run.errors.size()));
  for (std::string line; std::getline(before, line);)
    CHECK((Has(line, ": note: ") || Has(line, ": warning: ")));
  CHECK(validated.code == run.code);
  CHECK_FALSE(std::filesystem::exists(folder / "run"));
}

TEST_CASE("--trials, --seed and --set change the scenario that is run and recorded") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "run").string();
  REQUIRE(Call({"run", folder.Write("good.json", Good().dump()), "--out", out, "--trials", "2",
                "--seed", "7", "--set", "/title=changed"})
              .code == 0);
  const Json scenario = ReadJsonFile(folder.path() / "run" / "manifest.json")["scenario"];
  CHECK(scenario["trials"] == 2);
  CHECK(scenario["seed"] == 7);
  CHECK(scenario["title"] == "changed");
}

TEST_CASE("--seed takes what a scenario takes") {
  for (const char* seed : {"-1", "1.5", "x", ""}) {
    CAPTURE(seed);
    const ProgramResult result = Call({"run", "x.json", "--seed", seed});
    CHECK(result.code == 2);
    CHECK(Has(result.errors, "--seed"));
  }
}

TEST_CASE("--resume needs a folder, and a folder that holds a run needs --resume") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("good.json", Good().dump());
  CHECK(Has(Call({"run", file, "--resume"}).errors, "name it with --out"));
  const std::string out = (folder.path() / "run").string();
  REQUIRE(Call({"run", file, "--out", out}).code == 0);
  CHECK(Call({"run", file, "--out", out}).code == 2);
  CHECK(Call({"run", file, "--out", out, "--resume"}).code == 0);
}

/// A broken scenario and the beginning of what is said about it, behind the file's name.
struct BrokenScenario {
  const char* what;
  std::function<std::string()> text;
  std::string message;
};

std::string Changed(const std::function<void(Json&)>& change) {
  Json json = Good();
  change(json);
  return json.dump();
}

std::vector<BrokenScenario> BrokenScenarios() {
  return {
      {"unknown key",
       [] { return Changed([](Json& j) { j["estimators"]["ols"]["rank_tol"] = 1; }); },
       "/estimators/ols/rank_tol: unknown key\n  accepted here: parallel_filter"},
      {"duplicate key",
       [] { return std::string(R"({"name": "a", "sensors": {"rate_hz": 1, "rate_hz": 2}})"); },
       "/sensors/rate_hz: duplicate key\n  remove one of the two"},
      {"misspelt estimator",
       [] { return Changed([](Json& j) {
              j["estimators"] = {{"osl", Json::object()}};
            }); },
       fmt::format("/estimators/osl: no such estimator: \"osl\"\n"
                   "  accepted here: {}\n  did you mean 'ols'?",
                   fmt::join(EstimatorTypes(), ", "))},
      {"wrong type", [] { return Changed([](Json& j) { j["trials"] = "many"; }); },
       "/trials: got \"many\"\n  accepted here: an integer, at least 1"},
      {"missing unit",
       [] {
         return Changed(
             [](Json& j) { j["experiments"]["identification"]["motion"]["duration"] = 5; });
       },
       "/experiments/identification/motion/duration: unknown key\n"},
      {"NaN",
       [] {
         std::string text = Good().dump();
         return text.replace(text.find("0.1"), 3, "NaN");
       },
       "line 1, column "},
      {"unknown joint",
       [] {
         return Changed([](Json& j) {
           j["sensors"]["joint_torque"]["joints"] = {{"elbow", {{"noise_std_nm", 1}}}};
         });
       },
       "/sensors/joint_torque/joints/elbow: "},
      {"sweep over nothing",
       [] {
         return Changed([](Json& j) {
           j["sweep"] = Json::parse(R"([{"name": "a", "set": {"/sensors/rate_hz": []}}])");
         });
       },
       "/sweep/0/set/~1sensors~1rate_hz: sweeps over nothing\n"
       "  a list with at least one value is needed"},
      {"noise below zero",
       [] { return Changed([](Json& j) { j["sensors"]["joint_torque"]["noise_std_nm"] = -0.1; }); },
       "/sensors/joint_torque/noise_std_nm: got -0.1\n"},
      {"missing recording",
       [] {
         return std::string(R"({"name": "r", "robot": {"model": "planar1"},
           "recording": {"root": "/nowhere", "columns": {"time": "t_s", "joint_position": "q1_rad"}},
           "experiments": {"a": {"file": "a.csv"}}, "estimators": {"ols": {}}})");
       },
       "/experiments/a/file: no such recording: /nowhere/a.csv\n"
       "  check /recording/root and the file's name"},
  };
}

TEST_CASE("Broken scenarios are refused with their place, exit code 2 and nothing written") {
  for (const BrokenScenario& broken : BrokenScenarios()) {
    CAPTURE(broken.what);
    const TemporaryFolder folder;
    const std::string file = folder.Write("broken.json", broken.text());
    const std::string out = (folder.path() / "run").string();
    const ProgramResult result = Call({"run", file, "--out", out});
    CHECK(result.code == 2);
    CHECK(result.output.empty());
    CHECK(result.errors.find(file + ": " + broken.message) == 0);
    CHECK_FALSE(std::filesystem::exists(out));
  }
}

TEST_CASE("All errors of all files are told at once") {
  const TemporaryFolder folder;
  const std::string one = folder.Write("one.json", Changed([](Json& j) {
                                         j["trials"] = 0;
                                         j["seed"] = "x";
                                       }));
  const std::string two = folder.Write("two.json", "{");
  const ProgramResult result = Call({"run", one, two});
  CHECK(Has(result.errors, one + ": /trials: got 0"));
  CHECK(Has(result.errors, one + ": /seed: got \"x\""));
  CHECK(Has(result.errors, two + ": line 1, column "));
}

}  // namespace
}  // namespace idbench
