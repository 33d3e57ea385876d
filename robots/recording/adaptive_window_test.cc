#include "robots/recording/adaptive_window.h"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/recording/differentiate.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kCount = 9.6e-5;  // 182 counts per degree
constexpr AdaptiveWindow kLines{16, WindowPlace::kCentred}, kParabolas{25, WindowPlace::kCentred};

Eigen::VectorXd Band(double band) { return Eigen::VectorXd::Constant(1, band); }

/// N stamps of step h (1 ± 0.3).
Eigen::VectorXd JitteredStamps(Eigen::Index size, double h) {
  Eigen::VectorXd t(size);
  t[0] = 5.0;
  for (Eigen::Index i = 1; i < size; ++i) {
    t[i] = t[i - 1] + h * (1.0 + 0.3 * std::sin(2.3 * static_cast<double>(i)));
  }
  return t;
}

Eigen::VectorXd Uniform(Eigen::Index size, double h) {
  return Eigen::VectorXd::LinSpaced(size, 0.0, static_cast<double>(size - 1) * h);
}

Eigen::VectorXd Quantised(const Eigen::VectorXd& x) {
  return (x.array() / kCount).round() * kCount;
}

TEST_CASE("Lines have their slope and parabolas their second derivative, ends included") {
  for (const WindowPlace place : {WindowPlace::kCentred, WindowPlace::kEnding}) {
    for (const Eigen::VectorXd& t : {JitteredStamps(60, 0.01), Uniform(60, 0.01)}) {
      const Eigen::MatrixXd line = (2.0 - 3.0 * t.array()).matrix();
      const Eigen::MatrixXd parabola = (1.0 + t.array() - 0.7 * t.array().square()).matrix();
      // Rounding of x, up to 15, over a step or its square.
      CHECK((DifferentiateAdaptively(t, line, 1, Band(kCount), {16, place}).array() + 3.0)
                .abs()
                .maxCoeff() < 1e-12);
      CHECK((DifferentiateAdaptively(t, parabola, 2, Band(kCount), {25, place}).array() + 1.4)
                .abs()
                .maxCoeff() < 1e-9);
    }
  }
}

TEST_CASE("A constant has derivatives of exactly zero") {
  const Eigen::MatrixXd x = Eigen::MatrixXd::Constant(40, 1, 1e6 / 3.0);
  CHECK(DifferentiateAdaptively(JitteredStamps(40, 0.001), x, 1, Band(1.0), kLines).isZero(0.0));
  CHECK(
      DifferentiateAdaptively(JitteredStamps(40, 0.001), x, 2, Band(1.0), kParabolas).isZero(0.0));
}

TEST_CASE("Where nothing fits the smallest windows are central differences") {
  const Eigen::VectorXd t = JitteredStamps(30, 0.01);
  const Eigen::MatrixXd x = (40.0 * t.array()).sin().matrix();
  const Eigen::MatrixXd second = DifferentiateAdaptively(t, x, 2, Band(1e-12), kParabolas);
  // Both are the parabola through three samples; rounding of 1 over h².
  CHECK((second - Differentiate(t, x, 2)).cwiseAbs().maxCoeff() < 1e-10);
  const Eigen::VectorXd even = Uniform(30, 0.01);
  const Eigen::MatrixXd first = DifferentiateAdaptively(even, x, 1, Band(1e-12), kLines);
  CHECK((first - Differentiate(even, x, 1)).middleRows(1, 28).cwiseAbs().maxCoeff() < 1e-12);
}

/// The norm of the weights of the middle sample's window, as the response to unit impulses.
double NoiseOf(int derivative, const AdaptiveWindow& window) {
  const Eigen::VectorXd t = Uniform(101, 0.01);
  const Eigen::MatrixXd impulses = Eigen::MatrixXd::Identity(101, 101);
  const Eigen::VectorXd wide = Eigen::VectorXd::Constant(101, 10.0);
  return DifferentiateAdaptively(t, impulses, derivative, wide, window).row(50).norm();
}

TEST_CASE("What is left of a quantisation error is as stated, of the largest windows") {
  const auto of_line = [](double n) { return std::sqrt(12.0 / (n * n * n - n)) / 0.01; };
  const auto of_parabola = [](double n) {
    return std::sqrt(12.0) * std::sqrt(60.0 / (n * (n * n - 1.0) * (n * n - 4.0))) / 1e-4;
  };
  // An error of ±c/2 has σ = c/√12. A centred window of at most 16 samples has 15.
  CHECK(NoiseOf(1, {16, WindowPlace::kCentred}) == doctest::Approx(of_line(15)).epsilon(1e-9));
  CHECK(NoiseOf(1, {16, WindowPlace::kEnding}) == doctest::Approx(of_line(16)).epsilon(1e-9));
  CHECK(NoiseOf(2, {25, WindowPlace::kCentred}) == doctest::Approx(of_parabola(25)).epsilon(1e-9));
  CHECK(NoiseOf(2, {25, WindowPlace::kEnding}) == doctest::Approx(of_parabola(25)).epsilon(1e-9));
  CHECK(AdaptiveWindow{16, WindowPlace::kCentred}.reach() == 7);
  CHECK(AdaptiveWindow{16, WindowPlace::kEnding}.reach() == 15);
}

