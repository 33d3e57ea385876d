#include "estimators/observers/residual_covariance.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/observers/observers_test.h"

namespace idbench {
namespace {

const double kAbsent = std::nan("");

TEST_CASE("Second moments are means over what is there") {
  Eigen::MatrixXd a(3, 2), b(1, 2);
  a << 1, 2, kAbsent, 4, 3, kAbsent;
  b << 2, -1;
  const std::vector<Eigen::MatrixXd> samples = {a, b};
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(2);
  const Eigen::MatrixXd S = SecondMoments(samples, none, CovarianceShape::kFull);
  CHECK(S(0, 0) == doctest::Approx(14.0 / 3.0));
  CHECK(S(1, 1) == doctest::Approx(21.0 / 3.0));
  CHECK(S(0, 1) == 0.0);  // (1·2 − 2·1)/2
  CHECK(S(1, 0) == S(0, 1));
  const Eigen::MatrixXd diagonal = SecondMoments(samples, none, CovarianceShape::kDiagonal);
  CHECK(diagonal == Eigen::MatrixXd(S.diagonal().asDiagonal()));
  const Eigen::VectorXd floor = Eigen::Vector2d(0.0, 100.0);
  CHECK(SecondMoments(samples, floor, CovarianceShape::kDiagonal)(1, 1) == 100.0);
  CHECK(SecondMoments(samples, floor, CovarianceShape::kFull)(1, 1) == 200.0);
}

TEST_CASE("Residuals that tell no covariance are refused") {
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(2);
  const auto refused = [&](const Eigen::MatrixXd& samples) {
    try {
      SecondMoments({&samples, 1}, none, CovarianceShape::kFull);
    } catch (const EstimationFailure& failure) {
      CHECK(failure.outcome() == Outcome::kRefused);
      return std::string(failure.what());
    }
    return std::string();
  };
  Eigen::MatrixXd samples(2, 2);
  samples << 1, kAbsent, 2, kAbsent;
  CHECK(refused(samples) == "nothing is left of row 2 of the equations in the identification data");
  samples << 0, 1, 0, 2;
  CHECK(refused(samples) ==
        "the residuals of row 1 of the equations are all 0 in the identification data: they tell "
        "no variance");
  samples << 1, 1, 2, 2;
  CHECK(refused(samples) ==
        "the covariance of the residuals in the identification data is not positive definite; set "
        "\"covariance\" to \"diagonal\"");
}

TEST_CASE("The covariance of a sample is that of the noise, or what is declared") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const std::vector<EquationRows> rows = EquationsWithModel(robot.problem);
  const std::vector<Dataset> training = {robot.Record("a", 4000, NoiseOf(7)),
                                         robot.Record("b", 4000, NoiseOf(7))};
  const auto residuals = TrainingResiduals(robot.problem, robot.pi, training, rows);
  const Eigen::VectorXd variance = NoiseOf(7).array().square();
  const Eigen::VectorXd found =
      SampleCovariance(robot.problem, rows, residuals, CovarianceShape::kFull).diagonal();
  // Four standard deviations √(2/N).
  CHECK((found.cwiseQuotient(variance).array() - 1.0).abs().maxCoeff() <
        4.0 * std::sqrt(2.0 / 8000.0));
  CHECK(SampleCovariance(robot.problem, rows, {}, CovarianceShape::kFull) ==
        Eigen::MatrixXd(variance.asDiagonal()));
}

TEST_CASE("Without noise no row counts more than round-off allows") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const std::vector<EquationRows> rows = EquationsWithModel(robot.problem);
  const std::vector<Dataset> training = {robot.Record("a", 100)};
  const auto residuals = TrainingResiduals(robot.problem, robot.pi, training, rows);
  const Eigen::VectorXd variance =
      SampleCovariance(robot.problem, rows, residuals, CovarianceShape::kDiagonal).diagonal();
  CHECK(variance.minCoeff() == variance.maxCoeff());
}

}  // namespace
}  // namespace idbench
