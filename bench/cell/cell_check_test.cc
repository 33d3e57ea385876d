#include "bench/cell/cell_check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

/// Channels of two joints at 100 Hz, of which nobody looks at the samples.
Dataset Stamps(const char* label, Eigen::Index samples, Role role = Role::kIdentification,
               std::string_view lacking = "") {
  Dataset dataset(label, role);
  for (const std::string_view name :
       {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    if (name == lacking) continue;
    dataset.Add({.name = std::string(name),
                 .unit = "",
                 .time_s = Eigen::VectorXd::LinSpaced(samples, 0.0,
                                                      0.01 * static_cast<double>(samples - 1)),
                 .samples = Eigen::MatrixXd::Zero(samples, 2),
                 .sigma = {}});
  }
  return dataset;
}

/// What a check says of planar2's recordings: a for 1 s, b for 0.5 s, and v for validation.
class CheckedCell {
 public:
  explicit CheckedCell(const char* more = "{}")
      : loaded_(LoadScenario(Patched(more), "test", {}, AllMetrics())),
        problem_(BuildProblem(loaded_.robot, loaded_.cells[0].scenario.problem, "test")) {}

  static Json Patched(const char* more) {
    Json json = ParseJson(R"({
      "name": "k", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
      "experiments": {"a": {"motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 1, "candidates": 1}}},
      "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
      "problem": {}, "estimators": {"least squares": {"type": "ols"}}, "trials": 2})",
                          "test");
    json.merge_patch(ParseJson(more, "more"));
    return json;
  }
  const Problem& problem() const { return problem_; }
  std::vector<Dataset>& datasets() { return datasets_; }
  /// The message about the last cell, or "".
  std::string OfData() const {
    return MessageOf([&] { CheckAgainstData(loaded_, loaded_.cells.back(), problem_, datasets_); });
  }
  /// Likewise of what estimators refuse, of a scenario's own file.
  std::string OfRefusals() const {
    return MessageOf([&] { CheckRefusals(loaded_, loaded_.cells.back(), problem_); });
  }
  /// What is told of that instead, of the manifest of a run.
  std::vector<std::string> ToldOfRefusals() {
    loaded_.of_manifest = true;
    return CheckRefusals(loaded_, loaded_.cells.back(), problem_);
  }
  std::string OfNeeds(const Problem& problem) const {
    return MessageOf([&] { CheckNeeds(loaded_, loaded_.cells.back(), problem); });
  }

  template <class Check>
  static std::string MessageOf(Check check) {
    try {
      check();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

 private:
  LoadedScenario loaded_;
  Problem problem_;
  std::vector<Dataset> datasets_ = {Stamps("a", 100), Stamps("v", 300, Role::kValidation),
                                    Stamps("b", 50)};
};

constexpr const char* kSwept = R"({"sweep": [{"name": "noise",
    "set": {"/sensors/joint_torque/noise_std_nm": [0.1, 0.2]}}])";

TEST_CASE("Identification time is N periods of N samples, summed over its experiments alone") {
  // 1 s of a and 0.5 s of b. From the first stamp to the last they are two periods less.
  CHECK(CheckedCell(R"({"evaluate_at_s": [0.5, 1.48]})").OfData() == "");
  CHECK(CheckedCell(R"({"evaluate_at_s": [0.5, 1.5]})").OfData() == "");
  CHECK(CheckedCell(R"({"evaluate_at_s": [0.5, 1.51]})").OfData() ==
        "test: /evaluate_at_s: 1.51 s lies beyond the end of the identification data, 1.5 s");
}

