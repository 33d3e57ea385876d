#include "reports/gate/matched_runs.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kMetric = "rmse_nm@validation";

/// Writes the run into a folder of its own.
RunFolder Folder(const SampleRun& run, const std::filesystem::path& path) {
  std::filesystem::create_directories(path);
  run.WriteTo(path);
  return RunFolder(path);
}

TEST_CASE("Cells are matched by their axes, whatever their order, and estimators by label") {
  const TemporaryFolder folder;
  const RunFolder a = Folder(SampleRun(), folder.path() / "a");
  SampleRun other;
  other.manifest["cells"][0]["axes"]["torque noise"] = "0.2";
  other.manifest["cells"][1]["axes"]["torque noise"] = "0.3";
  other.manifest["estimators"] = Json::array({"wls", "new"});
  const RunFolder b = Folder(other, folder.path() / "b");
  const std::vector<MatchedSamples> matched = MatchRuns(a, b, kMetric);
  REQUIRE(matched.size() == 1);
  CHECK(matched[0].cell.index == 0);
  CHECK(matched[0].b_label == "wls");
  // In a, the noise 0.2 is cell 1, whose values are twice those of cell 0.
  CHECK(matched[0].a.overall[0] == 2 * matched[0].b.overall[0]);
  CHECK(matched[0].MakePairs(Better::kLower).change[3] == doctest::Approx(std::log(0.5)));
  const std::string path = folder.path().string();
  CHECK(MissingFrom(a, b, {}) == std::vector<std::string>{"torque noise 0.1", "ols"});
  CHECK(Unmatched(a, b, {}) ==
        std::vector<std::string>{"only in " + path + "/a: torque noise 0.1, ols",
                                 "only in " + path + "/b: torque noise 0.3, new"});
}

TEST_CASE("A metric is lost where the first run alone has it, of estimates that succeed") {
  const TemporaryFolder folder;
  const RunFolder a = Folder(SampleRun(), folder.path() / "a");
  SampleRun without;
  without.change = [](Json& record) {
    if (record["cell"] == 1 && record["estimator"] == "wls") record["metrics"].erase(kMetric);
  };
  const RunFolder b = Folder(without, folder.path() / "b");
  const auto lost = LostIn(a, b, kMetric);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].first.index == 1);
  CHECK(lost[0].second == "wls");
  CHECK(LostIn(b, a, kMetric).empty());
  CHECK(MatchRuns(a, b, kMetric).size() == MatchRuns(a, a, kMetric).size() - 1);
}

TEST_CASE("What failed in every trial and is now said to be absent is not lost") {
  const TemporaryFolder folder;
  const auto with = [&](const char* key) {
    SampleRun run;
    run.change = [key](Json& record) {
      if (record["estimator"] == "wls") record["metrics"][kMetric] = {{key, "no covariance"}};
    };
    return Folder(run, folder.path() / key);
  };
  CHECK(LostIn(with("failed"), with("absent"), kMetric).empty());
  CHECK(LostIn(Folder(SampleRun(), folder.path() / "had"), with("absent"), kMetric).size() == 2);
}

TEST_CASE("Missing records are refused: pairs would shift") {
  const TemporaryFolder folder;
  const RunFolder a = Folder(SampleRun(), folder.path() / "a");
  SampleRun broken;
  broken.change = [](Json& record) {
    if (record["cell"] == 1 && record["trial"] == 4) record = Json::object();
  };
  const RunFolder b = Folder(broken, folder.path() / "b");
  CHECK(MessageOf(folder.path(), [&] { MatchRuns(a, b, kMetric); }) ==
        "b/records.jsonl: cell 1, ols: 11 of 12 trials\n"
        "  the file was cut: remove it, and `idbench run` with --resume computes all trials "
        "again; make a baseline anew");
}

TEST_CASE("A metric of components alone cannot be compared") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) { record["metrics"][kMetric].erase("value"); };
  run.WriteTo(folder.path());
  const RunFolder a(folder.path());
  CHECK(MessageOf(folder.path(), [&] { MatchRuns(a, a, kMetric); }) ==
        "records.jsonl: rmse_nm@validation has components and no value over all of them\n"
        "  compare another metric");
}

