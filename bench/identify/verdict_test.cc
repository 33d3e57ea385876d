#include "bench/identify/verdict.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

using Words = std::pair<std::string_view, std::string_view>;

Words JudgedBy(double file_nm, double identified_nm, double noise_nm) {
  const auto [word, grade] = JointVerdict{"joint1", file_nm, identified_nm, 10.0, noise_nm}.Judge();
  return {word, grade};
}

TEST_CASE("A joint's prediction is told in one word with its grade, noise first") {
  CHECK(JudgedBy(5.0, 0.14, 0.1) == Words("to within its noise", "good"));
  // worse than a file that is right
  CHECK(JudgedBy(0.12, 0.14, 0.1) == Words("to within its noise", "good"));
  CHECK(JudgedBy(0.12, 0.16, 0.1) == Words("worse than the file's own parameters", "bad"));
  CHECK(JudgedBy(9.0, 1.9, 0.1) == Words("well", "good"));
  CHECK(JudgedBy(9.0, 4.9, kUnknown) == Words("roughly", "fair"));
  CHECK(JudgedBy(9.0, 5.1, kUnknown) == Words("badly", "bad"));
}

/// An estimator of a summary with two joints, whose torques have standard deviations 10 and 2 N·m.
Json SummaryEstimator(const std::string& label, double relative, double first_nm,
                      double second_nm) {
  const auto joints = [](double first, double second) {
    return Json::array(
        {{{"label", "joint1"}, {"mean", first}}, {{"label", "joint2"}, {"mean", second}}});
  };
  return {{"label", label},
          {"failed", 0},
          {"reasons", Json::object()},
          {"metrics",
           {{"joint_torque_relative_error@validation", {{"mean", relative}}},
            {"joint_torque_rmse_nm@validation", {{"components", joints(first_nm, second_nm)}}},
            {"joint_torque_nrmse@validation",
             {{"components", joints(first_nm / 10.0, second_nm / 2.0)}}}}}};
}

Json SummaryOf(const Json& estimators) {
  return {{"cells", Json::array({{{"estimators", estimators}}})}};
}

Json WhatIsIdentified() {
  return ParseJson(R"({"cells": [{"estimators": [{"label": "wls", "standard": [
    {"name": "link1.m", "identifiable": "no", "why": "it never moves"},
    {"name": "link1.Izz", "identifiable": "combination", "why": "",
     "hardly": [{"name": "link1.Izz_R", "cure": "accelerate joint1 more"}]},
    {"name": "link2.Izz", "identifiable": "combination", "why": "",
     "hardly": [{"name": "link1.Izz_R", "cure": "accelerate joint1 more"}]},
    {"name": "link2.mcx", "identifiable": "alone", "why": ""}]}]}]})",
                   "identified");
}

TEST_CASE("What the data tell of the parameters is counted, with the motion that tells the rest") {
  const std::vector<std::string> told = ParametersTold(WhatIsIdentified());
  REQUIRE(told.size() == 3);
  CHECK(told[0] ==
        "of 4 parameters of bodies, friction and rotors, joint torques can tell 1 alone and 2 in "
        "combinations; 1 never show in them, whatever the motion");
  CHECK(told[2] == "to tell link1.Izz_R: accelerate joint1 more");
}

/// verdict.md of a verdict on one experiment, without sentences.
std::string MarkdownOf(const Verdict& verdict) {
  return VerdictMarkdown({{"title", "arm"},
                          {"found", Json::array()},
                          {"wrong", Json::array()},
                          {"prepared", Json::array()},
                          {"validation", Json::array({verdict.ToJson()})},
                          {"parameters", Json::array()}});
}

TEST_CASE("The text of a verdict has all of it, in this order; without a verdict its reason") {
  const Json verdict = {
      {"title", "arm"},
      {"found", {"q is in radians"}},
      {"wrong", {"nothing"}},
      {"prepared", {"low-pass at 5 Hz"}},
      {"validation", Json::array({{{"experiment", "log2"}, {"no_verdict", "wls: failed"}}})},
      {"parameters", {"1 alone"}}};
  CHECK(VerdictMarkdown(verdict) ==
        "# arm\n\n## What was found in the logs\n\n- q is in radians\n\n"
        "## What looks wrong in them\n\n- nothing\n\n"
        "## How they were prepared\n\n- low-pass at 5 Hz\n\n"
        "## Verdict\n\nNo verdict on log2: wls: failed\n\n- 1 alone\n\n");
}

TEST_CASE("A verdict has the errors of the file and of the exported model, and names the best") {
  const Json summary =
      SummaryOf({SummaryEstimator("prior_only", 0.2, 4.0, 0.5), SummaryEstimator("ols", 0.01, 1, 1),
                 SummaryEstimator("consistent_wls", 0.02, 0.5, 0.6)});
  const Verdict verdict = Judge(summary, "validation", Eigen::Vector2d(0.4, 0.1));
  CHECK(verdict.file_fraction == 0.2);
  CHECK(verdict.identified_fraction == 0.02);
  CHECK(verdict.best == "ols");
  REQUIRE(verdict.joints.size() == 2);
  CHECK(verdict.joints[0].torque_nm == doctest::Approx(10.0));
  CHECK(verdict.joints[0].Judge().word == "to within its noise");
  CHECK(verdict.joints[1].Judge().word == "worse than the file's own parameters");
  CHECK(MarkdownOf(verdict).find("| joint2 | 2 | 0.5 | 0.6 | 0.1 | worse than") !=
        std::string::npos);
}

