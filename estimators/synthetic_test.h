#pragma once

#include <string>
#include <utility>
#include <vector>

#include "estimators/interface/observer.h"
#include "estimators/interface/problem.h"
#include "robots/dynamics/parameters/base_parameters.h"

/// Robots with known parameters, and recordings of them, for the tests of this folder.
namespace idbench {

/// Returns a copy with `change` applied to the samples of channel `name`.
template <class Change>
Dataset WithChannel(const Dataset& dataset, std::string_view name, Change change) {
  Dataset copy = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    if (channel.name == name) change(channel.samples);
    copy.Add(std::move(channel));
  }
  return copy;
}

Dataset WithoutChannel(const Dataset& dataset, std::string_view name);

/// Robot of the catalogue, its true parameters, and the problem of estimating them.
struct Synthetic {
  Problem problem;  ///< Its prior is 1.2·x(), plus 0.01 for base parameters.
  RobotModel model;
  /// Truth: the nominal set, plus viscous and Coulomb friction if these are parameters.
  Eigen::VectorXd pi;

  /// @param parametrisation  "base", or another ParametrisationOptions::type.
  explicit Synthetic(const std::string& robot, const std::string& parametrisation = "base",
                     const std::vector<PlacedEquation>& equations = {Equation::kTorque},
                     FrictionShape friction = {0.05},
                     const std::vector<JointParameter>& joint_parameters = {
                         JointParameter::kViscous, JointParameter::kCoulomb});

  /// The same of a robot that the catalogue does not have. @param nominal  its set.
  Synthetic(const RobotModel& robot, Eigen::VectorXd nominal,
            const std::string& parametrisation = "base",
            const std::vector<PlacedEquation>& equations = {Equation::kTorque},
            FrictionShape friction = {0.05},
            const std::vector<JointParameter>& joint_parameters = {JointParameter::kViscous,
                                                                   JointParameter::kCoulomb});

  /// Returns the truth in the unknowns of the problem.
  Eigen::VectorXd x() const { return problem.parameters.FromPi(pi); }

  /// Declares what methods with a prior or bounds need: σ of each equation row, bounds at
  /// w = |mean| + `least_width` on both sides of the prior's mean, and w/2 as its
  /// standard deviation.
  void Declare(const Eigen::VectorXd& sigma, double least_width = 0.0);

  /// Records `samples` samples at 100 Hz of a brisk motion that excites all base parameters; each
  /// label has its own motion. The noise of equation row j has standard deviation sigma[j] [N·m or
  /// N]; rows beyond the end of `sigma` have none.
  Dataset Record(const std::string& label, Eigen::Index samples, const Eigen::VectorXd& sigma = {},
                 int trial = 0, Role role = Role::kIdentification) const;
};

/// Has an observer of the places of touches, which needs the wrench on the base for an equation,
/// take every sample for a touch of the last link.
/// @return false for other observers, which keep their options.
bool TouchEverywhere(Observer& observer, const RobotModel& model);

inline const Eigen::Vector2d kSigma(0.5, 0.05);  ///< Joints that differ in noise [N·m].

/// A robot of the catalogue with all declared that a method may need: kSigma for its torques, a
/// prior covariance, bounds.
Synthetic Declared(const char* name, const char* parametrisation = "base");

}  // namespace idbench
