#include "bench/trial/score_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "robots/recording/motion_band.h"
#include "robots/recording/resample.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr double kUniform = 0.01;  // as Process() takes it
constexpr double kRatePerCutoff = 40.0;
constexpr Eigen::Index kFewestSamples = 20;
constexpr auto kStates =
    std::to_array<std::string_view>({kJointPosition, kJointVelocity, kJointAcceleration});

/// What scores compare with predictions: channels that all datasets have.
using Compared = std::vector<std::string>;

Compared ComparedIn(std::span<const Dataset> datasets, std::span<const std::string> channels) {
  Compared compared = {std::string(kJointTorque)};
  compared.insert(compared.end(), channels.begin(), channels.end());
  std::erase_if(compared, [datasets](const std::string& name) {
    return !std::ranges::all_of(
        datasets, [&name](const Dataset& dataset) { return dataset.Find(name) != nullptr; });
  });
  return compared;
}

/// The states, then what is compared.
std::vector<std::string_view> WithStates(const Compared& compared) {
  std::vector<std::string_view> names(kStates.begin(), kStates.end());
  names.insert(names.end(), compared.begin(), compared.end());
  return names;
}

struct Cutoff {
  ScoreCutoff cutoff;
  double factor;
};
/// What stands beside the score.
constexpr auto kBeside =
    std::to_array<Cutoff>({{ScoreCutoff::kHalf, 0.5}, {ScoreCutoff::kTwice, 2.0}});

/// The channels that have one of the names.
Dataset WithOnly(const Dataset& dataset, std::span<const std::string_view> names) {
  Dataset kept = dataset.WithoutChannels();
  for (const Channel& channel : dataset.channels()) {
    if (std::ranges::find(names, channel.name) != names.end()) kept.Add(channel);
  }
  return kept;
}

/// `processing` without filters, differences and decimation, on uniform time.
ProcessingOptions OnUniformTime(const ProcessingOptions& processing, const Dataset& dataset) {
  ProcessingOptions uniform;
  uniform.skip_samples = processing.skip_samples;
  uniform.shift_s = processing.shift_s;
  uniform.resample_rate_hz = processing.resample_rate_hz;
  uniform.interpolation = processing.interpolation;
  if (uniform.resample_rate_hz || dataset.channels().empty()) return uniform;
  double rate_hz = 0.0;
  bool is_uniform = true;
  for (const Channel& channel : dataset.channels()) {
    rate_hz = std::max(rate_hz, NominalRate(channel.time_s));
    is_uniform = is_uniform && LargestJitter(channel.time_s) <= kUniform &&
                 IsSameTime(channel.time_s, dataset.channels().front().time_s);
  }
  if (!is_uniform) uniform.resample_rate_hz = rate_hz;
  return uniform;
}

/// What an error says, in one line.
std::string OneLine(const std::exception& error) {
  const auto* config = dynamic_cast<const ConfigError*>(&error);
  if (config == nullptr || config->issues().empty()) return error.what();
  return config->issues().front().what;
}

/// `processing` with a low-pass of its own in place of its filter.
ProcessingOptions WithLowpass(const ProcessingOptions& processing, const Dataset& measured,
                              const Dataset& processed, const Compared& compared, int order,
                              double cutoff_hz) {
  ProcessingOptions smooth = OnUniformTime(processing, measured);
  smooth.differentiate = processing.differentiate;
  smooth.difference_half_width = processing.difference_half_width;
  smooth.lowpass.emplace();
  smooth.lowpass->cutoff_hz = cutoff_hz;
  smooth.lowpass->order = order;
  smooth.lowpass->drop_edges_s = 0.0;
  for (const std::string_view name : WithStates(compared)) {
    const bool derived =
        std::ranges::find(smooth.differentiate, name) != smooth.differentiate.end();
    if (!derived && processed.Find(name) != nullptr) {
      smooth.lowpass->channels.emplace_back(name);
    }
  }
  const double rate_hz =
      smooth.resample_rate_hz.value_or(NominalRate(measured.channels().front().time_s));
  const double factor = std::floor(rate_hz / (kRatePerCutoff * cutoff_hz));
  if (factor > 1.0) smooth.decimate_to_hz = rate_hz / factor;
  return smooth;
}

