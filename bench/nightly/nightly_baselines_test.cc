#include "bench/nightly/nightly_baselines.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/gate/gate_report.h"
#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// No baseline here has reserve trials.
std::string NoRecords(const LoadedScenario&, std::size_t, RolloutStore&) {
  throw std::logic_error("reserve trials were asked for");
}

/// Nights of one scenario, without its simulation: a part of the sample run, whose headline is
/// multiplied by a level.
class SimulatedNights {
 public:
  SimulatedNights() : history_(root_ / "h", IfMissing::kCreate) {}

  /// Runs and judges a night, and keeps it, as `idbench nightly` does.
  /// @param base  of the motion; another one makes another version of the scenario.
  /// @param option  of the estimator.
  NightlyDecision Night(double level, double base = 1, int option = 0) {
    const fs::path folder = Folder(++nights_);
    Write(folder, level, base, option);
    const RunFolder run(folder);
    NightlyDecision decision = JudgeNight(folder, Baselines(run), &NoRecords);
    history_.Add(run, Summarise(run), JudgementOf(decision));
    return decision;
  }

  /// What the latest night would be compared with, were it run again.
  NightlyBaselines Baselines(const RunFolder& run) const {
    return BaselinesIn(history_, "sample", run.directory());
  }

  fs::path Folder(int night) const { return root_ / fmt::format("night{}", night); }
  History& history() { return history_; }

 private:
  static void Write(const fs::path& folder, double level, double base, int option) {
    SampleRun run;
    run.manifest["trials"] = 24;
    run.manifest["cells"].erase(1);
    run.manifest["estimators"] = {"ols"};
    run.manifest["scenario"]["gate"] = {{"metric", "relative_error"}};  // tolerance: 2 %
    run.manifest["scenario"]["base"] = base;
    run.manifest["scenario"]["estimators"]["ols"]["option"] = option;
    run.change = [level](Json& record) {
      Json& value = record["metrics"]["relative_error"]["value"];
      value = level * value.get<double>();
      record["rollout"] = fmt::format("{:08x}", record["trial"].get<int>());
    };
    fs::create_directories(folder);
    run.WriteTo(folder);
  }

  TemporaryFolder root_;
  History history_;
  int nights_ = 0;
};

TEST_CASE("Drift inside the tolerance is red in the third night, against the pinned run") {
  SimulatedNights nights;
  CHECK(nights.Night(1).verdict == NightlyVerdict::kFirstRun);
  CHECK(nights.Night(1.019).verdict == NightlyVerdict::kPass);
  const NightlyDecision third = nights.Night(1.019 * 1.019);  // 3.8 % above the first night
  CHECK(third.verdict == NightlyVerdict::kRegression);
  REQUIRE(third.comparisons.size() == 2);
  CHECK(third.comparisons[0].against == BaselineRole::kAccepted);
  CHECK(third.comparisons[0].folder == nights.Folder(2));
  CHECK(third.comparisons[0].verdict == NightlyVerdict::kPass);
  CHECK(third.comparisons[1].against == BaselineRole::kPinned);
  CHECK(third.comparisons[1].folder == nights.Folder(1));
  CHECK(third.comparisons[1].verdict == NightlyVerdict::kRegression);
  CHECK(third.sentence.starts_with("regression against the pinned run night1: "));
  CHECK(third.sentence.find("; pass against the accepted run night2: ") != std::string::npos);
  // The report is that of the pinned run, and the other gate is kept.
  CHECK(ReadGate(nights.Folder(3))->baseline == nights.Folder(1));
  CHECK(fs::exists(nights.Folder(3) / "gate_accepted.json"));
  CHECK_FALSE(fs::exists(nights.Folder(3) / "gate_pinned.json"));

  for (int night = 4; night <= 30; ++night) {
    CAPTURE(night);
    const NightlyDecision decision = nights.Night(std::pow(1.019, night - 1));
    CHECK(decision.verdict == NightlyVerdict::kRegression);
    CHECK(decision.comparisons[0].folder == nights.Folder(2));  // the last one that passed
    CHECK(decision.comparisons[0].verdict == NightlyVerdict::kRegression);
  }
  CHECK(nights.Night(1).verdict == NightlyVerdict::kPass);  // the change is taken back
  CHECK(nights.history().Accepted("sample").front().folder == nights.Folder(31));
}

