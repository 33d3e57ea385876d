#include "estimators/observers/residual_lowpass.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "estimators/observers/observers_test.h"
#include "robots/recording/filter.h"

namespace idbench {
namespace {

constexpr double kTone = 3.0;  // [Hz]

/// Rows over time at 100 Hz.
ModelResidual RowsOver(Eigen::Index samples,
                       const std::function<Eigen::RowVectorXd(double)>& rows) {
  ModelResidual residual;
  residual.time_s =
      Eigen::VectorXd::LinSpaced(samples, 0.0, 0.01 * static_cast<double>(samples - 1));
  residual.r.resize(samples, rows(0.0).size());
  for (Eigen::Index k = 0; k < samples; ++k) residual.r.row(k) = rows(residual.time_s[k]);
  return residual;
}

Eigen::RowVectorXd ToneAt(double t) {
  const double phase = 2.0 * std::numbers::pi * kTone * t;
  return Eigen::RowVector2d(std::cos(phase), 0.3 + std::sin(phase));
}

TEST_CASE("A tone comes out as the filter's response says, forward and backward or forward alone") {
  const std::complex<double> H = ButterworthLowpass(4, 4.0, 100.0).Response(kTone);
  // exp(2πi·f·t) becomes H or |H|² of it, 10 s from the ends, where e^(−2π·4·sin(π/8)·10) is left.
  for (const bool zero_phase : {true, false}) {
    CAPTURE(zero_phase);
    ModelResidual residual = RowsOver(3000, &ToneAt);
    FilterResidual({.cutoff_hz = 4.0, .order = 4, .zero_phase = zero_phase}, "w", residual);
    const std::complex<double> gain = zero_phase ? std::complex(std::norm(H)) : H;
    for (Eigen::Index k = 1000; k < 2000; ++k) {
      const std::complex<double> tone =
          gain * std::polar(1.0, 2.0 * std::numbers::pi * kTone * residual.time_s[k]);
      REQUIRE(std::abs(residual.r(k, 0) - tone.real()) < 1e-10);
      REQUIRE(std::abs(residual.r(k, 1) - (0.3 + tone.imag())) < 1e-10);
    }
  }
}

TEST_CASE("To filter a residual is to filter both sides of its equation") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset dataset = robot.Record("w", 300, NoiseOf(7));
  const Eigen::VectorXd pi = 0.9 * robot.pi;
  const std::vector<EquationRows> equations = EquationsWithModel(robot.problem);
  ModelResidual residual = ResidualOf(robot.problem, pi, dataset, equations);
  Eigen::MatrixXd y = dataset.Get(kJointTorque).samples;
  Eigen::MatrixXd predicted = y - residual.r;
  FilterResidual({}, "w", residual);
  const ButterworthLowpass filter(4, 4.0, 100.0);
  filter.ApplyZeroPhase(y);
  filter.ApplyZeroPhase(predicted);
  // Round-off of torques of 100 N·m.
  CHECK((y - predicted - residual.r).cwiseAbs().maxCoeff() < 1e-10);
}

TEST_CASE("What is missing stays so, and the rest is filtered as if it were on a line, or held") {
  const double nan = std::nan("");
  const auto ramp = [](double t) { return Eigen::RowVector3d(2.0 - 3.0 * t, 7.0, 1.0); };
  for (const bool zero_phase : {true, false}) {
    CAPTURE(zero_phase);
    ModelResidual residual = RowsOver(400, ramp);
    for (const Eigen::Index k : {0, 1, 100, 101, 102, 250, 399}) residual.r(k, 0) = nan;
    residual.r(30, 1) = nan;
    residual.r.col(2).setConstant(nan);
    ModelResidual filtered = residual;
    FilterResidual({.zero_phase = zero_phase}, "w", filtered);
    CHECK((filtered.r.array().isNaN() == residual.r.array().isNaN()).all());
    for (Eigen::Index k = 0; k < 400; ++k) {
      // A constant stays one.
      if (!std::isnan(filtered.r(k, 1))) REQUIRE(std::abs(filtered.r(k, 1) - 7.0) < 1e-12);
      // So does a line away from its ends, which are missing, if it is bridged by a line.
      if (!zero_phase || std::isnan(filtered.r(k, 0)) || k < 60 || k > 340) continue;
      // An end is forgotten as e^(−9.6·0.6): 0.3 % of 0.06, the step of the end.
      REQUIRE(std::abs(filtered.r(k, 0) - ramp(filtered.time_s[k])[0]) < 1e-3);
    }
    if (zero_phase) continue;
    // Held, with the same bits.
    ModelResidual held = residual;
    for (const Eigen::Index k : {1, 0}) held.r(k, 0) = held.r(k + 1, 0);
    for (const Eigen::Index k : {100, 101, 102, 250, 399}) held.r(k, 0) = held.r(k - 1, 0);
    FilterResidual({.zero_phase = false}, "w", held);
    for (Eigen::Index k = 0; k < 400; ++k) {
      if (!std::isnan(filtered.r(k, 0))) REQUIRE(filtered.r(k, 0) == held.r(k, 0));
    }
  }
}

TEST_CASE("Time that is not uniform, a cut-off above the rate and short data are refused") {
  const auto reason = [](const ResidualLowpassOptions& options, ModelResidual residual) {
    try {
      FilterResidual(options, "w", residual);
    } catch (const EstimationFailure& failure) {
      return std::string(failure.what());
    }
    return std::string();
  };
  ModelResidual jittered = RowsOver(100, &ToneAt);
  jittered.time_s[40] += 0.002;
  CHECK(
      reason({}, jittered) ==
      "w: \"lowpass\" takes uniform time, and a step differs by 20 % from the median step of 0.01 "
      "s; set /processing/resample_rate_hz");
  CHECK(reason({.cutoff_hz = 50.0}, RowsOver(100, &ToneAt)) ==
        "w: the cutoff_hz of \"lowpass\" is 50, at 100 Hz less than half of that is accepted");
  CHECK(reason({}, RowsOver(15, &ToneAt)) ==
        "w: a \"lowpass\" of zero phase and order 4 takes more than 15 samples, there are 15");
  CHECK(reason({}, RowsOver(16, &ToneAt)).empty());
  CHECK(reason({.zero_phase = false}, RowsOver(1, &ToneAt)).empty());
}

}  // namespace
}  // namespace idbench
