#pragma once

#include <string>
#include <utility>
#include <vector>

#include "estimators/problem.h"
#include "robots/dynamics/base_parameters.h"

/// Robots whose parameters are known, and recordings of them, for the tests of this folder.
namespace idbench {

/// A copy in which `change` was applied to the samples of channel `name`.
template <class Change>
Dataset WithChannel(const Dataset& dataset, std::string_view name, Change change) {
  Dataset copy(dataset.label(), dataset.role());
  for (Channel channel : dataset.channels()) {
    if (channel.name == name) change(channel.samples);
    copy.Add(std::move(channel));
  }
  return copy;
}

Dataset WithoutChannel(const Dataset& dataset, std::string_view name);

/// A robot of the catalogue, its true parameters, and the problem of estimating them.
struct Synthetic {
  Problem problem;  ///< Its prior is off by 20 % and, of base parameters, a bit.
  RobotModel model;
  /// The truth: the nominal set with some viscous and Coulomb friction, where these are asked for.
  Eigen::VectorXd pi;

  /// @param parametrisation  "base", or what else ParametrisationOptions::type accepts.
  explicit Synthetic(const std::string& robot, const std::string& parametrisation = "base",
                     const std::vector<Equation>& equations = {Equation::kTorque},
                     FrictionShape friction = {0.05},
                     const std::vector<JointParameter>& joint_parameters = {
                         JointParameter::kViscous, JointParameter::kCoulomb});

  /// The truth in the unknowns of the problem.
  Eigen::VectorXd x() const { return problem.parameters.FromPi(pi); }

  /// Declares what methods with a prior or bounds need: σ of each equation row, bounds at
  /// w = |mean| + `least_width` to both sides of the prior's mean, and half of w as its standard
  /// deviation.
  void Declare(const Eigen::VectorXd& sigma, double least_width = 0.0);

  /// `samples` samples at 100 Hz of a brisk motion on which all base parameters show; each label
  /// has its own. Noise of equation row j has standard deviation sigma[j] [N·m or N]; none behind
  /// the end of `sigma`.
  Dataset Record(const std::string& label, Eigen::Index samples, const Eigen::VectorXd& sigma = {},
                 int trial = 0, Role role = Role::kIdentification) const;
};

inline const Eigen::Vector2d kSigma(0.5, 0.05);  ///< Joints that differ in noise [N·m].

/// A robot of the catalogue with all declared that a method may need: kSigma for its torques, a
/// prior covariance, bounds.
Synthetic Declared(const char* name, const char* parametrisation = "base");

}  // namespace idbench
