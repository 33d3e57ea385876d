#include "robots/robot_file.h"

#include <cmath>
#include <utility>

#include "robots/dynamics/actuation.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A field that is not given.
bool IsAbsent(const Json& value) { return value.is_null() || value == ""; }

Json WithoutAbsent(const Json& json) {
  if (json.is_array()) {
    Json kept = Json::array();
    for (const Json& value : json) kept.push_back(WithoutAbsent(value));
    return kept;
  }
  if (!json.is_object()) return json;
  Json kept = Json::object();
  for (const auto& [key, value] : json.items()) {
    if (!IsAbsent(value)) kept[key] = WithoutAbsent(value);
  }
  return kept;
}

RobotFileBody ToFile(const CentralInertia& inertia) {
  const Eigen::Matrix3d& I = inertia.I_com;
  return {inertia.mass,
          {inertia.com[0], inertia.com[1], inertia.com[2]},
          {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}};
}

std::optional<double> Finite(double limit) {
  return std::isfinite(limit) ? std::optional(limit) : std::nullopt;
}

Labelled<Labelled<double>> ActuatorsOf(const RobotModel& robot) {
  Labelled<Labelled<double>> actuators;
  const Actuation& actuation = robot.actuation();
  for (std::size_t j = 0; j < actuation.names.size(); ++j) {
    Labelled<double>& driven =
        actuators.emplace_back(actuation.names[j], Labelled<double>()).second;
    for (int i = 0; i < robot.dofs(); ++i) {
      const double torque = actuation.B(i, static_cast<Eigen::Index>(j));
      if (torque != 0.0) driven.emplace_back(robot.link(i).joint, torque);
    }
  }
  return actuators;
}

RobotFileTransmission TransmissionOf(const Actuation& actuation) {
  RobotFileTransmission file;
  file.motors = actuation.names;
  for (Eigen::Index k = 0; k < actuation.B.cols(); ++k) {
    file.matrix.emplace_back(actuation.B.col(k).begin(), actuation.B.col(k).end());
  }
  file.offset_rad.assign(actuation.zero.begin(), actuation.zero.end());
  return file;
}

}  // namespace

FieldTable Visit(RobotFileBody& o) {
  FieldTable table;
  table.Add("mass_kg", o.mass_kg, {.doc = "Mass of the body", .unit = "kg", .required = true})
      .Add("com_m", o.com_m,
           {.doc = "Centre of mass in the body frame", .unit = "m", .required = true})
      .Add("inertia_com_kgm2", o.inertia_com_kgm2,
           {.doc = "Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass, in body axes",
            .unit = "kg·m²",
            .required = true})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.com_m.size() != 3) issues.push_back({"/com_m", "needs three numbers", {}});
        if (o.inertia_com_kgm2.size() != 6) {
          issues.push_back({"/inertia_com_kgm2", "needs six numbers", {}});
        }
      });
  return table;
}

FieldTable Visit(RobotFileJoint& o) {
  FieldTable table;
  table.Add("viscous_nms_rad", o.viscous_nms_rad, {.doc = "Viscous friction", .unit = "N·m·s/rad"})
      .Add("coulomb_nm", o.coulomb_nm, {.doc = "Coulomb friction", .unit = "N·m"})
      .Add("offset_nm", o.offset_nm, {.doc = "Constant torque", .unit = "N·m"})
      .Add("rotor_inertia_kgm2", o.rotor_inertia_kgm2,
           {.doc = "Rotor inertia on the joint's side of the gear", .unit = "kg·m²"});
  return table;
}

FieldTable Visit(RobotFileSet& o) {
  FieldTable table;
  table.Add("source", o.source, {.doc = "Source of the numbers", .required = true})
      .Add("note", o.note, {.doc = "Doubts about the numbers"})
      .Add("bodies", o.bodies, {.doc = "Inertial parameters by body", .required = true})
      .Add("joints", o.joints, {.doc = "Friction and rotor inertia by joint"})
      .Add("terms", o.terms,
           {.doc =
                "Values of the robot's own terms by name (\"motor6.fc\"), in SI units; 0 of those "
                "that are missing"});
  return table;
}

FieldTable Visit(RobotFileLimits& o) {
  FieldTable table;
  table
      .Add("velocity_limit_rad_s", o.velocity_limit_rad_s,
           {.doc = "Greatest joint speed, in m/s of a prismatic joint; null: what a URDF states in "
                   "<limit velocity>, else unlimited",
            .unit = "rad/s",
            .lower = 0.0,
            .lower_open = true})
      .Add("acceleration_limit_rad_s2", o.acceleration_limit_rad_s2,
           {.doc = "Greatest joint acceleration, in m/s² of a prismatic joint; null: unlimited",
            .unit = "rad/s²",
            .lower = 0.0,
            .lower_open = true});
  return table;
}

