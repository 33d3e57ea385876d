#include "estimators/walkers/walker_data.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/interface/estimate_test.h"
#include "estimators/synthetic_test.h"
#include "estimators/synthetic_walker_test.h"

namespace idbench {
namespace {

std::vector<WalkerRecording> ReadBiped(const std::vector<Dataset>& datasets,
                                       std::vector<std::string_view> further = {},
                                       Eigen::Index least_samples = 9) {
  return ReadWalkerData(Biped().problem, datasets, further, least_samples);
}

TEST_CASE("A recording is read as it is, and torques are those of the motors on the joints") {
  const Dataset dataset = Biped().Record("a");
  const WalkerRecording recording = ReadBiped({dataset}, {kDistance}).at(0);
  CHECK(recording.label == "a");
  CHECK(recording.size() == 69);
  CHECK(recording.Ts == doctest::Approx(0.01).epsilon(1e-14));
  CHECK(recording.q.samples == dataset.Get(kJointPosition).samples.transpose());
  CHECK(recording.q.sigma == Eigen::Vector3d(1e-3, 0.0, 0.0));
  CHECK(recording.u.samples == dataset.Get(kActuatorTorque).samples.transpose());
  REQUIRE(recording.further.size() == 1);
  CHECK(recording.further[0].samples == dataset.Get(kDistance).samples.transpose());
  CHECK(recording.tau.row(0).isZero(0.0));
  CHECK(recording.tau.row(1) == -recording.u.samples.row(1));
  CHECK(recording.tau.row(2) == recording.u.samples.row(0) + recording.u.samples.row(1));
}

TEST_CASE("Every identification dataset is read, in order, and no other") {
  const std::vector<Dataset> datasets = {
      Biped().Record("a"), Biped().Record("v", 1.0, 0, Role::kValidation), Biped().Record("b")};
  const std::vector<WalkerRecording> recordings = ReadBiped(datasets);
  REQUIRE(recordings.size() == 2);
  CHECK(recordings[0].label == "a");
  CHECK(recordings[1].label == "b");
}

TEST_CASE("What cannot be used is refused by name") {
  const Dataset good = Biped().Record("a");
  CHECK(Refusal([&] { ReadBiped({}); }) == "there is no dataset of role identification");
  CHECK(Refusal([&] {
          ReadBiped({WithoutChannel(good, kActuatorTorque)});
        }).starts_with("dataset 'a' lacks actuator_torque"));
  CHECK(
      Refusal([&] { ReadBiped({good}, {kGyroscope}); }).starts_with("dataset 'a' lacks gyroscope"));
  CHECK(Refusal([&] { ReadBiped({good}, {}, 70); }) ==
        "a: 69 samples are too few, at least 70 are needed");
  const Dataset bad = WithChannel(good, kJointPosition,
                                  [](Eigen::MatrixXd& samples) { samples(5, 1) = std::nan(""); });
  CHECK(Refusal([&] { ReadBiped({bad}); }) ==
        "a: the channel 'joint_position' is nan at sample 6, column 2");
  Dataset narrow("a", Role::kIdentification);
  for (Channel channel : good.channels()) {
    if (channel.name == kActuatorTorque) {
      channel.samples.conservativeResize(Eigen::NoChange, 1);
      channel.sigma.resize(0);
    }
    narrow.Add(channel);
  }
  CHECK(Refusal([&] { ReadBiped({narrow}); }) ==
        "a: the channel 'actuator_torque' has 1 columns, expected 2");
}

/// All channels at times that `change` was applied to.
template <class Change>
Dataset WithTimes(const Dataset& dataset, Change change) {
  Dataset copy = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    change(channel.time_s);
    copy.Add(channel);
  }
  return copy;
}

TEST_CASE("Time that jitters is refused, time stamps that are rounded are not") {
  const Dataset good = Biped().Record("a");
  const Dataset jittered = WithTimes(good, [](Eigen::VectorXd& time_s) { time_s[30] += 2e-4; });
  CHECK(Refusal([&] { ReadBiped({jittered}); }) ==
        "a: time jitters by up to 2 % of its step, 0.1 % are accepted, because differences stand "
        "for derivatives: resample the recording (/processing/resample_rate_hz)");
  const Dataset rounded = WithTimes(good, [](Eigen::VectorXd& time_s) {
    time_s = (time_s.array() * 1e6).round() / 1e6 + 1e-6 * 0.4;
  });
  CHECK(ReadBiped({rounded}).size() == 1);
}

TEST_CASE("A sigma that a method needs and nobody declared is refused by name") {
  WalkerRecording recording = ReadBiped({Biped().Record("a")}).at(0);
  CHECK(DeclaredSigma(recording, recording.u) == recording.u.sigma);
  CHECK(DeclaredSigmaOfAngle(recording, recording.q) == 1e-3);
  recording.u.sigma.resize(0);
  recording.q.sigma[0] = 0.0;
  const std::string needs = "a: needs a positive declared σ of the channel ";
  CHECK(Refusal([&] { DeclaredSigma(recording, recording.u); }) == needs + "'actuator_torque'");
  CHECK(Refusal([&] { DeclaredSigmaOfAngle(recording, recording.q); }) ==
        needs + "'joint_position'");
}

TEST_CASE("Errors of the motors become errors of the joints, and the free row gets epsilon") {
  const TorqueCovariance torques =
      CovarianceOfTorques(Biped().problem.model, Eigen::Vector2d(0.3, 0.4), 8.0);
  const double epsilon = 8.0 * (0.09 + 0.16) / 2.0;
  Eigen::Matrix3d expected;
  expected << epsilon, 0.0, 0.0, 0.0, 0.16, -0.16, 0.0, -0.16, 0.25;
  CHECK(torques.covariance.isApprox(expected, 1e-15));
  CHECK(torques.epsilon == doctest::Approx(epsilon).epsilon(1e-15));
  CHECK(torques.free_rows == std::vector{0});
  const Eigen::MatrixXd L = torques.WhiteningRoot();
  CHECK((L * expected * L.transpose()).isIdentity(1e-14));
}

TEST_CASE("Two joints that one motor drives have no covariance of their errors") {
  RobotModel model = Biped().problem.model;
  model.SetActuation({{"one"}, Eigen::Vector3d(0.0, 1.0, -1.0)});
  CHECK(Refusal([&] { CovarianceOfTorques(model, Eigen::VectorXd::Ones(1), 1.0); }) ==
        "the errors of the joints' torques have no invertible covariance: each joint needs a motor "
        "of its own, or none at all");
}

TEST_CASE("The synthetic biped is that of the study, and ends its step where the study says") {
  Eigen::VectorXd beta(8), end(3);
  beta << 31.25, 1.25, 2.5, 2.5, 5.0, 318.825, 24.525, 49.05;
  CHECK(Biped().beta.isApprox(beta, 1e-14));
  end << 0.3704, 2.4081, 0.2089;
  const Dataset exact = Biped().Record("a", 0.0);
  const Eigen::VectorXd last = exact.Get(kJointPosition).samples.row(68);
  CHECK((last - end).cwiseAbs().maxCoeff() < 1e-4);  // four digits are given
}

}  // namespace
}  // namespace idbench
