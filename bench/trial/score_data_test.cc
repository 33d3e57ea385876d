#include "bench/trial/score_data.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "robots/recording/resample.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// One joint at 0.5 Hz with a torque that also has 40 Hz, 200 samples a second.
Dataset Swinging(double duration_s, double jitter = 0.0) {
  Dataset dataset("a", Role::kIdentification);
  const auto n = static_cast<Eigen::Index>(duration_s * 200.0);
  Eigen::VectorXd t(n), q(n), tau(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    t[i] = 0.005 * (static_cast<double>(i) + (i % 2 == 0 ? 0.0 : jitter));
    q[i] = std::sin(std::numbers::pi * t[i]);
    tau[i] = q[i] + 0.1 * std::sin(80.0 * std::numbers::pi * t[i]);
  }
  dataset.Add({std::string(kJointPosition), "rad", t, q, {}});
  dataset.Add({std::string(kJointTorque), "N·m", t, tau, {}});
  return dataset;
}

ProcessingOptions Differences() {
  ProcessingOptions processing;
  processing.differentiate = {std::string(kJointVelocity), std::string(kJointAcceleration)};
  return processing;
}

Scores ScoresOf(const ScoringOptions& scoring, const ProcessingOptions& processing,
                const Dataset& measured) {
  const Dataset processed = Process(measured, processing);
  return MakeScores(scoring, processing, {&measured, 1}, {&processed, 1}, Process);
}

TEST_CASE("The cut-off is found from positions, and torque goes through the same low-pass") {
  const Scores scores = ScoresOf({}, Differences(), Swinging(30.0));
  const ScoreData& data = scores.datasets[0];
  CHECK_FALSE(data.as_measured.has_value());
  CHECK(data.Smoothed(ScoreCutoff::kNone) == nullptr);
  const SmoothedScore& score = *data.Smoothed(ScoreCutoff::kDeclared);
  CHECK(score.failure == "");
  const double cutoff_hz = score.lowpass->cutoff_hz();
  // 20 times 1 to 1.6 times the motion's 0.5 Hz.
  CHECK(cutoff_hz > 10.0);
  CHECK(cutoff_hz < 16.1);
  CHECK(data.Smoothed(ScoreCutoff::kHalf)->lowpass->cutoff_hz() ==
        doctest::Approx(0.5 * cutoff_hz));
  CHECK(data.Smoothed(ScoreCutoff::kTwice)->lowpass->cutoff_hz() ==
        doctest::Approx(2.0 * cutoff_hz));
  const Eigen::Index edge = score.edge_samples();
  const Eigen::MatrixXd& tau = score.dataset.Get(kJointTorque).samples;
  const Eigen::MatrixXd& q = score.dataset.Get(kJointPosition).samples;
  const Eigen::MatrixXd& qdd = score.dataset.Get(kJointAcceleration).samples;
  const Eigen::Index inside = tau.rows() - 2 * edge;
  REQUIRE(inside > 1000);
  // 40 Hz are gone and 0.5 Hz stand: gains (1 + (f/f_c)¹⁰)⁻¹.
  CHECK((tau - q).middleRows(edge, inside).cwiseAbs().maxCoeff() < 1e-4);
  // Differences have an error of q̈·(ωh)²/12, 2e-4, and of what the ends leave, 1e-4, the double
  // slope.
  CHECK((qdd + std::pow(std::numbers::pi, 2) * q).middleRows(edge, inside).cwiseAbs().maxCoeff() <
        2e-3);
  CHECK(scores.told.find("20 times the band of the motion: ") != std::string::npos);
}

TEST_CASE("Times that jitter are resampled, and what is sampled far above the cut-off decimated") {
  ScoringOptions scoring;
  scoring.cutoff_hz = 1.0;
  const Scores scores = ScoresOf(scoring, Differences(), Swinging(40.0, 0.2));
  const SmoothedScore& score = *scores.datasets[0].Smoothed(ScoreCutoff::kDeclared);
  REQUIRE(score.failure == "");
  CHECK(NominalRate(score.dataset.Get(kJointTorque).time_s) < 55.0);
  CHECK(NominalRate(score.dataset.Get(kJointTorque).time_s) >= 40.0);
  CHECK(scores.told.find("at 1 Hz, as declared, ") != std::string::npos);
}

