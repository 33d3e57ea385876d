#include "estimators/observers/observer_registry.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "estimators/observers/observers_test.h"
#include "estimators/synthetic_walker_test.h"
#include "robots/dynamics/kinematics.h"
#include "scenarios/options/json.h"

/// Laws that every observer of the registry must obey.
namespace idbench {
namespace {

constexpr Eigen::Index kWatchedSamples = 500;

/// A robot, data in which nothing acts and others in which something does.
struct Fixture {
  Synthetic robot;
  std::vector<Dataset> training;
  Dataset touched;
  std::string_view measured = kJointTorque;
};

Eigen::Vector3d ForceAtTime(double t) {
  return t > 1.0 && t < 2.0 ? Eigen::Vector3d(9.0, 3.0, -6.0) : Eigen::Vector3d::Zero();
}

const Fixture& OfTorques() {
  static const Fixture fixture = [] {
    const Synthetic robot = ArmOf("barrett_wam7");
    return Fixture{
        robot,
        {robot.Record("a", 600, NoiseOf(7)), robot.Record("b", 400, NoiseOf(7))},
        Pushed(robot, robot.Record("w", kWatchedSamples, NoiseOf(7), 1, Role::kApplication),
               &ForceAtTime)};
  }();
  return fixture;
}

/// The same with the wrench on the base for the only equation.
const Fixture& OfWrench() {
  static const Fixture fixture = [] {
    const Synthetic robot("barrett_wam7", "standard", {Equation::kWrench});
    const Eigen::VectorXd sigma = (Eigen::VectorXd(6) << 0.5, 0.5, 0.5, 0.1, 0.1, 0.1).finished();
    const Dataset free = robot.Record("w", kWatchedSamples, sigma, 1, Role::kApplication);
    const EndEffector& E = robot.model.end_effector();
    const Channel& position = free.Get(kJointPosition);
    return Fixture{
        robot,
        {robot.Record("a", 600, sigma), robot.Record("b", 400, sigma)},
        WithChannel(free, kBaseWrench,
                    [&](Eigen::MatrixXd& wrench) {
                      for (Eigen::Index k = 0; k < wrench.rows(); ++k) {
                        const Pose pose = ForwardKinematics(
                            robot.model,
                            position.samples.row(k).transpose())[static_cast<std::size_t>(E.link)];
                        const Eigen::Vector3d p = pose.p_BL_B + pose.R_BL * E.p_LE_L;
                        const Eigen::Vector3d f = ForceAtTime(position.time_s[k]);
                        wrench.row(k).head<3>() -= f.transpose();
                        wrench.row(k).tail<3>() -= p.cross(f).transpose();
                      }
                    }),
        kBaseWrench};
  }();
  return fixture;
}

const Fixture& FixtureOf(std::string_view type) {
  return type == "touch_force" ? OfWrench() : OfTorques();
}

/// Options of touch_force, and more of them.
std::string HandOptions(const std::string& more) {
  const RobotModel& model = OfWrench().robot.model;
  return R"({"link": ")" + model.link(model.end_effector().link).name +
         R"(", "axis_from_m": [0, 0, -0.1], "axis_to_m": [0, 0, 0.1], "radius_m": 0.05)" + more +
         "}";
}

/// Options of all that observers can do: those that are required, and more.
std::vector<std::string> ObserverOptionsOf(std::string_view type) {
  if (type == "end_effector_force") return {"{}", R"({"cutoff_hz": 5.0, "covariance": "full"})"};
  if (type == "momentum_observer") {
    return {"{}", R"({"gives": "contact"})",
            R"({"gives": "force and contact", "covariance": "full", "f_degrees": 7})"};
  }
  if (type == "contact_statistic") {
    return {"{}",
            R"({"samples": 7, "dead_zone_rad_s": 0.3, "bias_tracking_s": 2.0,
                "freeze_threshold": 9.0, "model_uncertainty": true})",
            R"({"equations": ["joint_torque"], "false_episodes_per_minute": 20,
                "lowpass": {"cutoff_hz": 4, "zero_phase": false}})",
            R"({"lowpass": {"cutoff_hz": 4}, "bias_tracking_s": 2.0})"};
  }
  if (type == "payload_change") return {"{}", R"({"window_s": 0.7})"};
  if (type == "touch_force") {
    return {HandOptions(""),
            HandOptions(R"(, "bias_tracking_s": 2.0, "lowpass": {"zero_phase": false})"),
            HandOptions(R"(, "samples": 5, "lowpass": {})")};
  }
  return {"{}"};
}

Estimate UncertainModel(const Synthetic& robot) {
  Estimate model = TruthOf(robot);
  const Eigen::VectorXd sigma = 0.01 * model.x.cwiseAbs();
  model.covariance = sigma.array().square().matrix().asDiagonal();
  return model;
}

