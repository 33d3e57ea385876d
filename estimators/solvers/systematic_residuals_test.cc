#include "estimators/solvers/systematic_residuals.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/solvers/residual_statistics.h"
#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

/// Least squares of a planar arm without friction or offsets among its unknowns.
struct Fitted {
  explicit Fitted(const Dataset& dataset)
      : datasets{dataset},
        regression(Robot().problem, datasets),
        weights(Eigen::VectorXd::Ones(regression.row_count())),
        solution(regression.Solve(weights)),
        fit{solution.x, solution.inverse, weights, Filled(regression.Residuals(solution.x))} {}

  static const Synthetic& Robot() {
    static const Synthetic robot("planar2", "base", {Equation::kTorque}, {0.05}, {});
    return robot;
  }
  static Dataset Clean(int trial) { return Robot().Record("a", 800, kSigma, trial); }

  Eigen::VectorXd Sigma() const {
    const ResidualStatistics statistics =
        JudgeResiduals(fit.residuals, regression.counts(), regression.unknowns());
    return regression.Covariance(solution, weights, statistics.Variance()).diagonal().cwiseSqrt();
  }
  SystematicResiduals Find() const {
    return FindSystematic(regression, fit, ColumnCorrelation(regression, fit), fit, Sigma());
  }

  std::vector<Dataset> datasets;
  LinearRegression regression;
  Eigen::VectorXd weights;
  LeastSquaresSolution solution;
  WeightedFit fit;
};

/// Adds `effect`(row of q, q̇, q̈ of joint j) to the torque of joint 2.
Dataset WithTorque(const Dataset& dataset, double (*effect)(double q, double qd, double qdd)) {
  const Eigen::MatrixXd q = dataset.Get(kJointPosition).samples,
                        qd = dataset.Get(kJointVelocity).samples,
                        qdd = dataset.Get(kJointAcceleration).samples;
  return WithChannel(dataset, kJointTorque, [&](Eigen::MatrixXd& samples) {
    for (Eigen::Index i = 0; i < samples.rows(); ++i) {
      samples(i, 1) += effect(q(i, 1), qd(i, 1), qdd(i, 1));
    }
  });
}

TEST_CASE("Residuals of noise alone follow nothing") {
  int found = 0;
  for (int trial = 0; trial < 50; ++trial)
    found += Fitted(Fitted::Clean(trial)).Find().findings.empty() ? 0 : 1;
  CHECK(found <= 1);  // at a false-alarm rate of 0.001
}

TEST_CASE("What acts on a joint is named, with the joint, before all that it is mistaken for") {
  const auto first = [](double (*effect)(double q, double qd, double qdd)) {
    const SystematicResiduals systematic = Fitted(WithTorque(Fitted::Clean(0), effect)).Find();
    REQUIRE(!systematic.findings.empty());
    return systematic.findings.front();
  };
  CHECK(first([](double, double, double) { return 1.0; }) ==
        "of joint 2 are a constant (bias, or an offset missing?)");
  CHECK(first([](double, double qd, double) { return qd > 0.0 ? 1.0 : -1.0; }) ==
        "of joint 2 follow sign(q̇) (Coulomb friction missing?)");
  CHECK(first([](double, double qd, double) { return 0.5 * qd; }) ==
        "of joint 2 follow q̇ (viscous friction missing?)");
}

TEST_CASE("The shift is the bias that a missing term causes") {
  const Fitted fitted(WithTorque(Fitted::Clean(0),
                                 [](double, double qd, double) { return qd > 0.0 ? 4.0 : -4.0; }));
  const Eigen::VectorXd bias = (fitted.fit.x - Fitted::Robot().x()).cwiseQuotient(fitted.Sigma());
  const double rms = bias.norm() / std::sqrt(static_cast<double>(bias.size()));
  CHECK(rms > 1.0);
  CHECK(fitted.Find().shift_in_sigma == doctest::Approx(rms).epsilon(0.15));
}

TEST_CASE("What the unknowns explain is no finding") {
  const Synthetic robot("planar2");  // with viscous friction
  const std::vector<Dataset> datasets = {WithTorque(
      robot.Record("a", 800, kSigma), [](double, double qd, double) { return 2.0 * qd; })};
  const LinearRegression regression(robot.problem, datasets);
  const Eigen::VectorXd weights = Eigen::VectorXd::Ones(2);
  const LeastSquaresSolution solution = regression.Solve(weights);
  const WeightedFit fit{solution.x, solution.inverse, weights,
                        Filled(regression.Residuals(solution.x))};
  const SystematicResiduals systematic =
      FindSystematic(regression, fit, ColumnCorrelation(regression, fit), fit,
                     Eigen::VectorXd::Ones(regression.unknowns()));
  CHECK(systematic.findings.empty());
  CHECK(systematic.shift_in_sigma == 0.0);
}

}  // namespace
}  // namespace idbench
