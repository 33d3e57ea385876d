#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"
#include "estimators/solvers/least_squares.h"
#include "estimators/walkers/fcd.h"
#include "estimators/walkers/first_link.h"
#include "estimators/walkers/walker_data.h"
#include "robots/dynamics/walkers/zero_dynamics.h"
#include "robots/recording/quintic_spline.h"

namespace idbench {

/// Returns the motion of a walker's driven joints at all samples and half-way between them (2N − 1
/// instants): a quintic spline of their encoder readings. Column 0 is 0.
/// @param knot  time for each knot of the spline; without one the spline passes through every
///              sample.
/// @throws EstimationFailure (refused) if there are fewer samples than the spline needs.
SmoothSignals DrivenMotion(const WalkerRecording& recording, const Duration& knot);
/// Adds the field `knot_s` and its former spelling to a method's table.
void AddKnots(Duration& knot, FieldTable& table);

/// Makes the zero dynamics along the motion `driven`.
/// @throws EstimationFailure (refused) if the first joint has a motor, or another joint has none.
ZeroDynamics MakeZeroDynamics(const Problem& problem, const WalkerRecording& recording,
                              const SmoothSignals& driven);

/// Likelihood of a walker's recordings with known relative angles, where the torque-free row
/// determines the absolute angle (see ZeroDynamics). With x = (β; q1, q̇1 at the beginning of
/// each recording)
///   S(x) = Σ_k ‖(y_k − f(q1, q̇1, q̈1))/σ_y‖² + ‖(y_u,k − u_k)/σ_u‖²,
/// where y is the absolute angle, a distance, or an IMU's readings (see FirstLink).
class ZeroDynamicsLikelihood {
 public:
  /// Last point of a search, and whether it is a minimum.
  struct Minimum {
    Eigen::VectorXd x;
    double S = 0.0;
    int iterations = 0;
    bool converged = false;
  };
  /// Which entries of x to search for; kBeginnings keeps β.
  enum class Sought { kAll, kBeginnings };

  /// @param recordings    read with ChannelsOf(sensor).
  /// @param knot  see DrivenMotion().
  /// @throws EstimationFailure (refused) if a sensor or a positive declared σ is missing, or as
  ///         DrivenMotion() and MakeZeroDynamics() do.
  ZeroDynamicsLikelihood(const Problem& problem, const std::vector<WalkerRecording>& recordings,
                         AngleSensor sensor, const Duration& knot);

  /// Returns the number of residuals less that of unknowns.
  Eigen::Index degrees_of_freedom() const { return residuals_ - size_; }

  /// Returns a start (β; q1, q̇1 of each recording), with q1 and q̇1 from a cubic through the first
  /// 50 samples of q1 in `filtered`.
  Eigen::VectorXd Start(const Eigen::VectorXd& beta, const std::vector<WalkerRecording>& recordings,
                        const std::vector<FcdMotion>& filtered) const;

  /// Returns S(x); infinity if x cannot be simulated.
  double SumOfSquares(const Eigen::VectorXd& x);
  /// Descends from x by Levenberg-Marquardt steps, to 1e-4 of S. First takes σ of an angle or a
  /// distance to be at least 1e-3 rad or m: a small σ makes the valley of S narrow.
  /// @throws EstimationFailure (diverged) if x cannot be simulated.
  Minimum Approach(const Eigen::VectorXd& x, int iterations, Sought sought = Sought::kAll);
  /// Continues from `at` to the minimum, to 1e-9 of S.
  /// @param iterations  limit that includes those already in `at`.
  /// @throws EstimationFailure (diverged) if at.x cannot be simulated.
  void Polish(Minimum& at, int iterations, Sought sought = Sought::kAll);
  /// Returns the Gauss-Newton step at x and what the recordings determine; its `inverse` is the
  /// Cramér-Rao bound of x.
  /// @throws EstimationFailure (diverged) if x cannot be simulated.
  LeastSquaresSolution Linearised(const Eigen::VectorXd& x);

  /// Returns the last simulation of a recording.
  const ZeroDynamics::Response& response(std::size_t recording) const {
    return parts_[recording].response;
  }

 private:
  struct Part {
    ZeroDynamics dynamics;
    std::optional<FirstLink> link =
        /// With the sensor of the absolute angle; absent for an encoder.
        {};
    bool imu = false;
    Eigen::MatrixXd y =
        /// N columns; rows: the angle, or the distance, or f and q̇1 of FirstLink.
        {};
    Eigen::VectorXd y_sigma = {}, coarse_sigma = {};
    Eigen::MatrixXd u = {};  ///< m × N
    Eigen::VectorXd u_sigma = {};
    ZeroDynamics::Response response = {};
  };
  static Part MakePart(const Problem& problem, const WalkerRecording& recording, AngleSensor sensor,
                       const Duration& knot);

  /// Computes e_ and, if `derivatives`, G_ at x. Returns false if x cannot be simulated.
  bool Evaluate(const Eigen::VectorXd& x, bool coarse, bool derivatives);
  /// Fill the residuals of part `p`, which begin at `first`.
  void FillAngle(std::size_t p, Eigen::Index first, bool coarse, bool derivatives);
  void FillMotors(std::size_t p, Eigen::Index first, bool derivatives);
  /// Iterates `at` until a step promises less than `tolerance` of S, or the iterations run out.
  void Descend(Minimum& at, int iterations, double tolerance, bool coarse, Sought sought);

  std::vector<Part> parts_;
  Eigen::Index beta_size_, size_, residuals_ = 0;
  Eigen::VectorXd e_;  ///< (y − f)/σ
  Eigen::MatrixXd G_;  ///< Column k holds ∂f_k/∂x over σ.
};

}  // namespace idbench
