#include "estimators/observers/contact_statistic.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "estimators/observers/observers_test.h"
#include "robots/random/random_stream.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr Eigen::Index kMany = 10000;

const Synthetic& Wam() {
  static const Synthetic robot = ArmOf("barrett_wam7");
  return robot;
}

/// 100 s without contact, with independent noise.
const std::vector<Dataset>& Training() {
  static const std::vector<Dataset> training = {Wam().Record("a", kMany, NoiseOf(7))};
  return training;
}

const Dataset& Fresh() {
  static const Dataset fresh = Wam().Record("w", kMany, NoiseOf(7), 1, Role::kApplication);
  return fresh;
}

/// Noise that joints share, and that lasts some samples.
Dataset WithSharedNoise(const Dataset& dataset, std::string_view name) {
  return WithChannel(dataset, kJointTorque, [&](Eigen::MatrixXd& tau) {
    const RandomStream stream(5, 0, name);
    double shared = 0.0;
    for (Eigen::Index k = 0; k < tau.rows(); ++k) {
      shared = 0.8 * shared + 0.3 * stream.Normal(0, static_cast<std::uint64_t>(k));
      tau.row(k).array() += shared;
    }
  });
}

Observation Tell(std::string_view options, const Dataset& watched,
                 const std::vector<Dataset>& training = Training()) {
  const auto observer = MakeObserverOf("contact_statistic", options);
  Observation observation = Observe(*observer, Wam(), training, watched);
  INFO(observation.reason);
  REQUIRE(observation.ok());
  return observation;
}

Eigen::VectorXd Squares(std::string_view options, const Dataset& watched,
                        const std::vector<Dataset>& training = Training()) {
  return ValuesOf(Tell(options, watched, training), kStatistic).col(0);
}

/// Part of samples first … last − 1 at which a contact is detected.
double Detected(const Observation& observation, Eigen::Index first, Eigen::Index last) {
  const Labels* const labels = FindNamed(observation.labels, kDetected);
  REQUIRE(labels != nullptr);
  const Eigen::VectorXi part = labels->chosen.segment(first, last - first);
  return static_cast<double>((part.array() == 1).count()) / static_cast<double>(part.size());
}

TEST_CASE("Where nothing acts the statistic is a χ² of as many degrees as rows") {
  const Dataset fresh = WithSharedNoise(Fresh(), "w");
  const std::vector<Dataset> training = {WithSharedNoise(Training().front(), "a")};
  const Eigen::VectorXd squares = Squares(R"({"samples": 1})", fresh, training);
  // Four standard deviations √(2·7/N) of the mean, where the shared noise makes N three times less.
  CHECK(squares.mean() == doctest::Approx(7.0).epsilon(4.0 * std::sqrt(14.0 * 3.0 / kMany) / 7.0));
  const double variance = (squares.array() - squares.mean()).square().mean();
  CHECK(variance == doctest::Approx(14.0).epsilon(0.15));
  // The noise lasts: independent samples would make the mean of ten too small.
  CHECK(Squares(R"({"samples": 10})", fresh, training).mean() == doctest::Approx(7.0).epsilon(0.1));
  // Without the covariance the shared noise counts seven times.
  const Eigen::VectorXd diagonal =
      Squares(R"({"samples": 1, "covariance": "diagonal"})", fresh, training);
  CHECK(diagonal.mean() == doctest::Approx(7.0).epsilon(0.1));
  CHECK((diagonal.array() - diagonal.mean()).square().mean() > 30.0);
}

TEST_CASE("The threshold lets through the false alarms that it is to") {
  for (const char* options :
       {R"({"samples": 1, "false_alarm_rate": 0.05})",
        R"({"samples": 1, "false_alarm_rate": 0.05, "covariance": "diagonal"})",
        R"({"samples": 1, "false_alarm_rate": 0.05, "dead_zone_rad_s": 1.0})"}) {
    CAPTURE(options);
    const double rate = Detected(Tell(options, Fresh()), 0, kMany);
    // Four standard deviations, of the rate and of the threshold.
    CHECK(std::abs(rate - 0.05) < 4.0 * std::sqrt(2.0 * 0.05 * 0.95 / kMany));
  }
}