TEST_CASE("A regression stays red until it is accepted, and is then what nights are judged by") {
  SimulatedNights nights;
  nights.Night(1);
  CHECK(nights.Night(1.1).verdict == NightlyVerdict::kRegression);
  CHECK(nights.Night(1.1).verdict == NightlyVerdict::kRegression);
  const HistoryRun red = nights.history().Find("3");
  CHECK(red.judgement->verdict == "regression");
  CHECK_FALSE(red.judgement->accepted);
  CHECK(red.judgement->baselines == std::vector<std::string>{nights.Folder(1)});
  nights.history().Accept(3);
  const NightlyDecision next = nights.Night(1.1);
  CHECK(next.verdict == NightlyVerdict::kPass);
  REQUIRE(next.comparisons.size() == 1);  // accepted and pinned are one run
  CHECK(next.comparisons[0].folder == nights.Folder(3));
  CHECK(next.sentence == "1 identical");
}

TEST_CASE("A run that passes is accepted, the first one pinned too, any other neither") {
  for (const auto& [verdict, name] : kEnumNames<NightlyVerdict>) {
    CAPTURE(name);
    const Judgement judgement = JudgementOf({verdict, "why", {}});
    CHECK(judgement.verdict == name);
    CHECK(judgement.reason == "why");
    const bool first = verdict == NightlyVerdict::kFirstRun;
    CHECK(judgement.accepted == (first || verdict == NightlyVerdict::kPass));
    CHECK(judgement.pinned == first);
  }
}

TEST_CASE("Another version of the scenario is incomparable until it is accepted") {
  SimulatedNights nights;
  nights.Night(1);
  const NightlyDecision changed = nights.Night(1, 2);
  CHECK(changed.verdict == NightlyVerdict::kIncomparable);
  CHECK(changed.sentence == "another scenario: /base is 2.0 here, 1.0 there");
  CHECK(nights.Night(1, 2).verdict == NightlyVerdict::kIncomparable);
  nights.history().Accept(3);
  CHECK(nights.Night(1, 2).verdict == NightlyVerdict::kPass);
  CHECK(nights.Night(1, 1).verdict == NightlyVerdict::kPass);  // changed back: against the first
  CHECK(nights.Baselines(RunFolder(nights.Folder(1))).runs[1].folder == nights.Folder(1));
}

TEST_CASE("An estimator with other options is judged against the same runs, accepted ones first") {
  SimulatedNights nights;
  nights.Night(1);
  CHECK(nights.Night(1.1, 1, 1).verdict == NightlyVerdict::kRegression);
  nights.history().Accept(2);  // a mistake
  CHECK(nights.Night(1.1, 1, 1).verdict == NightlyVerdict::kPass);
  nights.history().Accept(1);
  const NightlyDecision decision = nights.Night(1.1, 1, 1);
  CHECK(decision.verdict == NightlyVerdict::kRegression);
  REQUIRE(decision.comparisons.size() == 1);
  CHECK(decision.comparisons[0].folder == nights.Folder(1));
}

TEST_CASE("An accepted run that is gone gives way to an earlier one, a pinned one is missed") {
  SimulatedNights nights;
  nights.Night(1);
  nights.Night(1);
  nights.Night(1);
  fs::remove_all(nights.Folder(3));
  const NightlyDecision fourth = nights.Night(1);
  CHECK(fourth.verdict == NightlyVerdict::kPass);
  CHECK(fourth.comparisons[0].folder == nights.Folder(2));
  fs::remove_all(nights.Folder(1));
  const NightlyDecision fifth = nights.Night(1);
  CHECK(fifth.verdict == NightlyVerdict::kIncomparable);
  CHECK(fifth.comparisons[0].verdict == NightlyVerdict::kPass);
  CHECK(fifth.sentence ==
        fmt::format("the pinned run 1 is not in {} any more: bring it back, or choose another one "
                    "with `idbench history accept RUN`",
                    nights.Folder(1).string()));
  nights.history().Accept(2);
  CHECK(nights.Night(1).verdict == NightlyVerdict::kPass);
}

TEST_CASE("A baseline that is damaged is refused, and the other one is judged against") {
  SimulatedNights nights;
  nights.Night(1);
  nights.Night(1);
  WriteText(nights.Folder(1) / "records.jsonl", "{\n");
  const NightlyDecision third = nights.Night(1);
  CHECK(third.verdict == NightlyVerdict::kRefused);
  CHECK(third.comparisons[0].verdict == NightlyVerdict::kPass);
  CHECK(third.comparisons[1].verdict == NightlyVerdict::kRefused);
  CHECK(ReadGate(nights.Folder(3))->baseline == nights.Folder(2));
}

}  // namespace
}  // namespace idbench