/// Runs `law` on every observer, with all its options.
void ForEveryObserver(
    const std::function<void(const ObserverEntry&, std::string_view, const Fixture&)>& law) {
  for (const ObserverEntry& entry : ObserverRegistry()) {
    for (const std::string& options : ObserverOptionsOf(entry.type)) {
      CAPTURE(entry.type);
      CAPTURE(options);
      law(entry, options, FixtureOf(entry.type));
    }
  }
}

Observation ObservedBy(Observer& observer, const Fixture& at, const Dataset& watched) {
  Observation observation =
      observer.Observe(at.robot.problem, UncertainModel(at.robot), at.training, watched);
  INFO(observation.reason);
  REQUIRE(observation.ok());
  return observation;
}

/// The same bits in the first `count` samples, NaN for NaN.
void CheckSame(const Observation& a, const Observation& b, Eigen::Index count) {
  REQUIRE(a.series.size() == b.series.size());
  for (std::size_t s = 0; s < a.series.size(); ++s) {
    CHECK(a.series[s].time_s.head(count) == b.series[s].time_s.head(count));
    const Eigen::MatrixXd x = a.series[s].values.topRows(count);
    const Eigen::MatrixXd y = b.series[s].values.topRows(count);
    CHECK((x.array() == y.array() || (x.array().isNaN() && y.array().isNaN())).all());
  }
  REQUIRE(a.labels.size() == b.labels.size());
  for (std::size_t s = 0; s < a.labels.size(); ++s) {
    CHECK(a.labels[s].chosen.head(count) == b.labels[s].chosen.head(count));
  }
}

TEST_CASE("The registry finds every observer by its type, and nothing else") {
  CHECK(ObserverTypes() == std::vector<std::string>{"end_effector_force", "momentum_observer",
                                                    "force_kalman", "contact_statistic",
                                                    "touch_force", "payload_change"});
  for (const ObserverEntry& entry : ObserverRegistry()) {
    CHECK(FindObserver(entry.type) == &entry);
    CHECK(!entry.title.empty());
    REQUIRE(entry.make() != nullptr);
  }
  CHECK(FindObserver("force") == nullptr);
  CHECK(FindObserver("") == nullptr);
}

TEST_CASE("The options of every observer are written and read back, and each has a doc") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture&) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Json written = WriteFields(observer->Fields());
    const auto other = entry.make();
    std::vector<Issue> issues;
    ReadFields(other->Fields(), written, "", issues);
    CHECK(issues.empty());
    CHECK(WriteFields(other->Fields()) == written);
    const FieldTable table = observer->Fields();
    for (const Field& field : table.fields()) CHECK(!field.info.doc.empty());
  });
}

TEST_CASE("Every observer gives what it says that it gives") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Observation observation = ObservedBy(*observer, at, at.touched);
    CHECK(observation.series.size() == observer->gives().size());
    for (const Series& series : observation.series) {
      CHECK(series.time_s == at.touched.Get(at.measured).time_s);
    }
    const bool detects = observer->detects() != Detects::kNothing;
    CHECK((FindNamed(observation.labels, kDetected) != nullptr) == detects);
    CHECK((FindNamed(observation.series, kStatistic) != nullptr) == detects);
    CHECK(UnmetNeeds(
              observer->needs(), at.robot.problem,
              {"joint_position", "joint_velocity", "joint_acceleration", std::string(at.measured)})
              .empty());
  });
}

TEST_CASE("Every observer reads what it needs, and no more") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    const auto observer = MakeObserverOf(entry.type, options);
    std::vector<std::string_view> needed = observer->needs().channels;
    needed.push_back(at.measured);
    const auto only = [&](const Dataset& dataset) {
      Dataset kept = dataset.WithoutChannels();
      for (const std::string_view channel : needed) kept.Add(dataset.Get(channel));
      return kept;
    };
    const std::vector<Dataset> training = {only(at.training[0]), only(at.training[1])};
    CheckSame(
        observer->Observe(at.robot.problem, UncertainModel(at.robot), training, only(at.touched)),
        ObservedBy(*observer, at, at.touched), kWatchedSamples);
    for (const std::string_view channel : needed) {
      CAPTURE(channel);
      const Observation none = observer->Observe(at.robot.problem, UncertainModel(at.robot),
                                                 at.training, WithoutChannel(at.touched, channel));
      CHECK(none.outcome == Outcome::kRefused);
      CHECK(none.reason.find(channel) != std::string::npos);
    }
  });
}

TEST_CASE("The same input gives the same bits, in any order of calls") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Observation first = ObservedBy(*observer, at, at.touched);
    ObservedBy(*observer, at, at.training.front());
    CheckSame(first, ObservedBy(*observer, at, at.touched), kWatchedSamples);
    CheckSame(first, ObservedBy(*MakeObserverOf(entry.type, options), at, at.touched),
              kWatchedSamples);
  });
}