TEST_CASE("A note on several validations is told once") {
  const Json summary = SummaryOf({SummaryEstimator("prior_only", 0.2, 4.0, 0.5),
                                  SummaryEstimator("consistent_wls", 0.02, 0.5, 0.3)});
  const Json one = Judge(summary, "validation", Eigen::Vector2d(0.4, 0.1)).ToJson();
  const Json none = Json::array();
  const std::string text = VerdictMarkdown({{"title", "arm"},
                                            {"found", none},
                                            {"wrong", none},
                                            {"prepared", none},
                                            {"validation", {one, one}},
                                            {"parameters", none}});
  const std::string note = "Predicted to within its noise:";
  REQUIRE(text.find(note) != std::string::npos);
  CHECK(text.find(note) == text.rfind(note));
  CHECK(text.find("| joint2 |") != text.rfind("| joint2 |"));
}

TEST_CASE("A motion that repeats the fitted one is told, with another log as the cure") {
  const Json summary = SummaryOf({SummaryEstimator("prior_only", 0.2, 4.0, 0.5),
                                  SummaryEstimator("consistent_wls", 0.02, 0.5, 0.3)});
  Verdict verdict = Judge(summary, "validation", Eigen::Vector2d(0.4, 0.1));
  CHECK(MarkdownOf(verdict).find("repeats the fitted one") == std::string::npos);
  verdict.repeated = 0.93;
  const std::string text = MarkdownOf(verdict);
  CHECK(text.find("\n93 % of this motion repeats the fitted one") != std::string::npos);
  CHECK(text.find("--validate LOG") != std::string::npos);
}

TEST_CASE("Noise that no sensor has is not told, and why") {
  const Json summary = SummaryOf({SummaryEstimator("prior_only", 0.2, 4.0, 0.5),
                                  SummaryEstimator("consistent_wls", 0.02, 0.5, 0.3)});
  const Verdict verdict = Judge(summary, "validation", Eigen::Vector2d(1e-9, 1e-9));
  CHECK(verdict.ToJson()["joints"][0]["noise_nm"].is_null());
  const std::string text = MarkdownOf(verdict);
  CHECK(text.find("| joint1 | 10 | 4 | 0.5 | – | well |") != std::string::npos);
  CHECK(text.find("was filtered before: its noise cannot be told") != std::string::npos);
  const std::string short_of_spectrum =
      MarkdownOf(Judge(summary, "validation", Eigen::Vector2d(1e-9, kUnknown)));
  CHECK(short_of_spectrum.find("\nNoise that is not told (–): too little") != std::string::npos);
  CHECK(text.find("Noise that is not told") == std::string::npos);
}

TEST_CASE("Without an estimate or its error there is no verdict, and the reason is told") {
  Json failed = SummaryEstimator("consistent_wls", 0.0, 0.0, 0.0);
  failed["failed"] = 1;
  failed["reasons"] = {{"rank_deficient", 1}};
  const Json file = SummaryEstimator("prior_only", 0.2, 4.0, 0.5);
  CHECK_THROWS_WITH_AS(Judge(SummaryOf({file, failed}), "validation", {}),
                       "consistent_wls: failed: rank_deficient\n"
                       "  records.jsonl has the reason in full",
                       ConfigError);
  Json without = SummaryEstimator("consistent_wls", 0.0, 0.0, 0.0);
  without["metrics"].erase("joint_torque_relative_error@validation");
  CHECK_THROWS_WITH_AS(Judge(SummaryOf({file, without}), "validation", {}),
                       "consistent_wls: has no joint_torque_relative_error@validation\n"
                       "  report.html says why; is the time that was held out long enough?",
                       ConfigError);
}

/// Notes that are added to a validation of which the file leaves that part.
std::string DoubtsOf(const std::vector<std::string>& doubtful, bool guessed, double file_fraction,
                     const char* parameters = "[]") {
  const Json identified = ParseJson(
      fmt::format(R"({{"cells": [{{"estimators": [{{"label": "wls", "parameters": {}}}]}}]}})",
                  parameters),
      "test");
  Json validation = {{{"notes", Json::array()}, {"file_fraction", file_fraction}},
                     {{"no_verdict", "it failed"}}};
  AddDoubts(doubtful, guessed, identified, validation);
  CHECK(validation[1].size() == 1);
  return validation[0]["notes"].dump();
}

TEST_CASE("What puts data or the file in doubt is noted, and nothing else") {
  CHECK(DoubtsOf({}, false, 0.9) == "[]");
  CHECK(DoubtsOf({"sign", "gaps"}, false, 0.9).find("looks wrong in them: sign, gaps.") !=
        std::string::npos);
  CHECK(DoubtsOf({}, false, 1.1).find("worse than their mean does") != std::string::npos);
  CHECK(DoubtsOf({}, true, 1.1).find("worse than their mean does") == std::string::npos);
  CHECK(DoubtsOf({}, true, 1.1).find("those that were guessed") != std::string::npos);
}

TEST_CASE("Friction below 0 by more than its noise is told") {
  const std::string notes = DoubtsOf({}, false, 0.1, R"([
      {"name": "joint1.fv", "value": -0.5, "sigma": 0.1}, {"name": "joint1.fc", "value": -0.2, "sigma": 0.1},
      {"name": "joint2.fc+", "value": -1.0, "sigma": 0.05}, {"name": "joint2.fo", "value": -9.0, "sigma": 0.1},
      {"name": "link1.m", "value": -9.0, "sigma": 0.1}, {"name": "joint2.fv", "value": -1.0}])");
  CHECK(notes.find("none is: joint1.fv = -0.5 ± 0.2; joint2.fc+ = -1 ± 0.1. Look") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
