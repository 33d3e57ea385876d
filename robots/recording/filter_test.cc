#include "robots/recording/filter.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace idbench {
namespace {

constexpr std::array kOrders = {1, 2, 3, 4, 5, 8};

/// x_i = sin 0.37i + 0.5 cos 1.9i + 0.01i², i = 0 … 59
Eigen::MatrixXd Signal() {
  Eigen::MatrixXd x(60, 1);
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double n = static_cast<double>(i);
    x(i, 0) = std::sin(0.37 * n) + 0.5 * std::cos(1.9 * n) + 0.01 * n * n;
  }
  return x;
}

TEST_CASE(
    "A single pass has half the power at the cut-off, all of it at 0, none at half the rate") {
  for (const int order : kOrders) {
    CAPTURE(order);
    const ButterworthLowpass filter(order, 10.0, 100.0);
    // A few operations per section on numbers near 1.
    CHECK(std::norm(filter.Response(10.0)) == doctest::Approx(0.5).epsilon(1e-13));
    CHECK(std::norm(filter.Response(0.0)) == doctest::Approx(1.0).epsilon(1e-13));
    CHECK(std::norm(filter.Response(50.0)) < 1e-28);
  }
}

TEST_CASE("The power of a single pass is Butterworth's at every frequency") {
  for (const int order : kOrders) {
    const ButterworthLowpass filter(order, 10.0, 100.0);
    for (const double f : {1.0, 5.0, 9.0, 12.0, 20.0, 40.0}) {
      // |H|² = 1 / (1 + (tan(πf/f_s) / tan(πf_c/f_s))²ⁿ)
      const double ratio =
          std::tan(std::numbers::pi * f / 100.0) / std::tan(std::numbers::pi * 0.1);
      const double expected = 1.0 / (1.0 + std::pow(ratio, 2 * order));
      CAPTURE(order);
      CAPTURE(f);
      CHECK(std::norm(filter.Response(f)) == doctest::Approx(expected).epsilon(1e-12));
    }
  }
}

TEST_CASE("The frequency response is SciPy's, phase included") {
  // sosfreqz(butter(5, 10, fs=100, output='sos'), [3, 10, 25], fs=100), SciPy 1.17.1
  const ButterworthLowpass filter(5, 10.0, 100.0);
  const std::complex<double> at_3(0.58000727, -0.81460863), at_25(0.00317042, -0.00175015);
  CHECK(std::abs(filter.Response(3.0) - at_3) < 1e-8);  // as many digits as were printed
  CHECK(std::abs(filter.Response(10.0) - std::complex<double>(-0.5, 0.5)) < 1e-13);
  CHECK(std::abs(filter.Response(25.0) - at_25) < 1e-8);
}

TEST_CASE("A zero-phase filter gives what SciPy gives, ends included") {
  // i = np.arange(60); x = np.sin(0.37*i) + 0.5*np.cos(1.9*i) + 0.01*i**2
  // sosfiltfilt(butter(order, cutoff, fs=100, output='sos'), x)[[0, 1, 29, 58, 59]], SciPy 1.17.1
  struct Case {
    int order;
    double cutoff_hz;
    std::array<double, 5> expected;
  };
  const std::array<Case, 4> cases = {{
      {1,
       3.0,
       {0.524244184722104, 0.6112264818831302, 8.76665259533986, 32.61767871936622,
        33.36944700478242}},
      {4,
       10.0,
       {0.48926606063163874, 0.6657084207948798, 7.45656842084341, 34.302442679054565,
        35.21962664479406}},
      {5,
       10.0,
       {0.5069740306753305, 0.6844216440542342, 7.449532563309431, 34.32953118713108,
        35.26781810685898}},
      {8,
       2.0,
       {-0.23748649466407817, -0.16385463640640976, 10.05804033010209, 20.09482656160361,
        20.145198174404385}},
  }};
  for (const Case& c : cases) {
    CAPTURE(c.order);
    Eigen::MatrixXd x = Signal();
    ButterworthLowpass(c.order, c.cutoff_hz, 100.0).ApplyZeroPhase(x);
    const std::array<Eigen::Index, 5> rows = {0, 1, 29, 58, 59};
    for (std::size_t k = 0; k < rows.size(); ++k) {
      // Rounding of x, up to 35, amplified by poles near z = 1 (order 8 at 0.02 of the rate: 1e4).
      CHECK(std::abs(x(rows[k], 0) - c.expected[k]) < 1e-10);
    }
  }
}

