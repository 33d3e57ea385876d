#include "sim/sensors/calibration_error.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

CalibrationErrorOptions ThreePercent(Draw draw = Draw::kTrial) {
  return {.relative_std = 0.03, .draw = draw};
}

Matrix6 ErrorIn(const SensorKey& key, Draw draw = Draw::kTrial, const char* channel = "wrench/ft") {
  CalibrationError error(ThreePercent(draw), channel);
  error.Reset(key);
  return error.error();
}

TEST_CASE("A reading is that of a matrix with errors, in units of force and moment") {
  CalibrationError error(ThreePercent(), "wrench/ft");
  error.Reset({1, 4, "identification/wrench/ft"});
  const RandomStream stream(1, 4, "sensors/wrench/ft/calibration");
  const Matrix6& E = error.error();
  CHECK(E(2, 2) == 0.03 * stream.Normal(2, 2));
  CHECK(E(0, 1) == 0.03 * 0.35 * stream.Normal(0, 1));
  CHECK(E(1, 5) == doctest::Approx(0.03 * 0.35 * 10.0 * stream.Normal(1, 5)).epsilon(1e-15));
  CHECK(E(5, 1) == doctest::Approx(0.03 * 0.35 * 0.1 * stream.Normal(5, 1)).epsilon(1e-15));
  const Eigen::Vector<double, 6> w(3.0, -5.0, 20.0, 0.3, -0.2, 0.1);
  Eigen::VectorXd sample = w;
  CHECK(error.Apply(0.0, 0, sample));
  CHECK((sample - (Matrix6::Identity() + E) * w).norm() < 1e-14);  // rounding
  CHECK((sample - w).norm() > 0.01);
}

TEST_CASE("The matrix is the same in all experiments of a trial, and another in other trials") {
  const Matrix6 E = ErrorIn({1, 4, "identification/wrench/ft"});
  CHECK(ErrorIn({1, 4, "validation/wrench/ft"}) == E);
  CHECK(ErrorIn({1, 5, "identification/wrench/ft"}) != E);
  CHECK(ErrorIn({2, 4, "identification/wrench/ft"}) != E);
  CHECK(ErrorIn({1, 4, "identification/wrench/ft"}, Draw::kTrial, "wrench/other") != E);
  // Drawn once a cell it is that of no trial.
  const Matrix6 shared = ErrorIn({1, 4, "identification/wrench/ft"}, Draw::kCell);
  CHECK(ErrorIn({1, 5, "validation/wrench/ft"}, Draw::kCell) == shared);
  CHECK(shared == ErrorIn({1, -1, "identification/wrench/ft"}));
}

TEST_CASE("Entries have the standard deviations that are asked for") {
  Matrix6 squares = Matrix6::Zero();
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    squares += ErrorIn({1, trial, "identification/wrench/ft"}).cwiseAbs2();
  }
  const Matrix6 std = (squares / kTrials).cwiseSqrt();
  // 1.1 % each; the greatest of 36 stays below 4 times that.
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const double units = (i < 3 ? 20.0 : 2.0) / (j < 3 ? 20.0 : 2.0);
      CHECK(std(i, j) == doctest::Approx(0.03 * (i == j ? 1.0 : 0.35) * units).epsilon(0.045));
    }
  }
}

TEST_CASE("A calibration error that cannot be is refused") {
  for (const CalibrationErrorOptions& options :
       {CalibrationErrorOptions{.relative_std = -0.1},
        CalibrationErrorOptions{.off_diagonal_factor = -0.1},
        CalibrationErrorOptions{.force_unit_n = 0.0},
        CalibrationErrorOptions{.moment_unit_nm = 0.0}}) {
    CHECK_THROWS_WITH_AS(CalibrationError(options, "wrench/ft"),
                         "CalibrationError: the standard deviation and the factor must be at least "
                         "0, units above 0",
                         std::invalid_argument);
  }
}

}  // namespace
}  // namespace idbench