TEST_CASE("Torque counts as measured where the processing filters it, unless it says otherwise") {
  ProcessingOptions processing = Differences();
  processing.lowpass.emplace().cutoff_hz = 5.0;
  processing.decimate_to_hz = 50.0;
  const Dataset measured = Swinging(30.0);
  ScoringOptions scoring;
  scoring.smoothing = ScoreSmoothing::kNone;
  const Scores scores = ScoresOf(scoring, processing, measured);
  CHECK(scores.told.find("not low-passed") != std::string::npos);
  REQUIRE(scores.datasets[0].as_measured.has_value());
  const Channel& torque = scores.datasets[0].as_measured->Get(kJointTorque);
  const Channel& recorded = measured.Get(kJointTorque);
  const Dataset processed = Process(measured, processing);
  REQUIRE(torque.time_s == processed.Get(kJointTorque).time_s);
  for (Eigen::Index i = 0; i < torque.time_s.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(std::lround(200.0 * torque.time_s[i]));
    CHECK(torque.samples(i, 0) == recorded.samples(at, 0));
  }
  CHECK(torque.origin == Origin::kMeasured);
  scoring.torque = ScoredTorque::kProcessed;
  const Scores filtered = ScoresOf(scoring, processing, measured);
  CHECK_FALSE(filtered.datasets[0].as_measured.has_value());
  CHECK(filtered.told ==
        "scores of torques compare torque behind the low-pass of the processing (5 Hz), not as "
        "measured");
}

TEST_CASE("States of scores against torque as measured are not late where estimators' states are") {
  ProcessingOptions processing = Differences();
  const Dataset measured = Swinging(30.0);
  ScoringOptions scoring;
  scoring.smoothing = ScoreSmoothing::kNone;
  for (const bool filtered : {false, true}) {
    if (filtered) processing.lowpass.emplace().cutoff_hz = 5.0;
    processing.causal = false;
    const Dataset in_time = Process(measured, processing);
    processing.causal = true;
    const Scores scores = ScoresOf(scoring, processing, measured);
    REQUIRE(scores.datasets[0].as_measured.has_value());
    const Dataset& scored = *scores.datasets[0].as_measured;
    CHECK(scored.Get(kJointVelocity).samples == in_time.Get(kJointVelocity).samples);
    CHECK(scored.Get(kJointTorque).origin == Origin::kMeasured);
    const bool told = scores.told.ends_with("without the delay of causal processing");
    CHECK(told == filtered);
  }
  // Without anything that delays there is nothing to undo.
  processing = {};
  processing.causal = true;
  CHECK_FALSE(ScoresOf(scoring, processing, measured).datasets[0].as_measured.has_value());
}

TEST_CASE(
    "Torque behind the processing is named where its low-pass went over it, and there alone") {
  ScoringOptions scoring;
  scoring.torque = ScoredTorque::kProcessed;
  scoring.cutoff_hz = 20.0;
  ProcessingOptions processing = Differences();
  processing.lowpass.emplace();
  processing.lowpass->cutoff_hz = 30.0;
  const auto names_torque = [&] {
    return ScoresOf(scoring, processing, Swinging(5.0)).told.find("not as measured") !=
           std::string::npos;
  };
  CHECK(names_torque());
  processing.lowpass->channels = {std::string(kJointPosition)};
  CHECK_FALSE(names_torque());
}

/// The measured datasets through Differences().
Scores ScoresOfAll(const ScoringOptions& scoring, const std::vector<Dataset>& measured) {
  std::vector<Dataset> processed;
  for (const Dataset& dataset : measured) processed.push_back(Process(dataset, Differences()));
  return MakeScores(scoring, Differences(), measured, processed, Process);
}

TEST_CASE("A segment that is too short for F is left out of the score alone, and told") {
  const std::vector<Dataset> measured = {Swinging(30.0), Swinging(0.5), Swinging(20.0)};
  const Scores scores = ScoresOfAll({}, measured);
  CHECK(scores.told.find("; left out, too short for F: a from 0 s to 0.495 s (100 samples)") !=
        std::string::npos);
  for (const ScoreCutoff cutoff :
       {ScoreCutoff::kHalf, ScoreCutoff::kDeclared, ScoreCutoff::kTwice}) {
    for (const std::size_t k : {0U, 1U, 2U}) {
      CAPTURE(k);
      const SmoothedScore* score = scores.datasets[k].Smoothed(cutoff);
      REQUIRE(score != nullptr);
      // At twice the cut-off half a second is enough.
      const bool fits = k != 1 || cutoff == ScoreCutoff::kTwice;
      CHECK(score->left_out == !fits);
      CHECK(score->failure.empty() == fits);
    }
  }
  // The cut-off is that of the long ones.
  const Scores alone = ScoresOfAll({}, {measured[0], measured[2]});
  CHECK(scores.datasets[0].Smoothed(ScoreCutoff::kDeclared)->lowpass->cutoff_hz() ==
        alone.datasets[0].Smoothed(ScoreCutoff::kDeclared)->lowpass->cutoff_hz());
  ScoringOptions declared;
  declared.cutoff_hz = 10.0;
  CHECK(ScoresOfAll(declared, measured).datasets[1].Smoothed(ScoreCutoff::kDeclared)->left_out);
}

