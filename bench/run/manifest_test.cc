#include "bench/run/manifest.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "bench/small_run_test.h"
#include "reports/files/utc_time.h"
#include "reports/run/run_manifest.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE(
    "A report reads of the metrics what the scenario says of them, bounds and directions too") {
  Json json = Description();
  json["metrics"] = {"joint_torque_rmse_nm@identification", "base_parameter_relative_error",
                     "base_parameter_error_bound", "mass_matrix_positive_fraction", "nis"};
  json["trials"] = 1;
  const TemporaryFolder folder;
  Records(json, folder / "run");
  const RunManifest manifest = ReadManifest(folder / "run" / "manifest.json");
  REQUIRE(manifest.metrics.size() == 5);
  CHECK(manifest.metrics == Load(json).metrics);
  CHECK(manifest.metrics[0].better == Better::kLower);
  CHECK(manifest.metrics[2].bounds == "base_parameter_relative_error");
  CHECK(manifest.metrics[3].better == Better::kHigher);
  CHECK_FALSE(manifest.metrics[4].better);
}

TEST_CASE("Notes on the data of some cells of a sweep are told with these") {
  Json json = Description();
  json["trials"] = 1;
  json["sensors"]["joint_position"] = {{"origin", "measured"}};
  json["sweep"][0]["set"]["/sensors/joint_position/noise_std_rad"] = {0.0, 1e-3};
  const TemporaryFolder folder;
  Records(json, folder / "run");
  const std::vector<std::string> marks = ReadManifest(folder / "run" / "manifest.json").marks;
  CHECK(std::ranges::count_if(marks, [](const std::string& mark) {
          return mark.starts_with(
              "in noise 0.2: ols, wls take as exact what is not: "
              "joint_position (σ up to 0.001 rad)");
        }) == 1);
  json["sweep"][0]["set"]["/sensors/joint_position/noise_std_rad"] = {1e-3, 1e-3};
  Records(json, folder / "all");
  const std::vector<std::string> common = ReadManifest(folder / "all" / "manifest.json").marks;
  CHECK(std::ranges::count_if(common, [](const std::string& mark) {
          return mark.starts_with("ols, wls take as exact what is not");
        }) == 1);
}

TEST_CASE("What a part of a sweep's cells lack of the robot is told of these") {
  Json json = Description();
  json["trials"] = 1;
  json["sweep"] = Json::array(
      {{{"name", "friction"},
        {"values", {"none", "both"}},
        {"set",
         {{"/problem/parametrisation/friction", {Json::array(), {"viscous", "coulomb"}}}}}}});
  const TemporaryFolder folder;
  Records(json, folder / "run");
  const std::vector<std::string> marks = ReadManifest(folder / "run" / "manifest.json").marks;
  CHECK(std::ranges::count_if(marks, [](const std::string& mark) {
          return mark.starts_with(
              "in friction none: in the true robot, but neither estimated nor known: ");
        }) == 1);
}

TEST_CASE("Of marks that differ in numbers alone the first are told, and how many more there are") {
  Json json = Description();
  json["trials"] = 1;
  json["sensors"]["joint_position"] = {{"origin", "measured"}};
  json["sweep"][0]["values"] = {"1", "2", "3", "4", "5"};
  json["sweep"][0]["set"] = {
      {"/sensors/joint_position/noise_std_rad", {1e-3, 2e-3, 3e-3, 4e-3, 5e-3}}};
  const TemporaryFolder folder;
  Records(json, folder / "run");
  const std::vector<std::string> marks = ReadManifest(folder / "run" / "manifest.json").marks;
  CHECK(std::ranges::count_if(marks, [](const std::string& mark) {
          return mark.find("ols, wls take as exact what is not") != std::string::npos;
        }) == 3);
  CHECK(std::ranges::find(marks, "2 more of these, with other numbers, hold in other cells") !=
        marks.end());
}

TEST_CASE("A manifest tells which methods and metrics depend on body frames, and σ by cell") {
  Json json = Description();
  json["metrics"] = {"base_parameter_relative_error", "parameter_error_fraction"};
  json["estimators"] = {{"ols", Json::object()},
                        {"ridge", Json::object()},
                        {"map", Json::object()},
                        {"prior_only", Json::object()},
                        {"sigmoid_ekf", Json::object()}};
  json["problem"]["prior"] = {{"relative_std", 0.2}};
  json["problem"]["parametrisation"]["lower_prior_factor"] = 0;
  json["problem"]["parametrisation"]["upper_prior_factor"] = 2;
  json["trials"] = 1;
  const TemporaryFolder folder;
  Records(json, folder / "base");
  const RunManifest base = ReadManifest(folder / "base" / "manifest.json");
  CHECK(base.framed == Labelled<std::string>{{"ridge", "norms of columns"},
                                             {"map", "the prior's σ"},
                                             {"sigmoid_ekf", "bounds, the prior's σ"}});
  REQUIRE(base.metrics.size() == 2);
  CHECK_FALSE(base.metrics[0].framed);
  CHECK(base.metrics[1].framed);
  CHECK((*base.cells[1].sensors)["joint_torque"]["noise_std_nm"] == Json::array({0.2, 0.2}));
  // Masses and principal moments are the same in all frames.
  json["problem"]["parametrisation"]["type"] = "masses_and_moments";
  Records(json, folder / "masses");
  const RunManifest masses = ReadManifest(folder / "masses" / "manifest.json");
  CHECK(masses.framed.empty());
  for (const RunMetric& metric : masses.metrics) CHECK_FALSE(metric.framed);
}

TEST_CASE("A manifest tells when its run began") {
  Json json = Description();
  json["trials"] = 1;
  const TemporaryFolder folder;
  const std::string before = UtcText(std::time(nullptr));
  Records(json, folder / "run");
  const std::string started = ReadJsonFile(folder / "run" / "manifest.json")["started"];
  CHECK(before <= started);
  CHECK(started <= UtcText(std::time(nullptr)));
}

}  // namespace
}  // namespace idbench
