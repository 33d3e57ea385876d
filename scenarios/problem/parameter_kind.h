#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace idbench {

/// Returns the kind of a parameter, the last part of its name: "mcx" for `link3.mcx` and for the
/// base parameter `link3.mcx_R`, in which others are regrouped.
std::string ParameterKind(const std::string& name);

/// Returns whether a kind is one of the ten standard parameters of a body.
bool IsInertialKind(const std::string& kind);

/// Returns whether a kind is one of a body: a standard parameter, or a principal moment.
bool IsBodyKind(const std::string& kind);

/// Returns |value| of each; for a value that is 0 up to rounding, that of the largest of its kind.
Eigen::VectorXd Magnitudes(const Eigen::VectorXd& values, const std::vector<std::string>& names);

}  // namespace idbench
