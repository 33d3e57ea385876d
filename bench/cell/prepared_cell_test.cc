#include "bench/cell/prepared_cell.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "bench/captured_output_test.h"
#include "bench/metrics/metrics.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A simulation of two joints whose prior is wrong, with exact sensors.
Json Simulation(const char* control) {
  Json json = ParseJson(R"({
    "name": "c", "robot": {"model": "planar2"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 1, "candidates": 1}}},
    "sensors": {"joint_torque": {"origin": "oracle"}},
    "problem": {"prior": {"mass_scale": 1.2}}, "estimators": {"ols": {}}, "trials": 2})",
                        "simulation");
  json["control"] = ParseJson(control, "control");
  return json;
}

/// One cell, and the data of its trials.
class SimulatedCell {
 public:
  explicit SimulatedCell(const Json& json)
      : loaded_(LoadScenario(json, "test", {}, AllMetrics())),
        context_(loaded_, loaded_.cells.front(), rollouts_) {}

  const PreparedCell& context() const { return context_; }
  Dataset Data(std::int64_t trial) const { return context_.Run(trial).datasets.front(); }
  Eigen::MatrixXd Positions(std::int64_t trial) const {
    return Data(trial).Find(kJointPosition)->samples;
  }
  std::string Rollout(std::int64_t trial) const { return context_.Run(trial).rollout; }
  std::int64_t designed() { return rollouts_.motions().designed(); }

 private:
  LoadedScenario loaded_;
  RolloutStore rollouts_;
  PreparedCell context_;
};

