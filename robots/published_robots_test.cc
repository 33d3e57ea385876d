#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/physical_inertia.h"
#include "robots/published_chain_test.h"

/// Arms of the catalogue against the tables of their makers.
namespace idbench {
namespace {

int Count(const RobotModel& model, const std::vector<PlacedEquation>& equations) {
  return FindBaseParameters(model, equations, ConsideredParameters(model, equations, {})).size();
}

// Universal Robots, "Parameters for calculations of kinematics and dynamics": standard DH, masses
// and centres of mass in DH frames; inertias about these, in DH axes, "extracted from URSim".
struct StandardDh {
  double a, d, alpha, mass;
  std::array<double, 3> com;
  std::array<double, 6> inertia;  ///< Ixx, Ixy, Ixz, Iyy, Iyz, Izz
};
constexpr std::array<StandardDh, 6> kUr10 = {{
    {0.0,
     0.1273,
     kQuarter,
     7.1,
     {0.021, 0, 0.027},
     {.03408, .00002, -.00425, .03529, .00008, .02156}},
    {-0.612, 0.0, 0.0, 12.7, {0.38, 0, 0.158}, {.02814, .00005, -.01561, .77068, .00002, .76943}},
    {-0.5723, 0.0, 0.0, 4.27, {0.24, 0, 0.068}, {.01014, .00008, .00916, .30928, 0.0, .30646}},
    {0.0,
     0.163941,
     kQuarter,
     2.0,
     {0, 0.007, 0.018},
     {.00296, -.00001, 0, .00222, -.00024, .00258}},
    {0.0, 0.1157, -kQuarter, 2.0, {0, 0.007, 0.018}, {.00296, -.00001, 0, .00222, -.00024, .00258}},
    {0.0, 0.0922, 0.0, 0.365, {0, 0, -0.026}, {.0004, 0, 0, .00041, 0, .00034}},
}};

TEST_CASE("The UR10 is that of Universal Robots' table: frames, centres, inertias, weight") {
  const Robot robot = LoadRobot("ur10");
  CHECK(robot.model.joint_names() ==
        std::vector<std::string>{"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint",
                                 "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"});
  const Eigen::VectorXd q{{0.3, -1.1, 0.8, -0.4, 0.6, 0.2}};
  const std::vector<Pose> poses = ForwardKinematics(robot.model, q);
  std::vector<PublishedJoint> joints;
  std::vector<PublishedBody> bodies;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i);
    const StandardDh& row = kUr10[static_cast<std::size_t>(i)];
    joints.push_back({frame.translation(), frame.linear().col(2)});
    const Eigen::Isometry3d link = frame * TurnedZ(q[i]) * Moved(0, 0, row.d);
    const Eigen::Isometry3d to_dh = Moved(row.a, 0, 0) * TurnedX(row.alpha);
    frame = link * to_dh;
    CHECK(Distance(poses[static_cast<std::size_t>(i)], link) < kRoundOff);
    const Eigen::Vector3d com(row.com.data());
    bodies.push_back({i, row.mass, frame * com});
    const CentralInertia own = InertiaOf(robot, "", i);
    CHECK(own.mass == row.mass);
    CHECK((own.com - to_dh * com).norm() < kRoundOff);
    const auto& [xx, xy, xz, yy, yz, zz] = row.inertia;
    const Eigen::Matrix3d printed{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
    const Eigen::Matrix3d turned = to_dh.linear() * printed * to_dh.linear().transpose();
    CHECK((own.I_com - turned).norm() < kRoundOff);
  }
  const Eigen::VectorXd tau = TorqueAtRest(robot, q);
  CHECK((tau - HoldingTorques(joints, bodies, {0, 0, -9.81})).norm() < kRoundOff * tau.norm());
  CHECK(MovingMass(robot, "") == doctest::Approx(28.435).epsilon(1e-14));
}

TEST_CASE("The UR10 at zero lies along -x, and its shoulder bears the weights at their levers") {
  const Robot robot = LoadRobot("ur10");
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(6);
  const Eigen::Vector3d flange = ForwardKinematics(robot.model, zero)[5].p_BL_B;
  // (a2 + a3, −d4 − d6, d1 − d5)
  CHECK((flange - Eigen::Vector3d(-1.1843, -0.256141, 0.0116)).norm() < kRoundOff);
  // Levers from the shoulder along −x: 0.612 − 0.38, 0.612 + 0.5723 − 0.24, 0.612 + 0.5723. Joint 2
  // turns about −y and lifts what lies at −x.
  const double moment = 9.81 * (12.7 * 0.232 + 4.27 * 0.9443 + (2.0 + 2.0 + 0.365) * 1.1843);
  CHECK(TorqueAtRest(robot, zero)[1] == doctest::Approx(-moment).epsilon(1e-12));
}

TEST_CASE("The UR10 has 36 base parameters, the Panda 43: 7n - 4β - 2 of a vertical first axis") {
  CHECK(Count(LoadRobot("ur10").model, {Equation::kTorque}) == 7 * 6 - 4 - 2);
  CHECK(Count(LoadRobot("franka_panda").model, {Equation::kTorque}) == 7 * 7 - 4 - 2);
}

// Franka Emika's modified DH parameters; masses and centres of mass of Gaz et al. 2019, tables VIII
// and IX of the supplement, in these frames.
struct ModifiedDh {
  double a, alpha, d, mass;
  std::array<double, 3> com;
};
constexpr std::array<ModifiedDh, 7> kPanda = {{
    {0.0, 0.0, 0.333, 4.970684, {3.875e-3, 2.081e-3, 0.0}},
    {0.0, -kQuarter, 0.0, 0.646926, {-3.141e-3, -2.872e-2, 3.495e-3}},
    {0.0, kQuarter, 0.316, 3.228604, {2.7518e-2, 3.9252e-2, -6.6502e-2}},
    {0.0825, kQuarter, 0.0, 3.587895, {-5.317e-2, 1.04419e-1, 2.7454e-2}},
    {-0.0825, -kQuarter, 0.384, 1.225946, {-1.1953e-2, 4.1065e-2, -3.8437e-2}},
    {0.0, kQuarter, 0.0, 1.666555, {6.0149e-2, -1.4117e-2, -1.0517e-2}},
    {0.088, kQuarter, 0.0, 0.735522, {1.0517e-2, -4.252e-3, 6.1597e-2}},
}};

TEST_CASE("The Panda is that of its DH parameters and of Gaz et al. 2019: frames, weight") {
  const Robot robot = LoadRobot("franka_panda");
  const Eigen::VectorXd q{{0.3, -0.5, 0.2, -1.8, 0.4, 1.6, 0.7}};
  const std::vector<Pose> poses = ForwardKinematics(robot.model, q);
  std::vector<PublishedJoint> joints;
  std::vector<PublishedBody> bodies;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  for (int i = 0; i < 7; ++i) {
    CAPTURE(i);
    const ModifiedDh& row = kPanda[static_cast<std::size_t>(i)];
    frame = frame * Moved(row.a, 0, 0) * TurnedX(row.alpha) * TurnedZ(q[i]) * Moved(0, 0, row.d);
    joints.push_back({frame.translation(), frame.linear().col(2)});
    bodies.push_back({i, row.mass, frame * Eigen::Vector3d(row.com.data())});
    CHECK(Distance(poses[static_cast<std::size_t>(i)], frame) < kRoundOff);
  }
  const Eigen::VectorXd tau = TorqueAtRest(robot, q);
  CHECK((tau - HoldingTorques(joints, bodies, {0, 0, -9.81})).norm() < kRoundOff * tau.norm());
  CHECK(MovingMass(robot, "gaz2019") == doctest::Approx(16.062132).epsilon(1e-14));
}

TEST_CASE("The stretched Panda's second joint bears what the authors' own program says") {
  const Robot robot = LoadRobot("franka_panda");
  const Eigen::VectorXd stretched{{0, kQuarter, 0, 0, 0, 0, 0}};
  // get_GravityVector.m of FrankaEmikaPandaDynModel at this pose, per g; their table is a feasible
  // point beside their coefficients, 0.06 % away here.
  const double published = -3.10257567176716 - 1.718488169611198 + 0.06771174144247946;
  const double ours = TorqueAtRest(robot, stretched)[1] / 9.81;
  CHECK(std::abs(ours - published) < 1e-3 * std::abs(published));
}

TEST_CASE("Of the manufacturer's figures of the Panda those of link 4 are of no body, as printed") {
  const Robot robot = LoadRobot("franka_panda");
  CHECK(robot.set_names() == std::vector<std::string>{"gaz2019", "franka_description"});
  CHECK(MovingMass(robot, "franka_description") == doctest::Approx(13.78593).epsilon(1e-14));
  for (int i = 0; i < 7; ++i) {
    CAPTURE(i);
    CHECK(!WhyUnphysical(InertiaOf(robot, "gaz2019", i)));
    CHECK(WhyUnphysical(InertiaOf(robot, "franka_description", i)).has_value() == (i == 3));
  }
  CHECK(*WhyUnphysical(InertiaOf(robot, "franka_description", 3)) ==
        "triangle inequality: principal moments 0.00368, 0.007956, 0.01274 kg·m²");
  CHECK(robot.FindSet("franka_description")->note.find("Link 4 is not physically consistent") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