Json ComparableManifest() {
  return Json::parse(R"({"versions": {"mujoco": "4.0.1"}, "fingerprint": "a",
    "scenario": {"name": "s", "seed": 1, "trials": 10, "estimators": {"ols": {"rank_tolerance": 1}},
                 "sensors": {"rate_hz": 100}, "tables": [], "gate": {"tolerance": 0.1}}})");
}

TEST_CASE("Runs are comparable if only what changes no trial differs, or an estimator") {
  Json other = ComparableManifest();
  other["fingerprint"] = "b";
  other["scenario"]["name"] = "t";
  other["scenario"]["trials"] = 20;
  other["scenario"]["tables"] = Json::array({1});
  other["scenario"]["gate"]["tolerance"] = 0.2;
  other["scenario"]["estimators"]["ols"]["rank_tolerance"] = 2;
  other["scenario"]["estimators"]["new"] = Json::object();
  CHECK(WhyIncomparable(ComparableManifest(), other) == "");
}

TEST_CASE("Another scenario, seed or simulator makes runs incomparable, and the place is told") {
  Json other = ComparableManifest();
  other["scenario"]["sensors"]["rate_hz"] = 200;
  CHECK(WhyIncomparable(ComparableManifest(), other) ==
        "another scenario: /sensors/rate_hz is 200 here, 100 there");
  other = ComparableManifest();
  other["scenario"]["seed"] = 2;
  CHECK(WhyIncomparable(ComparableManifest(), other) ==
        "another seed, 2 here, 1 there: trials of a number are other draws");
  other = ComparableManifest();
  other["scenario"]["sensors"]["delay"] = Json::object();
  CHECK(WhyIncomparable(ComparableManifest(), other) ==
        "another scenario: /sensors/delay is an object here, nothing there");
  other = ComparableManifest();
  other["scenario"]["sensors"]["delay"] = nullptr;
  other["scenario"]["noise_seed"] = nullptr;
  CHECK(WhyIncomparable(ComparableManifest(), other) == "");
  CHECK(WhyIncomparable(other, ComparableManifest()) == "");
  other["scenario"]["noise_seed"] = 1;
  other["scenario"]["first_trial"] = 0;
  CHECK(WhyIncomparable(ComparableManifest(), other) == "");
  other["scenario"]["first_trial"] = 10;
  CHECK(WhyIncomparable(ComparableManifest(), other) ==
        "other trials of the scenario, those from 10 on here, from 0 on there (/first_trial): "
        "both are numbered from 0, so trials of a number are other draws");
  other["scenario"]["first_trial"] = 0;
  other["scenario"]["noise_seed"] = 2;
  CHECK(WhyIncomparable(ComparableManifest(), other) ==
        "another scenario: /noise_seed is 2 here, nothing there");
  other = ComparableManifest();
  other["versions"]["mujoco"] = "4.1.0";
  CHECK(WhyIncomparable(ComparableManifest(), other) == "MuJoCo 4.1.0 here, 4.0.1 there");
}

TEST_CASE("Trials pair by all they have in common: everything, their seeds, or nothing") {
  const Json manifest = ComparableManifest();
  const auto with = [&manifest](const char* key, const Json& value) {
    Json other = manifest;
    other["scenario"][key] = value;
    return PairingOf(manifest, other);
  };
  CHECK(PairingOf(manifest, manifest) == Pairing::kTrials);
  CHECK(with("trials", 20) == Pairing::kTrials);
  CHECK(with("noise_seed", 1) == Pairing::kTrials);
  CHECK(with("noise_seed", 2) == Pairing::kNone);
  CHECK(with("seed", 2) == Pairing::kNone);
  CHECK(with("first_trial", 0) == Pairing::kTrials);
  CHECK(with("first_trial", 10) == Pairing::kNone);
  CHECK(with("sensors", {{"rate_hz", 200}}) == Pairing::kSeeds);
  CHECK(with("recording", {{"root", "."}}) == Pairing::kRecordings);
  Json recorded = manifest;
  recorded["scenario"]["recording"]["root"] = ".";
  CHECK(PairingOf(recorded, manifest) == Pairing::kRecordings);
  CHECK(PairingOf(recorded, recorded) == Pairing::kRecordings);
}

