#include "bench/identify/verdict.h"

#include <doctest/doctest.h>

#include <limits>

#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::string_view WordOf(double file_nm, double identified_nm, double noise_nm) {
  return JointVerdict{"joint1", file_nm, identified_nm, 10.0, noise_nm}.word();
}

TEST_CASE("A joint's prediction is told in one word, noise first") {
  CHECK(WordOf(5.0, 0.14, 0.1) == "to within its noise");
  CHECK(WordOf(0.12, 0.14, 0.1) == "to within its noise");  // worse than a file that is right
  CHECK(WordOf(0.12, 0.16, 0.1) == "worse than the file's own parameters");
  CHECK(WordOf(9.0, 1.9, 0.1) == "well");
  CHECK(WordOf(9.0, 4.9, kUnknown) == "roughly");
  CHECK(WordOf(9.0, 5.1, kUnknown) == "badly");
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

TEST_CASE("A verdict has the errors of the file and of the exported model, and names the best") {
  const Json summary =
      SummaryOf({SummaryEstimator("prior_only", 0.2, 4.0, 0.5), SummaryEstimator("ols", 0.01, 1, 1),
                 SummaryEstimator("consistent_wls", 0.02, 0.5, 0.6)});
  const Verdict verdict =
      Judge(summary, WhatIsIdentified(), "validation", Eigen::Vector2d(0.4, 0.1));
  CHECK(verdict.file_fraction == 0.2);
  CHECK(verdict.identified_fraction == 0.02);
  CHECK(verdict.best == "ols");
  REQUIRE(verdict.joints.size() == 2);
  CHECK(verdict.joints[0].torque_nm == doctest::Approx(10.0));
  CHECK(verdict.joints[0].word() == "to within its noise");
  CHECK(verdict.joints[1].word() == "worse than the file's own parameters");
  REQUIRE(verdict.parameters.size() == 3);
  CHECK(verdict.parameters[0] ==
        "of 4 parameters of bodies, friction and rotors, joint torques can tell 1 alone and 2 in "
        "combinations; 1 never show in them, whatever the motion");
  CHECK(verdict.parameters[2] == "to tell link1.Izz_R: accelerate joint1 more");
  CHECK(verdict.Text().find("| joint2 | 2 | 0.5 | 0.6 | 0.1 | worse than") != std::string::npos);
}

TEST_CASE("A motion that repeats the fitted one is told, with another log as the cure") {
  const Json summary = SummaryOf({SummaryEstimator("prior_only", 0.2, 4.0, 0.5),
                                  SummaryEstimator("consistent_wls", 0.02, 0.5, 0.3)});
  Verdict verdict = Judge(summary, WhatIsIdentified(), "validation", Eigen::Vector2d(0.4, 0.1));
  CHECK(verdict.Text().find("repeats the fitted one") == std::string::npos);
  verdict.repeated = 0.93;
  const std::string text = verdict.Text();
  CHECK(text.find("\n93 % of this motion repeats the fitted one") != std::string::npos);
  CHECK(text.find("--validate LOG") != std::string::npos);
}

TEST_CASE("Noise that no sensor has is not told, and why") {
  const Json summary = SummaryOf({SummaryEstimator("prior_only", 0.2, 4.0, 0.5),
                                  SummaryEstimator("consistent_wls", 0.02, 0.5, 0.3)});
  const std::string text =
      Judge(summary, WhatIsIdentified(), "validation", Eigen::Vector2d(1e-9, 1e-9)).Text();
  CHECK(text.find("| joint1 | 10 | 4 | 0.5 | – | well |") != std::string::npos);
  CHECK(text.find("was filtered before: its noise cannot be told") != std::string::npos);
}

TEST_CASE("Without an estimate or its error there is no verdict, and the reason is told") {
  Json failed = SummaryEstimator("consistent_wls", 0.0, 0.0, 0.0);
  failed["failed"] = 1;
  failed["reasons"] = {{"rank_deficient", 1}};
  const Json file = SummaryEstimator("prior_only", 0.2, 4.0, 0.5);
  CHECK_THROWS_WITH_AS(Judge(SummaryOf({file, failed}), WhatIsIdentified(), "validation", {}),
                       "consistent_wls: failed: rank_deficient\n"
                       "  records.jsonl has the reason in full",
                       ConfigError);
  Json without = SummaryEstimator("consistent_wls", 0.0, 0.0, 0.0);
  without["metrics"].erase("joint_torque_relative_error@validation");
  CHECK_THROWS_WITH_AS(Judge(SummaryOf({file, without}), WhatIsIdentified(), "validation", {}),
                       "consistent_wls: has no joint_torque_relative_error@validation\n"
                       "  report.html says why; is the time that was held out long enough?",
                       ConfigError);
}

}  // namespace
}  // namespace idbench
