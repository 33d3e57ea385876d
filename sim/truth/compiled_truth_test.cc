#include "sim/truth/compiled_truth.h"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <vector>

#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

std::string TextOf(const CompiledTruth& truth) {
  CanonicalText text;
  truth.Describe(text);
  return text.text();
}

TEST_CASE("Whatever a true robot is made of tells it from others") {
  const Robot robot = LoadRobot("planar2");
  const HashedRobot hashed(robot);
  const TruthRecipe plain{robot.FindSet("")->pi};
  const std::vector<std::function<void(TruthRecipe&)>> changes = {
      [](TruthRecipe& recipe) { recipe.pi[3] += 1e-15; },
      [](TruthRecipe& recipe) { recipe.plant.timestep_s = 0.0005; },
      [](TruthRecipe& recipe) { recipe.plant.coulomb_width_rad_s = 0.1; },
      [](TruthRecipe& recipe) {
        recipe.plant.friction_integration = FrictionIntegration::kImplicit;
      },
      [](TruthRecipe& recipe) { recipe.joints.motor.gear_ratio = {{50.0}}; },
      [](TruthRecipe& recipe) { recipe.joints.motor.gain_drift_per_min = {{0.01}}; },
      [](TruthRecipe& recipe) { recipe.joints.friction.stribeck_excess_nm = {{0.5}}; },
      [](TruthRecipe& recipe) {
        recipe.joints.friction.load_coefficient = {{0.0, 0.01}};
      },
      [](TruthRecipe& recipe) { recipe.joints.mismatch.frictionloss_nm = {{0.5}}; },
      [](TruthRecipe& recipe) { recipe.joints.mismatch.torque_resolution_nm = {{0.5}}; },
      [](TruthRecipe& recipe) { recipe.joints.mismatch.presliding_rad = 0.002; },
      [](TruthRecipe& recipe) {
        recipe.joints.mismatch.cables = {
            CableTorqueOptions{.joint = "joint2", .stiffness_nm_rad = 0.1}};
      },
      [](TruthRecipe& recipe) {
        recipe.joints.mismatch.base_tilt_rad = {0.0, 0.01};
      },
      [](TruthRecipe& recipe) {
        recipe.joints.mismatch.friction_warm_up = FrictionWarmUpOptions{};
      },
      [](TruthRecipe& recipe) {
        recipe.joints.mismatch.friction_warm_up = FrictionWarmUpOptions{.fraction = 0.2};
      },
      [](TruthRecipe& recipe) { recipe.events = {AttachOptions{.mass_kg = 1.0}}; },
      [](TruthRecipe& recipe) { recipe.imu_offset_L.z() = 0.01; },
  };
  std::set<std::string> texts = {TextOf(CompiledTruth(hashed, plain))};
  // Names of roll-outs are hashes of this text, and stay when an option with a default is added.
  CHECK(texts.begin()->find("friction_integration") == std::string::npos);
  CHECK(texts.begin()->find("base_tilt_rad") == std::string::npos);
  CHECK(texts.begin()->find("presliding_rad") == std::string::npos);
  CHECK(texts.begin()->find("cables") == std::string::npos);
  CHECK(texts.begin()->find("friction_warm_up") == std::string::npos);
  CHECK(texts.begin()->find("gain_drift_per_min") == std::string::npos);
  CHECK(texts.begin()->find("load_coefficient") == std::string::npos);
  CHECK(texts.contains(TextOf(CompiledTruth(hashed, plain))));
  for (const auto& change : changes) {
    TruthRecipe recipe = plain;
    change(recipe);
    texts.insert(TextOf(CompiledTruth(hashed, recipe)));
  }
  CHECK(texts.size() == changes.size() + 1);
}

TEST_CASE("A robot's hash tells its model and its file") {
  const Robot robot = LoadRobot("planar2");
  const std::string hash = HashedRobot(robot).hash();
  CHECK(HashedRobot(LoadRobot("planar2")).hash() == hash);
  std::set<std::string> hashes = {hash};
  const auto with = [&](const std::function<void(Robot&)>& change) {
    Robot other = robot;
    change(other);
    hashes.insert(HashedRobot(other).hash());
  };
  with([](Robot& other) { other.name += "x"; });
  with([](Robot& other) { other.model.SetEndEffector({0, Eigen::Vector3d(0.0, 0.0, 0.1)}); });
  with([](Robot& other) { other.model.SetEndEffector({1, Eigen::Vector3d(0.0, 0.0, 0.1)}); });
  with([](Robot& other) { other.model.SetImu({0, Eigen::Vector3d::Zero()}); });
  with([](Robot& other) { other.model.SetDistanceMeter({0}); });
  with([](Robot& other) { other.model.SetActuation({{"motor"}, Eigen::Vector2d(1.0, -1.0)}); });
  // What a model is constructed of: names, links, gravity, limits.
  const auto rebuilt = [&](auto change) {
    with([&](Robot& other) {
      std::string base = other.model.base_name();
      std::vector<Link> links = other.model.links();
      Eigen::Vector3d gravity = other.model.gravity();
      JointLimits limits = other.model.limits();
      change(base, links, gravity, limits);
      other.model = RobotModel(other.model.name(), base, links, gravity, limits);
    });
  };
  using Links = std::vector<Link>;
  using Vector3 = Eigen::Vector3d;
  rebuilt([](std::string& base, Links&, Vector3&, JointLimits&) { base = "ground"; });
  rebuilt([](std::string&, Links&, Vector3& gravity, JointLimits&) { gravity.z() = -1.62; });
  rebuilt([](std::string&, Links& links, Vector3&, JointLimits&) { links[1].p0.x() += 0.1; });
  rebuilt([](std::string&, Links& links, Vector3&, JointLimits&) { links[1].reference = 0.1; });
  rebuilt([](std::string&, Links& links, Vector3&, JointLimits&) { links[1].joint = "elbow"; });
  rebuilt([](std::string&, Links&, Vector3&, JointLimits& limits) { limits.velocity[0] = 0.1; });
  rebuilt([](std::string&, Links&, Vector3&, JointLimits& limits) { limits.effort[1] = 0.1; });
  CHECK(hashes.size() == 14);

  // Positions at which joints are held turn up in π alone, if they turn what moves with them.
  hashes.insert(HashedRobot(LoadRobot("planar2", {"", {{"joint1"}}, {}})).hash());
  hashes.insert(HashedRobot(LoadRobot("planar2", {"", {{"joint1"}}, {{"joint2", 0.5}}})).hash());
  hashes.insert(HashedRobot(LoadRobot("planar2", {"link1", {}, {}})).hash());
  CHECK(hashes.size() == 17);

  const TemporaryFolder folder;
  Robot copied = robot;
  copied.file = folder.Write("planar2.xml", "<mujoco/>");
  CHECK_FALSE(hashes.contains(HashedRobot(copied).hash()));
}

}  // namespace
}  // namespace idbench
