#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "scenarios/options/config_error.h"

/// Places and inertias as option structs hold them, in lists of numbers.
namespace idbench {

/// Appends an issue at `where` unless there are three numbers.
void CheckThree(const std::vector<double>& numbers, const std::string& where,
                std::vector<Issue>& issues);

/// Returns R = Rot(z, yaw)·Rot(y, pitch)·Rot(x, roll), as in a URDF.
/// @param rpy_rad  roll, pitch, yaw [rad].
Eigen::Matrix3d RotationOfRpy(const std::vector<double>& rpy_rad);

/// Returns the inverse of RotationOfRpy(), with the pitch within ±π/2.
std::vector<double> RpyOfRotation(const Eigen::Matrix3d& R);

/// Returns the inertia whose entries are Ixx, Iyy, Izz, and unless these are all Ixy, Ixz, Iyz.
/// @param values  3 or 6.
Eigen::Matrix3d InertiaOfEntries(const std::vector<double>& values);

/// Appends an issue at `where` unless `values` are 3 or 6 entries, see InertiaOfEntries(), of an
/// inertia that bodies can have about their centre of mass: no principal moment is negative, none
/// exceeds the sum of the others.
void CheckInertia(const std::vector<double>& values, const std::string& where,
                  std::vector<Issue>& issues);

}  // namespace idbench
