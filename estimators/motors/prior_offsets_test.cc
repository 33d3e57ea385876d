#include "estimators/motors/prior_offsets.h"

#include <doctest/doctest.h>

#include "estimators/motors/driven_arm_test.h"
#include "estimators/solvers/regression_rows.h"

namespace idbench {
namespace {

const char* const kOffsetNames[] = {"fx", "fy", "fz", "mx", "my", "mz"};

TEST_CASE("Offsets are the mean residuals of the prior, and all else is the prior") {
  DrivenArm arm;
  Eigen::VectorXd mean = arm.x();
  for (const char* name : kOffsetNames) {
    mean[arm.IndexOf(std::string("r_arm_ft_sensor.offset_") + name)] = 0.0;
  }
  const std::vector<Dataset> datasets = {arm.Record("a", 5.0, {}), arm.Record("b", 3.0, {})};
  SUBCASE("true, where the prior is") {
    arm.problem.parameters.prior = Parametrisation::Prior{mean, std::nullopt};
    const Estimate estimate = PriorOffsets().Run(arm.problem, datasets);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK((estimate.x - arm.x()).cwiseAbs().maxCoeff() < 1e-12);
  }
  SUBCASE("off by what the prior's error is in the mean") {
    mean.head(60) *= 1.2;  // bodies
    arm.problem.parameters.prior = Parametrisation::Prior{mean, std::nullopt};
    const Estimate estimate = PriorOffsets().Run(arm.problem, datasets);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK(estimate.x.head(60) == mean.head(60));
    const RegressionRows rows(arm.problem, datasets);
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(6);
    for (const Eigen::MatrixXd& residual : rows.Residuals(estimate.x)) {
      sum += residual.leftCols(6).colwise().sum();  // the sensor's rows come first
    }
    CHECK(sum.cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("Without an offset among the unknowns, or a row that shows one, it is refused") {
  DrivenArm arm;
  arm.problem.parameters.prior = Parametrisation::Prior{arm.x(), std::nullopt};
  const std::vector<Dataset> datasets = {arm.Record("a", 2.0, {})};
  Problem of_drives = arm.problem;
  of_drives.rows.pop_back();
  CHECK(PriorOffsets().Run(of_drives, datasets).reason ==
        "offsets follow from rows with a measured side, and all equations are of drives");
  Problem without = arm.problem;
  without.parameters = StandardParametrisation(arm.problem.model, {10, 20});
  without.parameters.prior = Parametrisation::Prior{Eigen::VectorXd::Ones(2), std::nullopt};
  CHECK(PriorOffsets().Run(without, datasets).reason ==
        "needs an unknown offset: ask for it in /problem/terms, {\"type\": \"offset\"}");
}

}  // namespace
}  // namespace idbench
