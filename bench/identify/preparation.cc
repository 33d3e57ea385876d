#include "bench/identify/preparation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "reports/statistics/normal_law.h"
#include "robots/recording/data_window.h"
#include "robots/recording/filter.h"
#include "robots/recording/processing.h"
#include "robots/recording/resample.h"

namespace idbench {

double FourDigits(double value) {
  const double per_unit = std::pow(10.0, 3.0 - std::floor(std::log10(value)));
  return std::round(value * per_unit) / per_unit;
}

namespace {

constexpr double kUniform = 0.01;    // as Process() takes it
constexpr double kFastestHz = 30.0;  // velocities behind it suit Coulomb columns
constexpr double kRatePerCutoff = 5.0;

/// The rate without digits that the stamps do not tell: whole where it is within 0.5 % of a whole
/// number, else four digits.
double Rounded(double rate_hz) {
  constexpr double kNear = 0.005;
  const double whole = std::round(rate_hz);
  if (whole >= 1.0 && std::abs(rate_hz - whole) <= kNear * whole) return whole;
  return FourDigits(rate_hz);
}

bool SharesTime(const Dataset& dataset) {
  const Eigen::VectorXd& time = dataset.channels().front().time_s;
  return std::ranges::all_of(dataset.channels(), [&time](const Channel& channel) {
    return LargestJitter(channel.time_s) <= kUniform && IsSameTime(channel.time_s, time);
  });
}

/// Joint positions of a segment, on uniform time.
PositionLog PositionsOf(const Dataset& segment, double rate_hz) {
  Dataset positions = segment.WithoutChannels();
  positions.Add(segment.Get(kJointPosition));
  ProcessingOptions uniform;
  uniform.resample_rate_hz = rate_hz;
  return {Process(positions, uniform).Get(kJointPosition).samples, rate_hz};
}

/// Speeds behind a low-pass [rad/s or m/s], (N−1) × n; nothing of a log that is too short for it.
Eigen::MatrixXd SpeedsBehind(const PositionLog& log, double cutoff_hz) {
  constexpr int kOrder = 5;
  const ButterworthLowpass lowpass(kOrder, std::min(cutoff_hz, 0.45 * log.rate_hz), log.rate_hz);
  const Eigen::Index steps = log.q.rows() - 1;
  if (log.q.rows() <= lowpass.default_padding()) return {};
  Eigen::MatrixXd q = log.q;
  lowpass.ApplyZeroPhase(q);
  return log.rate_hz * (q.bottomRows(steps) - q.topRows(steps));
}

/// Root mean square speed of the joint that is the fastest one, behind a low-pass: differences of
/// noisy positions would be faster than any joint.
double SpeedOf(const std::vector<PositionLog>& logs, double cutoff_hz) {
  double fastest = 0.0;
  for (const PositionLog& log : logs) {
    const Eigen::MatrixXd speeds = SpeedsBehind(log, cutoff_hz);
    if (speeds.size() == 0) continue;
    fastest = std::max(fastest, std::sqrt(speeds.colwise().squaredNorm().maxCoeff() /
                                          static_cast<double>(speeds.rows())));
  }
  return fastest;
}

/// Standard deviation of the noise of speeds behind a low-pass, of the noisiest joint: of what lies
/// above twice the motion's band, by its median, which the corners of a motion do not move.
double SpeedNoiseOf(const std::vector<PositionLog>& logs, double band_hz, double cutoff_hz) {
  double noisiest = 0.0;
  for (const PositionLog& log : logs) {
    Eigen::MatrixXd noise = SpeedsBehind(log, cutoff_hz);
    const Eigen::MatrixXd motion = SpeedsBehind(log, std::min(2.0 * band_hz, 0.5 * cutoff_hz));
    if (noise.size() == 0 || motion.size() == 0) continue;
    noise = (noise - motion).cwiseAbs();
    for (auto joint : noise.colwise()) {
      const auto middle = joint.begin() + joint.size() / 2;
      std::nth_element(joint.begin(), middle, joint.end());
      noisiest = std::max(noisiest, kSigmaPerMedian * *middle);
    }
  }
  return noisiest;
}

/// Standard deviation of each joint's torque over all samples, about its mean in all of them.
Eigen::VectorXd TorqueSpread(const std::vector<Dataset>& segments) {
  const Eigen::Index joints = segments.front().Get(kJointTorque).samples.cols();
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(joints), squares = mean;
  Eigen::Index rows = 0;
  for (const Dataset& segment : segments) {
    const Eigen::MatrixXd& tau = segment.Get(kJointTorque).samples;
    mean += tau.colwise().sum().transpose();
    rows += tau.rows();
  }
  mean /= static_cast<double>(rows);
  for (const Dataset& segment : segments) {
    const Eigen::MatrixXd& tau = segment.Get(kJointTorque).samples;
    squares += (tau.rowwise() - mean.transpose()).colwise().squaredNorm().transpose();
  }
  return (squares / static_cast<double>(rows)).cwiseSqrt();
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
  std::erase_if(cutoffs, [lowest](double each) { return each > kFastestHz && each > lowest; });
  return cutoffs;
}

/// Coulomb widths; none is below three deviations of the noise, except wide ones.
std::vector<double> WidthsFor(double speed, double noise) {
  constexpr double kDeviations = 3.0, kWide = 0.03, kWidest = 0.1, kNoNoise = 1e-9;
  const double least =
      noise > kNoNoise * speed ? std::min(kDeviations * noise, kWide * speed) : 0.0;
  std::vector<double> widths;
  for (const double share : {0.0, 0.003, 0.01, kWide, kWidest}) {
    const double width = std::max(share * speed, least);
    const double rounded = width > 0.0 ? FourDigits(width) : 0.0;
    if (widths.empty() || rounded > widths.back()) widths.push_back(rounded);
  }
  return widths;
}

}  // namespace

double FittedUntil(const LabLogs& logs) { return logs.validation.empty() ? kHeldOutFrom : 1.0; }

namespace {

/// What was recorded in the fitted time of all logs. Says what was left out of any log.
std::vector<Dataset> FittedSegments(const LabLogs& logs, std::vector<std::string>& sentences) {
  std::vector<Dataset> segments;
  const auto read = [&](const RecordingFiles& files, const char* label, Role role) {
    Recording recording = ReadLab(logs, files, label, role);
    const std::string name = files.names().front();
    for (const std::string& dropped : recording.dropped) {
      sentences.push_back(fmt::format("{}: dropped: {}", name, dropped));
    }
    for (const TimeBreak& each : recording.breaks) {
      sentences.push_back(fmt::format("{}: {}; nothing is filtered or differentiated across it",
                                      name, each.Describe()));
    }
    return recording.segments;
  };
  const DataWindowOptions window{.until_fraction = FittedUntil(logs)};
  for (const RecordingFiles& files : logs.identification) {
    const auto all = read(files, "identification", Role::kIdentification);
    std::ranges::move(CutOut(all, SpanOf(all, window)), std::back_inserter(segments));
  }
  for (const RecordingFiles& files : logs.validation) read(files, "validation", Role::kValidation);
  return segments;
}

/// Rate and uniformity of the segments' channels.
void LookAtTime(const std::vector<Dataset>& segments, MotionFacts& facts) {
  for (const Dataset& segment : segments) {
    for (const Channel& channel : segment.channels()) {
      facts.rate_hz = std::max(facts.rate_hz, NominalRate(channel.time_s));
    }
    facts.uniform = facts.uniform && SharesTime(segment);
  }
  facts.rate_hz = Rounded(facts.rate_hz);
}

}  // namespace

MotionFacts LookAtMotion(const LabLogs& logs) {
  MotionFacts facts;
  const std::vector<Dataset> segments = FittedSegments(logs, facts.sentences);
  LookAtTime(segments, facts);
  std::vector<PositionLog> positions;
  for (const Dataset& segment : segments) {
    positions.push_back(PositionsOf(segment, facts.rate_hz));
  }
  try {
    facts.band = FindMotionBand(positions);
  } catch (const std::invalid_argument& error) {
    throw ConfigError(logs.identification.front().names().front(), "", error.what(),
                      {"identification needs a log of some seconds in which the joints move"});
  }
  facts.speed_rad_s = SpeedOf(positions, facts.band.cutoff_hz);
  facts.stribeck_velocity_rad_s = FourDigits(0.1 * facts.speed_rad_s);
  facts.cutoffs_hz = CutoffsFor(facts.band, facts.rate_hz);
  facts.score_cutoff_hz = facts.band.cutoff_hz;
  facts.torque_spread = TorqueSpread(segments);
  facts.coulomb_widths_rad_s = WidthsFor(
      facts.speed_rad_s,
      SpeedNoiseOf(positions, facts.band.frequency_hz, std::ranges::max(facts.cutoffs_hz)));
  facts.sentences.push_back(fmt::format(
      "rate {:g} Hz{}; the motion's band ends at {:.3g} Hz{}; cut-offs to choose from: {} Hz",
      facts.rate_hz, facts.uniform ? "" : ", to which all channels are resampled",
      facts.band.frequency_hz,
      facts.band.steady ? "" : " or above: noise of the positions reaches into it",
      fmt::join(facts.cutoffs_hz, ", ")));
  return facts;
}

}  // namespace idbench