/// Behind a low-pass of that cut-off.
/// @throws ConfigError if it does not fit; TooShortError if a longer log would do.
SmoothedScore Smooth(const Dataset& measured, const ProcessingOptions& smooth,
                     const Compared& compared, const ProcessDataset& process) {
  SmoothedScore score;
  score.dataset = WithOnly(process(measured, smooth), WithStates(compared));
  const Eigen::VectorXd& time_s = score.dataset.Get(kJointPosition).time_s;
  score.lowpass.emplace(smooth.lowpass->order, smooth.lowpass->cutoff_hz, NominalRate(time_s));
  if (time_s.size() < 2 * score.edge_samples() + kFewestSamples ||
      time_s.size() <= score.lowpass->default_padding()) {
    throw TooShortError(
        fmt::format("dataset '{}'", measured.label()), "/scoring/cutoff_hz",
        fmt::format("{:.3g} s are too short for a low-pass of {:.3g} Hz",
                    time_s[time_s.size() - 1] - time_s[0], smooth.lowpass->cutoff_hz),
        {"a higher cut-off, or the smoothing \"none\""});
  }
  return score;
}

/// The processed dataset with what is compared at its times as it was before any filter.
std::optional<Dataset> AsMeasured(const Dataset& measured, const Dataset& processed,
                                  const ProcessingOptions& processing, const Compared& compared,
                                  const ProcessDataset& process) {
  if (compared.empty()) return std::nullopt;
  ProcessingOptions prompt = processing;
  prompt.causal = false;
  if (processing.causal && LooksAhead(prompt)) {
    // What was measured is not late, so its states must not be either.
    Dataset in_time = process(measured, prompt);
    std::optional<Dataset> unfiltered = AsMeasured(measured, in_time, prompt, compared, process);
    return unfiltered ? std::move(unfiltered) : std::move(in_time);
  }
  if (!processing.lowpass) return std::nullopt;
  ProcessingOptions unfiltered;
  unfiltered.skip_samples = processing.skip_samples;
  unfiltered.shift_s = processing.shift_s;
  unfiltered.resample_rate_hz = processing.resample_rate_hz;
  unfiltered.interpolation = processing.interpolation;
  const Dataset all = process(measured, unfiltered);
  Dataset result = processed.WithoutChannels();
  for (Channel channel : processed.channels()) {
    if (std::ranges::find(compared, channel.name) != compared.end()) {
      const Channel& full = all.Get(channel.name);
      const double slack = 0.5 / NominalRate(full.time_s);
      for (Eigen::Index i = 0; i < channel.time_s.size(); ++i) {
        const auto at =
            std::lower_bound(full.time_s.begin(), full.time_s.end(), channel.time_s[i] - slack) -
            full.time_s.begin();
        channel.samples.row(i) = full.samples.row(at);
      }
      channel.origin = full.origin;
    }
    result.Add(std::move(channel));
  }
  return result;
}

/// The cut-off that the positions for identification tell.
MotionBand BandOf(std::span<const Dataset> measured, const ProcessingOptions& processing,
                  const ProcessDataset& process) {
  std::vector<PositionLog> logs;
  for (const Dataset& dataset : measured) {
    if (dataset.role() != Role::kIdentification) continue;
    const Dataset positions =
        WithOnly(dataset, std::to_array<std::string_view>({kJointPosition, kMotorPosition}));
    const Dataset uniform = process(positions, OnUniformTime(processing, positions));
    const Channel& q = uniform.Get(kJointPosition);
    logs.push_back({q.samples, NominalRate(q.time_s)});
  }
  return FindMotionBand(logs);
}

/// Whether torques of joints alone are compared, or would be.
bool IsOfTorques(const Compared& compared) {
  return compared.empty() || (compared.size() == 1 && compared[0] == kJointTorque);
}

