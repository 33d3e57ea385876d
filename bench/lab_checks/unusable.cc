#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "bench/lab_checks/lab_context.h"

namespace idbench {
namespace {

/// A jump is this many times as far as all but one step in 20 lead, of those that lead anywhere,
/// and this part of the range.
constexpr double kFast = 8.0;
constexpr double kUsualSteps = 0.95;
constexpr double kLeastJump = 0.05;
/// A spike is this many times as far from its neighbours as all but one sample in 20, this part of
/// the middle 95 % of the torques, and its neighbours differ by less than this part of it: where
/// friction turns its sign, torques stay.
constexpr double kSpike = 10.0;
constexpr double kLeastSpike = 0.3;
constexpr double kAlike = 0.25;
/// Part of a jump by which the steps beside it differ from it: those of the shortest motion that
/// three samples see, 1 : 3 : 1, differ by two thirds.
constexpr double kAlone = 0.7;
/// Part of a turn by which the jumps of an angle that is wrapped differ from it.
constexpr double kNearTurn = 0.1;

bool IsDead(const LabLog& log, Eigen::Index joint) {
  std::optional<double> first;
  for (const Dataset& segment : log.recorded) {
    const auto torque = segment.Get(kJointTorque).samples.col(joint);
    if (torque.size() == 0) continue;
    if (!first) first = torque[0];
    if ((torque.array() != *first).any()) return false;
  }
  return first.has_value();
}

/// Value that a part of all surpass, 1 − `part`. Orders the values.
double Quantile(std::vector<double>& values, double part) {
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

struct Spikes {
  int count = 0;
  double first_s = 0.0, largest = 0.0, usual = 0.0;
};

/// Single samples of a joint's torque that are far from both of their neighbours.
Spikes SpikesOf(const LabLog& log, Eigen::Index joint) {
  struct Sample {
    double at_s, off, apart;  ///< From the mean of its neighbours, and these from each other.
  };
  std::vector<Sample> samples;
  std::vector<double> offs, values;
  for (const Dataset& segment : log.recorded) {
    const Channel& torque = segment.Get(kJointTorque);
    const auto tau = torque.samples.col(joint);
    for (Eigen::Index i = 1; i + 1 < tau.size(); ++i) {
      samples.push_back({torque.time_s[i], std::abs(tau[i] - 0.5 * (tau[i - 1] + tau[i + 1])),
                         std::abs(tau[i + 1] - tau[i - 1])});
      values.push_back(tau[i]);
      if (samples.back().off > 0.0) offs.push_back(samples.back().off);
    }
  }
  Spikes spikes;
  if (offs.empty()) return spikes;
  spikes.usual = Quantile(offs, kUsualSteps);
  const double middle = Quantile(values, 0.975) - Quantile(values, 0.025);
  const double least = std::max(kSpike * spikes.usual, kLeastSpike * middle);
  for (const Sample& sample : samples) {
    if (sample.off <= least || sample.apart > kAlike * sample.off) continue;
    if (spikes.count++ == 0) spikes.first_s = sample.at_s;
    spikes.largest = std::max(spikes.largest, sample.off);
  }
  return spikes;
}

struct Jumps {
  int count = 0;
  double first_s = 0.0, largest = 0.0;
  double usual = 0.0;  ///< Step that few steps surpass.
  bool turns = true;   ///< All of them are about a turn.
};

/// Steps of a joint's position from sample to sample; those over missing samples in proportion.
Eigen::VectorXd StepsPerSample(const Channel& q, Eigen::Index joint) {
  const Eigen::Index count = q.time_s.size() - 1;
  const double step_s = (q.time_s[count] - q.time_s[0]) / static_cast<double>(count);
  const Eigen::ArrayXd samples = (q.time_s.tail(count) - q.time_s.head(count)).array() / step_s;
  const auto position = q.samples.col(joint);
  return (position.tail(count) - position.head(count)).array() / samples.max(1.0);
}

Jumps JumpsOf(const LabLog& log, Eigen::Index joint) {
  struct Step {
    double at_s, size;
    bool alone;  ///< The steps before and behind it are others: no motion is so.
  };
  std::vector<Step> steps;
  std::vector<double> sizes;
  double low = 1e300, high = -1e300;
  for (const Dataset& segment : log.recorded) {
    const Channel& q = segment.Get(kJointPosition);
    if (q.time_s.size() < 2) continue;
    low = std::min(low, q.samples.col(joint).minCoeff());
    high = std::max(high, q.samples.col(joint).maxCoeff());
    const Eigen::VectorXd changes = StepsPerSample(q, joint);
    const auto differs = [&changes](Eigen::Index i, Eigen::Index other) {
      const double beside = other < 0 || other == changes.size() ? 0.0 : changes[other];
      return std::abs(changes[i] - beside) > kAlone * std::abs(changes[i]);
    };
    for (Eigen::Index i = 0; i < changes.size(); ++i) {
      const double size = std::abs(changes[i]);
      if (size == 0.0) continue;
      sizes.push_back(size);
      steps.push_back({q.time_s[i + 1], size, differs(i, i - 1) && differs(i, i + 1)});
    }
  }
  Jumps jumps;
  if (sizes.empty()) return jumps;
  jumps.usual = Quantile(sizes, kUsualSteps);
  const double least = std::max(kFast * jumps.usual, kLeastJump * (high - low));
  for (const Step& step : steps) {
    if (step.size <= least || !step.alone) continue;
    if (jumps.count++ == 0) jumps.first_s = step.at_s;
    jumps.largest = std::max(jumps.largest, step.size);
    const double turn = 2.0 * std::numbers::pi;
    jumps.turns = jumps.turns && std::abs(step.size - turn) < kNearTurn * turn;
  }
  return jumps;
}

}  // namespace

std::vector<LabFinding> TellDeadTorque(const LabContext& context) {
  std::vector<LabFinding> findings;
  for (Eigen::Index j = 0; j < context.model().dofs(); ++j) {
    if (!IsDead(context.log, j)) continue;
    findings.push_back(
        {.check = "dead_torque",
         .joint = context.joint(j),
         .evidence = fmt::format("its torque is {:.4g} in all samples",
                                 context.log.recorded.front().Get(kJointTorque).samples(0, j)),
         .cure = "connect the sensor, or hold the joint in the model: --joints with the others, "
                 "--held-at where it stands still elsewhere than at 0"});
  }
  return findings;
}

std::vector<LabFinding> TellPositionJumps(const LabContext& context) {
  std::vector<LabFinding> findings;
  for (Eigen::Index j = 0; j < context.model().dofs(); ++j) {
    const Jumps jumps = JumpsOf(context.log, j);
    if (jumps.count == 0) continue;
    const bool slides = context.model().link(static_cast<int>(j)).type == JointType::kPrismatic;
    const char* const unit = slides ? "m" : "rad";
    findings.push_back(
        {.check = "position_jumps",
         .joint = context.joint(j),
         .evidence = fmt::format(
             "{} times its position changes by up to {:.3g} {} from one sample to the next, the "
             "first at {:.4g} s; its motion else by {:.2g} {}",
             jumps.count, jumps.largest, unit, jumps.first_s, jumps.usual, unit),
         .cure = jumps.turns && !slides
                     ? "the angle is wrapped at a turn: unwrap it (numpy.unwrap)"
                     : "leave out what an encoder or a bus lost there, or split the log; "
                       "accelerations at a jump are of no robot"});
  }
  return findings;
}

std::vector<LabFinding> TellTorqueSpikes(const LabContext& context) {
  std::vector<LabFinding> findings;
  for (Eigen::Index j = 0; j < context.model().dofs(); ++j) {
    const Spikes spikes = SpikesOf(context.log, j);
    if (spikes.count == 0) continue;
    findings.push_back({.check = "torque_spikes",
                        .joint = context.joint(j),
                        .evidence = fmt::format(
                            "{} single samples of its torque are off their neighbours by up to "
                            "{:.3g} N·m (N), the first at {:.4g} s; most by less than {:.2g}",
                            spikes.count, spikes.largest, spikes.first_s, spikes.usual),
                        .cure = "leave these rows out: least squares follow them"});
  }
  return findings;
}

bool IsUnusable(const LabLog& log) {
  const LabContext context{.log = log};
  return !TellDeadTorque(context).empty() || !TellPositionJumps(context).empty() ||
         !TellTorqueSpikes(context).empty();
}

}  // namespace idbench