TEST_CASE("Whether sides have the same roll-outs is told where it is known") {
  const TemporaryFolder a, b;
  SampleRun run;
  run.WriteTo(a.path());
  const auto same = [&a, &b, &run]() {
    run.WriteTo(b.path());
    return MatchRuns(RunFolder(a.path()), RunFolder(b.path()), kMetric).front().same_rollouts;
  };
  CHECK(same() == true);
  run.change = [](Json& record) { record["rollout"] = "ff"; };
  CHECK(same() == false);
  run.change = [](Json& record) { record["rollout"] = fmt::format("{}", record["trial"].dump()); };
  run.WriteTo(a.path());
  CHECK(same() == true);
  // Of more trials there are more roll-outs: those of the trials that are compared may be the same.
  run.manifest["trials"] = 20;
  CHECK_FALSE(same().has_value());
}

TEST_CASE("An estimator that was replaced under its label is told") {
  Json other = ComparableManifest();
  other["scenario"]["estimators"]["new"] = Json::object();
  CHECK(ReplacedEstimators(ComparableManifest(), "A", other, "B").empty());
  other["scenario"]["estimators"]["ols"] = {{"rank_tolerance", 2}};
  CHECK(ReplacedEstimators(ComparableManifest(), "A", other, "B") ==
        std::vector<std::string>{"ols is another estimator: /rank_tolerance is 1 in A, 2 in B"});
}

/// A run of a robot from a file, along a recorded motion.
Json ManifestWithInputs() {
  Json manifest = ComparableManifest();
  manifest["scenario"]["robot"]["model"] = "arm.urdf";
  manifest["scenario"]["experiments"]["e"]["motion"]["file"] = "one.csv";
  manifest["inputs"] = Json::parse(R"({"/robot/model": {"arm.urdf": "aaaaaaaaaaaaaaaa"},
      "/experiments/e/motion/file": {"one.csv": "1111111111111111"}})");
  return manifest;
}

TEST_CASE("Another content of an input makes runs incomparable, another place of it does not") {
  Json other = ManifestWithInputs();
  other["inputs"]["/robot/model"]["arm.urdf"] = "bbbbbbbbbbbbbbbb";
  CHECK(WhyIncomparable(ManifestWithInputs(), other) ==
        "another input: arm.urdf of /robot/model is sha256:bbbbbbbbbbbb… here, "
        "sha256:aaaaaaaaaaaa… there");
  other["inputs"]["/experiments/e/motion/file"]["one.csv"] = "2222222222222222";
  CHECK(WhyIncomparable(ManifestWithInputs(), other).ends_with(" there (and 1 more)"));

  other = ManifestWithInputs();
  other["scenario"]["robot"]["model"] = "/home/x/arm.urdf";
  other["scenario"]["experiments"]["e"]["motion"]["file"] = "/home/x/one.csv";
  other["inputs"]["/experiments/e/motion/file"] = {{"/home/x/one.csv", "1111111111111111"}};
  CHECK(WhyIncomparable(ManifestWithInputs(), other) == "");
  other["scenario"]["experiments"]["e"]["motion"]["type"] = "other";
  CHECK(WhyIncomparable(ManifestWithInputs(), other) ==
        "another scenario: /experiments/e/motion/type is \"other\" here, nothing there");
}

TEST_CASE("The folder of recordings does not matter where their content is told") {
  const auto recorded = [](const char* root, bool told) {
    Json manifest = ComparableManifest();
    manifest["scenario"]["recording"] = {{"root", root}};
    manifest["scenario"]["experiments"]["e"]["file"] = "one.csv";
    if (told) manifest["inputs"]["/experiments/e/file"]["one.csv"] = "1111111111111111";
    return manifest;
  };
  CHECK(WhyIncomparable(recorded("$IDBENCH_DATA", true), recorded("/home/x", true)) == "");
  CHECK(WhyIncomparable(recorded("$IDBENCH_DATA", false), recorded("/home/x", true)) ==
        "another scenario: /recording/root is \"/home/x\" here, \"$IDBENCH_DATA\" there");
}

TEST_CASE("An older run, which tells no inputs and lacks keys that are null, is comparable") {
  Json older = ManifestWithInputs();
  older.erase("inputs");
  Json run = ManifestWithInputs();
  run["scenario"]["sensors"]["delay"] = nullptr;
  run["scenario"]["deadline_rate_hz"] = nullptr;
  CHECK(WhyIncomparable(older, run) == "");
  CHECK(WhyIncomparable(run, older) == "");
  run["scenario"]["deadline_rate_hz"] = 0;
  CHECK(WhyIncomparable(older, run) ==
        "another scenario: /deadline_rate_hz is 0 here, nothing there");
}