TEST_CASE("Of a sweep, what is refused is named with its cell") {
  const std::string sweep = kSwept;
  CHECK(CheckedCell((sweep + R"(, "evaluate_at_s": [2]})").c_str()).OfData() ==
        "test: /evaluate_at_s: 2 s lies beyond the end of the identification data, 1.5 s\n"
        "  in the sweep's noise 0.2");
  const std::string windows =
      sweep + R"(, "estimators": {"rls": {}}, "windows": {"w": {"until_s": )";
  CHECK(CheckedCell((windows + R"(2, "unknowns": ["link1.Iyy_R"]}}})").c_str()).OfData() ==
        "test: /windows/w/until_s: 2 s lies beyond the end of the identification data, 1.5 s\n"
        "  in the sweep's noise 0.2");
  const std::string message =
      CheckedCell((windows + R"(1, "unknowns": ["link2.Iyy"]}}})").c_str()).OfData();
  CHECK(message == "");
  const std::string unknown =
      CheckedCell((windows + R"(1, "unknowns": ["link9.Iyy"]}}})").c_str()).OfData();
  CAPTURE(unknown);
  CHECK(unknown.starts_with("test: /windows/w/unknowns/0: no such unknown: \"link9.Iyy\"\n"));
  CHECK(unknown.ends_with("\n  in the sweep's noise 0.2"));
}

/// A scenario of planar2 in which something watches the experiment w.
std::string Watching(const char* observer) {
  return fmt::format(
      R"({{"experiments": {{"w": {{"role": "application",
           "motion": {{"type": "fourier", "base_frequency_hz": 1, "duration_s": 1, "candidates": 1}}}}}},
         "observers": {{"o": {}}}}})",
      observer);
}

TEST_CASE("A channel that an observer needs is missed in what it watches, and nowhere else") {
  CheckedCell cell(Watching(R"({"type": "contact_statistic"})").c_str());
  cell.datasets().push_back(Stamps("w", 50, Role::kApplication));
  CHECK(cell.OfData() == "");
  cell.datasets().back() = Stamps("w", 50, Role::kApplication, kJointAcceleration);
  CHECK(cell.OfData() ==
        "test: /observers/o: needs the channel 'joint_acceleration'; the experiment 'w' has "
        "joint_position, joint_velocity, joint_torque");
}

TEST_CASE("A low-pass that the rate of its data does not bear is refused") {
  const auto fit = [](double cutoff_hz, const char* more = "") {
    return CheckedCell(fmt::format(R"({{"estimators": {{"least squares": {{"parallel_filter":
                                        {{"cutoff_hz": {}}}}}}} {}}})",
                                   cutoff_hz, more)
                           .c_str())
        .OfData();
  };
  CHECK(fit(49.0) == "");
  CHECK(fit(50.0).starts_with(
      "test: /estimators/least squares: its low-pass of 50 Hz is not below half the rate of the "
      "experiment 'a', 100 Hz\n"));
  CHECK(fit(50.0, R"(, "expected_failures": {"least squares": "refused"})") == "");
  CheckedCell watched(
      Watching(R"({"type": "contact_statistic", "lowpass": {"cutoff_hz": 60}})").c_str());
  CHECK(watched.OfData() == "");  // it watches no data yet
  watched.datasets().push_back(Stamps("w", 50, Role::kApplication));
  CHECK(watched.OfData().starts_with(
      "test: /observers/o: its low-pass of 60 Hz is not below half the rate of the experiment 'w', "
      "100 Hz\n"));
}

TEST_CASE("What an observer refuses of the problem is refused, and told of a run's manifest") {
  CheckedCell cell(Watching(R"({"type": "end_effector_force"})").c_str());
  CHECK(cell.OfRefusals() ==
        "test: /observers/o: takes the torques of at least 3 joints, the problem has rows of 2");
  CHECK(cell.ToldOfRefusals() ==
        std::vector<std::string>{"o observes nothing in every trial: takes the torques of at least "
                                 "3 joints, the problem has rows of 2"});
  CHECK(CheckedCell(Watching(R"({"type": "contact_statistic"})").c_str()).OfRefusals() == "");
}

TEST_CASE("A channel that an estimator needs is missed in the experiment that lacks it") {
  CheckedCell cell;
  CHECK(cell.OfData() == "");
  cell.datasets()[1] = Stamps("v", 300, Role::kValidation, kJointTorque);  // no matter
  CHECK(cell.OfData() == "");
  cell.datasets()[2] = Stamps("b", 50, Role::kIdentification, kJointAcceleration);
  CHECK(cell.OfData() ==
        "test: /estimators/least squares: needs the channel 'joint_acceleration'; the experiment "
        "'b' has joint_position, joint_velocity, joint_torque");
}

