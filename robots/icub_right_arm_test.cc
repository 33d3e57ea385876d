#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/rows.h"
#include "robots/published_chain_test.h"

/// The arm of Traversaro, Del Prete, Muradore, Natale & Nori, "Inertial parameter identification
/// including friction and motor dynamics", 2013.
namespace idbench {
namespace {

// robotology/icub-models iCubGenova04/model.urdf: the chain from chest to r_hand.
struct UrdfJoint {
  const char* child;
  bool moves;
  std::array<double, 3> xyz, rpy, axis;
  double mass;
  std::array<double, 3> com;
};
constexpr std::array<UrdfJoint, 8> kIcubArm = {{
    {"r_shoulder_1",
     true,
     {-0.120016, 0.0928, 0.0079693},
     {0, -0.523598884, 3.14159265},
     {-0.965925926, 0, 0.258819276},
     0.114862,
     {-0.0122656014, 3.2e-05, -0.0032106429}},
    {"r_shoulder_2",
     true,
     {-0.00758046573, 0, 0.0142102464},
     {-0.270597612, -0.252680155, -1.5015568},
     {-0.258819, -2.02852263e-17, -0.965926},
     0.238162,
     {-0.0214141709, 0.000271725273, -0.0194402345}},
    {"r_shoulder_3",
     true,
     {-0.0253460713, 2.32750427e-07, -0.00538764806},
     {-0.252689546, 0.00851861832, 0.0670398891},
     {0.965925844, -2.22044605e-16, -0.258818979},
     0.35913,
     {-0.0267620767, -7e-06, 0.0146999208}},
    {"r_upper_arm",
     false,
     {-0.0508973018, 0, 0.0291670296},
     {0, -1.30899701, 0},
     {1.0, 0, 0},
     0.745104,
     {-0.006087, 0.000126, 0.0293121}},
    {"r_elbow_1",
     true,
     {0, -0.0224999, 0.07926},
     {0, 1.30899701, 0},
     {2.22044605e-16, 1.0, 0},
     0.267903,
     {-0.00673912933, 0.0188019, -0.00465769236}},
    {"r_forearm",
     true,
     {-0.0384624299, 0.0224999, -0.00522316819},
     {0, 0, 0},
     {0.965925844, -2.22044605e-16, -0.258818979},
     0.6347,
     {-0.0404391134, -0.000328, 0.00532733448}},
    {"r_wrist_1",
     true,
     {-0.103505209, 7e-06, 0.025197703},
     {0, 0, 0},
     {0.258818979, 0, 0.965925844},
     0.0362615,
     {0.000986101956, -0.001176, 0.00410132737}},
    {"r_hand",
     false,
     {0.0006341065, -0.0194999, 0.00236651832},
     {0, 0, 0},
     {-2.22044605e-16, -1.0, 0},
     0.248289,
     {-0.0646681637, 0.0056002, 0.0226812941}},
}};

/// The arm at a pose, wrist yaw at 0.
struct IcubArm {
  std::vector<Eigen::Isometry3d> frames;  ///< Of all eight bodies.
  std::vector<PublishedJoint> joints;
  std::vector<PublishedBody> bodies;
};
IcubArm IcubArmAt(const Eigen::VectorXd& q) {
  IcubArm arm;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  for (const UrdfJoint& row : kIcubArm) {
    const auto& [roll, pitch, yaw] = row.rpy;
    frame = frame * Moved(row.xyz[0], row.xyz[1], row.xyz[2]) * TurnedZ(yaw) *
            Turned(pitch, Eigen::Vector3d::UnitY()) * TurnedX(roll);
    if (row.moves) {
      const Eigen::Vector3d axis = Eigen::Vector3d(row.axis.data()).normalized();
      frame = frame * Turned(q[std::ssize(arm.joints)], axis);
      arm.joints.push_back({frame.translation(), frame.linear() * axis});
    }
    arm.frames.push_back(frame);
    arm.bodies.push_back({static_cast<int>(arm.joints.size()) - 1, row.mass,
                          frame * Eigen::Vector3d(row.com.data())});
  }
  return arm;
}

// The URDF writes π as 3.14159265, which StraightenAxes() corrects: 3.6e-9 rad at the shoulder.
constexpr double kWrittenPi = 1e-8;

TEST_CASE("The iCub's right arm is that of its URDF: frames, sensor, weight") {
  const Robot robot = LoadRobot("icub_right_arm");
  CHECK(robot.model.joint_names() == std::vector<std::string>{"r_shoulder_pitch", "r_shoulder_roll",
                                                              "r_shoulder_yaw", "r_elbow",
                                                              "r_wrist_prosup", "r_wrist_pitch"});
  CHECK(robot.model.gravity() == Eigen::Vector3d(0.0, -9.81, 0.0));
  const Eigen::VectorXd q{{-0.6, 0.7, 0.3, 1.1, -0.4, -0.2}};
  const std::vector<Pose> poses = ForwardKinematics(robot.model, q);
  const IcubArm arm = IcubArmAt(q);
  std::size_t link = 0;
  for (std::size_t k = 0; k < kIcubArm.size(); ++k) {
    CAPTURE(std::string(kIcubArm[k].child));
    if (!kIcubArm[k].moves) continue;
    CHECK(robot.model.links()[link].name == kIcubArm[k].child);
    CHECK(Distance(poses[link++], arm.frames[k]) < kWrittenPi);
  }
  const Eigen::VectorXd tau = TorqueAtRest(robot, q);
  const Eigen::VectorXd published = HoldingTorques(arm.joints, arm.bodies, {0, -9.81, 0});
  CHECK((tau - published).norm() < kWrittenPi * tau.norm());
  CHECK(MovingMass(robot, "") == doctest::Approx(2.6444115).epsilon(1e-14));

  REQUIRE(robot.model.cuts().size() == 1);
  const Cut& cut = robot.model.cuts()[0];
  CHECK(cut.name == "r_arm_ft_sensor");
  const Pose& shoulder = poses[static_cast<std::size_t>(cut.link)];
  const Pose sensor{shoulder.R_BL * cut.R_LS, shoulder.p_BL_B + shoulder.R_BL * cut.p_LS_L};
  CHECK(Distance(sensor, arm.frames[3]) < kWrittenPi);  // that of r_upper_arm
}

TEST_CASE("At zero the iCub's hand hangs 0.27 m below its chest, and bending the elbow lifts it") {
  const Robot robot = LoadRobot("icub_right_arm");
  const auto hand = [&robot](const Eigen::VectorXd& q) {
    const Pose wrist = ForwardKinematics(robot.model, q)[5];
    return Eigen::Vector3d(wrist.p_BL_B + wrist.R_BL * InertiaOf(robot, "", 5).com);
  };
  Eigen::VectorXd q = Eigen::VectorXd::Zero(6);
  // y is up: with z up all identities between model, regressor and simulator would hold as well.
  CHECK(hand(q).y() == doctest::Approx(-0.27).epsilon(0.01));
  const double hanging = TorqueAtRest(robot, q)[3];
  q[3] = kQuarter;
  CHECK(hand(q).y() > -0.12);
  CHECK(hand(q).z() > 0.1);  // z points forwards
  const double bent = TorqueAtRest(robot, q)[3];
  CHECK(bent > 0.5);  // 1.2 kg some 0.1 m before the elbow
  CHECK(std::abs(hanging) < 0.2 * bent);
}

TEST_CASE("The iCub's sensor holds up all of the link that it splits, and what lies beyond") {
  const Robot robot = LoadRobot("icub_right_arm");
  const Dynamics dynamics(robot.model);
  Dynamics::Scratch scratch(dynamics);
  const Eigen::MatrixXd q{{-0.6, 0.7, 0.3, 1.1, -0.4, -0.2}};
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(1, 6);
  Eigen::MatrixXd wrench(1, 6);
  dynamics.CutWrench(0, robot.FindSet("")->pi, {q, rest, rest}, scratch, wrench);
  const Cut& cut = robot.model.cuts()[0];
  const Eigen::Matrix3d R_BS =
      ForwardKinematics(robot.model, q.row(0))[static_cast<std::size_t>(cut.link)].R_BL * cut.R_LS;
  const Eigen::Vector3d force_B = R_BS * wrench.leftCols(3).transpose();
  // The bodies from r_upper_arm on weigh 1.9322575 kg; r_shoulder_3 is on the near side in fact.
  const double mass = 1.9322575 + 0.35913;
  CHECK((force_B - Eigen::Vector3d(0.0, 9.81 * mass, 0.0)).norm() < 1e-12);
}

TEST_CASE("The iCub's shoulder is coupled as Traversaro et al. 2013, equation (8), say") {
  const Actuation actuation = LoadRobot("icub_right_arm").model.actuation();
  constexpr double kRatio = 65.0 / 40.0;
  const Eigen::Matrix3d printed{{1, -kRatio, -kRatio}, {0, kRatio, kRatio}, {0, 0, kRatio}};
  Eigen::MatrixXd expected = Eigen::MatrixXd::Identity(6, 6);
  expected.topLeftCorner(3, 3) = printed;
  CHECK(actuation.B == expected);
}

TEST_CASE("Friction of the iCub's motors loads all joints that they drive, each way by its own") {
  const Robot robot = LoadRobot("icub_right_arm");
  const Dynamics dynamics(robot.model);
  Dynamics::Scratch scratch(dynamics);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(6);
  const auto friction = [&](const Eigen::VectorXd& qd) {
    Eigen::VectorXd with(6), without(6);
    dynamics.InverseDynamics(robot.FindSet("urdf_icubgenova04_friction")->pi, zero, qd, zero,
                             scratch, with);
    dynamics.InverseDynamics(robot.FindSet("")->pi, zero, qd, zero, scratch, without);
    return Eigen::VectorXd(with - without);
  };
  // The shoulder's pitch forwards turns motor 0 forwards, and motors 1 and 2 backwards at r times
  // its speed.
  constexpr double kRatio = 1.625;
  const double motor1 = -(0.60 + 0.45 * kRatio);
  const double motor2 = -(0.42 + 0.40 * kRatio);
  const Eigen::VectorXd expected{{0.25 + 0.10 + 0.80 + 0.60 - kRatio * (motor1 + motor2),
                                  kRatio * (motor1 + motor2), kRatio * motor2, 0, 0, 0}};
  CHECK((friction(Eigen::VectorXd::Unit(6, 0)) - expected).norm() < kRoundOff * 10);
  const Eigen::VectorXd elbow = friction(-2.0 * Eigen::VectorXd::Unit(6, 3));
  CHECK((elbow + (0.45 + 0.35 * 2.0) * Eigen::VectorXd::Unit(6, 3)).norm() < kRoundOff * 10);
}

constexpr int kTorques = 4;  ///< Known are those of joints 0 to 3, from the PWM of four motors.
constexpr int kRows = kTorques + 6;
constexpr Eigen::Index kStates = 60;

// Columns of equation (11), in its order: φ, ten for each of seven bodies, of which the third and
// the fourth are the link that the sensor splits, before it and beyond it; w_O; friction of joints
// 0 to 3 and motors 0 to 2; φ_m of four motors.
constexpr int kBefore = 20, kBeyond = 30, kOffsets = 70, kFriction = 76, kGains = 104;
constexpr int kColumns = 108;

/// Regressor of idbench at fixed states: of each row of joints 0 to 3 and then of the sensor, the
/// values of its columns and which of (11) they are.
struct Regressor {
  std::vector<Eigen::MatrixXd> values;
  std::vector<std::vector<int>> columns;
};
Regressor RegressorOf(const RobotModel& model) {
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const std::vector<PlacedEquation> equations = {Equation::kTorque, {Equation::kCut, 0}};
  std::vector<std::string> friction;
  for (const Term& term : model.terms()) friction.push_back(term.name);
  const RowRegressor rows(dynamics, equations,
                          ConsideredParameters(model, equations, {}, friction));
  Regressor regressor;
  rows.Dense(MakeFixedStates(model, kStates, 11).samples(), scratch, regressor.values);
  regressor.values.erase(regressor.values.begin() + kTorques,
                         regressor.values.begin() + model.dofs());
  const int inertial = kInertialCount * model.dofs();
  for (int r = 0; r < kRows; ++r) {
    auto& columns = regressor.columns.emplace_back(
        rows.ColumnsOf(r < kTorques ? r : r - kTorques + model.dofs()));
    for (int& column : columns) {
      if (column >= inertial) {
        column += kFriction - inertial;
      } else if (column >= kBefore) {
        column += kInertialCount;  // the whole link counts as beyond the sensor
      }
    }
  }
  return regressor;
}

/// Matrix of equation (11): idbench's columns, and what the paper has beside them: the part of the
/// split link before the sensor, which torques show alone, the sensor's offsets, and the PWM.
Eigen::MatrixXd EquationEleven() {
  const RobotModel model = LoadRobot("icub_right_arm").model;
  const Regressor regressor = RegressorOf(model);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(kRows * kStates, kColumns);
  for (int r = 0; r < kRows; ++r) {
    auto block = A.middleRows(r * kStates, kStates);
    const auto row = static_cast<std::size_t>(r);
    for (std::size_t c = 0; c < regressor.columns[row].size(); ++c) {
      block.col(regressor.columns[row][c]) =
          regressor.values[row].col(static_cast<Eigen::Index>(c));
    }
    if (r >= kTorques) {
      block.col(kOffsets + r - kTorques).setOnes();
      continue;
    }
    block.middleCols(kBefore, kInertialCount) = block.middleCols(kBeyond, kInertialCount);
    for (Eigen::Index k = 0; k < kStates; ++k) {
      for (int motor = 0; motor < kTorques; ++motor) {
        const double pwm = std::sin(1.0 + 2.3 * static_cast<double>(k) + 1.7 * motor);  // anything
        block(k, kGains + motor) = -model.actuation().B(r, motor) * pwm;
      }
    }
  }
  return A;
}

/// Number of independent columns, each scaled to 1; those that are 0 do not count.
Eigen::Index RankOf(const Eigen::MatrixXd& A) {
  const Eigen::VectorXd norms = A.colwise().norm();
  Eigen::MatrixXd scaled(A.rows(), 0);
  for (Eigen::Index c = 0; c < A.cols(); ++c) {
    if (norms[c] < 1e-10 * norms.maxCoeff()) continue;
    scaled.conservativeResize(Eigen::NoChange, scaled.cols() + 1);
    scaled.rightCols(1) = A.col(c) / norms[c];
  }
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(scaled).singularValues();
  // Those kept are above 0.1, the others round-off, about 1e-15.
  return (values.array() > 1e-8 * values[0]).count();
}

TEST_CASE(
    "The iCub's arm shows 38 base parameters in the torques of joints 0 to 3, as in all six") {
  const RobotModel model = LoadRobot("icub_right_arm").model;
  const std::vector<PlacedEquation> torque = {Equation::kTorque};
  // 7n − 4: the first axis is not vertical.
  CHECK(FindBaseParameters(model, torque, ConsideredParameters(model, torque, {})).size() ==
        7 * 6 - 4);
  CHECK(RankOf(EquationEleven().topLeftCorner(kTorques * kStates, kOffsets)) == 38);
}

TEST_CASE("The iCub's sensor shows 31 base parameters, 37 with its offset") {
  const RobotModel model = LoadRobot("icub_right_arm").model;
  const std::vector<PlacedEquation> wrench = {{Equation::kCut, 0}};
  // All ten of the body at the sensor, seven of each that a joint moves beyond it.
  CHECK(FindBaseParameters(model, wrench, ConsideredParameters(model, wrench, {})).size() ==
        10 + 3 * 7);
  const Eigen::MatrixXd rows = EquationEleven().bottomRows(6 * kStates);
  CHECK(RankOf(rows.leftCols(kOffsets)) == 31);
  CHECK(RankOf(rows.leftCols(kFriction)) == 37);
}

TEST_CASE("Torques and sensor of the iCub show 48 if the link between them is split, else 41") {
  const RobotModel model = LoadRobot("icub_right_arm").model;
  const std::vector<PlacedEquation> both = {Equation::kTorque, {Equation::kCut, 0}};
  CHECK(FindBaseParameters(model, both, ConsideredParameters(model, both, {})).size() == 41);
  CHECK(RankOf(EquationEleven().leftCols(kOffsets)) == 48);
}

TEST_CASE(
    "The iCub's split link is one on the near side of the sensor and a body attached beyond") {
  RobotModel model = LoadRobot("icub_right_arm").model;
  Cut sensor = model.cuts()[0];
  sensor.link_beyond = false;
  model.SetCuts({sensor});
  model.SetAttached({{"r_upper_arm", sensor.link, sensor.R_LS, sensor.p_LS_L}}, {{"", {0}}});
  const auto count = [&model](const std::vector<PlacedEquation>& equations) {
    return FindBaseParameters(model, equations, ConsideredParameters(model, equations, {})).size();
  };
  CHECK(count({Equation::kTorque}) == 38);
  CHECK(count({PlacedEquation(Equation::kCut, 0)}) == 31);
  CHECK(count({Equation::kTorque, PlacedEquation(Equation::kCut, 0)}) == 48);
}

TEST_CASE("Of the 108 parameters of the paper's equation (11) 80 can be told apart") {
  const Eigen::MatrixXd A = EquationEleven();
  CHECK(RankOf(A) == 80);
  // Friction of four joints and three motors: 6 of 28 are hidden.
  CHECK(RankOf(A.middleCols(kFriction, kGains - kFriction)) == 22);
}

}  // namespace
}  // namespace idbench