/// "torques, wrenches and duty cycles".
std::string SubjectOf(const Compared& compared) {
  if (IsOfTorques(compared)) return "torques";
  std::vector<std::string> subjects;
  const auto add = [&](std::string_view kind, const char* subject) {
    const bool some = std::ranges::any_of(
        compared, [kind](const std::string& name) { return name == kind || IsOfKind(name, kind); });
    if (some) subjects.emplace_back(subject);
  };
  add(kJointTorque, "torques");
  add(kWrenchAtCut, "wrenches");
  add(kMotorPwm, "duty cycles");
  const std::string last = subjects.back();
  subjects.pop_back();
  if (subjects.empty()) return last;
  return fmt::format("{} and {}", fmt::join(subjects, ", "), last);
}

/// What a caption says.
std::string HowSmoothed(const Compared& compared, double cutoff_hz, int order,
                        const std::string& source, const std::string& beside) {
  const bool of_torques = compared.front() == kJointTorque;
  return fmt::format(
      "scores of {} compare {}(F q, F q̇, F q̈), F a zero-phase Butterworth low-pass of order {} at "
      "{:.3g} Hz, {}, the same for all estimates{}{}",
      SubjectOf(compared), IsOfTorques(compared) ? "F τ with F τ̂" : "F y with F ŷ", order,
      cutoff_hz, source,
      of_torques ? fmt::format("; {}(cutoff=0.5), (cutoff=2) and (cutoff=none) are at half and "
                               "twice that and without F; best is who is best at all of them",
                               IsOfTorques(compared) ? "" : "of torques ")
                 : "",
      beside);
}

std::string SourceOf(const MotionBand& band) {
  if (!band.steady) {
    return std::string(
        "where the rms of q̈ of the positions trained on depends least on F: their noise reaches "
        "into the band of the motion");
  }
  const bool lower = band.cutoff_hz < 0.99 * MotionBand::kAboveBand * band.frequency_hz;
  return fmt::format(
      "{}: {:.3g} Hz is the least at which doubling it changes the rms of q̈ of the positions "
      "trained on by less than {:.0f} %",
      lower ? fmt::format("below {:.0f} times the band of the motion, because there noise has as "
                          "much q̈ as the motion",
                          MotionBand::kAboveBand)
            : fmt::format("{:.0f} times the band of the motion", MotionBand::kAboveBand),
      band.frequency_hz, 100.0 * MotionBand::kSteadyChange);
}

/// What a caption says of scores without F; "" where that is what the data are.
std::string HowUnsmoothed(const ScoringOptions& scoring, const ProcessingOptions& processing,
                          const Compared& compared) {
  Compared filtered = compared.empty() ? Compared{std::string(kJointTorque)} : compared;
  std::erase_if(filtered, [&processing](const std::string& name) {
    return !IsFiltered(processing, name, Origin::kMeasured);
  });
  if (filtered.empty()) return "";
  const std::string subject = SubjectOf(filtered);
  const char* const what = IsOfTorques(filtered) ? "torque" : "them";
  if (scoring.torque == ScoredTorque::kMeasured) {
    return fmt::format(
        "scores of {} compare {} as measured, not low-passed, with predictions of the processed "
        "states{}",
        subject, what, processing.causal ? ", without the delay of causal processing" : "");
  }
  return fmt::format(
      "scores of {} compare {} behind the low-pass of the processing ({:.3g} Hz), not as measured",
      subject, what, processing.lowpass->cutoff_hz);
}

/// Why no prediction of the dataset can be smoothed; "" if it can.
std::string WhyNotScored(const Dataset& processed, const Compared& compared) {
  std::vector<std::string_view> needed = WithStates(compared);
  if (compared.empty()) needed.push_back(kJointTorque);
  for (const std::string_view name : needed) {
    if (processed.Find(name) == nullptr) return fmt::format("there is no channel '{}'", name);
  }
  return "";
}

/// The cut-off, where it is from, and why it cannot be had; "" if it can.
struct FoundCutoff {
  double cutoff_hz = 0.0;
  std::string source;
  std::string failure;
};