TEST_CASE("Data that are not for identification teach an observer nothing") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    const auto observer = MakeObserverOf(entry.type, options);
    std::vector<Dataset> more = at.training;
    more.push_back(at.robot.Record("v", 300, 50.0 * NoiseOf(7), 2, Role::kValidation));
    more.push_back(at.touched);
    CheckSame(ObservedBy(*observer, at, at.touched),
              observer->Observe(at.robot.problem, UncertainModel(at.robot), more, at.touched),
              kWatchedSamples);
  });
}

TEST_CASE("A causal observer does not look ahead") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Observation whole = ObservedBy(*observer, at, at.touched);
    if (!observer->causal()) {
      // It says so, and it does.
      const Observation part = ObservedBy(*observer, at, FirstSamples(at.touched, 163));
      CHECK(part.series[0].values(160, 0) != whole.series[0].values(160, 0));
      return;
    }
    for (const Eigen::Index count : {1, 6, 163, 350}) {
      CAPTURE(count);
      CheckSame(ObservedBy(*observer, at, FirstSamples(at.touched, count)), whole, count);
    }
  });
}

TEST_CASE("A sample that is missing does not spoil later ones") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Observation whole = ObservedBy(*observer, at, at.touched);
    for (const std::string_view channel : {kJointPosition, at.measured}) {
      CAPTURE(channel);
      const Dataset gap = WithChannel(at.touched, channel, [](Eigen::MatrixXd& samples) {
        samples.row(120).setConstant(std::nan(""));
        samples.row(121).setConstant(std::numeric_limits<double>::infinity());
      });
      const Observation observation = ObservedBy(*observer, at, gap);
      if (observer->causal()) CheckSame(observation, whole, 120);
      for (std::size_t s = 0; s < whole.series.size(); ++s) {
        const Eigen::MatrixXd& expected = whole.series[s].values;
        const Eigen::MatrixXd& values = observation.series[s].values;
        CHECK((values.bottomRows(370).array().isNaN() == expected.bottomRows(370).array().isNaN())
                  .all());
        // 3 s later next to nothing is left of the gap.
        const double size = std::max(1.0, DifferenceOf(expected, 0.0 * expected).largest);
        CHECK(DifferenceOf(values.bottomRows(80), expected.bottomRows(80)).largest < 0.02 * size);
      }
    }
  });
}

TEST_CASE("An observer reads no more of a model than π and its covariance") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    const auto observer = MakeObserverOf(entry.type, options);
    Estimate bare;
    bare.pi = UncertainModel(at.robot).pi;
    bare.covariance = UncertainModel(at.robot).covariance;
    CheckSame(ObservedBy(*observer, at, at.touched),
              observer->Observe(at.robot.problem, bare, at.training, at.touched), kWatchedSamples);
  });
}

TEST_CASE("A better model makes a better force, and a contact that stands out more") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    Estimate prior = UncertainModel(at.robot);
    prior.x = at.robot.problem.parameters.prior->mean;
    prior.pi = at.robot.problem.parameters.Pi(prior.x);
    const auto observer = MakeObserverOf(entry.type, options);
    const auto judged = [&](const Estimate& model) {
      const Observation observation =
          observer->Observe(at.robot.problem, model, at.training, at.touched);
      REQUIRE_MESSAGE(observation.ok(), observation.reason);
      const Series* const force = FindNamed(observation.series, kExternalForce);
      if (observer->detects() == Detects::kNothing && force != nullptr) {
        double error = 0.0;  // where there is no force, behind the contact
        for (Eigen::Index k = 300; k < kWatchedSamples; ++k) {
          if (force->values.row(k).allFinite()) error += force->values.row(k).squaredNorm();
        }
        return 1.0 / error;
      }
      const Eigen::VectorXd square = ValuesOf(observation, kStatistic).col(0);
      return square.segment(120, 80).mean() / square.segment(300, 200).mean();
    };
    CHECK(judged(UncertainModel(at.robot)) > judged(prior));
  });
}

TEST_CASE("Models without standard parameters are refused by every observer") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Observation none =
        observer->Observe(at.robot.problem, Estimate{}, at.training, at.touched);
    CHECK(none.outcome == Outcome::kRefused);
    CHECK(none.reason == "the model has 0 standard parameters, the robot has 108");
    const SyntheticWalker& walker = Biped();
    const Observation beta = observer->Observe(walker.problem, Estimate{}, {}, walker.Record("w"));
    CHECK(beta.outcome == Outcome::kRefused);
    CHECK(beta.reason.find("takes standard parameters for its unknowns") != std::string::npos);
  });
}

TEST_CASE("Data in a configuration that the problem does not have are refused") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options, const Fixture& at) {
    const auto observer = MakeObserverOf(entry.type, options);
    Dataset watched = at.touched;
    watched.set_configuration("loaded");
    const Observation none =
        observer->Observe(at.robot.problem, UncertainModel(at.robot), at.training, watched);
    CHECK(none.outcome == Outcome::kRefused);
    CHECK(none.reason == "w: recorded in the configuration 'loaded', the problem has ''");
  });
}

}  // namespace
}  // namespace idbench
