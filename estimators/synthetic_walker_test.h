#pragma once

#include <functional>
#include <string>

#include "estimators/interface/problem.h"

/// Walkers with known parameters, and recordings of them, for the tests of this folder.
namespace idbench {

/// Declared standard deviations of a walker's sensors.
struct WalkerNoise {
  double q1_rad = 1e-3;  ///< That of relative angles is 0.
  double motor_nm = 0.31622776601683794;
  double hall_rad = 1e-3;
  double accelerometer_m_s2 = 0.2;
  double gyroscope_rad_s = 0.02;
  double distance_m = 1e-3;
};

/// Walker with its true β and a motion under a torque law u(t).
struct SyntheticWalker {
  Problem problem;                                ///< Its prior's mean is β·(1.3, 0.7, 1.3 …).
  Eigen::VectorXd beta;                           ///< The truth.
  Eigen::VectorXd x0;                             ///< q, then q̇, at t = 0.
  std::function<Eigen::VectorXd(double)> torque;  ///< u(t) [N·m].
  double duration_s;
  WalkerNoise noise;

  /// Returns a walker of three links, two motors and a distance meter on the stance leg, for a step
  /// of 0.68 s. Motion B and β of Dolinský & Čelikovský 2018 as in scenarios/dolinsky2018.
  static SyntheticWalker Biped();
  /// Returns two hanging links with one motor between them, friction, and an IMU on the first link,
  /// for 4 s of sines.
  static SyntheticWalker Leg();

  /// Records the sensors with `noise_scale` times the declared noise; each label and trial has its
  /// own noise. β and motion are exact to 1e-10: RK4 with steps of 1 ms.
  Dataset Record(const std::string& label, double noise_scale = 1.0, int trial = 0,
                 Role role = Role::kIdentification, double rate_hz = 100.0) const;
};

/// Returns SyntheticWalker::Biped(), made once.
const SyntheticWalker& Biped();

/// Returns a copy without motion: joint j stays at 0.3 − 0.7·j rad.
Dataset AtRest(const Dataset& dataset);

/// Returns max_k |x_k − y_k| / |y_k|.
double LargestRelativeError(const Eigen::VectorXd& x, const Eigen::VectorXd& y);

}  // namespace idbench
