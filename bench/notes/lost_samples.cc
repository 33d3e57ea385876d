#include "bench/notes/lost_samples.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <vector>

#include "estimators/interface/aligned_equations.h"
#include "estimators/interface/estimate.h"
#include "estimators/interface/recorded_time.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// Part of a step that stamps may be off.
constexpr double kSlack = 0.01;

/// Stretch of recorded time that something is said of.
struct CountedStretch {
  std::string label;
  std::function<bool(double recorded_s)> holds;
  int there = 0, lost = 0;

  void Count(double t_s, int CountedStretch::*number) {
    if (holds(t_s)) ++(this->*number);
  }
};

/// The samples of one dataset in recorded time, and those that are missing among them.
class SampleCount {
 public:
  explicit SampleCount(std::vector<CountedStretch>& stretches) : stretches_(stretches) {}

  /// @param time_s     of the samples that there are.
  /// @param begins_s   stamp of the first sample that the experiment had.
  /// @param runs_on    the experiment goes on behind a gap, whose end is not this dataset's.
  void Add(const Eigen::VectorXd& time_s, const RecordedTime& clock, double begins_s,
           double recorded_s, bool runs_on) {
    if (time_s.size() < 2) return;
    step_s_ = 1.0 / NominalRate(time_s);
    const double shift_s = recorded_s - clock.start_s;
    const double slack_s = kSlack * step_s_;
    const double before = std::floor((time_s[0] - begins_s + slack_s) / step_s_);
    AddLost(time_s[0] + shift_s - before * step_s_, static_cast<int>(before));
    for (Eigen::Index k = 0; k < time_s.size(); ++k) {
      const double t_s = time_s[k] + shift_s;
      if (k > 0) {
        const double steps = std::round((time_s[k] - time_s[k - 1]) / step_s_);
        AddLost(time_s[k - 1] + shift_s + step_s_, static_cast<int>(steps) - 1);
      }
      for (CountedStretch& stretch : stretches_) stretch.Count(t_s, &CountedStretch::there);
    }
    const double last_s = time_s[time_s.size() - 1] + shift_s;
    const double end_s = recorded_s + clock.duration_s - (runs_on ? 0.5 * step_s_ : -slack_s);
    AddLost(last_s + step_s_, static_cast<int>(std::floor((end_s - last_s) / step_s_)));
  }

 private:
  /// Counts `number` lost samples from `from_s` on.
  void AddLost(double from_s, int number) {
    for (int k = 0; k < number; ++k) {
      for (CountedStretch& stretch : stretches_) {
        stretch.Count(from_s + step_s_ * k, &CountedStretch::lost);
      }
    }
  }

  std::vector<CountedStretch>& stretches_;
  double step_s_ = 0.0;
};

std::vector<CountedStretch> StretchesOf(const Scenario& scenario) {
  std::vector<CountedStretch> stretches;
  for (const auto& [label, window] : scenario.windows) {
    stretches.push_back({fmt::format("window {}", label),
                         [from_s = window.from_s, until_s = window.until_s](double recorded_s) {
                           return IsInWindow(recorded_s, from_s, until_s);
                         }});
  }
  for (const double checkpoint_s : scenario.evaluate_at_s) {
    stretches.push_back(
        {fmt::format("first {:g} s", checkpoint_s),
         [checkpoint_s](double recorded_s) { return IsRecorded(recorded_s, checkpoint_s); }});
  }
  return stretches;
}

/// True if `next` is a later part of the same recording, which `before` leads up to.
bool IsSequel(const Dataset& next, const Dataset& before) {
  const RecordedTime clock = RecordedTimeOf(before);
  return next.label() == before.label() &&
         std::abs(RecordedTimeOf(next).start_s - (clock.start_s + clock.duration_s)) <=
             kCheckpointTolerance;
}

}  // namespace

std::string LostSamplesMark(const Scenario& scenario, const TrialData& first) {
  std::vector<CountedStretch> stretches = StretchesOf(scenario);
  if (stretches.empty()) return "";
  SampleCount count(stretches);
  double recorded_s = 0.0;
  for (std::size_t i = 0; i < first.datasets.size(); ++i) {
    const Dataset& dataset = first.datasets[i];
    if (dataset.role() != Role::kIdentification) continue;
    const RecordedTime clock = RecordedTimeOf(dataset);
    const bool runs_on = i + 1 < first.datasets.size() && IsSequel(first.datasets[i + 1], dataset);
    try {
      const AlignedView view = AlignEquations(first.problem(), dataset, first.problem().rows);
      const Signals* const clean = i < first.clean.size() ? first.clean[i] : nullptr;
      count.Add(view.time_s(), clock, clean != nullptr ? clean->time_s[0] : clock.start_s,
                recorded_s, runs_on);
    } catch (const EstimationFailure&) {
      return "";  // estimators refuse these data and say why
    }
    recorded_s += clock.duration_s;
  }
  std::vector<std::string> told;
  for (const CountedStretch& stretch : stretches) {
    if (stretch.lost == 0) continue;
    told.push_back(
        fmt::format("{} {} of {}", stretch.label, stretch.lost, stretch.there + stretch.lost));
  }
  if (told.empty()) return "";
  return fmt::format("samples that were dropped or lost{}: {}",
                     first.truth != nullptr ? " (in the first trial)" : "", fmt::join(told, ", "));
}

}  // namespace idbench
