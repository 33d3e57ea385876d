#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

/// Runs of unknowns of which the structure hides directions, beside base parameters.
namespace idbench {
namespace {

/// The records of three trials, those of a trial after one another.
std::vector<Json> RecordsOf(const char* parametrisation, const TemporaryFolder& folder,
                            const Json& prior = Json::object(), const char* robot = "planar2") {
  Json json = Description();
  json["robot"]["model"] = robot;
  json.erase("sweep");
  json["problem"]["parametrisation"] = {{"type", parametrisation},
                                        {"friction", {"viscous", "coulomb"}}};
  json["problem"]["prior"] = prior;
  json["robot"]["truth"] = {{"rotor_inertia_kgm2", 0}};
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["validation"]["motion"]["stream"] = "other";
  json["estimators"] = {{"ols", Json::object()},
                        {"wls", Json::object()},
                        {"irls", Json::object()},
                        {"ridge", Json::object()}};
  if (prior.contains("relative_std")) json["estimators"]["map"] = Json::object();
  for (const char* metric :
       {"joint_torque_clean_rmse_nm@validation", "base_parameter_relative_error",
        "link_mass_error_fraction", "consistent_link_fraction", "parameter_error_fraction",
        "coverage95", "nees", "crlb_ratio", "base_parameter_error_bound"}) {
    json["metrics"].push_back(metric);
  }
  json["trials"] = 3;
  std::istringstream lines(Records(json, folder.path() / parametrisation));
  std::vector<Json> records;
  for (std::string line; std::getline(lines, line);) records.push_back(ParseJson(line, "records"));
  return records;
}

TEST_CASE("One table: standard parameters give the figures of base parameters") {
  const std::vector<std::pair<const char*, Json>> cases = {
      {"planar2", Json::object()},
      {"planar2", {{"relative_std", 0.5}}},
      {"franka_panda", Json::object()}};  // where columns are round-off
  for (const auto& [robot, prior] : cases) {
    CAPTURE(robot);
    CAPTURE(prior.dump());
    const TemporaryFolder folder;
    const std::vector<Json> standard = RecordsOf("standard", folder, prior, robot);
    const std::vector<Json> base = RecordsOf("base", folder, prior, robot);
    REQUIRE(standard.size() == base.size());
    for (std::size_t k = 0; k < base.size(); ++k) {
      const std::string label = base[k].at("estimator");
      CAPTURE(label);
      REQUIRE(standard[k].at("outcome") == "ok");
      if (label == "ridge" || label == "map") continue;  // their priors differ
      for (const char* metric :
           {"joint_torque_clean_rmse_nm@validation", "base_parameter_relative_error", "nees",
            "crlb_ratio", "base_parameter_error_bound"}) {
        CAPTURE(metric);
        CHECK(MetricOf(standard[k], metric) ==
              doctest::Approx(MetricOf(base[k], metric)).epsilon(1e-7));
      }
      CHECK(MetricOf(standard[k], "coverage95") == MetricOf(base[k], "coverage95"));
      for (const char* metric : {"nees", "crlb_ratio"}) {
        CHECK(standard[k]["metrics"][metric]["count"] == base[k]["metrics"][metric]["count"]);
      }
    }
  }
}

TEST_CASE("Single links are told by who knows of them: by map, and by no least squares") {
  const TemporaryFolder folder;
  for (const Json& record : RecordsOf("standard", folder, {{"relative_std", 0.5}})) {
    const bool knows = record.at("estimator") == "map";
    CAPTURE(record.at("estimator").get<std::string>());
    for (const char* metric :
         {"link_mass_error_fraction", "consistent_link_fraction", "parameter_error_fraction"}) {
      const Json& told = record["metrics"][metric];
      CHECK(told.contains("value") == knows);
      if (knows) continue;
      CHECK(told.at("absent") ==
            "the equations show bodies in combinations alone, and the method knows nothing of "
            "single links");
    }
  }
}

TEST_CASE("Records state σ of unknowns that show alone") {
  const TemporaryFolder folder;
  const Json record = RecordsOf("standard", folder).front();
  REQUIRE(record.at("estimator") == "ols");
  std::size_t stated = 0;
  for (const Json& sigma : record.at("sigma")) {
    if (sigma.is_null()) continue;
    CHECK(sigma.get<double>() > 0.0);
    ++stated;
  }
  CHECK(record.at("sigma").size() == 24);  // ten of each link, fv and fc of each joint
  CHECK(stated >= 4);                      // friction
  CHECK(stated < 10);                      // base parameters, of which some are sums
  CHECK(record["diagnostics"]["hidden_directions"] == 14.0);
}

}  // namespace
}  // namespace idbench