TEST_CASE("A push that single samples hide shows in their mean") {
  const Dataset watched = Pushed(Wam(), Fresh(), [](double t) {
    return t > 50.0 ? Eigen::Vector3d(0.7, 0.5, -0.6) : Eigen::Vector3d::Zero();
  });
  const Observation one = Tell(R"({"samples": 1})", watched);
  const Observation many = Tell(R"({"samples": 30})", watched);
  CHECK(Detected(one, 5100, kMany) < 0.5);
  CHECK(Detected(many, 5100, kMany) > 0.9);
  CHECK(Detected(many, 0, 5000) < 0.03);
}

TEST_CASE("The mean of squares is that of the last samples' statistics") {
  const Dataset watched = Wam().Record("w", 30, NoiseOf(7), 1, Role::kApplication);
  const Eigen::VectorXd single = Squares(R"({"samples": 1})", watched);
  const Eigen::VectorXd mean = Squares(R"({"samples": 4, "average": "squares"})", watched);
  for (Eigen::Index k = 0; k < 30; ++k) {
    const Eigen::Index count = std::min<Eigen::Index>(k + 1, 4);
    CHECK(mean[k] == doctest::Approx(single.segment(k + 1 - count, count).mean()).epsilon(1e-12));
  }
}

TEST_CASE("Joints that creep do not count in a dead zone") {
  const Dataset& fresh = Fresh();
  const Eigen::MatrixXd& qd = fresh.Get(kJointVelocity).samples;
  const Dataset watched = WithChannel(fresh, kJointTorque, [&](Eigen::MatrixXd& tau) {
    for (Eigen::Index k = 0; k < tau.rows(); ++k) {
      for (Eigen::Index j = 0; j < 7; ++j) {
        if (std::abs(qd(k, j)) < 0.5) tau(k, j) += 4.0;  // friction that the model lacks
      }
    }
  });
  CHECK(Detected(Tell(R"({"samples": 1})", watched), 0, kMany) > 0.3);
  const char* const zone =
      R"({"samples": 1, "dead_zone_rad_s": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]})";
  CHECK(Detected(Tell(zone, watched), 0, kMany) < 0.02);
  // A push on what moves shows all the same.
  const Dataset touched =
      Pushed(Wam(), watched, [](double) { return Eigen::Vector3d(5.0, 5.0, 5.0); });
  CHECK(Detected(Tell(zone, touched), 0, kMany) > 0.9);
  // The same zone as a part of the problem.
  Synthetic declared = Wam();
  declared.problem.rows.front().dead_zone = Eigen::VectorXd::Constant(7, 0.5);
  const auto observer = MakeObserverOf("contact_statistic", R"({"samples": 1})");
  const Eigen::VectorXd of_problem =
      ValuesOf(Observe(*observer, declared, Training(), watched), kStatistic).col(0);
  CHECK(of_problem == Squares(zone, watched));
}

TEST_CASE("A bias is tracked, and a contact is not taken for one") {
  const Dataset watched = WithChannel(Fresh(), kJointTorque, [](Eigen::MatrixXd& tau) {
    tau.rowwise() += 2.0 * NoiseOf(7).transpose();                        // the bias
    tau.middleRows(6000, 200).rowwise() += 1.5 * NoiseOf(7).transpose();  // the contact
  });
  const Observation untracked = Tell(R"({"samples": 10})", watched);
  CHECK(Detected(untracked, 3000, 6000) > 0.95);
  const Observation tracked = Tell(R"({"samples": 10, "bias_tracking_s": 1.0})", watched);
  CHECK(Detected(tracked, 3000, 6000) < 0.03);
  CHECK(Detected(tracked, 6010, 6200) > 0.9);
  const auto at_the_end = [&](std::string_view options) {
    return Squares(options, watched).segment(6150, 50).mean();
  };
  CHECK(at_the_end(R"({"bias_tracking_s": 1.0, "frozen_s": 1.0, "bias_clip": 1e6})") <
        0.2 * at_the_end(R"({"bias_tracking_s": 1.0, "bias_clip": 1e6})"));
  // What lasts too long is a bias: 3 s after the beginning it is tracked.
  CHECK(Detected(tracked, 500, 1000) < 0.1);
  // Gross outliers are clipped.
  const Dataset spiked = WithChannel(watched, kJointTorque, [](Eigen::MatrixXd& tau) {
    for (Eigen::Index k = 3000; k < 4000; k += 50) tau.row(k).array() += 300.0;
  });
  const char* const one = R"({"samples": 1, "bias_tracking_s": 1.0})";
  const char* const unclipped = R"({"samples": 1, "bias_tracking_s": 1.0, "bias_clip": 1e6})";
  CHECK(Detected(Tell(one, spiked), 3000, 4000) < 0.06);
  CHECK(Detected(Tell(unclipped, spiked), 3000, 4000) > 0.2);
}

