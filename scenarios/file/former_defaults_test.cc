#include "scenarios/file/former_defaults.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("Motions of an older manifest were designed by the problem, those of a sweep too") {
  const Json old = ParseJson(R"({
    "experiments": {"a": {"motion": {"type": "fourier", "duration_s": 2}},
                    "b": {"motion": {"type": "way_points"}}},
    "estimators": {"ols": {"type": "ols"}}, "metrics": ["nees"],
    "sweep": [{"name": "m", "values": [1, 2], "set": {"/experiments/a/motion": [
      {"type": "fourier"}, {"type": "fourier", "design": {"equations": ["base_wrench"]}}]}}]})",
                             "old");
  const Json read = WithFormerDefaults(old);
  Json expected = old;
  expected["experiments"]["a"]["motion"]["design"] = nullptr;
  expected["sweep"][0]["set"]["/experiments/a/motion"][0]["design"] = nullptr;
  CHECK(read == expected);
  CHECK(WithFormerDefaults(read) == read);
}

TEST_CASE(
    "The ratio to the prior of an older manifest was the mean over joints, where it is recorded") {
  const auto overall = [](const char* metrics) {
    const Json read = WithFormerDefaults(ParseJson(metrics, "old"));
    return read.value("overall_ratio_to_prior", Json());
  };
  CHECK(overall(R"({"metrics": []})") == "mean_over_joints");
  CHECK(overall(R"({"metrics": ["nees", "joint_torque_ratio_to_prior@validation"]})") ==
        "mean_over_joints");
  CHECK(overall(R"({"metrics": ["nees"]})").is_null());
  CHECK(overall(R"({"metrics": [], "overall_ratio_to_prior": "of_norms"})") == "of_norms");
}

TEST_CASE("Weights of an older manifest followed the residuals three times, as it says or not") {
  const Json old = ParseJson(R"({"metrics": ["nees"],
    "estimators": {"a": {"type": "wls"}, "b": {"type": "consistent_wls"}, "c": {"type": "ols"},
                   "d": {"type": "wls", "reweightings": 2}, "e": {"type": "weak_form"}},
    "sweep": [{"name": "m", "set": {"/estimators/c": [{"type": "ols"}, {"type": "wls"}]}}]})",
                             "old");
  const Json read = WithFormerDefaults(old);
  Json expected = old;
  expected["estimators"]["a"]["reweightings"] = 3;
  expected["estimators"]["b"]["reweightings"] = 3;
  expected["sweep"][0]["set"]["/estimators/c"][1]["reweightings"] = 3;
  CHECK(read == expected);
}

TEST_CASE("σ of an older manifest was that of the noise alone, where readings are rounded") {
  const auto in_sigma = [](const char* text) {
    const Json read = WithFormerDefaults(ParseJson(text, "old"));
    return read["sensors"].value("quantisation_in_sigma", Json());
  };
  CHECK(in_sigma(R"({"sensors": {"joint_torque": {"quantisation_nm": 0.0, "joints": {}}}})")
            .is_null());
  CHECK(in_sigma(R"({"sensors": {"joint_torque": {"quantisation_nm": 0.1}}})") == false);
  CHECK(
      in_sigma(R"({"sensors": {"joint_position": {"joints": {"q1": {"quantisation_rad": 1}}}}})") ==
      false);
  CHECK(in_sigma(R"({"sensors": {"joint_torque": {"quantisation_nm": 0.0}}, "sweep": [
          {"set": {"/sensors/joint_torque/quantisation_nm": [0, 1]}}]})") == false);
  CHECK(in_sigma(R"({"sensors": {"quantisation_in_sigma": true,
                                 "joint_torque": {"quantisation_nm": 0.1}}})") == true);
}

TEST_CASE("Recordings of an older manifest were not split at gaps") {
  const auto recording = [](const Json& written) {
    return WithFormerDefaults({{"recording", written}})["recording"];
  };
  CHECK(recording({{"root", "r"}}) == Json({{"root", "r"}, {"gap_steps", nullptr}}));
  const Json said = {{"root", "r"}, {"gap_steps", 3.0}};
  CHECK(recording(said) == said);
}

TEST_CASE("Recordings of an older manifest were scored as estimators got them") {
  const Json none = {{"smoothing", "none"}, {"torque", "processed"}};
  CHECK(WithFormerDefaults({{"recording", {{"root", "a"}}}})["scoring"] == none);
  CHECK_FALSE(WithFormerDefaults({{"recording", nullptr}}).contains("scoring"));
  const Json now = {{"recording", {{"root", "a"}, {"gap_steps", nullptr}}},
                    {"scoring", nullptr},
                    {"metrics", {"nees"}}};
  CHECK(WithFormerDefaults(now) == now);
}

}  // namespace
}  // namespace idbench
