#include "bench/run/exported_set.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "bench/biped_test.h"
#include "bench/run/lab_arm_test.h"
#include "robots/dynamics/parameters/consistent_fit.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// What Complete() needs, on planar2.
struct Completion {
  explicit Completion(const std::string& robot = "planar2", const char* type = "standard",
                      const char* more = "{}")
      : loaded(Loaded(LabScenario(robot, type), more)),
        context(loaded, loaded.cells[0], rollouts),
        data(context.Run(0)) {
    const Eigen::VectorXd& nominal = loaded.robot.FindSet("")->pi;
    estimate.pi = Eigen::VectorXd::Zero(nominal.size());
    estimate.pi(context.asked()) = nominal(context.asked());
  }
  static LoadedScenario Loaded(Json json, const char* more) {
    json.merge_patch(ParseJson(more, "more"));
    return LoadScenario(json, "test", {}, AllMetrics());
  }
  CompletedSet Run(bool nearest) const {
    return Complete(loaded.robot, context, data, estimate, nearest);
  }

  LoadedScenario loaded;
  RolloutStore rollouts;
  PreparedCell context;
  TrialData data;
  Estimate estimate;
};

TEST_CASE("Consistent standard parameters are written as they are, the base as it was") {
  Completion of;
  of.estimate.pi[kInertialCount] *= 1.1;
  const CompletedSet set = of.Run(false);
  REQUIRE(set.refusal == "");
  CHECK(set.note == "as estimated");
  CHECK_FALSE(set.predicts_otherwise);
  const Eigen::VectorXd& nominal = of.loaded.robot.FindSet("")->pi;
  Eigen::VectorXd wanted = of.estimate.pi;
  wanted.head(kInertialCount) = nominal.head(kInertialCount);
  CHECK((set.pi - wanted).cwiseAbs().maxCoeff() == 0.0);
}

TEST_CASE("Inconsistent standard parameters are refused by name, or the nearest ones are found") {
  Completion of;
  of.estimate.pi[2 * kInertialCount] = -0.5;
  const std::string why = "no body has the estimated inertia of link2 (mass -0.5 kg)";
  const CompletedSet refused = of.Run(false);
  CHECK(refused.refusal ==
        why + "; --export-nearest writes the consistent set of least torque residual");
  const CompletedSet set = of.Run(true);
  REQUIRE(set.refusal == "");
  CHECK(set.predicts_otherwise);
  CHECK(set.note.find(why + "; this is the consistent set of least torque residual on the "
                            "identification data (λ = ") == 0);
  for (int i = 0; i < 2; ++i) {
    CHECK(PhysicalConsistency(set.pi.segment<kInertialCount>(kInertialCount * (i + 1))) ==
          Consistency::kConsistent);
  }
}

TEST_CASE("A link without mass in the prior is refused by name") {
  const TemporaryFolder folder;
  std::string text = kLabArmUrdf;
  text.replace(text.find("<mass value=\"1.2\"/>"), 19, "<mass value=\"0\"/>");
  text.replace(text.find("<link name=\"camera\"><inertial><mass value=\"0.2\"/>"), 47,
               "<link name=\"camera\"><inertial><mass value=\"0\"/>  ");
  Completion of(folder.Write("bare.urdf", text), "base");
  of.estimate.x = Eigen::VectorXd::Zero(of.context.problem().parameters.size());
  CHECK(of.Run(true).refusal ==
        "the prior has no mass for lower, so no set is nearest to it; give a prior set "
        "(/problem/prior) with a mass for every link");
}

constexpr double kSigmaNm = 2.0;

/// The cost that --export-nearest minimises, sample by sample: torques that π predicts otherwise
/// than the estimate in units of σ, and the divergence of its links from the prior.
double CostOf(const Completion& of, const Eigen::VectorXd& pi) {
  const Problem& problem = of.data.problem();
  const Eigen::VectorXd& prior = of.loaded.robot.FindSet("")->pi;
  const Dynamics dynamics(problem.model, problem.friction);
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd difference = Eigen::VectorXd::Zero(pi.size());
  for (const int k : of.context.asked()) difference[k] = pi[k] - of.estimate.pi[k];
  const Dataset& data = of.data.datasets[0];
  Eigen::VectorXd tau(2);
  double cost = 0.0;
  for (Eigen::Index k = 0; k < data.Get(kJointPosition).samples.rows(); ++k) {
    dynamics.InverseDynamics(difference, data.Get(kJointPosition).samples.row(k).transpose(),
                             data.Get(kJointVelocity).samples.row(k).transpose(),
                             data.Get(kJointAcceleration).samples.row(k).transpose(), scratch, tau);
    cost += 0.5 * tau.squaredNorm() / (kSigmaNm * kSigmaNm);
  }
  for (const int first : {kInertialCount, 2 * kInertialCount}) {
    cost += kNearestLambda * EntropicDivergence(pi.segment<kInertialCount>(first),
                                                prior.segment<kInertialCount>(first));
  }
  return cost;
}

