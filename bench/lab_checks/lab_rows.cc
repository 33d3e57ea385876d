#include "bench/lab_checks/lab_rows.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "robots/recording/channels.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// Time to either side of a reversal over which a low-pass spreads the jump of Coulomb friction, in
/// 1/cut-off: its step response settles within half a period.
constexpr double kReversalPeriods = 0.5;
/// The same where nothing was filtered [s].
constexpr double kReversalTime = 0.01;

Eigen::MatrixXd Columns(const Eigen::MatrixXd& columns, const DataChange& change) {
  Eigen::MatrixXd read(columns.rows(), columns.cols());
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    const int c = change.position_of[static_cast<std::size_t>(j)];
    read.col(j) = change.position_scale[c] * columns.col(c);
  }
  return read;
}

/// Samples at either end that no delay looks beyond.
Eigen::Index Margin(const Channel& channel) {
  return static_cast<Eigen::Index>(std::ceil(LabRows::kLongestDelay * NominalRate(channel.time_s)) +
                                   1);
}

/// Samples that delays do not look beyond.
Eigen::Index SamplesIn(std::span<const Dataset> processed) {
  Eigen::Index samples = 0;
  for (const Dataset& segment : processed) {
    const Channel& q = segment.Get(kJointPosition);
    if (q.time_s.size() > 2) samples += std::max<Eigen::Index>(0, q.time_s.size() - 2 * Margin(q));
  }
  return samples;
}

}  // namespace

bool LabRows::CanHold(std::span<const Dataset> processed) {
  constexpr Eigen::Index kOfBlock = 12;
  return SamplesIn(processed) >= kOfBlock * kBlocks;
}

LabRows::LabRows(std::span<const Dataset> processed, Eigen::Index samples) : processed_(processed) {
  const Eigen::Index step = std::max<Eigen::Index>(1, SamplesIn(processed) / samples);
  for (Eigen::Index s = 0; s < std::ssize(processed); ++s) {
    const Channel& q = processed[static_cast<std::size_t>(s)].Get(kJointPosition);
    if (q.time_s.size() <= 2) continue;
    for (Eigen::Index i = Margin(q); i < q.time_s.size() - Margin(q); i += step) {
      picked_.push_back({s, i});
    }
  }
  const auto count = std::ssize(picked_);
  if (count < 2 * kBlocks) throw std::invalid_argument("LabRows: the log is too short");
  const Eigen::Index n = processed.front().Get(kJointPosition).samples.cols();
  time_s_.resize(count);
  q_.resize(count, n);
  qd_.resize(count, n);
  qdd_.resize(count, n);
  steady_sign_.setOnes(count, n);
  Eigen::Index first = 0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto& [s, i] = picked_[static_cast<std::size_t>(k)];
    const Dataset& segment = processed[static_cast<std::size_t>(s)];
    time_s_[k] = segment.Get(kJointPosition).time_s[i];
    q_.row(k) = segment.Get(kJointPosition).samples.row(i);
    qd_.row(k) = segment.Get(kJointVelocity).samples.row(i);
    qdd_.row(k) = segment.Get(kJointAcceleration).samples.row(i);
    if (k + 1 == count || picked_[static_cast<std::size_t>(k + 1)].segment != s) {
      MarkSteadySigns(segment, first, k + 1);
      first = k + 1;
    }
  }
}

void LabRows::MarkSteadySigns(const Dataset& segment, Eigen::Index first, Eigen::Index last) {
  const Channel& qd = segment.Get(kJointVelocity);
  const double time =
      segment.lowpass_cutoff_hz ? kReversalPeriods / *segment.lowpass_cutoff_hz : kReversalTime;
  const auto reach = static_cast<Eigen::Index>(std::ceil(time * NominalRate(qd.time_s)));
  const Eigen::Index samples = qd.time_s.size();
  for (Eigen::Index j = 0; j < qd.samples.cols(); ++j) {
    for (Eigen::Index i = 0; i + 1 < samples; ++i) {
      if (qd.samples(i, j) * qd.samples(i + 1, j) > 0.0) continue;
      auto at = std::ranges::lower_bound(picked_.begin() + first, picked_.begin() + last, i - reach,
                                         {}, &Picked::sample);
      for (; at != picked_.begin() + last && at->sample <= i + reach + 1; ++at) {
        steady_sign_(at - picked_.begin(), j) = 0.0;
      }
    }
  }
}

Eigen::MatrixXd LabRows::Positions(const DataChange& change) const {
  Eigen::MatrixXd q = Columns(q_, change);
  q.rowwise() += change.position_offset.transpose();
  return q;
}

Eigen::MatrixXd LabRows::Velocities(const DataChange& change) const {
  return change.clock_speed * Columns(qd_, change);
}

Eigen::MatrixXd LabRows::Accelerations(const DataChange& change) const {
  return change.clock_speed * change.clock_speed * Columns(qdd_, change);
}

Eigen::MatrixXd LabRows::Torques(double delay_s) const {
  Eigen::MatrixXd torques(size(), joints());
  for (Eigen::Index k = 0; k < size(); ++k) {
    const auto& [s, i] = picked_[static_cast<std::size_t>(k)];
    const Channel& channel = processed_[static_cast<std::size_t>(s)].Get(kJointTorque);
    if (delay_s == 0.0) {
      torques.row(k) = channel.samples.row(i);
      continue;
    }
    // Catmull-Rom between the four neighbours: error O(h³) of a signal behind a low-pass.
    const double at = delay_s * NominalRate(channel.time_s);
    const double whole = std::floor(at);
    const double u = at - whole;
    const Eigen::Index b = i + static_cast<Eigen::Index>(whole);
    const auto row = [&](Eigen::Index r) {
      return channel.samples.row(std::clamp<Eigen::Index>(r, 0, channel.samples.rows() - 1));
    };
    const double u2 = u * u, u3 = u2 * u;
    torques.row(k) =
        0.5 * ((2.0 * u2 - u3 - u) * row(b - 1) + (3.0 * u3 - 5.0 * u2 + 2.0) * row(b) +
               (4.0 * u2 - 3.0 * u3 + u) * row(b + 1) + (u3 - u2) * row(b + 2));
  }
  return torques;
}

std::vector<int> NeverMoving(const Eigen::VectorXd& ranges) {
  std::vector<int> still;
  for (Eigen::Index j = 0; j < ranges.size(); ++j) {
    if (ranges[j] < kNeverMoves * ranges.maxCoeff()) still.push_back(static_cast<int>(j));
  }
  return still;
}

}  // namespace idbench