TEST_CASE("An estimator that needs what the problem does not supply is named with its lack") {
  const CheckedCell cell(
      R"({"estimators": {"guess": {"type": "prior_only"}}, "problem": {"prior": {}}})");
  Problem problem = cell.problem();
  CHECK(cell.OfNeeds(problem) == "");
  problem.parameters.prior.reset();
  CHECK(cell.OfNeeds(problem) == "test: /estimators/guess: needs a prior: declare /problem/prior");
}

TEST_CASE("What a method refuses of any data is refused before there are any, unless expected") {
  const std::string refused = R"({"problem": {"prior": {"relative_std": 0.1}},
      "estimators": {"fit": {"type": "consistent_wls"}, "ridge": {}})";
  CheckedCell cell((refused + "}").c_str());
  const std::string message = cell.OfRefusals();
  CAPTURE(message);
  CHECK(message.starts_with("test: /estimators/fit: the parametrisation 'base' says nothing of"));
  CHECK(message.find("ridge") == std::string::npos);
  REQUIRE(cell.ToldOfRefusals().size() == 1);
  CHECK(
      cell.ToldOfRefusals()[0].starts_with("fit fails in every trial: the parametrisation 'base'"));
  CHECK(CheckedCell((refused + R"(, "expected_failures": {"fit": "refused"}})").c_str())
            .OfRefusals() == "");
}

TEST_CASE("Where draws of single parameters make no body, σ of bodies is the cure, and it helps") {
  const auto message = [](const char* std) {
    const LoadedScenario loaded =
        LoadScenario(CheckedCell::Patched(
                         fmt::format(R"({{"problem": {{"parametrisation": {{"type": "standard"}},
                "prior": {{"mean_error": "declared", "std": {}}}}},
                "estimators": {{"fit": {{"type": "scaled_kf"}}, "map": {{}}}}}})",
                                     std)
                             .c_str()),
                     "test", {}, AllMetrics());
    RolloutStore rollouts;
    return CheckedCell::MessageOf(
        [&] { const PreparedCell cell(loaded, loaded.cells[0], rollouts); });
  };
  const std::string refused = message(
      R"({"m": 0.5, "mcx": 0.5, "mcy": 0.5, "mcz": 0.5, "Ixx": 5, "Ixy": 5, "Iyy": 5, "Ixz": 5,
          "Iyz": 5, "Izz": 5})");
  CAPTURE(refused);
  CHECK(refused.starts_with("test: /estimators/fit: the prior of "));
  CHECK(refused.find("give σ of \"body\" in their place") != std::string::npos);
  CHECK(refused.find("/estimators/map") == std::string::npos);
  CHECK(message(R"({"body": 0.2})") == "");
}

TEST_CASE("A prior outside its bounds is refused before a trial fails by it") {
  const LoadedScenario loaded =
      LoadScenario(CheckedCell::Patched(R"({"problem": {"prior": {"relative_std": 0.1},
          "parametrisation": {"type": "standard", "bounds": {"m": [0, 1e-3]}, "upper_prior_factor": 2,
            "lower_prior_factor": 0, "first_moment_reach_m": 1}},
          "estimators": {"least squares": null, "sigmoid_ekf": {}}})"),
                   "test", {}, AllMetrics());
  RolloutStore rollouts;
  const std::string message =
      CheckedCell::MessageOf([&] { const PreparedCell cell(loaded, loaded.cells[0], rollouts); });
  CAPTURE(message);
  CHECK(message.starts_with("test: /estimators/sigmoid_ekf: the prior of link1.m is "));
  CHECK(message.find("not inside its bounds 0 and 0.001") != std::string::npos);
}