/// What preparing the only cell says; "" if nothing.
std::string Refusal(const Json& json) {
  try {
    const SimulatedCell cell(json);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

/// Greatest distance from the motion itself [rad].
double TrackingError(const Json& json) {
  Json exact = json;
  exact["control"] = {{"type", "exact_replay"}};
  // Sampled in the middle of a hold, 0.5 ms later than exact replay: up to 5e-3 rad at 10 rad/s.
  return (SimulatedCell(json).Positions(0) - SimulatedCell(exact).Positions(0))
      .cwiseAbs()
      .maxCoeff();
}

TEST_CASE("Both controllers follow the motion better with the true model than with a wrong prior") {
  for (const char* type : {"computed_torque", "pd_gravity"}) {
    CAPTURE(type);
    const std::string head = std::string(R"({"type": ")") + type + R"(", "model": ")";
    const double truth = TrackingError(Simulation((head + R"(truth"})").c_str()));
    const double prior = TrackingError(Simulation((head + R"(prior"})").c_str()));
    CHECK(truth < prior);
    CHECK(prior < 0.5);  // it follows at all
  }
}

TEST_CASE("Effort limits of the robot clip what the controller asks for") {
  Json json = Simulation(R"({"type": "computed_torque"})");
  Json& motion = json["experiments"]["identification"]["motion"];
  motion["base_frequency_hz"] = 3;
  motion["duration_s"] = 0.03;
  json["sensors"]["rate_hz"] = 1000;
  motion["velocity_limits"] = motion["acceleration_limits"] = false;
  const auto greatest = [](const Json& scenario) {
    return SimulatedCell(scenario).Data(0).Find(kJointTorque)->samples.col(0).cwiseAbs().maxCoeff();
  };
  constexpr double kLimit = 120.0;  // of planar2's joint1, in its model file
  CHECK(greatest(json) > kLimit);
  json["control"]["effort_limits"] = true;
  CHECK(greatest(json) == kLimit);
}

TEST_CASE("With measured feedback each trial has its own roll-out, and captions say so") {
  Json json = Simulation(R"({"type": "computed_torque", "feedback": "measured"})");
  json["sensors"]["joint_position"] = {{"noise_std_rad", 1e-3}};
  const SimulatedCell cell(json);
  CHECK(cell.Rollout(0) != cell.Rollout(1));
  CHECK(cell.Rollout(0) == cell.Rollout(0));
  CHECK(cell.Data(0).Find(kJointTorque)->samples != cell.Data(1).Find(kJointTorque)->samples);
  CHECK(cell.Data(0).Find(kJointTorque)->samples == cell.Data(0).Find(kJointTorque)->samples);
  CHECK(std::ranges::find(cell.context().marks(),
                          "controllers are fed back measured states: a roll-out of its own per "
                          "trial") != cell.context().marks().end());

  // One motion for all of them, unless each draws its own.
  const std::string motion = cell.context().shared_motion();
  CHECK_FALSE(motion.empty());
  json["experiments"]["identification"]["motion"]["base_frequency_hz"] = 0.7;
  CHECK(SimulatedCell(json).context().shared_motion() != motion);
  json["experiments"]["identification"]["motion"]["draw"] = "trial";
  CHECK(SimulatedCell(json).context().shared_motion().empty());
  json["experiments"]["identification"]["motion"]["draw"] = "cell";

  json["control"]["feedback"] = "true_state";
  const SimulatedCell shared(json);
  CHECK(shared.context().shared_motion().empty());  // its roll-out tells the motion
  CHECK(shared.Rollout(0) == shared.Rollout(1));
  CHECK(shared.Data(0).Find(kJointTorque)->samples == shared.Data(1).Find(kJointTorque)->samples);
}

TEST_CASE("A shared motion that cannot be made is refused, also where roll-outs are drawn") {
  Json json = Simulation(R"({"type": "computed_torque", "feedback": "measured"})");
  json["sensors"]["joint_velocity"] = {{"origin", "measured"}};
  json["experiments"]["identification"]["motion"] = {
      {"type", "exciting"},
      {"duration_s", 0.05},
      {"rate_hz", 20.0},
      {"self_collision", false},
      {"curve", {{"type", "spline"}, {"waypoint_s", 0.05}}}};
  CHECK(Has(Refusal(json),
            "/experiments/identification: a motion of 0.05 s in this form cannot "
            "tell the "));
  // Where each trial draws its own, another trial may be better off.
  json["experiments"]["identification"]["motion"]["draw"] = "trial";
  CHECK(Has(SimulatedCell(json).context().first_failure(), "a motion of 0.05 s in this form"));
}

TEST_CASE("Feedback of exact sensors is that of the true state") {
  Json json = Simulation(R"({"type": "computed_torque", "feedback": "measured"})");
  json["sensors"]["joint_velocity"] = {{"origin", "measured"}};
  const Eigen::MatrixXd measured = SimulatedCell(json).Positions(0);
  json["control"]["feedback"] = "true_state";
  CHECK(measured == SimulatedCell(json).Positions(0));
}

TEST_CASE("An experiment may have a control of its own") {
  Json json = Simulation(R"({"type": "computed_torque"})");
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["validation"]["control"] = {{"type", "exact_replay"}};
  const TrialData data = SimulatedCell(json).context().Run(0);
  REQUIRE(data.datasets.size() == 2);
  CHECK(data.datasets[0].Find(kJointPosition)->samples !=
        data.datasets[1].Find(kJointPosition)->samples);
  json["control"] = {{"type", "exact_replay"}};
  CHECK(SimulatedCell(json).Positions(0) == data.datasets[1].Find(kJointPosition)->samples);
}

/// A simulation whose sensors ask for the desired motion too, and whose truth each trial draws.
Json Designed(const char* draw) {
  Json json = Simulation(R"({"type": "exact_replay"})");
  json["experiments"]["identification"]["motion"]["candidates"] = 3;
  json["experiments"]["identification"]["motion"]["draw"] = draw;
  json["sensors"]["joint_torque"] = {{"noise_peak_fraction", 0.01}};
  json["robot"]["truth"] = {{"draw", "trial"},
                            {"mass_error", {{"type", "uniform"}, {"lower", 0.1}, {"upper", 0.5}}}};
  return json;
}

TEST_CASE("A motion is designed once, whoever asks for it and how often") {
  SimulatedCell cell(Designed("cell"));
  const std::string rollout = cell.Rollout(0);
  CHECK(cell.Rollout(1) != rollout);
  CHECK(cell.Rollout(9) != rollout);
  CHECK(cell.designed() == 1);
}

TEST_CASE("A motion drawn per trial is designed once in a trial, and kept of the first ones") {
  SimulatedCell cell(Designed("trial"));
  CHECK(cell.designed() == 2);  // that of the sensors, and that of trial 0, which is looked at
  for (const std::int64_t trial : {0, 1, 0, 1}) cell.Rollout(trial);
  CHECK(cell.designed() == 3);
  const std::string late = cell.Rollout(9);
  CHECK(cell.designed() == 4);
  CHECK(cell.Rollout(9) == late);
  CHECK(cell.designed() == 5);
}

/// `control` without a motion.
Json OpenLoop(const char* control) {
  Json json = Simulation(control);
  json["experiments"]["identification"].erase("motion");
  return json;
}

constexpr const char* kSines =
    R"({"type": "torque_replay", "q_rad": [0.2, -0.1], "qd_rad_s": [0.5, 0],
  "duration_s": 0.5, "actuators": {"joint1": {"amplitude_nm": [8], "frequency_hz": [3]}}})";

TEST_CASE("Open-loop torque is what acts, from the stated state on") {
  const Dataset data = SimulatedCell(OpenLoop(kSines)).Data(0);
  CHECK(data.Find(kJointPosition)->samples.row(0) == Eigen::RowVector2d(0.2, -0.1));
  CHECK(data.Find(kJointVelocity)->samples.row(0) == Eigen::RowVector2d(0.5, 0.0));
  const Channel& torque = *data.Find(kJointTorque);
  REQUIRE(torque.samples.rows() == 51);  // both ends
  for (Eigen::Index i = 0; i < 51; ++i) {
    // The torque of the beginning of the step in which the sample was taken.
    CHECK(
        torque.samples(i, 0) ==
        doctest::Approx(8.0 * std::sin(6.0 * std::numbers::pi * torque.time_s(i))).epsilon(1e-12));
    CHECK(torque.samples(i, 1) == 0.0);
  }
}

TEST_CASE("A peak fraction is that of the open-loop torque itself") {
  Json json = OpenLoop(kSines);
  json["sensors"]["joint_torque"] = {{"noise_peak_fraction", 0.01}};
  // 8 N·m at 3 Hz: at 100 Hz a sample is within 0.005 s of a peak, cos(0.094) = 0.9956.
  const double sigma = (*SimulatedCell(json).context().sensors())[kJointTorque].noise_std.values[0];
  CHECK(sigma <= 0.08);
  CHECK(sigma > 0.9955 * 0.08);
}

TEST_CASE("A file's content, not its name alone, decides which roll-out is meant") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("tau.csv", "t_s,tau1_nm,tau2_nm\n0,0,0\n0.5,3,0\n");
  Json json = OpenLoop(R"({"type": "torque_replay", "q_rad": [0, 0]})");
  json["control"]["file"] = file;
  const SimulatedCell ramp(json);
  const Channel torque = *ramp.Data(0).Find(kJointTorque);
  // Sampled at step 0, 40, …: τ = 6·t.
  CHECK((torque.samples.col(0) - 6.0 * torque.time_s).cwiseAbs().maxCoeff() < 1e-12);
  const std::string rollout = ramp.Rollout(0);
  folder.Write("tau.csv", "t_s,tau1_nm,tau2_nm\n0,0,0\n0.5,2,0\n");
  CHECK(SimulatedCell(json).Rollout(0) != rollout);
}

TEST_CASE("Open-loop torque that drives a joint into its stop is refused, naming the experiment") {
  Json json = OpenLoop(kSines);
  json["control"]["actuators"]["joint1"]["amplitude_nm"] = {0};
  json["control"]["actuators"]["joint1"]["offset_nm"] = 100;
  json["sensors"]["joint_torque"] = {{"noise_peak_fraction", 0.01}};
  const std::string message = Refusal(json);
  CHECK(message.find("test: /experiments/identification: joint 'joint1' hit its stop") == 0);
}

TEST_CASE("An equation that nobody measures is told before what methods lack of it") {
  Json json = Simulation(R"({"type": "exact_replay"})");
  json["problem"]["equations"] = {"joint_torque", "base_wrench"};
  json["estimators"] = {{"wls", Json::object()}, {"ols", Json::object()}};
  CHECK(Refusal(json) ==
        "test: /problem/equations: base_wrench needs the channel 'base_wrench', which nobody "
        "measures\n  set /sensors/base_wrench/origin to \"measured\"");
  json["sensors"]["base_wrench"] = {{"origin", "oracle"}};
  json["estimators"].erase("wls");
  CHECK(Refusal(json).empty());
}

TEST_CASE("All methods that lack something are told at once") {
  Json json = Simulation(R"({"type": "exact_replay"})");
  json["estimators"] = {
      {"a", {{"type", "map"}}}, {"b", {{"type", "ridge"}}}, {"c", {{"type", "map"}}}};
  const std::string lacks =
      ": needs to know how far the prior may be off: declare /problem/prior/std, relative_std or "
      "std_of_bounds";
  CHECK(Refusal(json) == "test: /estimators/a" + lacks + "\ntest: /estimators/c" + lacks);
}

TEST_CASE("What processing refuses names the key once, and the cure") {
  Json json = Simulation(R"({"type": "exact_replay"})");
  json["processing"]["lowpass"]["cutoff_hz"] = 60;
  CHECK(Refusal(json) ==
        "test: /processing/lowpass/cutoff_hz: got 60, but 'joint_position' was sampled at 100 Hz\n"
        "  less than half the rate is accepted");
}

TEST_CASE("Rows have the σ of the processed noise: for fits, and of one sample") {
  Json json = Simulation(R"({"type": "exact_replay"})");
  json["sensors"]["joint_torque"] = {{"noise_std_nm", {0.1, 0.3}}};
  const auto rows = [&] { return SimulatedCell(json).context().problem().rows.front(); };
  CHECK(rows().sigma == Eigen::Vector2d(0.1, 0.3));
  CHECK(rows().sample_sigma.size() == 0);
  CHECK(rows().autocorrelation.size() == 0);
  json["processing"]["decimate_to_hz"] = 20;
  CHECK(rows().sigma == Eigen::Vector2d(0.1, 0.3));
  CHECK(rows().sample_sigma.size() == 0);

  json["processing"] = {{"resample_rate_hz", 400}};
  json["problem"]["equations"] = {{{"type", "joint_torque"}, {"joints", "joint2"}}};
  const EquationRows fast = rows();
  REQUIRE(fast.sigma.size() == 1);
  CHECK(fast.sigma[0] == doctest::Approx(0.6));
  REQUIRE(fast.sample_sigma.size() == 1);
  CHECK(fast.sample_sigma[0] < 0.3);
  CHECK(fast.autocorrelation[1] > 0.8);
  // Channels that are aligned at a rate of their own are interpolated too.
  json.erase("processing");
  json["problem"]["alignment"] = {{"policy", "resample"}, {"rate_hz", 400}};
  CHECK(rows().sigma == fast.sigma);
  CHECK(rows().sample_sigma == fast.sample_sigma);
}

TEST_CASE("Way points and a blended start are simulated like any motion") {
  Json json = Simulation(R"({"type": "computed_torque", "model": "truth"})");
  Json& motion = json["experiments"]["identification"]["motion"];
  motion =
      Json::parse(R"({"type": "way_points", "points_rad": [[0, 0], [0.5, -0.4]], "dwell_s": 0.1})");
  Eigen::MatrixXd q = SimulatedCell(json).Positions(0);
  CHECK(q.row(0).isZero(1e-6));  // 0.5 ms after the start, at rest
  // At rest again: what is left of the tracking error.
  CHECK((q.row(q.rows() - 1) - Eigen::RowVector2d(0.5, -0.4)).cwiseAbs().maxCoeff() < 1e-3);

  motion =
      Json::parse(R"({"type": "fourier", "base_frequency_hz": 0.2, "duration_s": 3, "candidates": 2,
    "start_q_rad": [0.5, -0.4], "rest_s": 0.3, "blend_s": 2.5})");
  q = SimulatedCell(json).Positions(0);
  CHECK((q.row(20) - Eigen::RowVector2d(0.5, -0.4)).cwiseAbs().maxCoeff() < 1e-3);
  motion["blend_s"] = 0.01;
  const std::string message = Refusal(json);
  CHECK(message.find("test: /experiments/identification: joint '") == 0);
  CHECK(message.find(" in the blend, its ") != std::string::npos);
}

