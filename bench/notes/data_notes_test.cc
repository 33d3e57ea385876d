#include "bench/notes/data_notes.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace idbench {
namespace {

using NoteList = std::vector<std::string>;

/// A scenario on recordings.
Scenario RecordedScenario(const ProcessingOptions& processing) {
  Scenario scenario;
  scenario.recording.emplace();
  scenario.processing = processing;
  return scenario;
}

LowpassOptions LowpassAt(double cutoff_hz, std::vector<std::string> channels = {}) {
  LowpassOptions options;
  options.cutoff_hz = cutoff_hz;
  options.channels = std::move(channels);
  return options;
}

Dataset DatasetWithTorque(Origin origin) {
  Dataset dataset("run", Role::kValidation);
  Channel torque;
  torque.name = kJointTorque;
  torque.time_s = Eigen::Vector2d(0.0, 0.1);
  torque.samples = Eigen::Vector2d(1.0, 2.0);
  torque.origin = origin;
  dataset.Add(std::move(torque));
  return dataset;
}

TEST_CASE("Accelerations that are differences of unfiltered positions are told") {
  const std::string differences =
      "accelerations are differences of positions without a low-pass: their noise biases fits and "
      "enters every score; set /processing/lowpass above the motion's frequencies";
  ProcessingOptions processing;
  processing.differentiate = {std::string(kJointVelocity)};
  CHECK(ProcessingNotes(RecordedScenario(processing), nullptr, {}).empty());
  processing.differentiate = {std::string(kJointAcceleration)};
  CHECK(ProcessingNotes(RecordedScenario(processing), nullptr, {}) == NoteList{differences});
  Scenario authors = RecordedScenario(processing);
  authors.recording->derived = {std::string(kJointPosition)};  // who recorded them filtered them
  CHECK(ProcessingNotes(authors, nullptr, {}).empty());
  processing.lowpass = LowpassAt(10.0, {std::string(kJointTorque)});
  CHECK(ProcessingNotes(RecordedScenario(processing), nullptr, {}) == NoteList{differences});
  processing.lowpass->channels.emplace_back(kJointPosition);
  CHECK(ProcessingNotes(RecordedScenario(processing), nullptr, {}).empty());
  processing.acceleration_from = AccelerationSource::kVelocity;
  const NoteList notes = ProcessingNotes(RecordedScenario(processing), nullptr, {});
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("accelerations are differences of velocities without a low-pass"));
}

TEST_CASE("Positions of a simulation are doubtful where they are noisy") {
  Scenario scenario;
  scenario.processing.differentiate = {std::string(kJointAcceleration)};
  SensorOptions sensors;
  ChannelSensorOptions& position = sensors[kJointPosition];
  position.origin = SensorOrigin::kMeasured;
  CHECK(ProcessingNotes(scenario, &sensors, {}).empty());
  position.noise_std = PerJoint{{0.0, 1e-4}};
  CHECK(ProcessingNotes(scenario, &sensors, {}).size() == 1);
  position.origin = SensorOrigin::kOracle;
  CHECK(ProcessingNotes(scenario, &sensors, {}).empty());
}

TEST_CASE("A measured channel that processing derives anew is told") {
  Scenario scenario;
  scenario.processing.lowpass = LowpassAt(20.0);
  scenario.processing.differentiate = {std::string(kJointVelocity),
                                       std::string(kJointAcceleration)};
  SensorOptions sensors;
  CHECK(ProcessingNotes(scenario, &sensors, {}).empty());  // exact ones are nobody's measurement
  sensors[kJointVelocity].origin = SensorOrigin::kMeasured;
  const std::string velocity =
      "estimators do not get the measured joint_velocity: /processing/differentiate derives it "
      "anew; take it off that list to use what was measured";
  CHECK(ProcessingNotes(scenario, &sensors, {}) == NoteList{velocity});
  scenario.processing.differentiate = {std::string(kJointAcceleration)};
  CHECK(ProcessingNotes(scenario, &sensors, {}).empty());
  Scenario recorded = RecordedScenario(scenario.processing);
  recorded.recording->columns[kJointVelocity].emplace();
  CHECK(ProcessingNotes(recorded, nullptr, {}).empty());
  recorded.processing.differentiate.emplace_back(kJointVelocity);
  CHECK(ProcessingNotes(recorded, nullptr, {}) == NoteList{velocity});
}

