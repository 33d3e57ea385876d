#include "robots/recording/rate_check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "robots/recording/csv.h"
#include "robots/recording/differentiate.h"

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

/// Rounds to an encoder's counts.
void Quantise(Eigen::MatrixXd& q, double count) { q = (q.array() / count).round() * count; }

TEST_CASE(
    "Counts that an encoder at rest flickers between raise no doubt about their differences") {
  CHECK(DoubtsOf([](RateLog& log) {
          for (Eigen::Index i = 0; i < 1001; ++i) {
            for (int j = 0; j < 3; ++j) log.q(i, j) = 1e-4 * std::sin(1e4 * double(i * i) + j);
          }
          Quantise(log.q, 1e-4);
          log.qd = Differentiate(log.time_s, log.q);
        }).empty());
}

TEST_CASE("A velocity that is mostly noise fits no joint, and raises no doubt") {
  CHECK(DoubtsOf([](RateLog& log) {
          for (Eigen::Index i = 0; i < 1001; ++i) {
            log.q(i, 1) *= 0.02;
            log.qd(i, 1) = 0.02 * log.qd(i, 1) + 5.0 * std::sin(7e3 * double(i * i));
          }
        }).empty());
}

TEST_CASE("Joints that move alike are not told apart") {
  // j2 moves as j1 does; its velocity lacks what its position shakes with.
  CHECK(DoubtsOf([](RateLog& log) {
          log.q.col(1) = log.q.col(0);
          log.qd.col(1) = log.qd.col(0);
          for (Eigen::Index i = 0; i < 1001; ++i) {
            log.q(i, 1) += 0.45 * std::sin(40.0 * log.time_s[i]);
          }
        }).empty());
}

/// Where recordings are; nothing without IDBENCH_DATA.
std::optional<std::filesystem::path> Recordings() {
  const char* const root = std::getenv("IDBENCH_DATA");
  if (root == nullptr) {
    MESSAGE("skipped: IDBENCH_DATA is not set");
    return std::nullopt;
  }
  return root;
}

/// Sentences about each part of `rows` rows.
std::vector<std::string> DoubtsInParts(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& x,
                                       std::string_view quantity, const Eigen::MatrixXd& xd,
                                       std::string_view rate, Eigen::Index rows) {
  std::vector<std::string> joints, doubts;
  for (Eigen::Index j = 1; j <= x.cols(); ++j) joints.push_back("j" + std::to_string(j));
  for (Eigen::Index at = 0; at + rows <= time_s.size(); at += std::min<Eigen::Index>(rows, 200)) {
    Dataset part("run", Role::kValidation);
    Channel channel;
    channel.time_s = time_s.segment(at, rows);
    channel.name = quantity;
    channel.samples = x.middleRows(at, rows);
    part.Add(channel);
    channel.name = rate;
    channel.samples = xd.middleRows(at, rows);
    part.Add(channel);
    for (const std::string& each : RateDoubts({&part, 1}, quantity, rate, joints)) {
      doubts.push_back(fmt::format("{} rows from {}: {}", rows, at, each));
    }
  }
  return doubts;
}

/// Sentences about positions, velocities and accelerations, in parts and whole.
std::vector<std::string> DoubtsOfLog(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& q,
                                     const Eigen::MatrixXd& qd, const Eigen::MatrixXd& qdd) {
  std::vector<std::string> doubts;
  for (const Eigen::Index rows :
       {Eigen::Index{300}, Eigen::Index{620}, Eigen::Index{1200}, time_s.size()}) {
    for (const std::vector<std::string>& each :
         {DoubtsInParts(time_s, q, kJointPosition, qd, kJointVelocity, rows),
          DoubtsInParts(time_s, qd, kJointVelocity, qdd, kJointAcceleration, rows)}) {
      doubts.insert(doubts.end(), each.begin(), each.end());
    }
  }
  return doubts;
}

TEST_CASE("Parts of a KUKA's recordings raise no doubt, rates as recorded or differences") {
  const std::optional<std::filesystem::path> root = Recordings();
  if (!root) return;
  for (const char* const name : {"run1.csv", "run2.csv", "run3.csv"}) {
    const CsvTable table = ReadCsv(*root / "kuka_lwr4" / name);
    const Eigen::VectorXd t = table.values.col(0);
    const Eigen::MatrixXd q = table.values.middleCols(1, 7), qd = table.values.middleCols(8, 7),
                          qdd = table.values.middleCols(15, 7);
    const Eigen::MatrixXd dq = Differentiate(t, q), ddq = Differentiate(t, q, 2);
    const std::vector<std::string> none;
    CHECK(DoubtsOfLog(t, q, qd, qdd) == none);
    CHECK(DoubtsOfLog(t, q, dq, ddq) == none);
    CHECK(DoubtsOfLog(t, q, qd, Differentiate(t, qd)) == none);
    // The authors filtered qd and q̈, and not q.
    CHECK(DoubtsOfLog(t, q, qd, ddq) == none);
    CHECK(DoubtsOfLog(t, q, dq, qdd) == none);

    Eigen::MatrixXd swapped = qdd;
    swapped.col(1).swap(swapped.col(2));
    const std::vector<std::string> told =
        DoubtsInParts(t, qd, kJointVelocity, swapped, kJointAcceleration, t.size());
    // Joints 3 and 6 move alike within 8 %, and so do joints 2 and 5 in runs 1 and 2.
    const bool alike = std::string_view(name) != "run3.csv";
    CHECK(told == std::vector<std::string>{
                      "5027 rows from 0: acceleration of j2 fits dq̇/dt of j3 or j6, not its own: "
                      "another order of columns?",
                      fmt::format("5027 rows from 0: acceleration of j3 fits dq̇/dt of j2{}, not "
                                  "its own: another order of columns?",
                                  alike ? " or j5" : "")});
    CHECK(!DoubtsInParts(t, qd, kJointVelocity, swapped, kJointAcceleration, 620).empty());
  }
}

TEST_CASE("Parts of a TX40's recording raise no doubt, also where it stands still") {
  const std::optional<std::filesystem::path> root = Recordings();
  if (!root) return;
  const CsvTable table = ReadCsv(*root / "staubli_tx40" / "pos_read_data.csv");
  // 9 s at 5 kHz; every fifth row saves time. A motor's turn has 32 to 48 of its joint's.
  const Eigen::Index rows = table.values.rows() / 5;
  const Eigen::MatrixXd q =
      table.values(Eigen::seqN(0, rows, 5), Eigen::seqN(table.values.cols() - 6, 6)) / 40.0;
  const Eigen::VectorXd t =
      Eigen::VectorXd::LinSpaced(rows, 0.0, 1e-3 * static_cast<double>(rows - 1));
  CHECK(DoubtsOfLog(t, q, Differentiate(t, q), Differentiate(t, q, 2)) ==
        std::vector<std::string>{});
}

TEST_CASE("Channels that are missing or have another time cannot be compared") {
  Dataset dataset("run", Role::kValidation);
  CHECK(RateDoubts({&dataset, 1}, kJointPosition, kJointVelocity, kJoints).empty());
}

}  // namespace
}  // namespace idbench
