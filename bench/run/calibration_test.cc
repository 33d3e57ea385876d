#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "bench/captured_output_test.h"
#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "bench/trial/labelled_estimators.h"
#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

LoadedScenario Calibration() {
  return LoadScenario(ReadJsonFile(std::string(IDBENCH_SOURCE_SCENARIOS) + "/calibration.json"),
                      "calibration", {}, AllMetrics());
}

/// Torques of fixed states, with π.
Eigen::MatrixXd TorquesOfFixedStates(const RobotModel& model, const Eigen::VectorXd& pi) {
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 30, 7);
  Eigen::MatrixXd torques(30, model.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, torques);
  return torques;
}

TEST_CASE("Of one drawn prior, map predicts alike from base and standard parameters, as does ekf") {
  const LoadedScenario loaded = Calibration();
  REQUIRE(loaded.cells.size() == 2);
  RolloutStore rollouts;
  const PreparedCell base(loaded, loaded.cells[0], rollouts);
  const PreparedCell standard(loaded, loaded.cells[1], rollouts);
  for (int trial = 0; trial < 5; ++trial) {
    CAPTURE(trial);
    std::map<std::string, std::vector<Estimate>> estimates;
    for (const PreparedCell* const cell : {&base, &standard}) {
      const TrialData data = cell->Run(trial);
      CHECK(data.prior_pi().head(30) != data.true_pi()->head(30));
      for (const auto& [label, estimator] : MakeEstimators(cell->scenario())) {
        estimates[label].push_back(estimator->Run(data.problem(), data.datasets));
        REQUIRE(estimates[label].back().outcome == Outcome::kOk);
      }
    }
    // 1e-9: round-off times the condition of P₀ and data, 1e6.
    for (const auto& [label, of_cells] : estimates) {
      CAPTURE(label);
      const Eigen::MatrixXd torques = TorquesOfFixedStates(base.robot().model, of_cells[0].pi);
      CHECK((TorquesOfFixedStates(base.robot().model, of_cells[1].pi) - torques).norm() <
            1e-9 * torques.norm());
    }
    for (std::size_t cell = 0; cell < 2; ++cell) {
      const Eigen::VectorXd& x = estimates["map"][cell].x;
      CHECK((estimates["ekf"][cell].x - x).norm() < 1e-9 * x.norm());
    }
  }
}

TEST_CASE("A cell draws the same mean as another, each trial one of its own, and says so") {
  const LoadedScenario loaded = Calibration();
  RolloutStore rollouts;
  const PreparedCell base(loaded, loaded.cells[0], rollouts);
  const PreparedCell standard(loaded, loaded.cells[1], rollouts);
  const TrialData data = standard.Run(1);
  const Problem& problem = data.problem();
  // What the base combines of the same draws.
  const Problem of_base = base.Run(1).problem();
  CHECK((of_base.parameters.FromPi(problem.parameters.Pi(problem.parameters.prior->mean)) -
         of_base.parameters.prior->mean)
            .norm() < 1e-12 * of_base.parameters.prior->mean.norm());
  CHECK(standard.Run(2).problem().parameters.prior->mean != problem.parameters.prior->mean);
  const std::string mark =
      "means of the prior drawn per trial about the truth, as its std declares";
  CHECK(std::ranges::find(standard.marks(), mark) != standard.marks().end());
}

/// Means over trials of a metric, by estimator and cell, of a shipped scenario.
std::map<std::string, std::vector<double>> MeansOverTrials(const std::string& metric,
                                                           const Json& summary) {
  std::map<std::string, std::vector<double>> means;
  for (const Json& cell : summary["cells"]) {
    for (const Json& estimator : cell["estimators"]) {
      CHECK(estimator["failed"] == 0);
      if (!estimator["metrics"].contains(metric)) continue;
      const Json& statistics = estimator["metrics"][metric];
      if (statistics.contains("mean")) means[estimator["label"]].push_back(statistics["mean"]);
    }
  }
  return means;
}

TEST_CASE("Where the prior is drawn as it states σ, the σ of estimates is right") {
  for (const std::string name : {"calibration", "calibration_bodies"}) {
    CAPTURE(name);
    Json json = ReadJsonFile(std::string(IDBENCH_SOURCE_SCENARIOS) + "/" + name + ".json");
    json["trials"] = 100;
    json["keep_series"] = Json::array();
    for (const char* key : {"tables", "gate"}) json.erase(key);
    const TemporaryFolder folder;
    const ProgramResult result = Call({"run", folder.Write("calibration.json", json.dump()),
                                       "--out", (folder.path() / "run").string()});
    CAPTURE(result.errors);
    REQUIRE(result.code == 0);
    const Json summary = Json::parse(ReadText(folder.path() / "run" / "summary.json"));
    // χ²/n with n ≥ 8 directions: a mean of 100 trials deviates by √(2/800) = 0.05.
    for (const auto& [label, means] : MeansOverTrials("nees", summary)) {
      CAPTURE(label);
      if (label == "prior_only") continue;
      for (const double mean : means) CHECK(std::abs(mean - 1.0) < 4 * 0.05);
    }
    // Of 95 %: √(0.05·0.95/800) = 0.0077.
    for (const auto& [label, means] : MeansOverTrials("coverage95", summary)) {
      CAPTURE(label);
      if (label == "prior_only") continue;
      for (const double mean : means) CHECK(std::abs(mean - 0.95) < 4 * 0.0077);
    }
  }
}

}  // namespace
}  // namespace idbench
