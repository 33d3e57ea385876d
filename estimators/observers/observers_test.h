#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "estimators/interface/observer.h"
#include "estimators/observers/observer_registry.h"
#include "estimators/synthetic_test.h"

/// What the tests of observers share.
namespace idbench {

/// Returns σ of the torques of n joints: those near the base are noisier [N·m].
Eigen::VectorXd NoiseOf(int joints);

/// Returns an arm with the standard parameters for unknowns and NoiseOf() declared, in a problem of
/// joint torques.
Synthetic ArmOf(const std::string& robot);

/// Returns the truth as a model.
Estimate TruthOf(const Synthetic& robot);

/// Returns the recording with a force of the outside on the end effector, which bears some of what
/// the joints do: δW = fᵀ·δp_E of virtual displacements, by finite differences of the kinematics.
/// @param force  in base axes [N], of the time [s].
Dataset Pushed(const Synthetic& robot, const Dataset& dataset,
               const std::function<Eigen::Vector3d(double)>& force);

/// Returns the recording up to sample `count`.
Dataset FirstSamples(const Dataset& dataset, Eigen::Index count);

/// Returns an observer of the registry with options, a JSON object.
std::unique_ptr<Observer> MakeObserverOf(std::string_view type, std::string_view options = "{}");

/// Returns what it observes with the true model.
Observation Observe(Observer& observer, const Synthetic& robot,
                    const std::vector<Dataset>& training, const Dataset& watched);

/// Returns the values of a series; fails the test if there is none.
Eigen::MatrixXd ValuesOf(const Observation& observation, std::string_view series);

/// Returns how many rows are finite, and the largest difference of these from `expected`.
struct Difference {
  Eigen::Index finite = 0;
  double largest = 0.0;
};
Difference DifferenceOf(const Eigen::MatrixXd& values, const Eigen::MatrixXd& expected);

}  // namespace idbench
