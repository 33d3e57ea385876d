#include "estimators/observers/observer_registry.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/observers/observers_test.h"
#include "estimators/synthetic_walker_test.h"
#include "scenarios/options/json.h"

/// Laws that every observer of the registry must obey.
namespace idbench {
namespace {

constexpr Eigen::Index kWatchedSamples = 500;

const Synthetic& Watchable() {
  static const Synthetic robot = ArmOf("barrett_wam7");
  return robot;
}

const std::vector<Dataset>& FreeData() {
  static const std::vector<Dataset> training = {Watchable().Record("a", 600, NoiseOf(7)),
                                                Watchable().Record("b", 400, NoiseOf(7))};
  return training;
}

const Dataset& TouchedData() {
  static const Dataset watched = Pushed(
      Watchable(), Watchable().Record("w", kWatchedSamples, NoiseOf(7), 1, Role::kApplication),
      [](double t) {
        return t > 1.0 && t < 2.0 ? Eigen::Vector3d(9.0, 3.0, -6.0) : Eigen::Vector3d::Zero();
      });
  return watched;
}

/// Options with which all that observers can do is done.
std::string_view AllOptionsOf(std::string_view type) {
  if (type == "end_effector_force") return R"({"cutoff_hz": 5.0, "covariance": "full"})";
  if (type == "contact_statistic") {
    return R"({"samples": 7, "dead_zone_rad_s": 0.3, "bias_tracking_s": 2.0,
               "model_uncertainty": true})";
  }
  if (type == "payload_change") return R"({"window_s": 0.7})";
  return "{}";
}

Estimate UncertainModel() {
  Estimate model = TruthOf(Watchable());
  const Eigen::VectorXd sigma = 0.01 * model.x.cwiseAbs();
  model.covariance = sigma.array().square().matrix().asDiagonal();
  return model;
}

/// Runs `law` on every observer, with its defaults and with all its options.
void ForEveryObserver(const std::function<void(const ObserverEntry&, std::string_view)>& law) {
  for (const ObserverEntry& entry : ObserverRegistry()) {
    for (const std::string_view options : {std::string_view("{}"), AllOptionsOf(entry.type)}) {
      CAPTURE(entry.type);
      CAPTURE(options);
      law(entry, options);
    }
  }
}

Observation ObservedBy(Observer& observer, const Dataset& watched) {
  Observation observation =
      observer.Observe(Watchable().problem, UncertainModel(), FreeData(), watched);
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
                                                    "payload_change"});
  for (const ObserverEntry& entry : ObserverRegistry()) {
    CHECK(FindObserver(entry.type) == &entry);
    CHECK(!entry.title.empty());
    REQUIRE(entry.make() != nullptr);
  }
  CHECK(FindObserver("force") == nullptr);
  CHECK(FindObserver("") == nullptr);
}

TEST_CASE("The options of every observer are written and read back, and each has a doc") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
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
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Observation observation = ObservedBy(*observer, TouchedData());
    CHECK(observation.series.size() == observer->gives().size());
    for (const Series& series : observation.series) {
      CHECK(series.time_s == TouchedData().Get(kJointTorque).time_s);
    }
    const bool detects = observer->detects() != Detects::kNothing;
    CHECK((FindNamed(observation.labels, kDetected) != nullptr) == detects);
    CHECK((FindNamed(observation.series, kStatistic) != nullptr) == detects);
    CHECK(UnmetNeeds(observer->needs(), Watchable().problem,
                     {"joint_position", "joint_velocity", "joint_acceleration", "joint_torque"})
              .empty());
  });
}

TEST_CASE("Every observer reads what it needs, and no more") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    std::vector<std::string_view> needed = observer->needs().channels;
    needed.push_back(kJointTorque);
    const auto only = [&](const Dataset& dataset) {
      Dataset kept = dataset.WithoutChannels();
      for (const std::string_view channel : needed) kept.Add(dataset.Get(channel));
      return kept;
    };
    const std::vector<Dataset> training = {only(FreeData()[0]), only(FreeData()[1])};
    CheckSame(
        observer->Observe(Watchable().problem, UncertainModel(), training, only(TouchedData())),
        ObservedBy(*observer, TouchedData()), kWatchedSamples);
    for (const std::string_view channel : needed) {
      CAPTURE(channel);
      const Observation none = observer->Observe(Watchable().problem, UncertainModel(), FreeData(),
                                                 WithoutChannel(TouchedData(), channel));
      CHECK(none.outcome == Outcome::kRefused);
      CHECK(none.reason.find(channel) != std::string::npos);
    }
  });
}