SampleRun Observed() {
  SampleRun run;
  run.AddObservers();
  return run;
}

TEST_CASE("What observers find is matched by observer and model, of their metrics alone") {
  const TemporaryFolder folder;
  // An estimator that always fails has no metric of observers, so none that could fail.
  SampleRun failing = Observed();
  failing.change = [](Json& record) {
    if (record["estimator"] == "ols") SampleRun::Fail(record, "diverged", "");
  };
  const RunFolder a = Folder(failing, folder.path() / "a");
  SampleRun other = failing;
  other.manifest["observers"][0]["models"] = {"truth", "ols"};
  other.manifest["observers"].erase(1);
  const RunFolder b = Folder(other, folder.path() / "b");
  const auto labels = [](const std::vector<MatchedSamples>& matched) {
    std::vector<std::string> all;
    for (const MatchedSamples& samples : matched) {
      if (samples.cell.index == 0) all.push_back(samples.b_label);
    }
    return all;
  };
  const std::string auc = "detection_auc@contact";
  CHECK(labels(MatchRuns(a, b, auc)) == std::vector<std::string>{"T2 of truth", "T2 of ols"});
  CHECK(labels(MatchRuns(a, b, kMetric)) == std::vector<std::string>{"ols", "wls"});
  CHECK(MatchRuns(a, b, auc)[0].a.overall[0] == 0.9);
  CHECK(LostIn(a, b, auc).empty());
  CHECK(MissingFrom(a, b, {}) == std::vector<std::string>{"T2 of prior", "force of ols"});
}

TEST_CASE("A motion that one run alone tells of is missing where its metric is asked for") {
  const TemporaryFolder folder;
  SampleRun moving;
  const std::string jd = "excitation_jd@validation";
  moving.manifest["metrics"][jd] = {
      {"unit", "1"}, {"components", Json::array()}, {"better", "lower"}, {"of_motion", true}};
  const RunFolder a = Folder(SampleRun(), folder.path() / "a");
  const RunFolder b = Folder(moving, folder.path() / "b");
  const std::string path = folder.path().string();
  CHECK(Unmatched(a, b, {kMetric}).empty());  // of the same experiment, but of estimators
  CHECK(Unmatched(a, b, {jd}) ==
        std::vector<std::string>{"only in " + path + "/b: motion of validation"});
}

TEST_CASE("Values of an interval scale have differences, also beside a run that does not say so") {
  const TemporaryFolder folder;
  SampleRun scaled;
  scaled.manifest["metrics"][kMetric]["interval_scale"] = true;
  SampleRun worse = scaled;
  worse.change = [](Json& record) {
    Json& value = record["metrics"][kMetric]["value"];
    value = value.get<double>() + 2.0;
  };
  const RunFolder a = Folder(SampleRun(), folder.path() / "a");
  const RunFolder b = Folder(worse, folder.path() / "b");
  for (const auto& [first, second, change] : {std::tuple(&a, &b, 2.0), {&b, &a, -2.0}}) {
    const Pairs pairs = MatchRuns(*first, *second, kMetric)[0].MakePairs(Better::kLower);
    CHECK_FALSE(pairs.ratios);
    CHECK(pairs.change[3] == doctest::Approx(change));
  }
}

TEST_CASE("Observers differ as estimators may, and one that was replaced is told") {
  Json other = ComparableManifest();
  other["scenario"]["observers"] = {{"T2", {{"type", "contact_statistic"}, {"samples", 3}}}};
  CHECK(WhyIncomparable(ComparableManifest(), other) == "");
  CHECK(ReplacedEstimators(ComparableManifest(), "A", other, "B").empty());
  Json changed = other;
  changed["scenario"]["observers"]["T2"]["samples"] = 5;
  CHECK(WhyIncomparable(other, changed) == "");
  CHECK(ReplacedEstimators(other, "A", changed, "B") ==
        std::vector<std::string>{"T2 is another observer: /samples is 3 in A, 5 in B"});
}

}  // namespace
}  // namespace idbench