TEST_CASE("Moves between random points are simulated like any motion, each trial its own") {
  Json json = Simulation(R"({"type": "exact_replay"})");
  Json& motion = json["experiments"]["identification"]["motion"];
  motion = Json::parse(
      R"({"type": "random_points", "duration_s": 3, "lower_rad": -0.5, "upper_rad": 0.5,
          "least_step_rad": 0.2, "lag_rad_s": 9, "lag_damping_ratio": 0.6})");
  const SimulatedCell shared(json);
  CHECK(shared.Positions(0) == shared.Positions(1));
  CHECK(shared.Positions(0).cwiseAbs().maxCoeff() < 0.6);
  CHECK((shared.Positions(0).row(0) - shared.Positions(0).row(100)).norm() > 0.1);
  motion["draw"] = "trial";
  const SimulatedCell drawn(json);
  CHECK(drawn.Positions(0) != drawn.Positions(1));
  CHECK(drawn.Positions(0) == drawn.Positions(0));
  motion["draw"] = "cell";
  motion["lag_rad_s"] = motion["lag_damping_ratio"] = nullptr;
  motion["lower_rad"] = -2.4;
  motion["upper_rad"] = 2.4;
  motion["least_step_rad"] = 2.0;  // 2 rad in 0.2 s take 19 rad/s
  motion["move_s"] = {0.2, 0.2};
  CHECK(Refusal(json) ==
        "test: /experiments/identification: of 10000 moves that were drawn for 0 s, none will do: "
        "most would exceed the velocity limit of joint 'joint1', 6 rad/s: take longer moves "
        "(move_s) or points that are closer together (lower_rad, upper_rad), or switch off "
        "velocity_limits");
  motion["velocity_limits"] = motion["acceleration_limits"] = false;
  CHECK(Refusal(json).empty());
}