TEST_CASE("The same input gives the same bits, in any order of calls") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Observation first = ObservedBy(*observer, TouchedData());
    ObservedBy(*observer, FreeData().front());
    CheckSame(first, ObservedBy(*observer, TouchedData()), kWatchedSamples);
    CheckSame(first, ObservedBy(*MakeObserverOf(entry.type, options), TouchedData()),
              kWatchedSamples);
  });
}

TEST_CASE("Data that are not for identification teach an observer nothing") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    std::vector<Dataset> more = FreeData();
    more.push_back(Watchable().Record("v", 300, 50.0 * NoiseOf(7), 2, Role::kValidation));
    more.push_back(TouchedData());
    CheckSame(ObservedBy(*observer, TouchedData()),
              observer->Observe(Watchable().problem, UncertainModel(), more, TouchedData()),
              kWatchedSamples);
  });
}

TEST_CASE("A causal observer does not look ahead") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    REQUIRE(observer->causal());
    const Observation whole = ObservedBy(*observer, TouchedData());
    for (const Eigen::Index count : {1, 6, 163, 350}) {
      CAPTURE(count);
      CheckSame(ObservedBy(*observer, FirstSamples(TouchedData(), count)), whole, count);
    }
  });
}

TEST_CASE("A sample that is missing does not spoil later ones") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Observation whole = ObservedBy(*observer, TouchedData());
    for (const std::string_view channel : {kJointPosition, kJointTorque}) {
      CAPTURE(channel);
      const Dataset gap = WithChannel(TouchedData(), channel, [](Eigen::MatrixXd& samples) {
        samples.row(120).setConstant(std::nan(""));
        samples.row(121).setConstant(std::numeric_limits<double>::infinity());
      });
      const Observation observation = ObservedBy(*observer, gap);
      CheckSame(observation, whole, 120);
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
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    Estimate bare;
    bare.pi = UncertainModel().pi;
    bare.covariance = UncertainModel().covariance;
    CheckSame(ObservedBy(*observer, TouchedData()),
              observer->Observe(Watchable().problem, bare, FreeData(), TouchedData()),
              kWatchedSamples);
  });
}

TEST_CASE("A better model makes a better force, and a contact that stands out more") {
  Estimate prior = UncertainModel();
  prior.x = Watchable().problem.parameters.prior->mean;
  prior.pi = Watchable().problem.parameters.Pi(prior.x);
  ForEveryObserver([&prior](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    const auto judged = [&](const Estimate& model) {
      const Observation observation =
          observer->Observe(Watchable().problem, model, FreeData(), TouchedData());
      if (const Series* const force = FindNamed(observation.series, kExternalForce)) {
        double error = 0.0;  // where there is no force, behind the contact
        for (Eigen::Index k = 300; k < kWatchedSamples; ++k) {
          if (force->values.row(k).allFinite()) error += force->values.row(k).squaredNorm();
        }
        return 1.0 / error;
      }
      const Eigen::VectorXd square = ValuesOf(observation, kStatistic).col(0);
      return square.segment(120, 80).mean() / square.segment(300, 200).mean();
    };
    CHECK(judged(UncertainModel()) > judged(prior));
  });
}

TEST_CASE("Models without standard parameters are refused by every observer") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    const Observation none =
        observer->Observe(Watchable().problem, Estimate{}, FreeData(), TouchedData());
    CHECK(none.outcome == Outcome::kRefused);
    CHECK(none.reason == "the model has 0 standard parameters, the robot has 108");
    const SyntheticWalker& walker = Biped();
    const Observation beta = observer->Observe(walker.problem, Estimate{}, {}, walker.Record("w"));
    CHECK(beta.outcome == Outcome::kRefused);
    CHECK(beta.reason.find("takes standard parameters for its unknowns") != std::string::npos);
  });
}

TEST_CASE("Data in a configuration that the problem does not have are refused") {
  ForEveryObserver([](const ObserverEntry& entry, std::string_view options) {
    const auto observer = MakeObserverOf(entry.type, options);
    Dataset watched = TouchedData();
    watched.set_configuration("loaded");
    const Observation none =
        observer->Observe(Watchable().problem, UncertainModel(), FreeData(), watched);
    CHECK(none.outcome == Outcome::kRefused);
    CHECK(none.reason == "w: recorded in the configuration 'loaded', the problem has ''");
  });
}

}  // namespace
}  // namespace idbench
