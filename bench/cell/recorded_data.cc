#include "bench/cell/recorded_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "bench/notes/data_notes.h"
#include "hw/environment.h"
#include "hw/log/log.h"
#include "reports/files/sha256.h"
#include "robots/dynamics/actuation.h"
#include "robots/recording/processing.h"
#include "robots/recording/rate_check.h"
#include "robots/recording/segments.h"
#include "robots/recording/transmission.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/problem_parts.h"

namespace idbench {

namespace {

/// What is read of an experiment's files.
struct Part {
  const std::string* label;
  const ExperimentOptions* experiment;
  TimeSpan span;
};

/// Refuses windows through which an experiment of one role gets what another one's has.
void CheckApart(const std::vector<Part>& parts, const std::string& source) {
  for (std::size_t b = 0; b < parts.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const ExperimentOptions& first = *parts[a].experiment;
      const ExperimentOptions& second = *parts[b].experiment;
      if (first.role == second.role || *first.file != *second.file) continue;
      if (!(first.window || second.window) || !parts[a].span.Overlaps(parts[b].span)) continue;
      throw ConfigError(
          source, PointerTo("/experiments", *parts[b].label) + "/window",
          fmt::format("overlaps with that of \"{}\" from {:.6g} s to {:.6g} s, and their roles are "
                      "{} and {}",
                      *parts[a].label, std::max(parts[a].span.from_s, parts[b].span.from_s),
                      std::min(parts[a].span.until_s, parts[b].span.until_s), ToString(first.role),
                      ToString(second.role)),
          {"data that were trained on validate nothing: cut the windows apart"});
    }
  }
}

/// The files of all experiments, each of which is read once.
std::vector<UsedFile> FilesOf(const std::vector<Part>& parts, const RecordingOptions& recording) {
  const std::filesystem::path root = ExpandEnvironment(recording.root);
  std::map<std::string, std::string> hashes;
  std::vector<UsedFile> files;
  for (const Part& part : parts) {
    for (const std::string& name : part.experiment->file->names()) {
      std::string& hash = hashes[name];
      if (hash.empty()) {
        for (const std::filesystem::path& file : FilesOfLog(root / name)) {
          hash += Sha256OfFile(file);
        }
      }
      files.push_back(
          {*part.label, part.experiment->role, name, hash, part.span.from_s, part.span.until_s});
    }
  }
  return files;
}

/// The dataset, processed, with joint positions and torques that only the motors' channels tell;
/// whatever was done to these, they are derived.
Dataset ProcessWithJoints(const Dataset& dataset, const RobotModel& model,
                          const ProcessingOptions& processing) {
  const auto lacks = [&](std::string_view joint, std::string_view motor) {
    return dataset.Find(joint) == nullptr && dataset.Find(motor) != nullptr;
  };
  const bool position = lacks(kJointPosition, kMotorPosition);
  const bool torque = lacks(kJointTorque, kMotorTorque);
  if (HasMotorOnEachJoint(model) || (!position && !torque)) return Process(dataset, processing);
  const Actuation& actuation = model.actuation();
  const Dataset processed =
      Process(ThroughTransmission(dataset, {actuation.B.transpose(), actuation.zero}), processing);
  Dataset marked = processed.WithoutChannels();
  marked.lowpass_cutoff_hz = processed.lowpass_cutoff_hz;
  for (Channel channel : processed.channels()) {
    const bool derived =
        (position && channel.name == kJointPosition) || (torque && channel.name == kJointTorque);
    if (derived && channel.origin == Origin::kMeasured) channel.origin = Origin::kDerived;
    marked.Add(std::move(channel));
  }
  return marked;
}

/// "run2: recording split in two at a gap of 5 s at t = 12.3 s; …"
std::string TellBreaks(const std::string& label, const std::vector<TimeBreak>& breaks) {
  std::vector<std::string> places;
  for (const TimeBreak& each : breaks) places.push_back(each.Describe());
  constexpr std::size_t kShown = 4;
  const std::size_t more = places.size() > kShown ? places.size() - kShown : 0;
  places.resize(places.size() - more);
  const std::size_t parts = breaks.size() + 1;
  return fmt::format(
      "{}: {}{}: recording split in {}; nothing is interpolated, filtered or differentiated across",
      label, fmt::join(places, ", "), more > 0 ? fmt::format(" and {} more", more) : "",
      parts == 2 ? "two" : fmt::format("{}", parts));
}

}  // namespace

RecordedData::RecordedData(const Scenario& scenario, const Robot& robot, const std::string& source)
    : source_(source) {
  std::vector<Part> parts;
  std::vector<Dataset> measured;
  for (const auto& [label, experiment] : scenario.experiments) {
    parts.push_back({&label, &experiment, {}});
    for (Dataset& segment : Read(label, experiment, scenario, robot, parts.back().span, measured)) {
      recordings_.push_back(WithDeclaredSigma(segment, *scenario.recording));
    }
  }
  CheckApart(parts, source);
  for (const auto& [doubt, labels] : rate_doubts_) {
    notes_.push_back(fmt::format("{}: {}", ListSome(labels), doubt));
  }
  for (std::string& note : SharedFileNotes(FilesOf(parts, *scenario.recording))) {
    notes_.push_back(std::move(note));
  }
  if (!scenario.scoring) return;
  ProcessingOptions processing = scenario.processing;
  processing.skip_samples = 0;  // of `measured` they are gone
  processing.shift_s = {};      // and these are on the right clock
  scores_ = MakeScores(
      *scenario.scoring, processing, measured, recordings_,
      [&robot](const Dataset& dataset, const ProcessingOptions& options) {
        return ProcessWithJoints(dataset, robot.model, options);
      },
      ScoredChannels(scenario.problem));
}