/// A simulation with a drawn prior; `control` decides whether roll-outs hang on it.
Json DrawnPrior(const char* control) {
  Json json = Simulation(control);
  json["problem"]["parametrisation"] = {{"type", "masses_and_moments"}, {"upper_prior_factor", 2}};
  json["problem"]["prior"] = {{"draw", "trial"},
                              {"relative_std", 0.2},
                              {"mass_error", {{"type", "random_sign"}, {"size", 0.2}}}};
  return json;
}

TEST_CASE("A prior drawn per trial makes another problem of each, the truth being the same") {
  const SimulatedCell cell(DrawnPrior(R"({"type": "exact_replay"})"));
  const TrialData one = cell.context().Run(0), two = cell.context().Run(1);
  CHECK(one.problem().parameters.names == two.problem().parameters.names);
  const Parametrisation::Prior& prior = *one.problem().parameters.prior;
  CHECK(prior.mean != two.problem().parameters.prior->mean);
  CHECK(one.problem().parameters.upper == 2.0 * prior.mean);
  CHECK(prior.covariance->diagonal() == (0.2 * prior.mean).array().square().matrix());
  CHECK(*one.true_pi() == *two.true_pi());
  // Exact replay knows no prior: the roll-out is shared.
  CHECK(one.rollout == two.rollout);
  CHECK(one.drawn.empty());
  CHECK(std::ranges::count(cell.context().marks(),
                           "errors of the prior drawn per trial: masses ±20 %, signs drawn") == 1);
}

