#pragma once

#include <string>

#include "scenarios/options/json.h"

/// A user's arm, for the tests of this folder.
namespace idbench {

/// Comments, a mesh that is not there, a camera fixed to the last link.
inline constexpr const char* kLabArmUrdf = R"(<robot name="lab_arm">
  <!-- the arm of the lab -->
  <link name="foot"/>
  <link name="upper">
    <inertial><origin xyz="0.02 0 0.2"/><mass value="2.5"/>
      <inertia ixx="0.03" ixy="0" ixz="0" iyy="0.031" iyz="0" izz="0.006"/></inertial>
    <visual><geometry><mesh filename="package://lab_arm/upper.stl"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.3"/><parent link="foot"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="6"/>
  </joint>
  <link name="lower">
    <inertial><origin xyz="0 0.01 0.15"/><mass value="1.2"/>
      <inertia ixx="0.012" ixy="0" ixz="0" iyy="0.013" iyz="0" izz="0.003"/></inertial>
  </link>
  <joint name="elbow" type="revolute">
    <origin xyz="0 0.05 0.4"/><parent link="upper"/><child link="lower"/><axis xyz="1 0 0"/>
    <limit lower="-2" upper="2" effort="30" velocity="6"/>
  </joint>
  <link name="camera"><inertial><mass value="0.2"/>
    <inertia ixx="2e-4" ixy="0" ixz="0" iyy="2e-4" iyz="0" izz="2e-4"/></inertial></link>
  <joint name="mount" type="fixed"><origin xyz="0.05 0 0.3"/><parent link="lower"/><child link="camera"/></joint>
</robot>
)";

/// Least squares on a robot that is heavier than its files say.
inline Json LabScenario(const std::string& robot, const char* parametrisation = "base") {
  return ParseJson(R"({"name": "lab", "robot": {"model": ")" + robot +
                       R"(", "truth": {"mass_scale": 1.15, "inertia_scale": 1.2}},
    "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 2}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.001}},
    "problem": {"parametrisation": {"type": ")" +
                       parametrisation +
                       R"(", "friction": ["viscous", "coulomb"]}, "prior": {}},
    "estimators": {"least squares": {"type": "ols"}}, "trials": 1, "timing_trials": 1})",
                   "test");
}

}  // namespace idbench