TEST_CASE("What a model does not know of itself is no contact") {
  const Synthetic& robot = Wam();
  const Dataset watched = robot.Record("w", 20, NoiseOf(7), 1, Role::kApplication);
  const Eigen::VectorXd x = robot.x();
  const Eigen::VectorXd sigma = 0.05 * x.cwiseAbs().array() + 0.01;
  const RandomStream stream(9, 0, "models");
  const auto certain = MakeObserverOf("contact_statistic", R"({"samples": 1, "threshold": 20})");
  const auto uncertain = MakeObserverOf(
      "contact_statistic", R"({"samples": 1, "threshold": 20, "model_uncertainty": true})");
  constexpr int kModels = 300;
  double with = 0.0, without = 0.0;
  for (int draw = 0; draw < kModels; ++draw) {
    Estimate model;
    model.x = x;
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      model.x[k] +=
          sigma[k] * stream.Normal(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(draw));
    }
    model.pi = robot.problem.parameters.Pi(model.x);
    model.covariance = sigma.array().square().matrix().asDiagonal();
    // No identification data: S is what is declared.
    const auto mean = [&](Observer& observer) {
      return ValuesOf(observer.Observe(robot.problem, model, {}, watched), kStatistic).mean();
    };
    with += mean(*uncertain) / kModels;
    without += mean(*certain) / kModels;
  }
  // Four standard deviations √(2·7/n), were the samples of a model all one.
  CHECK(with == doctest::Approx(7.0).epsilon(4.0 * std::sqrt(14.0 / kModels) / 7.0));
  CHECK(without > 14.0);
  Estimate silent = TruthOf(robot);
  const Observation same = uncertain->Observe(robot.problem, silent, {}, watched);
  CHECK(ValuesOf(same, kStatistic) ==
        ValuesOf(certain->Observe(robot.problem, silent, {}, watched), kStatistic));
}

TEST_CASE("The uncertainty of a model does not average out over samples") {
  const Synthetic& robot = Wam();
  const Dataset watched = robot.Record("w", 20, {}, 1, Role::kApplication);
  Estimate model = TruthOf(robot);
  const Eigen::VectorXd sigma = 10.0 * robot.x().cwiseAbs().array() + 1.0;
  model.covariance = sigma.array().square().matrix().asDiagonal();
  model.pi = robot.problem.parameters.Pi(1.1 * robot.x());
  const auto last = [&](int samples) {
    const auto observer = MakeObserverOf(
        "contact_statistic", R"({"threshold": 20, "model_uncertainty": true, "samples": )" +
                                 std::to_string(samples) + "}");
    return ValuesOf(observer->Observe(robot.problem, model, {}, watched), kStatistic)(19, 0);
  };
  // All is the model's: ten samples tell what one tells, but for the motion in 0.1 s.
  CHECK(last(10) < 2.0 * last(1));
}

TEST_CASE("Rows of all equations make the statistic, a wrench alone too") {
  const Synthetic robot("puma560", "standard", {Equation::kWrench});
  const Eigen::VectorXd sigma = (Eigen::VectorXd(6) << 1, 1, 1, 0.1, 0.1, 0.1).finished();
  const std::vector<Dataset> training = {robot.Record("a", 3000, sigma)};
  const Dataset watched =
      WithChannel(robot.Record("w", 1000, sigma, 1), kBaseWrench,
                  [](Eigen::MatrixXd& wrench) { wrench.bottomRows(500).col(2).array() += 3.0; });
  const auto observer = MakeObserverOf("contact_statistic");
  const Observation observation = Observe(*observer, robot, training, watched);
  REQUIRE_MESSAGE(observation.ok(), observation.reason);
  CHECK(Detected(observation, 0, 500) < 0.05);
  CHECK(Detected(observation, 520, 1000) > 0.95);
  // No friction is in them: a dead zone leaves nothing out.
  const auto masked = MakeObserverOf("contact_statistic", R"({"dead_zone_rad_s": 100.0})");
  CHECK(ValuesOf(Observe(*masked, robot, training, watched), kStatistic) ==
        ValuesOf(observation, kStatistic));
}