TEST_CASE("Adaptive windows of another step than the encoder's are told") {
  Scenario scenario;
  scenario.processing.differentiate = {std::string(kJointVelocity)};
  AdaptiveWindowOptions windows{.count_rad = PerJoint{{1e-4}}};
  scenario.processing.difference = windows;
  SensorOptions sensors;
  sensors[kJointPosition].origin = SensorOrigin::kMeasured;
  const auto notes = [&] { return ProcessingNotes(scenario, &sensors, {}); };
  CHECK(notes().empty());  // no steps
  sensors[kJointPosition].quantisation = PerJoint{{1e-4, 1.0004e-4}};
  CHECK(notes().empty());
  sensors[kJointPosition].quantisation = PerJoint{{1e-4, 2e-3}};
  CHECK(notes() == NoteList{"adaptive windows take steps of 0.0001 rad for those of the encoder, "
                            "which are 0.002 rad: their band is 0.05 times what it says; set "
                            "/processing/difference/count_rad"});
  windows.count_rad = PerJoint{{1e-4, 2e-3}};
  scenario.processing.difference = windows;
  CHECK(notes().empty());
}

TEST_CASE("Decimation without a low-pass is told with what aliases and a cut-off that does") {
  ProcessingOptions processing;
  processing.decimate_to_hz = 50.0;
  CHECK(ProcessingNotes(RecordedScenario(processing), nullptr, {}) ==
        NoteList{"decimated to 50 Hz without a low-pass: all above 25 Hz, noise too, aliases into "
                 "what is kept; set /processing/lowpass, cutoff_hz 20 or less"});
  processing.lowpass = LowpassAt(20.0);
  CHECK(ProcessingNotes(RecordedScenario(processing), nullptr, {}).empty());
}

TEST_CASE("Online methods that are followed on data that look ahead are named, and no others") {
  ProcessingOptions processing;
  processing.lowpass = LowpassAt(20.0);
  Scenario scenario = RecordedScenario(processing);
  scenario.scoring.emplace();
  scenario.estimators = {{"a filter", {"ekf"}}, {"map", {"map"}}, {"rls", {"rls"}}};
  const auto notes = [&] { return ProcessingNotes(scenario, nullptr, {}); };
  CHECK(notes().empty());  // estimates in the end: batch use
  scenario.windows = {{"on", {}}};
  CHECK(notes() ==
        NoteList{"a filter, rls are followed while data come in (in /windows), and these data look "
                 "ahead: the low-pass, of zero phase, tells of what comes up to 0.12 s later; a "
                 "robot has no such data, and changes are found too early; set "
                 "/processing/causal"});
  scenario.windows.clear();
  scenario.evaluate_at_s = {1.0};
  scenario.estimators = {{"rls", {"rls"}}, {"ols", {"ols"}}};
  scenario.processing = {};
  CHECK(notes().empty());
  scenario.processing.resample_rate_hz = 100.0;
  scenario.processing.differentiate = {std::string(kJointVelocity)};
  CHECK(notes() ==
        NoteList{"rls is followed while data come in (at /evaluate_at_s), and these data "
                 "look ahead: interpolation reads two samples ahead, central "
                 "differences read 1 sample ahead; a robot has no such data, and "
                 "changes are found too early; set /processing/causal"});
  scenario.evaluate_at_s.clear();
  CHECK(notes().empty());
  scenario.keep_series = {0, 1};
  CHECK(notes().size() == 1);
  scenario.estimators = {{"ols", {"ols"}}};
  CHECK(notes().empty());
}

TEST_CASE("Recursive methods that look ahead by themselves are named where they are followed") {
  ProcessingOptions causal;
  causal.causal = true;
  causal.lowpass = LowpassAt(20.0);
  Scenario scenario = RecordedScenario(causal);
  scenario.scoring.emplace();
  scenario.estimators = {{"recursive", {"rls_fcd"}}, {"hekf", {"hekf"}}, {"wls_fcd", {"wls_fcd"}}};
  const auto ahead = [&] {
    NoteList notes = ProcessingNotes(scenario, nullptr, {});
    std::erase_if(notes, [](const std::string& note) { return note.starts_with("causal"); });
    return notes;
  };
  CHECK(ahead().empty());
  scenario.evaluate_at_s = {1.0};
  CHECK(ahead() ==
        NoteList{"recursive, hekf are recursive and followed while data come in (at "
                 "/evaluate_at_s), and look ahead by themselves: it filters signals with zero "
                 "phase, and starts at the fit of all data; no processing makes them causal"});
  scenario.estimators = {{"wls_fcd", {"wls_fcd"}}};
  CHECK(ahead().empty());
}

