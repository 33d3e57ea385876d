#include "estimators/motors/desired_instruments.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "estimators/motors/driven_arm_test.h"
#include "robots/random/random_stream.h"

namespace idbench {
namespace {

/// The recording, with desired positions of which those of the joints lag behind by 0.1 s, but for
/// noise.
Dataset Following(const Dataset& recorded, double noise_rad) {
  const RandomStream stream(1, 0, "explained");
  Dataset following = recorded.WithoutChannels();
  Channel desired;
  for (Channel channel : recorded.channels()) {
    if (channel.name == kJointPosition) {
      desired = channel;
      desired.name = kDesiredPosition;
      const Eigen::Index samples = channel.samples.rows();
      const Eigen::Index late = std::min<Eigen::Index>(10, samples);
      channel.samples.bottomRows(samples - late) = desired.samples.topRows(samples - late);
      for (Eigen::Index i = 0; i < late; ++i) channel.samples.row(i) = desired.samples.row(0);
      for (Eigen::Index i = 0; i < channel.samples.size(); ++i) {
        channel.samples.data()[i] += noise_rad * stream.Normal(0, static_cast<std::uint64_t>(i));
      }
    }
    following.Add(std::move(channel));
  }
  following.Add(std::move(desired));
  return following;
}

TEST_CASE("A motion that follows the desired one late is explained by its history") {
  const DrivenArm arm;
  const Dataset clean = Following(arm.Record("a", 20.0, {}), 0.0);
  const Dataset explained = WithExplainedMotion(clean, {});
  const Eigen::MatrixXd& q = clean.Get(kJointPosition).samples;
  CHECK((explained.Get(kJointPosition).samples - q).cwiseAbs().maxCoeff() < 1e-8);
  // Velocities are those of the explained positions.
  const Eigen::MatrixXd& qd = explained.Get(kJointVelocity).samples;
  CHECK((qd.row(500) - (q.row(501) - q.row(499)) / 0.02).cwiseAbs().maxCoeff() < 1e-6);
  const Eigen::MatrixXd& qdd = explained.Get(kJointAcceleration).samples;
  const Eigen::RowVectorXd second = (q.row(501) - 2.0 * q.row(500) + q.row(499)) / 1e-4;
  CHECK((qdd.row(500) - second).cwiseAbs().maxCoeff() < 1e-3);
  // All else stays.
  CHECK(explained.Get(kMotorPwm).samples == clean.Get(kMotorPwm).samples);
}

TEST_CASE("What is explained has little of the noise of what was measured") {
  const DrivenArm arm;
  const Dataset recorded = arm.Record("a", 60.0, {});
  const Eigen::MatrixXd clean = Following(recorded, 0.0).Get(kJointPosition).samples;
  const Dataset explained = WithExplainedMotion(Following(recorded, 0.01), {});
  const double error = std::sqrt((explained.Get(kJointPosition).samples - clean).squaredNorm() /
                                 static_cast<double>(clean.size()));
  // 67 coefficients from 6000 samples take √(67/6000) of it.
  CHECK(error < 0.15 * 0.01);
  CHECK(error > 0.05 * 0.01);
}

TEST_CASE("A recording without desired positions, or with too few samples, is refused") {
  const auto refusal = [](const Dataset& dataset) {
    try {
      WithExplainedMotion(dataset, {});
    } catch (const EstimationFailure& failure) {
      return std::string(failure.what());
    }
    return std::string();
  };
  const DrivenArm arm;
  CHECK(refusal(arm.Record("a", 1.0, {})) ==
        "instruments need positions, their rates and desired positions of all joints at the same "
        "times, and 'a' has no such desired_position");
  CHECK(refusal(Following(arm.Record("a", 0.01, {}), 0.0)) == "'a' has no two samples");
  CHECK(refusal(Following(arm.Record("a", 0.5, {}), 0.0)) ==
        "50 samples of 'a' do not tell 67 coefficients of the explained motion");
}

}  // namespace
}  // namespace idbench