TEST_CASE("Equations that are named count alone") {
  const Synthetic both("puma560", "standard", {Equation::kTorque, Equation::kWrench});
  Synthetic one = both;
  std::erase_if(one.problem.rows,
                [](const EquationRows& rows) { return rows.equation != Equation::kWrench; });
  const Eigen::VectorXd sigma = Eigen::VectorXd::Constant(12, 0.3);
  const std::vector<Dataset> training = {both.Record("a", 500, sigma)};
  const Dataset watched = both.Record("w", 200, sigma, 1, Role::kApplication);
  const auto told = [&](const Synthetic& robot, std::string_view options) {
    const auto observer = MakeObserverOf("contact_statistic", options);
    return ValuesOf(Observe(*observer, robot, training, watched), kStatistic);
  };
  CHECK(told(both, R"({"equations": ["base_wrench"]})") == told(one, "{}"));
  CHECK(told(both, R"({"equations": []})") == told(both, "{}"));
  CHECK(told(both, R"({"equations": ["base_wrench", "joint_torque"]})") == told(both, "{}"));
  CHECK(told(both, "{}") != told(one, "{}"));
  const auto observer = MakeObserverOf("contact_statistic", R"({"equations": ["motor_pwm"]})");
  CHECK(observer->WhyRefused(both.problem) ==
        "equations: the problem has no \"motor_pwm\", it has \"joint_torque\", \"base_wrench\"");
  ContactStatisticOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(R"({"equations": ["joint_position"]})"), "", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/equations/0");
}

TEST_CASE("A low-pass shows a slow push that noise hides, and one of zero phase looks ahead") {
  const Dataset watched = Pushed(Wam(), Fresh(), [](double t) {
    return t > 50.0 ? Eigen::Vector3d(0.7, 0.5, -0.6) : Eigen::Vector3d::Zero();
  });
  const char* const zero_phase = R"({"samples": 1, "lowpass": {"cutoff_hz": 2}})";
  const char* const causal = R"({"samples": 1, "lowpass": {"cutoff_hz": 2, "zero_phase": false}})";
  CHECK(Detected(Tell(R"({"samples": 1})", watched), 5100, kMany) < 0.5);
  for (const char* const options : {zero_phase, causal}) {
    CAPTURE(options);
    const Observation filtered = Tell(options, watched);
    CHECK(Detected(filtered, 5100, kMany) > 0.9);
    // 1 % of the identification data, whose values last some 0.2 s: four standard deviations.
    CHECK(Detected(filtered, 0, 4900) < 0.05);
    // S is that of what the filter leaves.
    const Eigen::VectorXd square = ValuesOf(filtered, kStatistic).col(0).head(4900);
    CHECK(square.mean() == doctest::Approx(7.0).epsilon(0.15));
  }
  CHECK(MakeObserverOf("contact_statistic", causal)->causal());
  CHECK(!MakeObserverOf("contact_statistic", zero_phase)->causal());
  // Half of what comes is there 0.01 s before it comes.
  const auto before = [&](const char* options) {
    return Squares(options, watched)[4999] / Squares(options, Fresh())[4999];
  };
  CHECK(before(zero_phase) != 1.0);
  CHECK(before(causal) == 1.0);
}

TEST_CASE("Rows in a dead zone are filtered with the rest, and then left out") {
  const Dataset& watched = Fresh();
  const Eigen::VectorXd all = Squares(R"({"samples": 1, "lowpass": {}})", watched);
  const Eigen::VectorXd zone =
      Squares(R"({"samples": 1, "lowpass": {}, "dead_zone_rad_s": 0.5})", watched);
  const Eigen::MatrixXd& qd = watched.Get(kJointVelocity).samples;
  double largest = 0.0;
  Eigen::Index moving = 0;
  for (Eigen::Index k = 0; k < kMany; ++k) {
    if (qd.row(k).cwiseAbs().minCoeff() < 0.5) continue;
    ++moving;
    largest = std::max(largest, std::abs(zone[k] / all[k] - 1.0));
  }
  CHECK(moving > 100);
  // The same residuals by another S, that of the samples in which each joint moves.
  CHECK(largest < 0.2);
}

