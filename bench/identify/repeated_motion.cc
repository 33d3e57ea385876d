#include "bench/identify/repeated_motion.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "robots/recording/channels.h"
#include "robots/recording/processing.h"

namespace idbench {
namespace {

constexpr Eigen::Index kMostLookedAt = 400;
/// Part of the deviation of the fastest joint below which one stands still but for noise.
constexpr double kStill = 0.01;
constexpr auto kStates =
    std::to_array<std::string_view>({kJointPosition, kJointVelocity, kJointAcceleration});

std::vector<Dataset> Smoothed(std::span<const Dataset> recorded, double rate_hz, double cutoff_hz) {
  ProcessingOptions options;
  options.resample_rate_hz = rate_hz;
  options.differentiate = {std::string(kJointVelocity), std::string(kJointAcceleration)};
  options.lowpass.emplace().cutoff_hz = cutoff_hz;
  std::vector<Dataset> smoothed;
  for (const Dataset& segment : recorded) {
    Dataset positions = segment.WithoutChannels();
    positions.Add(segment.Get(kJointPosition));
    try {
      smoothed.push_back(Process(positions, options));
    } catch (const TooShortError&) {
      continue;  // others may be long enough
    }
  }
  return smoothed;
}

/// (q, q̇, q̈) of all samples, a column for each sample: 3n × N.
Eigen::MatrixXd StatesOf(std::span<const Dataset> recorded, double rate_hz, double cutoff_hz) {
  Eigen::MatrixXd states;
  for (const Dataset& segment : Smoothed(recorded, rate_hz, cutoff_hz)) {
    const Eigen::Index before = states.cols();
    const Eigen::Index joints = segment.Get(kJointPosition).samples.cols();
    const Eigen::Index count = segment.Get(kJointPosition).samples.rows();
    states.conservativeResize(joints * std::ssize(kStates), before + count);
    for (std::size_t k = 0; k < kStates.size(); ++k) {
      states.block(joints * static_cast<Eigen::Index>(k), before, joints, count) =
          segment.Get(kStates[k]).samples.transpose();
    }
  }
  return states;
}

bool IsAlike(const Eigen::VectorXd& state, const Eigen::MatrixXd& states) {
  for (Eigen::Index k = 0; k < states.cols(); ++k) {
    if (((states.col(k) - state).array().abs() <= kAlike).all()) return true;
  }
  return false;
}

}  // namespace

double RepeatedPart(std::span<const Dataset> fitted, std::span<const Dataset> held_out,
                    double rate_hz, double cutoff_hz) {
  Eigen::MatrixXd known = StatesOf(fitted, rate_hz, cutoff_hz);
  Eigen::MatrixXd judged = StatesOf(held_out, rate_hz, cutoff_hz);
  if (known.cols() == 0 || judged.cols() == 0) return 0.0;
  const Eigen::VectorXd mean = known.rowwise().mean();
  Eigen::ArrayXd scale =
      (known.colwise() - mean).rowwise().norm() / std::sqrt(static_cast<double>(known.cols()));
  const Eigen::Index joints = scale.size() / std::ssize(kStates);
  for (Eigen::Index kind = 0; kind < std::ssize(kStates); ++kind) {
    auto own = scale.segment(kind * joints, joints);
    if (own.maxCoeff() == 0.0) return 0.0;
    own = own.max(kStill * own.maxCoeff()).eval();
  }
  known.array().colwise() /= scale;
  judged.array().colwise() /= scale;
  const Eigen::Index step = (judged.cols() + kMostLookedAt - 1) / kMostLookedAt;
  Eigen::Index alike = 0, looked_at = 0;
  for (Eigen::Index k = 0; k < judged.cols(); k += step, ++looked_at) {
    if (IsAlike(judged.col(k), known)) ++alike;
  }
  return static_cast<double>(alike) / static_cast<double>(looked_at);
}

}  // namespace idbench
