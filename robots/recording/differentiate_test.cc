#include "robots/recording/differentiate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

/// N time stamps with steps of h (1 ± 0.3), as a logger makes them.
Eigen::VectorXd JitteredSteps(Eigen::Index size, double h) {
  Eigen::VectorXd t(size);
  t[0] = 0.0;
  for (Eigen::Index i = 1; i < size; ++i) {
    t[i] = t[i - 1] + h * (1.0 + 0.3 * std::sin(2.3 * static_cast<double>(i)));
  }
  return t;
}

TEST_CASE("Parabolas are differentiated exactly on jittered time, ends included") {
  const Eigen::VectorXd t = JitteredSteps(40, 0.1);
  Eigen::MatrixXd x(40, 2);
  x.col(0) = (2.0 - 3.0 * t.array() + 0.5 * t.array().square()).matrix();
  x.col(1) = (5.0 * t.array()).matrix();
  for (const int half_width : {1, 2, 5}) {
    CAPTURE(half_width);
    const Eigen::MatrixXd first = Differentiate(t, x, 1, half_width);
    const Eigen::MatrixXd second = Differentiate(t, x, 2, half_width);
    // Rounding of x, up to 20, over a step, or over its square: 20·1e-16/0.07, /0.07².
    CHECK((first.col(0).array() - (t.array() - 3.0)).abs().maxCoeff() < 1e-12);
    CHECK((first.col(1).array() - 5.0).abs().maxCoeff() < 1e-12);
    CHECK((second.col(0).array() - 1.0).abs().maxCoeff() < 1e-11);
    CHECK(second.col(1).cwiseAbs().maxCoeff() < 1e-11);
  }
}

TEST_CASE("A constant has derivatives of exactly zero") {
  const Eigen::MatrixXd x = Eigen::MatrixXd::Constant(20, 1, 1e6 / 3.0);
  CHECK(Differentiate(JitteredSteps(20, 0.001), x, 1, 3).isZero(0.0));
  CHECK(Differentiate(JitteredSteps(20, 0.001), x, 2, 3).isZero(0.0));
}

TEST_CASE("Inside, on uniform time, these are the central differences") {
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(9, 0.0, 4.0);  // h = 0.5, exact
  const Eigen::MatrixXd x = t.array().cube().matrix();
  const Eigen::MatrixXd first = Differentiate(t, x, 1, 2);
  const Eigen::MatrixXd second = Differentiate(t, x, 2, 2);
  for (Eigen::Index i = 2; i < 7; ++i) {
    CHECK(first(i, 0) == (x(i + 2, 0) - x(i - 2, 0)) / 2.0);  // small dyadic numbers: no rounding
    CHECK(second(i, 0) == x(i + 2, 0) - 2.0 * x(i, 0) + x(i - 2, 0));
  }
}

/// Largest error of a derivative of sin t on N samples over [0, 3].
double DerivativeError(Eigen::Index size, int derivative, bool jittered, Eigen::Index dropped) {
  const double h = 3.0 / static_cast<double>(size);
  const Eigen::VectorXd t =
      jittered ? JitteredSteps(size, h) : Eigen::VectorXd::LinSpaced(size, 0.0, 3.0);
  const Eigen::MatrixXd x = t.array().sin().matrix();
  Eigen::VectorXd truth = -t.array().sin().matrix();
  if (derivative == 1) truth = t.array().cos().matrix();
  const Eigen::VectorXd error = Differentiate(t, x, derivative).col(0) - truth;
  return error.segment(dropped, size - 2 * dropped).cwiseAbs().maxCoeff();
}

TEST_CASE("Halving the step quarters the error: of ẋ everywhere, of ẍ inside on uniform time") {
  // The next term of the expansion is a few steps, 1 % here, off 4.
  CHECK(DerivativeError(300, 1, false, 0) / DerivativeError(600, 1, false, 0) ==
        doctest::Approx(4.0).epsilon(0.03));
  CHECK(DerivativeError(300, 2, false, 1) / DerivativeError(600, 2, false, 1) ==
        doctest::Approx(4.0).epsilon(0.03));
  // Jitter that is not the same at both sizes blurs the constant, not the order.
  CHECK(DerivativeError(300, 1, true, 0) / DerivativeError(600, 1, true, 0) ==
        doctest::Approx(4.0).epsilon(0.1));
}

TEST_CASE("The noise of ẋ falls with the width as stated") {
  // σ/(√2·wh): the weights of the stencil, as the response to a unit impulse, squared and summed.
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(41, 0.0, 4.0);  // h = 0.1
  Eigen::MatrixXd impulse = Eigen::MatrixXd::Zero(41, 1);
  impulse(20, 0) = 1.0;
  for (const int w : {1, 4}) {
    CHECK(Differentiate(t, impulse, 1, w).norm() ==
          doctest::Approx(1.0 / (std::sqrt(2.0) * w * 0.1)).epsilon(1e-12));
    CHECK(Differentiate(t, impulse, 2, w).norm() ==
          doctest::Approx(std::sqrt(6.0) / std::pow(w * 0.1, 2)).epsilon(1e-12));
  }
}

TEST_CASE("What cannot be differentiated is refused") {
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(4, 0.0, 1.0);
  const Eigen::MatrixXd x = Eigen::MatrixXd::Zero(4, 1);
  CHECK_THROWS_WITH_AS(Differentiate(t, x, 3),
                       "Differentiate: got derivative 3, 1 or 2 is accepted",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Differentiate(t, x, 1, 0),
                       "Differentiate: got half-width 0, at least 1 is accepted",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Differentiate(t, x, 1, 2),
                       "Differentiate: got 4 samples, half-width 2 needs at least 5",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Differentiate(t, Eigen::MatrixXd::Zero(5, 1)),
                       "Differentiate: 4 time stamps for 5 samples", std::invalid_argument);
  CHECK_THROWS_WITH_AS(Differentiate(Eigen::Vector4d(0.0, 1.0, 1.0, 2.0), x),
                       "Differentiate: time does not increase at sample 2", std::invalid_argument);
}

}  // namespace
}  // namespace idbench