TEST_CASE("The tracking is slowed above a threshold of its own") {
  const Dataset watched = WithChannel(Fresh(), kJointTorque, [](Eigen::MatrixXd& tau) {
    tau.middleRows(6000, 200).rowwise() += 1.5 * NoiseOf(7).transpose();
  });
  const auto with = [&](const char* more) {
    return Squares(std::string(R"({"threshold": 18.5, "bias_tracking_s": 1.0)") + more + "}",
                   watched);
  };
  const Eigen::VectorXd of_detection = with("");
  CHECK(with(R"(, "freeze_threshold": 18.5)") == of_detection);
  // What is never reached slows nothing.
  CHECK(with(R"(, "freeze_threshold": 1e9)") == with(R"(, "frozen_s": 1.0)"));
  const Eigen::VectorXd early = with(R"(, "freeze_threshold": 9.0)");
  CHECK(early != of_detection);
  CHECK(early.segment(6150, 50).mean() > of_detection.segment(6150, 50).mean());
}

TEST_CASE("Thresholds of F and of episodes are those of the identification data") {
  const std::vector<Dataset> training = {WithSharedNoise(Training().front(), "a")};
  const Dataset fresh = WithSharedNoise(Fresh(), "w");
  const auto alarms = [&](const char* options) {
    return Detected(Tell(options, fresh, training), 0, kMany);
  };
  // Seven rows, seven degrees: 1 %, to four standard deviations of noise that lasts 5 samples.
  CHECK(std::abs(alarms(R"({"samples": 1, "f_degrees": 7})") - 0.01) <
        4.0 * std::sqrt(5.0 * 0.01 / kMany));
  CHECK(alarms(R"({"samples": 1, "f_degrees": 30})") < 1e-3);
  // Six episodes a minute are 10 in these 100 s, as in fresh data, to four standard deviations.
  const Observation observation =
      Tell(R"({"samples": 1, "false_episodes_per_minute": 6})", fresh, training);
  const Labels* const labels = FindNamed(observation.labels, kDetected);
  int episodes = 0;
  Eigen::Index last = -100;
  for (Eigen::Index k = 0; k < kMany; ++k) {
    if (labels->chosen[k] != 1) continue;
    if (k - last > 20) ++episodes;
    last = k;
  }
  CHECK(std::abs(episodes - 10) < 4.0 * std::sqrt(2.0 * 10.0));
}

TEST_CASE("What the statistic cannot be made of is refused") {
  const auto reason = [](std::string_view options, const std::vector<Dataset>& training) {
    const auto observer = MakeObserverOf("contact_statistic", options);
    const Observation observation =
        Observe(*observer, Wam(), training, Wam().Record("w", 20, NoiseOf(7)));
    CHECK(observation.outcome == Outcome::kRefused);
    return observation.reason;
  };
  CHECK(reason("{}", {}) ==
        "the statistic has 0 values in the identification data, a threshold at the false alarm "
        "rate 0.01 takes at least 100; set \"threshold\", or a higher rate");
  CHECK(reason(R"({"lowpass": {}, "threshold": 20})", {}) ==
        "\"lowpass\" takes identification data: a declared σ is of single samples, not of what the "
        "filter leaves of them");
  CHECK(reason(R"({"lowpass": {"order": 6}})", Training()) ==
        "w: a \"lowpass\" of zero phase and order 6 takes more than 21 samples, there are 20");
  CHECK(reason(R"({"dead_zone_rad_s": [0.1, 0.2]})", Training()) ==
        "dead_zone_rad_s has 2 numbers, the robot has 7 joints");
  CHECK(reason(R"({"dead_zone_rad_s": 100.0})", Training()) ==
        "nothing is left of row 1 of the equations in the identification data");
}

}  // namespace
}  // namespace idbench
