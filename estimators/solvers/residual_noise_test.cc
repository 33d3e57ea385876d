#include "estimators/solvers/residual_noise.h"

#include <doctest/doctest.h>

#include <cmath>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

/// e_i = φ·e_{i−1} + white noise, two rows; the second white.
Eigen::MatrixXd Remembering(Eigen::Index samples, double phi, int trial) {
  const RandomStream stream(5, trial, "residual_noise_test");
  Eigen::MatrixXd e(samples, 2);
  double last = stream.Normal(0, 0) / std::sqrt(1.0 - phi * phi);
  for (Eigen::Index i = 0; i < samples; ++i) {
    const auto index = static_cast<std::uint64_t>(i + 1);
    last = phi * last + stream.Normal(0, index);
    e(i, 0) = last;
    e(i, 1) = stream.Normal(1, index);
  }
  return e;
}

Eigen::VectorXd CountsOf(Eigen::Index samples) {
  return Eigen::VectorXd::Constant(2, static_cast<double>(samples));
}

ResidualSpectrum SpectrumOf(const Eigen::MatrixXd& e) { return {{e}, CountsOf(e.rows())}; }

TEST_CASE("The noise of AR(1) residuals is found, and white noise beside it stays white") {
  const double phi = 0.9;
  const std::vector<Eigen::VectorXd> gamma =
      SpectrumOf(Remembering(20000, phi, 0)).Autocovariance();
  // γ_0 = 1/(1 − φ²) within 3 of its standard deviations, √(2/20000·(1 + φ²)/(1 − φ²)) = 3 %.
  CHECK(gamma[0][0] == doctest::Approx(1.0 / (1.0 - phi * phi)).epsilon(0.09));
  CHECK(gamma[0][10] / gamma[0][0] == doctest::Approx(std::pow(phi, 10)).epsilon(0.1));
  CHECK(LongRunRatio(gamma[0]) == doctest::Approx((1.0 + phi) / (1.0 - phi)).epsilon(0.2));
  CHECK(std::abs(gamma[0][gamma[0].size() - 1]) < 1e-3 * gamma[0][0]);
  CHECK(LongRunRatio(gamma[1]) == doctest::Approx(1.0).epsilon(0.2));
}

TEST_CASE("Slow noise far longer than ten samples has its own ratio, not a ceiling") {
  const std::vector<Eigen::VectorXd> gamma =
      SpectrumOf(Remembering(40000, 0.99, 1)).Autocovariance();
  CHECK(LongRunRatio(gamma[0]) == doctest::Approx(199.0).epsilon(0.3));
}

TEST_CASE("A row without residuals has no noise") {
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(40, 2);
  CHECK(SpectrumOf(none).Autocovariance()[0] == Eigen::VectorXd::Zero(1));
}

}  // namespace
}  // namespace idbench
