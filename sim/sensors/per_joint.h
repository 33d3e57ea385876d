#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "scenarios/options/fields.h"

namespace idbench {

/// Appends an issue unless `numbers` is one number or one per name.
void CheckCount(const PerJoint& numbers, const std::string& where,
                const std::vector<std::string>& names, std::vector<Issue>& issues);

/// Returns one number for each of n joints.
Eigen::VectorXd ToVector(const PerJoint& numbers, int n);

/// Returns true if some number is not 0.
bool AnyNonZero(const PerJoint& numbers);

}  // namespace idbench