TEST_CASE("Channels that lose samples each on its own are refused with the cure") {
  CheckedCell cell;
  Dataset lossy("a", Role::kIdentification);
  const Dataset whole = Stamps("a", 100);
  for (Channel channel : whole.channels()) {
    if (channel.name == kJointTorque) {
      channel.time_s = Eigen::VectorXd(channel.time_s.tail(70));
      channel.samples = Eigen::MatrixXd::Zero(70, 2);
    }
    lossy.Add(std::move(channel));
  }
  cell.datasets()[0] = lossy;
  const std::string message = cell.OfData();
  CAPTURE(message);
  CHECK(message.starts_with(
      "test: /problem/alignment/policy: is \"refuse\", so that least squares would refuse every "
      "trial: dataset 'a': channels were not sampled together: "));
  CHECK(message.ends_with(
      "  set it to \"resample\", or /processing/resample_rate_hz; or let sensors hold what they "
      "lose (dropout \"hold\")"));
  CheckedCell resampled(R"({"problem": {"alignment": {"policy": "resample"}}})");
  resampled.datasets()[0] = lossy;
  CHECK(resampled.OfData() == "");
}

TEST_CASE("An event behind the end of its experiment is refused: nothing would happen") {
  const auto with = [](const char* event) {
    return CheckedCell(fmt::format(R"({{"experiments": {{"a": {{"events": [
      {{"type": "attach", "at_s": 0.5, "mass_kg": 1}}, {}]}}}}}})",
                                   event)
                           .c_str())
        .OfData();
  };
  CHECK(with(R"({"type": "detach", "at_s": 0.9})") == "");
  CHECK(with(R"({"type": "detach", "at_s": 8})") ==
        "test: /experiments/a/events/1/at_s: 8 s is behind the end of the experiment's data, 0.99 "
        "s\n  nothing would happen; remove the event, or make the experiment longer");
  CHECK(with(R"({"type": "ramp", "from_s": 2, "to_s": 3, "mass_kg": 2})")
            .starts_with("test: /experiments/a/events/1/from_s: 2 s is behind the end"));
}

TEST_CASE("A touch behind the end of its experiment is refused: nothing would happen") {
  const auto with = [](const char* touch) {
    return CheckedCell(fmt::format(R"({{"experiments": {{"a": {{"environment": {{"touches": [
      {{"link": "link2", "force_n": [1, 0, 0], "from_s": 0.5, "hold_s": 1}}, {}]}}}}}}}})",
                                   touch)
                           .c_str())
        .OfData();
  };
  const char* drawn = R"({{"type": "drawn_touches", "link": "link2", "axis_from_m": [0, 0, 0],
    "axis_to_m": [0.2, 0, 0], "radius_m": 0.05, "force_n": [1, 20], "ramp_s": [0.01, 0.05],
    "hold_s": [0.05, 0.2], "gap_s": [{}, 9]}})";
  CHECK(with(fmt::format(fmt::runtime(drawn), 0.5).c_str()) == "");
  CHECK(
      with(fmt::format(fmt::runtime(drawn), 2).c_str())
          .starts_with("test: /experiments/a/environment/touches/1/gap_s: 2 s is behind the end"));
  CHECK(with(R"({"type": "push", "link": "link2", "impulse_ns": [1, 0, 0], "at_s": 8,
                 "duration_s": 0.1})") ==
        "test: /experiments/a/environment/touches/1/at_s: 8 s is behind the end of the "
        "experiment's data, 0.99 s\n  nothing would happen; remove the event, or make the "
        "experiment longer");
}

/// `dataset` without its first samples, on the same clock.
Dataset WithoutBeginning(const Dataset& dataset, Eigen::Index count) {
  Dataset left = dataset.WithoutChannels();
  left.recorded = RecordedTimeOf(dataset);
  for (Channel channel : dataset.channels()) {
    const Eigen::Index rows = channel.samples.rows() - count;
    channel.time_s = Eigen::VectorXd(channel.time_s.tail(rows));
    channel.samples = Eigen::MatrixXd(channel.samples.bottomRows(rows));
    left.Add(std::move(channel));
  }
  return left;
}