/// A fit by QR, in powers of time.
struct Oracle {
  double derivative = 0.0;
  double largest = 0.0;  ///< Residual.
};
Oracle FitByQr(const Eigen::VectorXd& t, const Eigen::VectorXd& x, int degree, Eigen::Index first,
               Eigen::Index last) {
  const Eigen::Index n = last - first + 1;
  const double h = t[last] - t[first];
  const Eigen::ArrayXd u = (t.segment(first, n).array() - t[first]) / h;
  Eigen::MatrixXd A(n, degree + 1);
  for (int k = 0; k <= degree; ++k) A.col(k) = u.pow(k);
  const Eigen::VectorXd y = x.segment(first, n).array() - x[first];
  const Eigen::VectorXd c = A.householderQr().solve(y);
  return {degree == 1 ? c[1] / h : 2.0 * c[2] / (h * h), (A * c - y).lpNorm<Eigen::Infinity>()};
}

TEST_CASE("The window is the largest that fits, by one sample more than the one before at most") {
  // At rest first, then ever faster, in steps, on jittered stamps.
  const Eigen::VectorXd t = JitteredStamps(900, 0.01);
  const Eigen::VectorXd x = Quantised((0.3 * (0.35 * (t.array() - t[0]).square()).sin()).matrix());
  for (const WindowPlace place : {WindowPlace::kCentred, WindowPlace::kEnding}) {
    for (const int derivative : {1, 2}) {
      const AdaptiveWindow window{derivative == 1 ? 16 : 25, place};
      const double band = (derivative == 1 ? 1.5 : 3.0) * kCount;
      const Eigen::VectorXd found = DifferentiateAdaptively(t, x, derivative, Band(band), window);
      const bool centred = place == WindowPlace::kCentred;
      const Eigen::Index least = centred ? 1 : derivative, size = t.size();
      Eigen::Index reach = window.reach();
      std::vector<Eigen::Index> reaches;
      for (Eigen::Index i = 0; i < size; ++i) {
        reach = std::min<Eigen::Index>(reach + 1, window.reach());
        Oracle oracle;
        for (;; --reach) {
          Eigen::Index first = std::max<Eigen::Index>(i - reach, 0);
          Eigen::Index last = centred ? std::min(i + reach, size - 1) : i;
          while (last - first < (centred ? 2 : derivative)) first == 0 ? ++last : --first;
          oracle = FitByQr(t, x, derivative, first, last);
          if (reach <= least || oracle.largest <= band * (1.0 + 1e-9)) break;
        }
        // Rounding of x, 1e-16 of 0.3, over steps of 0.007 s, or their square, twice over.
        CHECK(std::abs(found[i] - oracle.derivative) < (derivative == 1 ? 1e-12 : 1e-9));
        reaches.push_back(reach);
      }
      // The motion asks for small windows and for large ones.
      CHECK(std::ranges::min(reaches) <= (derivative == 1 ? 2 : 8));
      CHECK(std::ranges::max(reaches) == window.reach());
    }
  }
}

double Rms(const Eigen::VectorXd& error) { return std::sqrt(error.cwiseAbs2().mean()); }

TEST_CASE("Of a slow quantised sine the errors are far below those of central differences") {
  const Eigen::VectorXd t = Uniform(1000, 0.01);
  for (const double hz : {0.05, 0.1, 0.2}) {
    CAPTURE(hz);
    const double w = 2.0 * std::numbers::pi * hz;
    const Eigen::MatrixXd x = Quantised((0.3 * (w * t.array()).sin()).matrix());
    const Eigen::VectorXd qd = 0.3 * w * (w * t.array()).cos();
    const Eigen::VectorXd qdd = -0.3 * w * w * (w * t.array()).sin();
    const Eigen::VectorXd first = DifferentiateAdaptively(t, x, 1, Band(1.5 * kCount), kLines);
    const Eigen::VectorXd second = DifferentiateAdaptively(t, x, 2, Band(3.0 * kCount), kParabolas);
    const double central = Rms(Differentiate(t, x, 1) - qd);
    // c/√12/(√2·h) = 2.0 mrad/s; windows of 5 samples and more have less than the half.
    CHECK(central > 1.5e-3);
    CHECK(Rms(first - qd) < 0.5 * central);
    // √6·c/√12/h² = 0.68 rad/s²; windows of 13 samples have 0.02 of it.
    CHECK(Rms(second - qdd) < 0.1 * Rms(Differentiate(t, x, 2) - qdd));
  }
}

