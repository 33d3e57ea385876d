#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/equations.h"
#include "robots/dynamics/friction_shape.h"
#include "robots/robot.h"
#include "scenarios/problem/prior_entries.h"

namespace idbench {

/// Parameters that a motion is designed for: base parameters that equations show.
struct DesignedParameters {
  const std::vector<PlacedEquation>& equations;
  const std::vector<int>& considered;  ///< Indices into π, increasing.
  const FrictionShape& friction;
  int configuration = 0;
};

/// What is known of them before any data, by σ of parameters and bodies about the robot's nominal
/// set.
struct DesignPrior {
  /// Λ of the base parameters, p × p, symmetric; of directions that an unknown parameter moves,
  /// nothing is known and Λ is 0.
  Eigen::MatrixXd known;
  Eigen::MatrixXd pi_covariance;  ///< Of π; 0 of unknown parameters, and of those not considered.
};

/// @param std  σ as in the problem's prior; null or left out: unknown.
/// @throws std::domain_error as FindBaseParameters() does.
DesignPrior MakeDesignPrior(const Robot& robot, const SigmaEntries& std,
                            const DesignedParameters& parameters);

/// Returns what is wrong with such σ: an entry that speaks of none of the parameters, two σ of one
/// parameter, σ of a body that cannot exist. @param where  JSON pointer of the entries.
std::vector<Issue> CheckDesignPrior(const Robot& robot, const SigmaEntries& std,
                                    const std::vector<int>& considered, const std::string& where);

/// Returns the names of considered parameters of which such σ say nothing, or that nothing is
/// known.
std::vector<std::string> UnknownToDesignPrior(const Robot& robot, const SigmaEntries& std,
                                              const std::vector<int>& considered);

}  // namespace idbench