TEST_CASE("A causal filter gives what SciPy gives, from the steady state of the first sample") {
  // sos = butter(order, cutoff, fs=100, output='sos')
  // sosfilt(sos, x, zi=sosfilt_zi(sos)*x[0])[0][[0, 1, 29, 58, 59]], SciPy 1.17.1;
  // group_delay(butter(order, cutoff, fs=100), w=[1e-6])
  struct Case {
    int order;
    double cutoff_hz;
    std::array<double, 5> expected;
    double delay_s;
  };
  const std::array<Case, 3> cases = {{
      {1,
       10.0,
       {0.5, 0.428873992102952, 6.847480570489702, 32.60405096671306, 33.510199433603276},
       0.01538842},
      {5,
       10.0,
       {0.5, 0.4996280138414657, 6.3740687711547555, 28.714937509938423, 30.032022243596344},
       0.04979797},
      {4,
       2.0,
       {0.5, 0.4999961444284291, 1.1698528373281378, 13.75861725139166, 14.521781593204855},
       0.20767224},
  }};
  for (const Case& c : cases) {
    CAPTURE(c.order);
    Eigen::MatrixXd x = Signal();
    const ButterworthLowpass filter(c.order, c.cutoff_hz, 100.0);
    filter.ApplyCausal(x);
    const std::array<Eigen::Index, 5> rows = {0, 1, 29, 58, 59};
    for (std::size_t k = 0; k < rows.size(); ++k) {
      CHECK(std::abs(x(rows[k], 0) - c.expected[k]) < 1e-11);  // rounding of x, up to 35
    }
    CHECK(std::abs(filter.delay_s() - c.delay_s) < 1e-8);  // as many digits as were printed
  }
  Eigen::MatrixXd nothing(0, 2);
  ButterworthLowpass(5, 10.0, 100.0).ApplyCausal(nothing);
  CHECK(nothing.rows() == 0);
}

TEST_CASE("The padding can be MATLAB's") {
  // sosfiltfilt(…, padlen=15) of order 5 at 10 Hz on the signal above, SciPy 1.17.1
  Eigen::MatrixXd x = Signal();
  ButterworthLowpass(5, 10.0, 100.0).ApplyZeroPhase(x, 15);
  CHECK(std::abs(x(0, 0) - 0.48611231178823755) < 1e-10);
  CHECK(std::abs(x(59, 0) - 35.152388415372165) < 1e-10);
}

TEST_CASE("A zero-phase filter leaves a constant as it is") {
  for (const int order : kOrders) {
    CAPTURE(order);
    Eigen::MatrixXd x = Eigen::MatrixXd::Constant(200, 1, 3.5);
    ButterworthLowpass(order, 2.0, 100.0).ApplyZeroPhase(x);
    // H(1) = 1 up to the rounding of 1 + a1 + a2, which is 4 tan²(πf_c/f_s) ≈ 0.016.
    CHECK((x.array() - 3.5).abs().maxCoeff() < 1e-11);
  }
}

TEST_CASE("A zero-phase filter leaves a straight line as it is, away from the ends") {
  Eigen::MatrixXd x(400, 1);
  x.col(0).setLinSpaced(-1.0, 1.0);
  const Eigen::MatrixXd before = x;
  const ButterworthLowpass filter(5, 10.0, 200.0);
  filter.ApplyZeroPhase(x);
  const Eigen::Index edge = filter.EdgeSamples();
  const Eigen::Index inside = x.rows() - 2 * edge;
  // 1 % of what a start of the line in the steady state of a constant costs, a lag of 3 samples.
  CHECK((x - before).middleRows(edge, inside).cwiseAbs().maxCoeff() < 1e-4);
}