FieldTable Visit(RobotFileTransmission& o) {
  FieldTable table;
  table.Add("motors", o.motors, {.doc = "Names of the motors; empty: motor1, motor2 …"})
      .Add("matrix", o.matrix,
           {.doc = "Speeds of the motors per speed of the joints, a row for each motor: "
                   "q_motor = matrix·(q − offset_rad)",
            .required = true})
      .Add(
          "offset_rad", o.offset_rad,
          {.doc = "Joint positions at which all motors' positions are 0; empty: 0", .unit = "rad"});
  return table;
}

FieldTable Visit(RobotFile& o) {
  FieldTable table;
  table.Add("name", o.name, {.doc = "Name in the catalogue", .required = true})
      .Add("title", o.title, {.doc = "One-line description of the robot", .required = true})
      .Add("model", o.model, {.doc = "MJCF or URDF file beside this one", .required = true})
      .Add("nominal_set", o.nominal_set,
           {.doc = "Name of the set that the model file holds; of a file without sets none"})
      .Add("joints", o.joints, {.doc = "Velocity and acceleration limits by joint"})
      .Add("limits_source", o.limits_source, {.doc = "Source of the limits"})
      .Add("kinematics_source", o.kinematics_source, {.doc = "Source of the kinematics"})
      .Add("actuators", o.actuators,
           {.doc = "Motors by name, each with the torque at a joint per torque of the motor: "
                   "{\"hip\": {\"torso\": 1, \"leg\": -1}}; empty: one motor on each joint"})
      .Add("transmission", o.transmission,
           {.doc = "Gears and couplings between motors and joints, in place of `actuators`"})
      .Add("force_torque_sensors", o.force_torque_sensors,
           {.doc = "Force/torque sensors inside the robot, by name"})
      .Add("terms", o.terms,
           {.doc = "Terms that the robot has beside viscous and Coulomb friction, offset and rotor "
                   "inertia of each joint, which every robot has"})
      .Add("collision", o.collision,
           {.doc =
                "Spheres that must not meet each other or the floor; null: from the shapes in the "
                "model file, or along its links if it has none"})
      .Add("log", o.log,
           {.doc = "Columns, units and rate of the robot's own logs, as far as their names do not "
                   "tell them"})
      .Add("sets", o.sets,
           {.doc = "Parameter sets by name; empty: one, \"as_written\", of the inertias that the "
                   "model file states"})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.sets.empty() == o.nominal_set.empty()) return;
        issues.push_back(o.nominal_set.empty()
                             ? Issue{"/nominal_set",
                                     "missing",
                                     {"needed here: Name of the set that the model file holds"}}
                             : Issue{"/sets",
                                     "missing, but nominal_set is given",
                                     {"remove it to take the inertias of the model file"}});
      });
  return table;
}

RobotFile ReadRobotFile(const std::filesystem::path& file) {
  RobotFile contents;
  std::vector<Issue> issues;
  ReadFields(Visit(contents), ReadJsonFile(file), "", issues);
  if (!issues.empty()) throw ConfigError(file.string(), issues);
  return contents;
}

RobotFile DescribeRobot(const RobotModel& robot, const ParameterSet& set, const std::string& model,
                        const std::string& title, const Eigen::VectorXd& stated_velocity) {
  const ParameterLayout layout(robot);
  RobotFile file;
  file.name = robot.name();
  file.title = title;
  file.model = model;
  file.nominal_set = set.name;
  file.force_torque_sensors = OptionsOfCuts(robot);
  file.terms = OptionsOfTerms(robot);
  if (!robot.actuation().zero.isZero(0.0)) {
    file.transmission = TransmissionOf(robot.actuation());
  } else if (!HasMotorOnEachJoint(robot)) {
    file.actuators = ActuatorsOf(robot);
  }
  RobotFileSet values{set.source, set.note, {}, {}, {}};
  const auto own = set.pi.tail(std::ssize(robot.terms()));
  for (Eigen::Index k = 0; k < own.size(); ++k) {
    values.terms.emplace_back(robot.terms()[static_cast<std::size_t>(k)].name, own[k]);
  }
  for (int i = -1; i < robot.dofs(); ++i) {
    values.bodies.emplace_back(
        robot.BodyName(i), ToFile(FromStandard(set.pi.segment<kInertialCount>(layout.Body(i)))));
  }
  for (int i = 0; i < robot.dofs(); ++i) {
    const auto value = [&](JointParameter which) { return set.pi[layout.Joint(i, which)]; };
    values.joints.emplace_back(
        robot.link(i).joint,
        RobotFileJoint{value(JointParameter::kViscous), value(JointParameter::kCoulomb),
                       value(JointParameter::kOffset), value(JointParameter::kRotorInertia)});
    const double velocity = robot.limits().velocity[i];
    const RobotFileLimits limits{velocity == stated_velocity[i] ? std::nullopt : Finite(velocity),
                                 Finite(robot.limits().acceleration[i])};
    if (limits.velocity_limit_rad_s || limits.acceleration_limit_rad_s2) {
      file.joints.emplace_back(robot.link(i).joint, limits);
    }
  }
  file.sets.emplace_back(set.name, std::move(values));
  return file;
}

std::string ToText(RobotFile file) {
  return WithoutAbsent(WriteFields(Visit(file))).dump(2) + "\n";
}

}  // namespace idbench