FoundCutoff CutoffOf(const ScoringOptions& scoring, const ProcessingOptions& processing,
                     std::span<const Dataset> measured, const ProcessDataset& process) {
  if (scoring.cutoff_hz) return {*scoring.cutoff_hz, "as declared", ""};
  try {
    const MotionBand band = BandOf(measured, processing, process);
    return {band.cutoff_hz, SourceOf(band), ""};
  } catch (const std::exception& error) {
    return {0.0, "", OneLine(error)};
  }
}

/// The scores at one cut-off, one per dataset.
struct ScoresAtCutoff {
  std::vector<SmoothedScore> scores;
  /// Experiments of which every segment is too short, and why the first is.
  std::vector<std::pair<std::string, TooShortError>> too_short = {};

  bool IsSmoothed(const std::string& experiment) const {
    return std::ranges::find(too_short, experiment, [](const auto& each) { return each.first; }) ==
           too_short.end();
  }
};

/// Makes the scores of one cut-off for all datasets.
class Smoother {
 public:
  Smoother(const ScoringOptions& scoring, const ProcessingOptions& processing,
           std::span<const Dataset> measured, std::span<const Dataset> processed,
           const Compared& compared, const ProcessDataset& process)
      : order_(scoring.order),
        from_measured_(scoring.torque == ScoredTorque::kMeasured),
        processing_(from_measured_ ? processing : ProcessingOptions()),
        measured_(from_measured_ ? measured : processed),
        processed_(processed),
        compared_(compared),
        process_(process) {}

  /// @throws ConfigError if the low-pass does not fit, however long a log is.
  ScoresAtCutoff At(double cutoff_hz) const {
    ScoresAtCutoff at;
    std::vector<std::optional<TooShortError>> errors(measured_.size());
    for (std::size_t k = 0; k < measured_.size(); ++k) {
      SmoothedScore& score = at.scores.emplace_back();
      try {
        score = Smooth(
            measured_[k],
            WithLowpass(processing_, measured_[k], processed_[k], compared_, order_, cutoff_hz),
            compared_, process_);
      } catch (const TooShortError& error) {
        errors[k] = error;
        score.failure = OneLine(error);
      }
    }
    for (std::size_t k = 0; k < measured_.size(); ++k) {
      const std::string& experiment = measured_[k].label();
      if (!errors[k] || !at.IsSmoothed(experiment)) continue;
      if (HasOther(at, experiment)) {
        at.scores[k].left_out = true;
      } else {
        at.too_short.emplace_back(experiment, *errors[k]);
      }
    }
    return at;
  }

  /// "a from 20 s to 20.19 s (20 samples)" of a dataset.
  std::string Place(std::size_t k) const {
    const Eigen::VectorXd& time_s = measured_[k].channels().front().time_s;
    return fmt::format("{} from {:.6g} s to {:.6g} s ({} samples)", measured_[k].label(), time_s[0],
                       time_s[time_s.size() - 1], time_s.size());
  }

 private:
  /// Whether some segment of the experiment has a score.
  bool HasOther(const ScoresAtCutoff& at, const std::string& experiment) const {
    for (std::size_t k = 0; k < measured_.size(); ++k) {
      if (measured_[k].label() == experiment && at.scores[k].lowpass &&
          at.scores[k].failure.empty())
        return true;
    }
    return false;
  }

  int order_;
  bool from_measured_;
  ProcessingOptions processing_;
  std::span<const Dataset> measured_, processed_;
  const Compared& compared_;
  const ProcessDataset& process_;
};

