#pragma once

#include <Eigen/Core>

#include "bench/lab_checks/lab_fit.h"

namespace idbench {

/// How well the file's inertias, each wrong by about 30 %, agree with what a log tells, without and
/// with a load of unknown inertia at the last link: β̂ − s·β(file) ~ N(0, s²·Σ(file) + Σ(noise)
/// [+ Σ(load)]), of which the first moments and inertias of the load are unknown too.
struct LoadOfFile {
  Eigen::Matrix<double, kInertialCount, 1> load;  ///< Most likely π of the load, in
                                                  ///< the last link's frame: m [kg], m·c
                                                  ///< [kg·m], I [kg·m²].
  double deviation = 0.0;                         ///< σ of its mass [kg].
  double explained = 0.0;                         ///< By how much it makes χ² less.
  /// Log-likelihoods of what the log tells, up to one constant.
  double without = 0.0, with = 0.0;

  /// Whether it is beyond chance and not lighter than twice its σ.
  bool IsClear() const;
};

/// Compares the file's inertias with what the log tells under a change, as above.
/// @param scale  s: torques over those of the file.
/// @throws never; where a covariance is singular, explained is 0 and both likelihoods are equal.
LoadOfFile FindLoad(LabFit& fit, const DataChange& change, double scale = 1.0);

}  // namespace idbench
