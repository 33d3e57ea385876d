#pragma once

#include <Eigen/Core>
#include <optional>
#include <string_view>
#include <vector>

#include "estimators/estimate.h"
#include "estimators/fcd.h"
#include "estimators/first_link.h"
#include "estimators/least_squares.h"
#include "estimators/problem.h"
#include "estimators/walker_data.h"
#include "robots/dynamics/zero_dynamics.h"
#include "robots/recording/quintic_spline.h"

namespace idbench {

/// Motion of a walker's driven joints, at all samples and half-way between them (2N − 1 instants):
/// the quintic spline of what their encoders read. Column 0 is 0.
/// @throws EstimationFailure (refused) for fewer samples than the spline needs.
SmoothSignals DrivenMotion(const WalkerRecording& recording, int knot_samples);

/// The zero dynamics along that motion.
/// @throws EstimationFailure (refused) for a walker whose first joint has a motor, or others none.
ZeroDynamics MakeZeroDynamics(const Problem& problem, const WalkerRecording& recording,
                              const SmoothSignals& driven);

/// Likelihood of a walker's recordings where the relative angles are known, and the absolute one is
/// what the torque-free row makes of them (see ZeroDynamics): with x = (β; q1, q̇1 at the beginning
/// of each recording)
///   S(x) = Σ_k ‖(y_k − f(q1, q̇1, q̈1))/σ_y‖² + ‖(y_u,k − u_k)/σ_u‖²,
/// y the absolute angle, a distance, or an IMU's readings, see FirstLink.
class ZeroDynamicsLikelihood {
 public:
  struct Minimum {
    Eigen::VectorXd x;
    double S = 0.0;
    int iterations = 0;
    bool converged = false;
  };
  /// What is sought of x.
  enum class Sought { kAll, kBeginnings };

  /// @param recordings  read with AbsoluteAngleChannels().
  /// @throws EstimationFailure (refused) for a sensor or a σ that is not there, or as
  ///         MakeZeroDynamics().
  ZeroDynamicsLikelihood(const Problem& problem, const std::vector<WalkerRecording>& recordings,
                         std::string_view absolute_angle, int knot_samples);

  Eigen::Index degrees_of_freedom() const { return residuals_ - size_; }

  /// (β; q1, q̇1), the latter from a cubic through the first 50 samples of a measured q1.
  Eigen::VectorXd Start(const Eigen::VectorXd& beta, const std::vector<WalkerRecording>& recordings,
                        const std::vector<FcdMotion>& filtered) const;

  /// S; infinite where x cannot be simulated.
  double SumOfSquares(const Eigen::VectorXd& x);
  /// By Levenberg and Marquardt, to 1e-4 of S. First as if the angle were known no better than to a
  /// milliradian: its valley is wide then, and narrow where it is known to a hundredth of that.
  /// @throws EstimationFailure (diverged) if x cannot be simulated.
  Minimum Approach(const Eigen::VectorXd& x, int iterations, Sought sought = Sought::kAll);
  /// On from there to the minimum, to 1e-9 of S. @param iterations  those before included.
  void Polish(Minimum& at, int iterations, Sought sought = Sought::kAll);
  /// The Gauss-Newton step at x, and with it what the recordings determine; its `inverse` is the
  /// Cramér-Rao bound of x. @throws EstimationFailure (diverged) if x cannot be simulated.
  LeastSquaresSolution Linearised(const Eigen::VectorXd& x);

  /// The last simulation of a recording.
  const ZeroDynamics::Response& response(std::size_t recording) const {
    return parts_[recording].response;
  }

 private:
  struct Part {
    ZeroDynamics dynamics;
    std::optional<FirstLink> link =
        {};  ///< With the sensor that tells the angle, if not an encoder.
    bool imu = false;
    Eigen::MatrixXd y =
        {};  ///< Rows: the angle, or the distance, or f and q̇1 of FirstLink; N columns.
    Eigen::VectorXd y_sigma = {}, coarse_sigma = {};
    Eigen::MatrixXd u = {};  ///< m × N
    Eigen::VectorXd u_sigma = {};
    ZeroDynamics::Response response = {};
  };
  static Part MakePart(const Problem& problem, const WalkerRecording& recording,
                       std::string_view absolute_angle, int knot_samples);

  /// e_ and, if asked for, G_ at x. False if x cannot be simulated.
  bool Evaluate(const Eigen::VectorXd& x, bool coarse, bool derivatives);
  /// Of part `p`, whose residuals begin at `first`.
  void FillAngle(std::size_t p, Eigen::Index first, bool coarse, bool derivatives);
  void FillMotors(std::size_t p, Eigen::Index first, bool derivatives);
  /// Adds iterations to `at` until S falls by less than the tolerance, or they run out.
  void Descend(Minimum& at, int iterations, double tolerance, bool coarse, Sought sought);

  std::vector<Part> parts_;
  Eigen::Index beta_size_, size_, residuals_ = 0;
  Eigen::VectorXd e_;  ///< (y − f)/σ
  Eigen::MatrixXd G_;  ///< Column k: ∂f_k/∂x over σ.
};

}  // namespace idbench
