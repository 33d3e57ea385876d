#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "bench/lab_checks/lab_context.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// A signal of at most so many values per sample is quantised; of others steps are noise.
constexpr double kValuesPerSample = 0.3;
/// Steps are coarse from this part of the signal's standard deviation on.
constexpr double kCoarse = 0.05;
/// And of the accelerations that positions give, of which a tenth moves no torque by more.
constexpr double kCoarseAcceleration = 0.1;

/// A difference within this part of a multiple of the step is one.
constexpr double kNearMultiple = 0.1;
/// Part of the differences that has to be; and part that may be smaller than a step, by rounding.
constexpr double kMostDifferences = 0.95;
constexpr double kFewDifferences = 0.02;

/// The step between values of a quantised signal: the least difference of its values of which
/// nearly all differences are multiples. A fast signal passes over steps, so that no difference but
/// the least tells it. 0 if it is not quantised.
double StepOf(const std::vector<double>& sorted, Eigen::Index samples) {
  std::vector<double> distinct;
  const double range = sorted.back() - sorted.front();
  for (const double x : sorted) {
    if (distinct.empty() || x - distinct.back() > 1e-7 * range) distinct.push_back(x);
  }
  if (distinct.size() < 3 ||
      static_cast<double>(distinct.size()) > kValuesPerSample * static_cast<double>(samples)) {
    return 0.0;
  }
  std::vector<double> differences;
  for (std::size_t i = 1; i < distinct.size(); ++i) {
    differences.push_back(distinct[i] - distinct[i - 1]);
  }
  std::ranges::sort(differences);
  const double count = static_cast<double>(differences.size());
  const double step = differences[static_cast<std::size_t>(kFewDifferences * count)];
  const auto fits = std::ranges::count_if(differences, [step](double difference) {
    const double steps = difference / step;
    return std::abs(steps - std::round(steps)) <= kNearMultiple * std::max(1.0, std::round(steps));
  });
  return static_cast<double>(fits) >= kMostDifferences * count ? step : 0.0;
}

struct Steps {
  double step = 0.0, deviation = 0.0;
};

Steps StepsOf(const std::vector<Dataset>& segments, std::string_view channel, Eigen::Index j) {
  std::vector<double> all;
  double changes = 0.0;
  for (const Dataset& segment : segments) {
    const Channel* const found = segment.Find(channel);
    if (found == nullptr) return {};
    for (Eigen::Index i = 0; i < found->samples.rows(); ++i) {
      all.push_back(found->samples(i, j));
      if (i > 0 && found->samples(i, j) != found->samples(i - 1, j)) changes += 1.0;
    }
  }
  if (all.size() < 100 || changes < 20.0) return {};
  const double count = static_cast<double>(all.size());
  double mean = 0.0, squares = 0.0;
  for (const double x : all) mean += x / count;
  for (const double x : all) squares += (x - mean) * (x - mean) / count;
  std::ranges::sort(all);
  return {StepOf(all, static_cast<Eigen::Index>(all.size())), std::sqrt(squares)};
}

}  // namespace

std::vector<LabFinding> TellQuantised(const LabContext& context) {
  std::vector<LabFinding> findings;
  for (const std::string_view channel : {kJointPosition, kJointVelocity, kJointTorque}) {
    const ChannelInfo& info = ChannelNamed(channel);
    for (Eigen::Index j = 0; j < context.model().dofs(); ++j) {
      const Steps steps = StepsOf(context.log.recorded, channel, j);
      if (steps.step == 0.0) continue;
      // Of positions the accelerations count: steps at the rate of a motion of ω are ω² times that.
      double part = steps.step / std::max(steps.deviation, 1e-300);
      double coarse = kCoarse;
      std::string beside = "its standard deviation";
      if (channel == kJointPosition && context.rows != nullptr) {
        const Eigen::MatrixXd qdd = context.rows->Accelerations(DataChange::None(context.model()));
        const double rms = std::sqrt(qdd.col(j).squaredNorm() / static_cast<double>(qdd.rows()));
        const double cutoff = context.log.processed.front().lowpass_cutoff_hz.value_or(0.0);
        const double omega = 2.0 * std::numbers::pi * cutoff;
        const double noise = steps.step / std::sqrt(12.0) * omega * omega / std::sqrt(5.0);
        const double rate = NominalRate(context.log.recorded.front().Get(channel).time_s);
        part = noise * std::sqrt(2.0 * cutoff / rate) / std::max(rms, 1e-300);
        coarse = kCoarseAcceleration;
        beside = "the accelerations, behind the low-pass";
      }
      if (part < coarse) continue;
      findings.push_back(
          {.check = "quantised",
           .joint = context.joint(j),
           .evidence = fmt::format("{}s come in steps of {:.3g} {}, {:.2g} % of {}", info.sensor,
                                   steps.step, info.unit, 100.0 * part, beside),
           .cure = "log with more digits, or from before the display's rounding; else let a lower "
                   "cut-off average the steps"});
    }
  }
  return findings;
}

}  // namespace idbench
