#include "robots/recording/rate_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace idbench {
namespace {

const std::vector<std::string> kJoints = {"j1", "j2", "j3"};

/// Three joints at 200 Hz for 5 s: positions and velocities.
struct RateLog {
  Eigen::VectorXd time_s = Eigen::VectorXd::LinSpaced(1001, 0.0, 5.0);
  Eigen::MatrixXd q{1001, 3}, qd{1001, 3};

  RateLog() {
    for (Eigen::Index i = 0; i < time_s.size(); ++i) {
      for (int j = 0; j < 3; ++j) {
        const double w = 2.0 + 1.3 * j;
        q(i, j) = std::sin(w * time_s[i]) + 0.2 * j;
        qd(i, j) = w * std::cos(w * time_s[i]);
      }
    }
  }

  Dataset Recorded(Eigen::Index first = 0, Eigen::Index count = 1001) const {
    Dataset dataset("run", Role::kValidation);
    const auto add = [&](std::string_view name, const Eigen::MatrixXd& samples) {
      Channel channel;
      channel.name = name;
      channel.time_s = time_s.segment(first, count);
      channel.samples = samples.middleRows(first, count);
      dataset.Add(std::move(channel));
    };
    add(kJointPosition, q);
    add(kJointVelocity, qd);
    return dataset;
  }

  std::vector<std::string> Doubts() const {
    const Dataset dataset = Recorded();
    return RateDoubts({&dataset, 1}, kJointPosition, kJointVelocity, kJoints);
  }
};

/// The sentences about a log that was changed so.
std::vector<std::string> DoubtsOf(const std::function<void(RateLog&)>& change) {
  RateLog log;
  change(log);
  return log.Doubts();
}

TEST_CASE("Velocities that are those of the positions raise no doubt, noise and bias or not") {
  CHECK(RateLog().Doubts().empty());
  CHECK(DoubtsOf([](RateLog& log) {
          for (Eigen::Index i = 0; i < 1001; ++i) {
            log.q.row(i).array() += 1e-3 * std::sin(1e4 * double(i * i));
            log.qd.row(i).array() += 0.3 + 0.5 * std::sin(7e3 * double(i * i));
          }
        }).empty());
  // 5 % too large: no unit is.
  CHECK(DoubtsOf([](RateLog& log) { log.qd *= 1.05; }).empty());
}

TEST_CASE("A velocity of another scale is told with the factor and what it may come from") {
  using Sentences = std::vector<std::string>;
  CHECK(DoubtsOf([](RateLog& log) { log.qd.col(1) *= 180 / std::numbers::pi; }) ==
        Sentences{"velocity of j2 fits 57.3 × dq/dt: degrees for radians in one of them?"});
  CHECK(DoubtsOf([](RateLog& log) { log.q *= std::numbers::pi / 180; }) ==
        Sentences{"velocity of j1, j2, j3 fits 57.3 × dq/dt: degrees for radians in one of them?"});
  CHECK(DoubtsOf([](RateLog& log) { log.qd.col(2) *= std::numbers::pi / 180; }) ==
        Sentences{"velocity of j3 fits 0.0175 × dq/dt: degrees for radians in one of them?"});
  CHECK(DoubtsOf([](RateLog& log) { log.qd.col(0) *= -1; }) ==
        Sentences{"velocity of j1 fits -1 × dq/dt: the sign of one of them?"});
  CHECK(DoubtsOf([](RateLog& log) { log.qd.col(0) *= 100; }) ==
        Sentences{"velocity of j1 fits 100 × dq/dt: the unit of one of them, or a gear?"});
}

TEST_CASE("Velocities in another order are told with the joints that they fit") {
  CHECK(DoubtsOf([](RateLog& log) { log.qd.col(1).swap(log.qd.col(2)); }) ==
        std::vector<std::string>{
            "velocity of j2 fits dq/dt of j3, not its own: another order of columns?",
            "velocity of j3 fits dq/dt of j2, not its own: another order of columns?"});
}

TEST_CASE("A velocity that fits no joint's position is told") {
  const std::vector<std::string> doubts = DoubtsOf([](RateLog& log) {
    for (Eigen::Index i = 0; i < 1001; ++i) log.qd(i, 1) = std::cos(11.0 * log.time_s[i]);
  });
  REQUIRE(doubts.size() == 1);
  CHECK(doubts[0].starts_with("velocity of j2 does not fit dq/dt, which explains "));
}

TEST_CASE("A joint that rests is not judged, and segments are not joined") {
  CHECK(DoubtsOf([](RateLog& log) {
          log.q.col(2).setConstant(0.5);
          for (Eigen::Index i = 0; i < 1001; ++i) {
            log.qd(i, 2) = 1e-3 * std::sin(1e4 * double(i * i));
          }
        }).empty());
  // An encoder that jumped by a turn between two segments.
  RateLog log;
  log.q.bottomRows(500).array() += 6.3;
  const std::vector<Dataset> segments = {log.Recorded(0, 501), log.Recorded(501, 500)};
  CHECK(RateDoubts(segments, kJointPosition, kJointVelocity, kJoints).empty());
}

TEST_CASE("Channels that are missing or have another time cannot be compared") {
  Dataset dataset("run", Role::kValidation);
  CHECK(RateDoubts({&dataset, 1}, kJointPosition, kJointVelocity, kJoints).empty());
}

}  // namespace
}  // namespace idbench
