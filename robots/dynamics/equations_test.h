#pragma once

#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/dynamics/rows.h"

/// For tests: what a regression may be made of.
namespace idbench {

inline const std::vector<PlacedEquation> kTorque = {Equation::kTorque};
inline const std::vector<PlacedEquation> kWrench = {Equation::kWrench};
inline const std::vector<PlacedEquation> kBoth = {Equation::kTorque, Equation::kWrench};

inline const std::vector<JointParameter> kAllJointParameters = {
    JointParameter::kViscous, JointParameter::kCoulomb, JointParameter::kOffset,
    JointParameter::kRotorInertia};

}  // namespace idbench