TEST_CASE("Causal data are told to be late, by how much where the rate is known") {
  ProcessingOptions processing;
  processing.causal = true;
  CHECK(ProcessingNotes(RecordedScenario(processing), nullptr, {}).empty());
  processing.differentiate = {std::string(kJointVelocity)};
  processing.difference_half_width = 3;
  Scenario scenario = RecordedScenario(processing);
  scenario.windows = {{"on", {}}};
  scenario.estimators = {{"rls", {"rls"}}};
  CHECK(ProcessingNotes(scenario, nullptr, {}) ==
        NoteList{"causal processing: all channels are late by the same time, and their stamps are "
                 "not advanced"});
  SensorOptions sensors;
  sensors.rate_hz = 100.0;
  scenario.recording.reset();
  CHECK(ProcessingNotes(scenario, &sensors, {}) ==
        NoteList{"causal processing: all channels are 0.03 s late, and their stamps are not "
                 "advanced"});
  // Sensors are late too, all by the same time or each by its own.
  for (const ChannelInfo& channel : kChannels) {
    if (!channel.several) sensors[channel.name].origin = SensorOrigin::kAbsent;
  }
  sensors[kJointPosition].origin = SensorOrigin::kMeasured;
  sensors[kJointTorque].origin = SensorOrigin::kMeasured;
  sensors[kJointPosition].delay_s = sensors[kJointTorque].delay_s = 0.05;
  CHECK(ProcessingNotes(scenario, &sensors, {}) ==
        NoteList{"causal processing: all channels are 0.08 s late (0.05 s of it by delay_s of the "
                 "sensors), and their stamps are not advanced"});
  sensors[kJointTorque].delay_s = 0.0;
  CHECK(ProcessingNotes(scenario, &sensors, {}) ==
        NoteList{"causal processing: channels are late by 0.03 s of processing and by delay_s of "
                 "their sensors: joint_position 0.08 s, joint_velocity 0.08 s, joint_torque 0.03 "
                 "s, and their stamps are not advanced"});
}

TEST_CASE("Adaptive windows are told by how far they look ahead, or how late they are") {
  ProcessingOptions processing;
  processing.differentiate = {std::string(kJointVelocity), std::string(kJointAcceleration)};
  AdaptiveWindowOptions windows{.count_rad = PerJoint{{1e-4}}};
  processing.difference = windows;
  Scenario scenario = RecordedScenario(processing);
  CHECK(ProcessingNotes(scenario, nullptr, {}).empty());  // they are there for noisy positions
  scenario.windows = {{"on", {}}};
  scenario.estimators = {{"rls", {"rls"}}};
  CHECK(ProcessingNotes(scenario, nullptr, {}) ==
        NoteList{"rls is followed while data come in (in /windows), and these data look ahead: "
                 "adaptive windows read up to 12 samples ahead; a robot has no such data, and "
                 "changes are found too early; set /processing/causal"});
  windows.window = WindowPlace::kEnding;
  scenario.processing.difference = windows;
  const NoteList late = {
      "rates of windows that end at each sample are late by half of each window, and other "
      "channels are not: joint_velocity by up to 7.5 samples, joint_acceleration by up to 12 "
      "samples; the longest are those where the robot is slow; set /processing/difference/window "
      "to centred"};
  CHECK(ProcessingNotes(scenario, nullptr, {}) == late);
  scenario.processing.causal = true;
  CHECK(ProcessingNotes(scenario, nullptr, {}) == late);
}

TEST_CASE("Torques that a low-pass filtered before metrics see them are named so") {
  ProcessingOptions processing;
  processing.lowpass = LowpassAt(10.0);
  const std::vector<Dataset> filtered = {DatasetWithTorque(Origin::kDerived)};
  const NoteList notes = ProcessingNotes(RecordedScenario(processing), nullptr, filtered);
  REQUIRE(notes.size() == 1);
  CHECK(
      notes[0].starts_with("metrics of measured joint torques compare with torques filtered at "
                           "10 Hz, those of validation too"));
  const std::vector<Dataset> measured = {DatasetWithTorque(Origin::kMeasured)};
  CHECK(ProcessingNotes(RecordedScenario(processing), nullptr, measured).empty());
  // Where scores are declared, what they compare with is told there.
  Scenario scored = RecordedScenario(processing);
  scored.scoring.emplace();
  CHECK(ProcessingNotes(scored, nullptr, filtered).empty());
  processing.lowpass->channels = {std::string(kJointPosition)};
  CHECK(ProcessingNotes(RecordedScenario(processing), nullptr, filtered).empty());
}

TEST_CASE("Experiments of different roles that have the same data are told") {
  const UsedFile train{"tr", Role::kIdentification, "run1.csv", "aa", 0.0, 10.0};
  UsedFile other{"va", Role::kValidation, "copy.csv", "aa", 0.0, 10.0};
  const auto notes = [&] { return SharedFileNotes(std::vector<UsedFile>{train, other}); };
  CHECK(notes() == NoteList{"tr (identification) and va (validation) have the same data, run1.csv "
                            "and copy.csv: what was trained on validates nothing"});
  other.name = "run1.csv";
  CHECK(notes() == NoteList{"tr (identification) and va (validation) have the same data, "
                            "run1.csv: what was trained on validates nothing"});
  other.from_s = 10.0;  // the rest of the file
  other.until_s = 20.0;
  CHECK(notes().empty());
  other.from_s = 9.0;
  CHECK(notes().size() == 1);
  other.sha256 = "bb";
  CHECK(notes().empty());
  other.sha256 = "aa";
  other.role = Role::kIdentification;
  CHECK(notes().empty());
}

}  // namespace
}  // namespace idbench