TEST_CASE("Of a fast sine windows are short, where differences as wide as the largest are wrong") {
  const Eigen::VectorXd t = Uniform(1000, 0.01);
  const double w = 2.0 * std::numbers::pi * 3.0;
  const Eigen::MatrixXd x = Quantised((0.3 * (w * t.array()).sin()).matrix());
  const Eigen::VectorXd qd = 0.3 * w * (w * t.array()).cos();
  const Eigen::VectorXd qdd = -0.3 * w * w * (w * t.array()).sin();
  const Eigen::VectorXd first = DifferentiateAdaptively(t, x, 1, Band(1.5 * kCount), kLines);
  const Eigen::VectorXd second = DifferentiateAdaptively(t, x, 2, Band(3.0 * kCount), kParabolas);
  // (wh·7)²/6 and (wh·12)²/12 of the amplitude, 29 % and 43 %; of 3 samples it is 0.6 % and 0.3 %.
  CHECK(Rms(first - qd) < 0.1 * Rms(Differentiate(t, x, 1, 7) - qd));
  CHECK(Rms(second - qdd) < 0.1 * Rms(Differentiate(t, x, 2, 12) - qdd));
}

TEST_CASE("A window that ends is the centred one, later") {
  const Eigen::VectorXd t = JitteredStamps(200, 0.01);
  const Eigen::MatrixXd x = (3.0 * t.array()).sin().matrix();
  for (const int derivative : {1, 2}) {
    const auto of = [&](WindowPlace place) -> Eigen::VectorXd {
      return DifferentiateAdaptively(t, x, derivative, Band(10.0), {15, place});
    };
    const Eigen::VectorXd centred = of(WindowPlace::kCentred), ending = of(WindowPlace::kEnding);
    CHECK(ending.tail(186) == centred.segment(7, 186));
  }
}

TEST_CASE("Each signal has its own band and windows") {
  const Eigen::VectorXd t = Uniform(300, 0.01);
  Eigen::MatrixXd x(300, 2);
  x.col(0) = Quantised((0.3 * t.array()).sin().matrix());
  x.col(1) = 100.0 * x.col(0);
  const Eigen::MatrixXd both =
      DifferentiateAdaptively(t, x, 1, 1.5 * kCount * Eigen::Vector2d(1.0, 100.0), kLines);
  CHECK(both.col(0) == DifferentiateAdaptively(t, x.col(0), 1, Band(1.5 * kCount), kLines));
  CHECK((both.col(1) - 100.0 * both.col(0)).cwiseAbs().maxCoeff() < 1e-10);
}

TEST_CASE("What cannot be differentiated adaptively is refused") {
  const auto refused = [](const Eigen::VectorXd& t, Eigen::Index rows, int derivative,
                          const Eigen::VectorXd& band, int most) {
    try {
      DifferentiateAdaptively(t, Eigen::MatrixXd::Zero(rows, 1), derivative, band,
                              {most, WindowPlace::kCentred});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Eigen::VectorXd t = Uniform(4, 0.1);
  CHECK(refused(t, 4, 3, Band(1.0), 16) ==
        "DifferentiateAdaptively: got derivative 3, 1 or 2 is accepted");
  CHECK(refused(t, 4, 1, Band(1.0), 2) ==
        "DifferentiateAdaptively: got windows of 2 samples, at least 3 are accepted");
  const std::string bands = "expected a positive one for each";
  CHECK(refused(t, 4, 1, Eigen::Vector2d(1.0, 1.0), 16) ==
        "DifferentiateAdaptively: got 2 bands for 1 signals, " + bands);
  CHECK(refused(t, 4, 1, Band(0.0), 16) ==
        "DifferentiateAdaptively: got 1 bands for 1 signals, " + bands);
  CHECK(refused(t, 5, 1, Band(1.0), 16) == "DifferentiateAdaptively: 4 time stamps for 5 samples");
  CHECK(refused(Uniform(2, 0.1), 2, 1, Band(1.0), 16) ==
        "DifferentiateAdaptively: got 2 samples, at least 3 are needed");
  CHECK(refused(Eigen::Vector4d(0.0, 1.0, 1.0, 2.0), 4, 1, Band(1.0), 16) ==
        "DifferentiateAdaptively: time does not increase at sample 2");
  CHECK(refused(Uniform(3, 0.1), 3, 2, Band(1.0), 3).empty());
}

TEST_CASE("The options of adaptive windows need the step of the encoder, and say the rest") {
  AdaptiveWindowOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), ParseJson("{}", "test"), "", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/count_rad");
  issues.clear();
  ReadFields(Visit(options),
             ParseJson(R"({"count_rad": [1e-4, 2e-4], "velocity_samples": 2, "window": "ending"})",
                       "test"),
             "", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/velocity_samples");
  CHECK(BandOf(options, 1, 2).isApprox(Eigen::Vector2d(1.5e-4, 3e-4), 1e-15));
  CHECK(BandOf(options, 2, 2).isApprox(Eigen::Vector2d(3e-4, 6e-4), 1e-15));
  CHECK(WindowOf(options, 2).reach() == 24);
}

}  // namespace
}  // namespace idbench
