#include "bench/identify/preparation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include "robots/recording/csv.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Writes positions and torques of planar2 at 200 Hz: sines of 0.5 Hz and amplitude 1, until
/// `until_s`, then of 4 Hz.
LabLogs LogsOf(const TemporaryFolder& folder, double duration_s, double until_s,
               double noise_rad = 0.0) {
  const auto rows = static_cast<Eigen::Index>(200.0 * duration_s);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd values(rows, 5);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double t = static_cast<double>(i) / 200.0;
    const double phase = 2.0 * std::numbers::pi * (t < until_s ? 0.5 * t : 4.0 * t);
    values.row(i) << t, std::sin(phase), std::cos(phase), std::sin(phase), std::cos(phase);
    for (Eigen::Index j = 1; j < 3; ++j) values(i, j) += noise_rad * normal(random);
  }
  std::ofstream stream(folder / "log.csv");
  WriteCsv(stream, {"t_s", "q1", "q2", "tau1", "tau2"}, values);
  stream.close();
  IdentifyOptions options;
  options.robot = "planar2";
  options.logs = {folder / "log.csv"};
  return ReadLabLogs(options);
}

TEST_CASE("Rate, band, cut-offs and widths are those of the motion") {
  const TemporaryFolder folder;
  const MotionFacts facts = LookAtMotion(LogsOf(folder, 40.0, 40.0));
  CHECK(facts.rate_hz == 200.0);
  CHECK(facts.uniform);
  CHECK(facts.band.frequency_hz > 0.5);
  CHECK(facts.band.frequency_hz < 1.0);
  REQUIRE(facts.cutoffs_hz.size() == 2);
  CHECK(facts.cutoffs_hz[0] == doctest::Approx(facts.band.cutoff_hz).epsilon(0.001));
  CHECK(facts.cutoffs_hz[1] == doctest::Approx(2.0 * facts.band.cutoff_hz).epsilon(0.001));
  // π/√2 rad/s, but for what a cut through the last period leaves.
  CHECK(facts.speed_rad_s == doctest::Approx(std::numbers::pi / std::sqrt(2.0)).epsilon(0.02));
  CHECK(facts.stribeck_velocity_rad_s == doctest::Approx(0.1 * facts.speed_rad_s).epsilon(0.001));
  REQUIRE(facts.coulomb_widths_rad_s.size() == 5);
  // Sines, over whole periods but for the end.
  CHECK(facts.torque_spread[0] == doctest::Approx(1.0 / std::sqrt(2.0)).epsilon(0.01));
  // Without noise, what the low-pass of the motion takes off the motion itself.
  CHECK(facts.coulomb_widths_rad_s[0] < 0.001 * facts.speed_rad_s);
  CHECK(facts.coulomb_widths_rad_s[2] == doctest::Approx(0.01 * facts.speed_rad_s).epsilon(0.001));
}

TEST_CASE("No Coulomb width is below three deviations of the velocities' noise") {
  const TemporaryFolder folder;
  const double sigma = 1e-3;
  const MotionFacts facts = LookAtMotion(LogsOf(folder, 40.0, 40.0, sigma));
  // White noise at 200 Hz, behind an ideal low-pass of cut-off f: σ·√(∫₀ᶠ (2πν)² dν / 100 Hz).
  const double cutoff_hz = std::ranges::max(facts.cutoffs_hz);
  const double noise = sigma * 2.0 * std::numbers::pi * std::sqrt(std::pow(cutoff_hz, 3) / 300.0);
  CHECK(facts.coulomb_widths_rad_s.front() == doctest::Approx(3.0 * noise).epsilon(0.15));
  CHECK(std::ranges::is_sorted(facts.coulomb_widths_rad_s));
  CHECK(facts.coulomb_widths_rad_s.back() ==
        doctest::Approx(0.1 * facts.speed_rad_s).epsilon(0.001));
}

TEST_CASE("What is held out decides nothing, unless other logs validate") {
  const TemporaryFolder folder;
  LabLogs logs = LogsOf(folder, 40.0, 28.5);
  CHECK(FittedUntil(logs) == kHeldOutFrom);
  CHECK(LookAtMotion(logs).band.frequency_hz < 1.0);
  logs.validation = logs.identification;
  CHECK(FittedUntil(logs) == 1.0);
  CHECK(LookAtMotion(logs).band.frequency_hz > 4.0);
}

TEST_CASE("A log without motion, or of an instant, is refused") {
  const TemporaryFolder folder;
  std::string text = "t_s,q1,q2,tau1,tau2\n";
  for (int row = 0; row < 1000; ++row) text += std::to_string(0.005 * row) + ",1,1,2,3\n";
  folder.Write("still.csv", text);
  IdentifyOptions options;
  options.robot = "planar2";
  options.logs = {folder / "still.csv"};
  CHECK_THROWS_AS(LookAtMotion(ReadLabLogs(options)), ConfigError);
  CHECK_THROWS_AS(LookAtMotion(LogsOf(folder, 0.5, 0.5)), ConfigError);
}

TEST_CASE("Gaps and rows that are dropped are told") {
  const TemporaryFolder folder;
  LabLogs logs = LogsOf(folder, 40.0, 40.0);
  CsvTable table = ReadCsv(folder / "log.csv");
  table.values.col(0).tail(7000).array() += 3.0;
  table.values(500, 0) = table.values(499, 0);
  std::ofstream stream(folder / "log.csv");
  WriteCsv(stream, table.columns, table.values);
  stream.close();
  const MotionFacts facts = LookAtMotion(logs);
  const auto tells = [&facts](const std::string& what) {
    for (const std::string& sentence : facts.sentences) {
      if (sentence.find(what) != std::string::npos) return true;
    }
    return false;
  };
  CHECK(tells("log.csv: dropped: 1 of 8000 rows"));
  CHECK(tells("a gap of 3"));
}

}  // namespace
}  // namespace idbench