TEST_CASE("No consistent set near to the one of least torque residual costs less") {
  Completion of("planar2", "standard", R"({"sensors": {"joint_torque": {"noise_std_nm": 2}}})");
  of.estimate.pi[2 * kInertialCount + 6] = -0.01;  // Iyy of link 2, which torques show
  const CompletedSet set = of.Run(true);
  REQUIRE(set.refusal == "");
  REQUIRE(set.note.find("(λ = 1 on the divergence") != std::string::npos);
  const double least = CostOf(of, set.pi);
  // Convex and smooth: where no parameter gains alone, in either direction, nothing does.
  for (const int k : of.context.asked()) {
    CAPTURE(k);
    for (const double sign : {-1.0, 1.0}) {
      Eigen::VectorXd other = set.pi;
      other[k] += sign * 1e-4;
      CHECK(CostOf(of, other) >= least);
    }
  }
  CHECK(CostOf(of, of.loaded.robot.FindSet("")->pi) > least);
}

TEST_CASE("Of the sets with the base parameters of the truth none is nearer to the prior") {
  Completion of("planar2", "base");
  const Eigen::VectorXd& truth = *of.data.true_pi();
  const Eigen::VectorXd& prior = of.loaded.robot.FindSet("")->pi;
  of.estimate.x = of.data.problem().parameters.FromPi(truth);
  const CompletedSet set = of.Run(false);
  REQUIRE(set.refusal == "");
  CHECK_FALSE(set.predicts_otherwise);
  // Rounding of numbers of 1, and of their null space.
  CHECK((of.data.problem().parameters.FromPi(set.pi) - of.estimate.x).cwiseAbs().maxCoeff() <
        1e-10);
  const auto divergence = [&](const Eigen::VectorXd& pi) {
    double sum = 0.0;
    for (const int first : {kInertialCount, 2 * kInertialCount}) {
      sum += EntropicDivergence(pi.segment<kInertialCount>(first),
                                prior.segment<kInertialCount>(first));
    }
    return sum;
  };
  const double nearest = divergence(set.pi);
  CHECK(nearest < divergence(truth));
  // Sets on the way to the truth have these base parameters too.
  for (const double step : {-1e-3, 1e-3}) {
    CHECK(nearest <= divergence(set.pi + step * (truth - set.pi)));
  }
}

TEST_CASE("Joint parameters that are no unknowns are 0 in the set, the others as estimated") {
  Completion of("planar2", "base");
  const ParameterLayout layout(2);
  Eigen::VectorXd pi = *of.data.true_pi();
  const int viscous = layout.Joint(0, JointParameter::kViscous);
  const int rotor = layout.Joint(1, JointParameter::kRotorInertia);
  pi[viscous] = 0.75;
  of.estimate.x = of.data.problem().parameters.FromPi(pi);
  const CompletedSet set = of.Run(false);
  REQUIRE(set.refusal == "");
  CHECK(set.pi[viscous] == doctest::Approx(0.75).epsilon(1e-9));  // rounding of the null space
  CHECK(set.pi[rotor] == 0.0);
  CHECK(set.pi[layout.Joint(0, JointParameter::kOffset)] == 0.0);
  CHECK(set.pi.head(kInertialCount) == of.loaded.robot.FindSet("")->pi.head(kInertialCount));
}