void RecordedData::NoteRates(const std::string& label, const Recording& recording,
                             const Scenario& scenario, const std::vector<std::string>& joints) {
  for (const auto& [quantity, rate] :
       {std::pair(kJointPosition, kJointVelocity), std::pair(kJointVelocity, kJointAcceleration)}) {
    const auto& derived = scenario.processing.differentiate;
    if (std::ranges::find(derived, rate) != derived.end()) continue;
    const std::vector<std::string> doubts = RateDoubts(recording.segments, quantity, rate, joints);
    for (const std::string& doubt : doubts) {
      auto known =
          std::ranges::find(rate_doubts_, doubt, [](const auto& each) { return each.first; });
      if (known == rate_doubts_.end()) known = rate_doubts_.insert(known, {doubt, {}});
      known->second.push_back(label);
    }
    if (!doubts.empty()) return;  // accelerations cannot fit velocities that are wrong
  }
}

std::vector<Dataset> RecordedData::Read(const std::string& label,
                                        const ExperimentOptions& experiment,
                                        const Scenario& scenario, const Robot& robot,
                                        TimeSpan& span, std::vector<Dataset>& measured) {
  Recording raw = ReadRecording(*scenario.recording, *experiment.file, label, experiment.role,
                                robot.model.dofs());
  for (Dataset& segment : raw.segments) segment.set_configuration(experiment.configuration);
  if (!raw.breaks.empty()) notes_.push_back(TellBreaks(label, raw.breaks));
  for (const std::string& dropped : raw.dropped) {
    notes_.push_back(fmt::format("{}: dropped: {}", label, dropped));
  }
  span = SpanOf(raw.segments, experiment.window.value_or(DataWindowOptions{}));
  const double start_s = std::max(span.from_s, SpanOf(raw.segments, {}).from_s);
  if (experiment.window) {
    const auto restart = std::ranges::find_if(raw.breaks, &TimeBreak::restarts);
    if (restart != raw.breaks.end()) {
      throw ConfigError(source_, PointerTo("/experiments", label) + "/window",
                        fmt::format("{}, so that a window of it is ambiguous", restart->Describe()),
                        {"put what was recorded from each start on into a file of its own"});
    }
    raw.segments = CutOut(raw.segments, span);
  }
  SetClocks(raw.segments, start_s);
  NoteRates(label, raw, scenario, robot.model.joint_names());
  return ProcessEach(raw, label, scenario, robot.model, measured);
}

std::vector<Dataset> RecordedData::ProcessEach(const Recording& recording, const std::string& label,
                                               const Scenario& scenario, const RobotModel& model,
                                               std::vector<Dataset>& measured) {
  ProcessingOptions processing = scenario.processing;
  std::vector<Dataset> processed;
  std::optional<TooShortError> too_short;
  double dropped_s = 0.0;  // before the first segment that is left
  for (const Dataset& recorded : recording.segments) {
    Dataset segment = recorded;
    try {
      if (processed.empty()) {
        segment.recorded->start_s -= dropped_s;
        segment.recorded->duration_s += dropped_s;
      }
      processed.push_back(ProcessWithJoints(segment, model, processing));
      ProcessingOptions skip;
      skip.skip_samples = processing.skip_samples;
      skip.shift_s = processing.shift_s;
      measured.push_back(Process(segment, skip));
    } catch (const TooShortError& error) {
      const double from_s = SpanOf(segment, {}).from_s;
      notes_.push_back(fmt::format("{}: the segment at {:.6g} s is dropped, too short: {}", label,
                                   from_s, error.issues().front().what));
      if (!too_short) too_short = error;
      const double duration_s = RecordedTimeOf(recorded).duration_s;
      (processed.empty() ? dropped_s : processed.back().recorded->duration_s) += duration_s;
    }
    processing.skip_samples = 0;  // they are at the recording's beginning
  }
  if (processed.empty()) throw TooShortError(*too_short);
  return processed;
}

bool RecordedData::Measures(std::string_view channel) const {
  return recordings_.front().Find(channel) != nullptr;
}

ChannelNoise RecordedData::NoiseOf(std::string_view channel) const {
  const Channel* measured = recordings_.front().Find(channel);
  if (measured == nullptr || measured->time_s.size() < 2) return {{}, 0.0};
  return {measured->sigma, NominalRate(measured->time_s)};  // declared as estimators get it
}

void RecordedData::AddDatasets(TrialData& data) const {
  data.datasets = recordings_;
  data.rollout = "recording";
  data.scores = scores_ ? &*scores_ : nullptr;
}

}  // namespace idbench