TEST_CASE("What has no sample yet is refused; time counts from before those that were dropped") {
  const auto with = [](const char* more) {
    CheckedCell cell(more);
    cell.datasets()[0] = WithoutBeginning(cell.datasets()[0], 40);
    return cell.OfData();
  };
  CHECK(with(R"({"evaluate_at_s": [0.4, 1.5]})") == "");
  CHECK(with(R"({"evaluate_at_s": [0.39, 1.5]})") ==
        "test: /evaluate_at_s: 0.39 s lies before the first sample that estimators get, 0.4 s\n"
        "  time counts from the experiment's beginning, whatever processing and delayed sensors "
        "drop there");
  CHECK(with(R"({"estimators": {"rls": {}},
                 "windows": {"w": {"until_s": 0.3, "unknowns": ["link1.Iyy_R"]}}})")
            .starts_with("test: /windows/w/until_s: 0.3 s lies before the first sample"));
}

TEST_CASE("An event that only dropped samples follow is behind the end of the data") {
  CheckedCell cell(R"({"experiments": {"a": {"events": [
      {"type": "attach", "at_s": 0.5, "mass_kg": 1}, {"type": "detach", "at_s": 0.95}]}}})");
  CHECK(cell.OfData() == "");
  Dataset& a = cell.datasets()[0];
  const RecordedTime clock = RecordedTimeOf(a);
  a = Stamps("a", 90);
  a.recorded = clock;
  CHECK(cell.OfData().starts_with(
      "test: /experiments/a/events/1/at_s: 0.95 s is behind the end of the experiment's data, "
      "0.89 s"));
}

/// A scenario of sigmoid_ekf, whose prior has to be inside bounds, with masses drawn by `std`.
Json WithDrawnPrior(double std) {
  Json json = CheckedCell::Patched(R"({
    "problem": {"parametrisation": {"type": "masses_and_moments", "bounds": {"m": [2, 5],
                  "J1": [-1, 2], "J2": [-1, 2], "J3": [-1, 2]}},
                "prior": {"relative_std": 0.2, "draw": "trial"}},
    "estimators": {"least squares": null, "filter": {"type": "sigmoid_ekf"}}, "trials": 200})");
  json["problem"]["prior"]["mass_error"] = {{"type", "gaussian"}, {"std", std}};
  return json;
}

TEST_CASE("A drawn prior outside its bounds is refused whichever trial drew it") {
  const auto message = [](double std, bool of_manifest) {
    LoadedScenario loaded = LoadScenario(WithDrawnPrior(std), "test", {}, AllMetrics());
    loaded.of_manifest = of_manifest;
    RolloutStore rollouts;
    return CheckedCell::MessageOf([&] {
      const PreparedCell cell(loaded, loaded.cells[0], rollouts);
      if (!cell.warnings().empty()) throw ConfigError("warned", "", cell.warnings().front());
    });
  };
  CHECK(message(0.01, false).find("/estimators/filter") == std::string::npos);
  const std::string refused = message(0.25, false);
  CAPTURE(refused);
  CHECK(refused.starts_with("test: /estimators/filter: in "));
  CHECK(refused.find(" of 200 trials, trial ") != std::string::npos);
  CHECK(refused.find("is not inside its bounds") != std::string::npos);
  CHECK(message(0.25, true).find("/estimators/filter fails in ") != std::string::npos);
  const auto of_means = [](double std) {
    Json json = WithDrawnPrior(0.0);
    json["problem"]["prior"] = {{"draw", "trial"}, {"mean_error", "declared"}};
    json["problem"]["prior"]["std"]["body"] = std;
    const LoadedScenario loaded = LoadScenario(json, "test", {}, AllMetrics());
    RolloutStore rollouts;
    return CheckedCell::MessageOf(
        [&] { const PreparedCell cell(loaded, loaded.cells[0], rollouts); });
  };
  CHECK(of_means(0.01) == "");
  CHECK(of_means(0.25).find("/estimators/filter: in ") != std::string::npos);
}

}  // namespace
}  // namespace idbench
