#include <doctest/doctest.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

/// All methods of arms, with all parametrisations of arms and all forms of a prior.
namespace idbench {
namespace {

const std::vector<std::string> kTypes = {"base", "standard", "masses_and_moments",
                                         "masses_moments_first_moments", "log_cholesky"};

/// Forms of what a prior says beside its mean.
Json Forms() {
  return ParseJson(R"({
    "none": {}, "relative": {"relative_std": 0.2},
    "by kind": {"std": {"body": 0.2, "fv": 1, "fc": 2, "ia": 0.1}},
    "friction unknown": {"std": {"body": 0.2, "fv": null, "fc": null, "ia": null}},
    "all unknown": {"std": {"body": null, "fv": null, "fc": null, "ia": null}}})",
                   "forms");
}

Json Comparison(const std::string& type, const Json& prior) {
  Json json = Description();
  json.erase("sweep");
  json["trials"] = 2;
  json["timing_trials"] = 0;
  json["robot"]["truth"] = ParseJson(
      R"({"friction": {"viscous_nms_rad": 0.5, "coulomb_nm": 1.0}, "rotor_inertia_kgm2": 0.1})",
      "truth");
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["validation"]["motion"]["stream"] = "other";
  json["problem"]["parametrisation"]["type"] = type;
  json["problem"]["prior"] = prior;
  json["problem"]["prior"]["mass_scale"] = 1.1;
  json["estimators"] = Json::object();
  for (const char* name :
       {"prior_only", "ols", "wls", "irls", "ridge", "map", "rls", "ekf", "scaled_kf",
        "entropic_filter", "consistent_wls", "sigmoid_ekf", "log_cholesky_ekf"}) {
    json["estimators"][name] = Json::object();
  }
  json["metrics"] = {"joint_torque_clean_rmse_nm@validation", "nees", "coverage95"};
  return json;
}

/// Takes away what is refused before anything runs.
void RemoveRefused(Json& json, const TemporaryFolder& folder, const std::string& run) {
  const auto remove = [&json](const ConfigError& error) {
    for (const Issue& issue : error.issues()) {
      CAPTURE(issue.where);
      CAPTURE(issue.what);
      REQUIRE(issue.where.starts_with("/estimators/"));
      REQUIRE(!issue.what.empty());
      const std::string label = issue.where.substr(12);
      json["estimators"].erase(label.substr(0, label.find('/')));
    }
  };
  for (int round = 0; round < 2; ++round) {  // as loaded, and as the problem is
    try {
      RunScenario(Load(json), {.folder = folder.path() / (run + std::to_string(round))});
      return;
    } catch (const ConfigError& error) {
      remove(error);
    }
  }
}

TEST_CASE("A method takes a form of prior, or is refused before anything runs") {
  const TemporaryFolder folder;
  const Json forms = Forms();
  int run = 0, taken = 0;
  for (const std::string& type : kTypes) {
    for (const auto& [form, prior] : forms.items()) {
      CAPTURE(type);
      CAPTURE(form);
      Json json = Comparison(type, prior);
      RemoveRefused(json, folder, "check" + std::to_string(++run));
      std::istringstream lines(Records(json, folder.path() / ("run" + std::to_string(run))));
      for (std::string line; std::getline(lines, line);) {
        const Json record = ParseJson(line, "record");
        CAPTURE(record.at("estimator").get<std::string>());
        CHECK(record.at("outcome") != "refused");
        CHECK(record.at("outcome") != "crashed");
        ++taken;
      }
    }
  }
  CHECK(taken > 200);
}

/// Held-out errors and outcomes by estimator, of the first trial.
std::map<std::string, Json> FirstTrial(const std::string& type, const char* form,
                                       const TemporaryFolder& folder) {
  Json json = Comparison(type, Forms()[form]);
  RemoveRefused(json, folder, "check_" + type);
  std::istringstream lines(Records(json, folder.path() / type));
  std::map<std::string, Json> records;
  for (std::string line; std::getline(lines, line);) {
    Json record = ParseJson(line, "record");
    const std::string label = record.at("estimator");
    records.emplace(label, std::move(record));
  }
  return records;
}

TEST_CASE("With friction of which nothing is known, all that take it find it, in any unknowns") {
  const TemporaryFolder folder;
  const auto standard = FirstTrial("standard", "friction unknown", folder);
  const auto base = FirstTrial("base", "friction unknown", folder);
  for (const char* label :
       {"map", "rls", "ekf", "scaled_kf", "entropic_filter", "consistent_wls"}) {
    CAPTURE(label);
    REQUIRE(standard.contains(label));
    REQUIRE(standard.at(label).at("outcome") == "ok");
    const char* error = "joint_torque_clean_rmse_nm@validation";
    CHECK(MetricOf(standard.at(label), error) < 2.0 * MetricOf(standard.at("ols"), error));
    CHECK(MetricOf(standard.at(label), error) < 0.1 * MetricOf(standard.at("prior_only"), error));
    CHECK(MetricOf(standard.at(label), "coverage95") > 0.6);
    if (!base.contains(label)) continue;
    CHECK(MetricOf(base.at(label), error) ==
          doctest::Approx(MetricOf(standard.at(label), error)).epsilon(1e-7));
    CHECK(MetricOf(base.at(label), "nees") ==
          doctest::Approx(MetricOf(standard.at(label), "nees")).epsilon(1e-4));
  }
  CHECK(base.contains("map"));
  CHECK_FALSE(base.contains("scaled_kf"));
}

}  // namespace
}  // namespace idbench