TEST_CASE("Base parameters that no bodies have are refused with the links that fall short") {
  Completion of("planar2", "base");
  Eigen::VectorXd pi = *of.data.true_pi();
  pi[2 * kInertialCount + 6] = -0.5;  // link 2 turns as if it had less than no inertia
  of.estimate.x = of.data.problem().parameters.FromPi(pi);
  of.estimate.pi = of.data.problem().parameters.Pi(of.estimate.x);
  const CompletedSet refused = of.Run(false);
  CHECK(refused.refusal.find("no bodies have these base parameters: ") == 0);
  CHECK(refused.refusal.find("link2 by ") != std::string::npos);
  const CompletedSet nearest = of.Run(true);
  REQUIRE(nearest.refusal == "");
  CHECK(nearest.predicts_otherwise);
  for (const int first : {kInertialCount, 2 * kInertialCount}) {
    CHECK(PhysicalConsistency(nearest.pi.segment<kInertialCount>(first)) ==
          Consistency::kConsistent);
  }
}

/// Currents of drives with known gains, exactly measured, in place of torques.
constexpr const char* kCurrents = R"({
  "sensors": {"joint_torque": {"noise_std_nm": null, "origin": "absent"},
              "motor_current": {"origin": "measured"}},
  "robot": {"truth": {"motor": {"gear_ratio": [10, 8], "torque_constant_nm_a": [0.5, 0.4]}}},
  "problem": {"equations": ["motor_current"],
              "prior": {"terms": {"joint1.gain": 5, "joint2.gain": 3.2}}}})";
constexpr const char* kExactTorques = R"({"sensors": {"joint_torque": {"noise_std_nm": null}}})";

TEST_CASE("Base parameters behind known gains are completed, and the gains kept") {
  Completion of("planar2", "base", kCurrents);
  const Parametrisation& parameters = of.data.problem().parameters;
  of.estimate.x = parameters.FromPi(*of.data.true_pi());
  const CompletedSet set = of.Run(false);
  REQUIRE(set.refusal == "");
  CHECK((parameters.FromPi(set.pi) - of.estimate.x).cwiseAbs().maxCoeff() < 1e-10);  // as above
  CHECK(set.pi[set.pi.size() - 2] == 5.0);
  CHECK(set.pi[set.pi.size() - 1] == 3.2);
}

TEST_CASE("Base parameters of a robot with a known weight are completed without its inertia") {
  Completion of("planar2", "base", R"({
    "attached": {"weight": {"link": "link2", "p_LB_L_m": [0, 0, -0.2], "known": true,
                            "prior": {"mass_kg": 3}}},
    "configurations": {"loaded": {"attached": ["weight"]}},
    "experiments": {"identification": {"configuration": "loaded"}}})");
  const Parametrisation& parameters = of.data.problem().parameters;
  const Eigen::VectorXd& truth = *of.data.true_pi();
  of.estimate.x = parameters.FromPi(truth);
  const CompletedSet set = of.Run(false);
  REQUIRE(set.refusal == "");
  CHECK((parameters.FromPi(set.pi) - of.estimate.x).cwiseAbs().maxCoeff() < 1e-10);
  CHECK(set.pi.segment<kInertialCount>(3 * kInertialCount) ==
        truth.segment<kInertialCount>(3 * kInertialCount));
}

TEST_CASE("Without declared σ, currents of drives with known gains weigh as the torques they are") {
  Eigen::VectorXd nearest[2];
  for (const bool currents : {false, true}) {
    Completion of("planar2", "standard", currents ? kCurrents : kExactTorques);
    const int size = ParameterLayout(of.loaded.robot.model).inertial_size() + 8;
    of.estimate.pi.head(size) = of.loaded.robot.FindSet("")->pi.head(size);
    of.estimate.pi[2 * kInertialCount + 6] = -0.01;  // Iyy of link 2, which torques show
    if (currents) of.estimate.pi.tail(2) << 5.0, 3.2;
    const CompletedSet set = of.Run(true);
    REQUIRE(set.refusal == "");
    CHECK(set.predicts_otherwise);
    nearest[currents ? 1 : 0] = set.pi.head(size);
  }
  // The weights are sums of squares of differences: some 1e-10 of them is rounding.
  CHECK((nearest[0] - nearest[1]).norm() <= 1e-7 * nearest[0].norm());
}

TEST_CASE("Unknowns that no model file holds are refused with the reason of their kind") {
  OneCell biped(BipedScenario());
  const std::string why(KindNamed("planar_lagrangian").not_exported);
  REQUIRE_FALSE(why.empty());
  const Estimate truth = biped.EstimateOf(biped.true_unknowns());
  for (const bool nearest : {false, true}) {
    CHECK(Complete(biped.loaded.robot, biped.context, biped.data, truth, nearest).refusal == why);
  }
}

}  // namespace
}  // namespace idbench