TEST_CASE("An experiment of short segments alone is not smoothed, and the others are") {
  Dataset scrap("b", Role::kValidation);
  const Dataset swinging = Swinging(0.5);
  for (const Channel& channel : swinging.channels()) scrap.Add(channel);
  const std::vector<Dataset> measured = {Swinging(30.0), scrap, scrap};
  const Scores scores = ScoresOfAll({}, measured);
  CHECK(scores.datasets[0].Smoothed(ScoreCutoff::kDeclared)->failure.empty());
  CHECK(
      scores.told.find("; those of b are not smoothed: 0.495 s are too short for a low-pass of ") !=
      std::string::npos);
  for (const std::size_t k : {1U, 2U}) {
    CHECK(scores.datasets[k].Smoothed(ScoreCutoff::kDeclared) == nullptr);
    CHECK_FALSE(scores.datasets[k].Smoothed(ScoreCutoff::kHalf)->failure.empty());
    CHECK_FALSE(scores.datasets[k].Smoothed(ScoreCutoff::kHalf)->left_out);
  }
  ScoringOptions declared;
  declared.cutoff_hz = 10.0;
  CHECK_THROWS_AS(ScoresOfAll(declared, measured), TooShortError);
}

TEST_CASE("A log that no low-pass fits is scored as it is, and that is said") {
  const Scores scores = ScoresOf({}, Differences(), Swinging(0.5));
  CHECK(scores.told == "scores of torques are not smoothed: a log has fewer than 200 samples");
  CHECK(scores.datasets[0].Smoothed(ScoreCutoff::kDeclared) == nullptr);
  CHECK(scores.datasets[0].Smoothed(ScoreCutoff::kHalf)->failure ==
        "a log has fewer than 200 samples");
  const Scores without = ScoresOf({}, {}, Swinging(30.0));
  CHECK(without.told == "scores of torques are not smoothed: there is no channel 'joint_velocity'");
}

TEST_CASE("A declared cut-off that does not fit is refused") {
  ScoringOptions scoring;
  const auto refusal = [&](double cutoff_hz) {
    scoring.cutoff_hz = cutoff_hz;
    try {
      ScoresOf(scoring, Differences(), Swinging(5.0));
    } catch (const ConfigError& error) {
      return error.issues().front().what;
    }
    return std::string();
  };
  CHECK(refusal(0.5) == "4.95 s are too short for a low-pass of 0.5 Hz");
  CHECK(refusal(120.0) == "got 120, but 'joint_position' was sampled at 200 Hz");
  CHECK(refusal(20.0) == "");
}

TEST_CASE("Half or twice the cut-off may not fit alone: that score fails with the reason") {
  ScoringOptions scoring;
  scoring.cutoff_hz = 60.0;
  const Scores scores = ScoresOf(scoring, Differences(), Swinging(5.0));
  CHECK(scores.datasets[0].Smoothed(ScoreCutoff::kDeclared)->failure == "");
  CHECK(scores.datasets[0].Smoothed(ScoreCutoff::kTwice)->failure ==
        "got 120, but 'joint_position' was sampled at 200 Hz");
}

/// Swinging() with a wrench and a duty cycle that have 40 Hz of noise as the torque has.
Dataset WithWrench(const Dataset& swinging, bool torque) {
  Dataset dataset = swinging.WithoutChannels();
  for (Channel channel : swinging.channels()) {
    if (channel.name != kJointTorque) {
      dataset.Add(std::move(channel));
      continue;
    }
    Channel wrench = channel;
    wrench.name = "wrench/arm";
    wrench.samples = channel.samples.replicate(1, 6);
    Channel pwm = channel;
    pwm.name = kMotorPwm;
    pwm.samples = 2.0 * channel.samples;
    dataset.Add(std::move(wrench));
    dataset.Add(std::move(pwm));
    if (torque) dataset.Add(std::move(channel));
  }
  return dataset;
}

/// Scores of wrenches and duty cycles too.
Scores WrenchScores(const ScoringOptions& scoring, const ProcessingOptions& processing,
                    const Dataset& measured, const std::vector<std::string>& channels) {
  const Dataset processed = Process(measured, processing);
  return MakeScores(scoring, processing, {&measured, 1}, {&processed, 1}, Process, channels);
}