/// "; of b: left out" of the segments that are, "" if there are none.
std::string TellLeftOut(const Smoother& smoother, const ScoresAtCutoff& at) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> places;
  for (std::size_t k = 0; k < at.scores.size(); ++k) {
    if (at.scores[k].left_out) places.push_back(smoother.Place(k));
  }
  if (places.empty()) return "";
  const std::size_t more = places.size() > kShown ? places.size() - kShown : 0;
  places.resize(places.size() - more);
  return fmt::format("; left out, too short for F: {}{}", fmt::join(places, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

/// Adds the scores at the cut-off. Returns what has to be said of them.
/// @throws ConfigError if there is none.
/// @throws ConfigError of an experiment without one, too, if the cut-off was declared.
std::string AddDeclared(const Smoother& smoother, double cutoff_hz, bool declared,
                        std::vector<ScoreData>& datasets, std::span<const Dataset> measured) {
  ScoresAtCutoff at = smoother.At(cutoff_hz);
  std::string told = TellLeftOut(smoother, at);
  bool any = false;
  for (std::size_t k = 0; k < datasets.size(); ++k) {
    if (!at.IsSmoothed(measured[k].label())) continue;
    any = true;
    datasets[k].smoothed.emplace_back(ScoreCutoff::kDeclared, std::move(at.scores[k]));
  }
  if (!at.too_short.empty() && (declared || !any)) throw TooShortError(at.too_short.front().second);
  for (const auto& [experiment, error] : at.too_short) {
    told += fmt::format("; those of {} are not smoothed: {}", experiment, OneLine(error));
  }
  return told;
}

/// Adds the scores at a multiple of the cut-off, or why there is none.
void AddBeside(const Smoother& smoother, const Cutoff& beside, const FoundCutoff& found,
               std::vector<ScoreData>& datasets) {
  ScoresAtCutoff at{std::vector<SmoothedScore>(datasets.size(), {{}, {}, found.failure})};
  if (found.failure.empty()) {
    try {
      at = smoother.At(beside.factor * found.cutoff_hz);
    } catch (const ConfigError& error) {
      for (SmoothedScore& score : at.scores) score.failure = OneLine(error);
    }
  }
  for (std::size_t k = 0; k < datasets.size(); ++k) {
    datasets[k].smoothed.emplace_back(beside.cutoff, std::move(at.scores[k]));
  }
}

}  // namespace

const SmoothedScore* ScoreData::Smoothed(ScoreCutoff cutoff) const {
  const auto found = std::ranges::find(smoothed, cutoff, [](const auto& s) { return s.first; });
  return found == smoothed.end() ? nullptr : &found->second;
}

Scores MakeScores(const ScoringOptions& scoring, const ProcessingOptions& processing,
                  std::span<const Dataset> measured, std::span<const Dataset> processed,
                  const ProcessDataset& process, std::span<const std::string> channels) {
  Scores scores;
  scores.datasets.resize(measured.size());
  const Compared compared = ComparedIn(processed, channels);
  for (std::size_t k = 0; scoring.torque == ScoredTorque::kMeasured && k < measured.size(); ++k) {
    scores.datasets[k].as_measured =
        AsMeasured(measured[k], processed[k], processing, compared, process);
  }
  if (scoring.smoothing == ScoreSmoothing::kNone) {
    scores.told = HowUnsmoothed(scoring, processing, compared);
    return scores;
  }
  const Smoother smoother(scoring, processing, measured, processed, compared, process);
  FoundCutoff found;
  for (const Dataset& dataset : processed) {
    if (found.failure.empty()) found.failure = WhyNotScored(dataset, compared);
  }
  if (found.failure.empty()) found = CutoffOf(scoring, processing, measured, process);
  std::string beside;  // what stands beside the cut-off in the caption
  if (scoring.torque == ScoredTorque::kProcessed) {
    const std::string filtered = HowUnsmoothed(scoring, processing, compared);
    if (!filtered.empty()) beside = "; " + filtered;
  }
  if (found.failure.empty()) {
    const bool declared = scoring.cutoff_hz.has_value();
    try {
      beside += AddDeclared(smoother, found.cutoff_hz, declared, scores.datasets, measured);
    } catch (const ConfigError& error) {
      if (declared) throw;
      found.failure = OneLine(error);
    }
  }
  for (const Cutoff& cutoff : kBeside) AddBeside(smoother, cutoff, found, scores.datasets);
  scores.told =
      found.failure.empty()
          ? HowSmoothed(compared, found.cutoff_hz, scoring.order, found.source, beside)
          : fmt::format("scores of {} are not smoothed: {}", SubjectOf(compared), found.failure);
  return scores;
}

}  // namespace idbench
