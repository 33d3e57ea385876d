#include "bench/identify/preparation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "robots/dynamics/actuation.h"
#include "robots/recording/differentiate.h"
#include "robots/recording/processing.h"
#include "robots/recording/resample.h"
#include "robots/recording/transmission.h"

namespace idbench {
namespace {

constexpr double kUniform = 0.01;     // as Process() takes it
constexpr double kFastest_hz = 30.0;  // velocities behind it suit Coulomb columns
constexpr double kRatePerCutoff = 5.0;

/// The rate without digits that the stamps do not tell: whole where it is within 0.5 % of a whole
/// number, else four digits.
double Rounded(double rate_hz) {
  constexpr double kNear = 0.005;
  const double whole = std::round(rate_hz);
  if (whole >= 1.0 && std::abs(rate_hz - whole) <= kNear * whole) return whole;
  const double unit = std::pow(10.0, std::floor(std::log10(rate_hz)) - 3.0);
  return unit * std::round(rate_hz / unit);
}

bool SharesTime(const Dataset& dataset) {
  const Eigen::VectorXd& time = dataset.channels().front().time_s;
  return std::ranges::all_of(dataset.channels(), [&time](const Channel& channel) {
    return LargestJitter(channel.time_s) <= kUniform && IsSameTime(channel.time_s, time);
  });
}

/// Joint positions of a segment, on uniform time.
PositionLog PositionsOf(const Dataset& segment, const RobotModel& model, double rate_hz) {
  Dataset positions = segment.WithoutChannels();
  const bool of_motors = segment.Find(kJointPosition) == nullptr;
  positions.Add(segment.Get(of_motors ? kMotorPosition : kJointPosition));
  if (of_motors) {
    const Actuation& actuation = model.actuation();
    positions = ThroughTransmission(positions, {actuation.B.transpose(), actuation.zero});
  }
  ProcessingOptions uniform;
  uniform.resample_rate_hz = rate_hz;
  return {Process(positions, uniform).Get(kJointPosition).samples, rate_hz};
}

/// Root mean square speed of the joint that is the fastest one.
double SpeedOf(const std::vector<PositionLog>& logs) {
  double fastest = 0.0;
  for (const PositionLog& log : logs) {
    const Eigen::Index steps = log.q.rows() - 1;
    if (steps < 1) continue;
    const Eigen::MatrixXd rates = log.rate_hz * (log.q.bottomRows(steps) - log.q.topRows(steps));
    fastest = std::max(
        fastest, std::sqrt(rates.colwise().squaredNorm().maxCoeff() / static_cast<double>(steps)));
  }
  return fastest;
}

std::vector<double> CutoffsFor(const MotionBand& band, double rate_hz) {
  const double highest = rate_hz / kRatePerCutoff;
  std::vector<double> cutoffs;
  for (const double factor : {1.0, 2.0}) {
    const double cutoff = std::min(factor * band.cutoff_hz, highest);
    constexpr double kDigits = 100.0;
    const double rounded = std::round(kDigits * cutoff) / kDigits;
    if (std::ranges::find(cutoffs, rounded) == cutoffs.end()) cutoffs.push_back(rounded);
  }
  const double lowest = *std::ranges::min_element(cutoffs);
  std::erase_if(cutoffs, [lowest](double each) { return each > kFastest_hz && each > lowest; });
  return cutoffs;
}

}  // namespace

MotionFacts LookAtMotion(const LabLogs& logs) {
  MotionFacts facts;
  std::vector<Dataset> segments;
  for (const RecordingFiles& files : logs.identification) {
    Recording recording = ReadLab(logs, files, "identification", Role::kIdentification);
    std::ranges::move(recording.segments, std::back_inserter(segments));
  }
  for (const Dataset& segment : segments) {
    const Channel* position = segment.Find(kJointPosition);
    if (position == nullptr) position = &segment.Get(kMotorPosition);
    facts.rate_hz = std::max(facts.rate_hz, NominalRate(position->time_s));
    facts.uniform = facts.uniform && SharesTime(segment);
  }
  facts.rate_hz = Rounded(facts.rate_hz);
  std::vector<PositionLog> positions;
  for (const Dataset& segment : segments) {
    positions.push_back(PositionsOf(segment, logs.robot.model, facts.rate_hz));
  }
  try {
    facts.band = FindMotionBand(positions);
  } catch (const std::invalid_argument& error) {
    throw ConfigError(logs.identification.front().names().front(), "", error.what(),
                      {"identification needs a log of some seconds in which the joints move"});
  }
  facts.speed_rad_s = SpeedOf(positions);
  facts.stribeck_velocity_rad_s = Rounded(0.1 * facts.speed_rad_s);
  facts.cutoffs_hz = CutoffsFor(facts.band, facts.rate_hz);
  facts.score_cutoff_hz = facts.band.cutoff_hz;
  for (const double share : {0.0, 0.003, 0.01, 0.03}) {
    const double width = share * facts.speed_rad_s;
    facts.coulomb_widths_rad_s.push_back(std::round(1e5 * width) / 1e5);
  }
  facts.sentences.push_back(fmt::format(
      "rate {:g} Hz{}; the motion's band ends at {:.3g} Hz{}; cut-offs to choose from: {} Hz",
      facts.rate_hz, facts.uniform ? "" : ", to which all channels are resampled",
      facts.band.frequency_hz,
      facts.band.steady ? "" : " or above: noise of the positions reaches into it",
      fmt::join(facts.cutoffs_hz, ", ")));
  return facts;
}

}  // namespace idbench
