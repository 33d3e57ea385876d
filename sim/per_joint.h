#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "scenarios/options/fields.h"

namespace idbench {

/// Appends an issue if `numbers` is neither one number nor one for each of `names`.
void CheckCount(const PerJoint& numbers, const std::string& where,
                const std::vector<std::string>& names, std::vector<Issue>& issues);

/// One number for each of n joints.
Eigen::VectorXd ToVector(const PerJoint& numbers, int n);

/// True if some number is not 0.
bool AnyNonZero(const PerJoint& numbers);

}  // namespace idbench