TEST_CASE("A sine comes through without a phase shift, at the squared gain") {
  const double rate_hz = 1000.0, f = 8.0;
  const ButterworthLowpass filter(4, 10.0, rate_hz);
  Eigen::MatrixXd x(2000, 1);
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    x(i, 0) = std::sin(2.0 * std::numbers::pi * f * static_cast<double>(i) / rate_hz);
  }
  const Eigen::MatrixXd expected = std::norm(filter.Response(f)) * x;
  filter.ApplyZeroPhase(x);
  const Eigen::Index edge = 2 * filter.EdgeSamples();
  const Eigen::Index inside = x.rows() - 2 * edge;
  // Behind twice the edge the slowest mode has decayed to 1e-4.
  CHECK((x - expected).middleRows(edge, inside).cwiseAbs().maxCoeff() < 1e-3);
}

TEST_CASE("Columns are filtered independently, strided ones too") {
  Eigen::MatrixXd x(60, 3);
  x << Signal(), 2.0 * Signal(), Eigen::MatrixXd::Ones(60, 1);
  const ButterworthLowpass filter(5, 10.0, 100.0);
  Eigen::MatrixXd alone = Signal();
  filter.ApplyZeroPhase(alone);
  filter.ApplyZeroPhase(x.leftCols(2));
  CHECK(x.col(0) == alone);
  CHECK(x.col(1) == 2.0 * alone);  // a power of two is exact
  CHECK(x.col(2) == Eigen::VectorXd::Ones(60));
}

TEST_CASE("Columns of zeros stay as they are between others, which are as if alone") {
  const Eigen::Index many = 11;  // more than are filtered side by side
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(60, many);
  for (const Eigen::Index j : {1, 2, 4, 5, 6, 9}) x.col(j) = static_cast<double>(j) * Signal();
  const ButterworthLowpass filter(5, 10.0, 100.0);
  const Eigen::MatrixXd before = x;
  filter.ApplyZeroPhase(x);
  for (Eigen::Index j = 0; j < many; ++j) {
    CAPTURE(j);
    Eigen::MatrixXd alone = before.col(j);
    filter.ApplyZeroPhase(alone);
    CHECK(x.col(j) == alone);
    CHECK(x.col(j).isZero(0.0) == before.col(j).isZero(0.0));
  }
}

TEST_CASE("The edge is the time in which the slowest pole decays to 1 %") {
  // Order 1: one real pole at 2πf_c.
  CHECK(FilterEdge(1, 10.0) ==
        doctest::Approx(std::log(100.0) / (20.0 * std::numbers::pi)).epsilon(1e-14));
  CHECK(FilterEdge(5, 10.0) == doctest::Approx(0.237).epsilon(2e-3));  // three digits, by hand
  CHECK(ButterworthLowpass(5, 10.0, 100.0).EdgeSamples() == 24);
}

TEST_CASE("Orders, cut-offs and lengths that make no filter are refused") {
  CHECK_THROWS_WITH_AS(ButterworthLowpass(0, 10.0, 100.0),
                       "Butterworth low-pass: got order 0, at least 1 is accepted",
                       std::invalid_argument);
  for (const double cutoff_hz : {50.0, 0.0, std::nan("")}) {
    CHECK_THROWS_AS(ButterworthLowpass(5, cutoff_hz, 100.0), std::invalid_argument);
  }
  CHECK_THROWS_WITH_AS(
      ButterworthLowpass(5, 60.0, 100.0),
      "Butterworth low-pass: got a cut-off of 60 Hz at a rate of 100 Hz; a cut-off "
      "above 0 and below half the rate is accepted",
      std::invalid_argument);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(18, 1);
  CHECK_THROWS_WITH_AS(ButterworthLowpass(5, 10.0, 100.0).ApplyZeroPhase(x),
                       "zero-phase filter of order 5: got 18 samples, more than its padding of 18 "
                       "are needed",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(FilterEdge(5, 0.0),
                       "Butterworth low-pass: got a cut-off of 0 Hz, above 0 is accepted",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