TEST_CASE("A controller that calculates with a drawn prior gives each trial its own roll-out") {
  Json json = DrawnPrior(R"({"type": "computed_torque"})");
  const SimulatedCell prior(json);
  CHECK(prior.Rollout(0) != prior.Rollout(1));
  CHECK(prior.Rollout(0) == prior.Rollout(0));
  CHECK(prior.Positions(0) != prior.Positions(1));
  json["control"]["model"] = "truth";
  const SimulatedCell truth(json);
  CHECK(truth.Rollout(0) == truth.Rollout(1));
}

TEST_CASE("A truth drawn per trial is simulated, made physical and kept from the problem") {
  Json json = Simulation(R"({"type": "exact_replay"})");
  json["robot"]["truth"] = {
      {"draw", "trial"},
      {"mass_error", {{"type", "uniform"}, {"lower", 0.1}, {"upper", 0.5}}},
      {"com_error", {{"type", "random_sign"}, {"size", 0.2}}},
      {"inertia_error", {{"type", "random_sign"}, {"size", 0.9}}}};  // breaks the triangle rule
  const SimulatedCell cell(json);
  const TrialData one = cell.context().Run(0), two = cell.context().Run(1);
  CHECK(*one.true_pi() != *two.true_pi());
  CHECK(one.rollout != two.rollout);
  CHECK(one.problem().parameters.prior->mean == two.problem().parameters.prior->mean);
  CHECK_FALSE(one.truth->made_physical.empty());
  for (const int body : {0, 1}) {
    CHECK(PhysicalConsistency(one.true_pi()->segment<kInertialCount>(
              ParameterLayout(2).Body(body))) == Consistency::kConsistent);
  }
  // What was simulated has these parameters: exact sensors read Y·π.
  const Dataset& data = one.datasets.front();
  const Dynamics dynamics(one.problem().model, one.truth->robot.true_robot().friction_shape());
  Dynamics::Scratch scratch(dynamics);
  const StateSamples states{data.Find(kJointPosition)->samples, data.Find(kJointVelocity)->samples,
                            data.Find(kJointAcceleration)->samples};
  Eigen::MatrixXd tau(states.size(), 2);
  dynamics.InverseDynamics(*one.true_pi(), states, scratch, tau);
  const Eigen::MatrixXd& measured = data.Find(kJointTorque)->samples;
  CHECK((tau - measured).cwiseAbs().maxCoeff() < 1e-9 * measured.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace idbench