const std::vector<std::string> kWrenchAndPwm = {"wrench/arm", std::string(kMotorPwm)};

TEST_CASE("Wrenches and duty cycles pass the same low-pass as torques, and need none of these") {
  ScoringOptions scoring;
  scoring.cutoff_hz = 10.0;
  const Dataset swinging = Swinging(10.0);
  const SmoothedScore alone =
      *ScoresOf(scoring, Differences(), swinging).datasets[0].Smoothed(ScoreCutoff::kDeclared);
  const Eigen::MatrixXd& tau = alone.dataset.Get(kJointTorque).samples;
  for (const bool torque : {false, true}) {
    CAPTURE(torque);
    const Scores scores =
        WrenchScores(scoring, Differences(), WithWrench(swinging, torque), kWrenchAndPwm);
    const SmoothedScore& score = *scores.datasets[0].Smoothed(ScoreCutoff::kDeclared);
    REQUIRE(score.failure == "");
    CHECK(score.dataset.Get("wrench/arm").samples.col(4) == tau.col(0));
    CHECK((score.dataset.Get(kMotorPwm).samples - 2.0 * tau).norm() < 1e-12);  // rounding
    CHECK(score.dataset.Get(kJointAcceleration).samples ==
          alone.dataset.Get(kJointAcceleration).samples);
    CHECK((score.dataset.Find(kJointTorque) != nullptr) == torque);
    if (torque) CHECK(score.dataset.Get(kJointTorque).samples == tau);
    CHECK(scores.told ==
          std::string("scores of ") + (torque ? "torques, " : "") +
              "wrenches and duty cycles compare F y with F ŷ(F q, F q̇, F q̈), F a zero-phase "
              "Butterworth low-pass of order 5 at 10 Hz, as declared, the same for all estimates" +
              (torque ? "; of torques (cutoff=0.5), (cutoff=2) and (cutoff=none) are at half and "
                        "twice that and without F; best is who is best at all of them"
                      : ""));
  }
  // Others than these are not compared.
  const Scores torques = WrenchScores(scoring, Differences(), WithWrench(swinging, true), {});
  CHECK(torques.told == ScoresOf(scoring, Differences(), swinging).told);
  CHECK(torques.datasets[0].Smoothed(ScoreCutoff::kDeclared)->dataset.channels().size() == 4);
}

TEST_CASE("A wrench counts as measured where the processing filters it, unless it says otherwise") {
  ProcessingOptions processing = Differences();
  processing.lowpass.emplace().cutoff_hz = 5.0;
  const Dataset measured = WithWrench(Swinging(10.0), false);
  ScoringOptions scoring;
  scoring.smoothing = ScoreSmoothing::kNone;
  const Scores scores = WrenchScores(scoring, processing, measured, {"wrench/arm"});
  CHECK(scores.told ==
        "scores of wrenches compare them as measured, not low-passed, with predictions of the "
        "processed states");
  REQUIRE(scores.datasets[0].as_measured.has_value());
  const Channel& wrench = scores.datasets[0].as_measured->Get("wrench/arm");
  const Dataset processed = Process(measured, processing);
  REQUIRE(wrench.time_s == processed.Get("wrench/arm").time_s);
  const Channel& recorded = measured.Get("wrench/arm");
  for (Eigen::Index i = 0; i < wrench.time_s.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(std::lround(200.0 * wrench.time_s[i]));
    CHECK(wrench.samples(i, 5) == recorded.samples(at, 5));
  }
  // What is not compared stays as it is processed.
  CHECK(scores.datasets[0].as_measured->Get(kMotorPwm).samples == processed.Get(kMotorPwm).samples);
  scoring.torque = ScoredTorque::kProcessed;
  CHECK(WrenchScores(scoring, processing, measured, kWrenchAndPwm).told ==
        "scores of wrenches and duty cycles compare them behind the low-pass of the processing (5 "
        "Hz), not as measured");
}

TEST_CASE("Wrenches that no low-pass fits are scored as they are, and that is said") {
  const Scores scores =
      WrenchScores({}, Differences(), WithWrench(Swinging(0.5), false), {"wrench/arm"});
  CHECK(scores.told == "scores of wrenches are not smoothed: a log has fewer than 200 samples");
  const Scores none =
      WrenchScores({}, Differences(), WithWrench(Swinging(30.0), false), {"wrench/leg"});
  CHECK(none.told == "scores of torques are not smoothed: there is no channel 'joint_torque'");
}

}  // namespace
}  // namespace idbench
