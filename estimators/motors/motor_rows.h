#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimators/interface/problem.h"
#include "estimators/motors/calibrated_sensor.h"
#include "estimators/motors/touched_samples.h"
#include "estimators/solvers/regression_rows.h"

namespace idbench {

/// One motor in rows of drives: with u = B⁻¹·τ the torque that it has to exert, on the side of its
/// joints, u(x) = g·v, v what it is fed and g its gain.
struct MotorRow {
  std::string name;  ///< Of the motor.
  /// Rows of a RegressionRows, and their factors in the motor's row of B⁻¹.
  std::vector<std::pair<Eigen::Index, double>> rows;
  Eigen::Index gain = -1;   ///< Index of its gain in x; −1 if that is known.
  double known_gain = 0.0;  ///< If it is known.
};

/// Returns the motors of the drives' equation of a problem, whose chosen rows have to be those of
/// as many joints as motors drive; none if no equation is of drives, but the calibration of a
/// sensor is unknown.
/// @throws EstimationFailure (refused) if otherwise no equation is of drives or more than one is, B
///         has no inverse on the chosen rows, a motor drives another joint too, or a gain is
///         neither known nor an unknown of its own.
std::vector<MotorRow> FindMotorRows(const Problem& problem);

/// Rows of a regression, those of drives as rows of motors: M·x = e of the torque that motor i has
/// to exert, M = Σ_j (B⁻¹)_ij·W_j A with −v in the column of its gain, and those of all other
/// equations as they are. Motors come first. What the six rows of a calibrated sensor say of its
/// reading, CalibratedSensor tells. Where something touches the robot, the torques of motors hold
/// what it takes by the measured wrench, see TorquePerWrench(), and rows of sensors that feel it do
/// not count.
class MotorRegression {
 public:
  /// @param rows  of the same problem; must outlive this object.
  /// @throws EstimationFailure (refused) as FindMotorRows() and FindTouchedSensor() do.
  MotorRegression(const Problem& problem, const RegressionRows& rows);

  const std::vector<MotorRow>& motors() const { return motors_; }
  /// Those whose calibration is unknown; their rows are numbered as here.
  const std::vector<CalibratedSensor>& sensors() const { return sensors_; }
  /// Number of motors, and of the rows of other equations.
  Eigen::Index row_count() const { return std::ssize(motors_) + std::ssize(others_); }
  Eigen::Index unknowns() const { return rows_.unknowns(); }
  /// Number of samples, over all datasets, whether they count or not.
  Eigen::Index samples() const { return rows_.samples(); }

  /// Returns e − M·x of each row that counts, over all samples; of calibrated sensors the residual
  /// of the reading. A pass over the data.
  std::vector<Eigen::VectorXd> Residuals(const Eigen::Ref<const Eigen::VectorXd>& x) const;
  /// Returns of each row the triangle T, (p + 1) × (p + 1), with ‖T·(x, −1)‖² = Σ w·(e − M·x)² over
  /// the samples that count; 0 of calibrated sensors. A pass over the data.
  /// @param weight  of row r where its residual e − M·`at` is ρ: w ≥ 0.
  std::vector<Eigen::MatrixXd> Triangles(
      const Eigen::Ref<const Eigen::VectorXd>& at,
      const std::function<double(Eigen::Index r, double rho)>& weight) const;

  /// Rows of some samples that count.
  struct Rows {
    Eigen::Index row;
    std::vector<Eigen::Index> samples;  ///< Numbers of the samples, over all datasets.
    Eigen::MatrixXd Me;                 ///< (M, e), samples × (p + 1).
  };
  /// Hands on all rows, in the order of samples, some at a time. A pass over the data.
  void Visit(const std::function<void(const Rows& rows)>& visit) const;
  /// Likewise, but hands on the six rows of a calibrated sensor together. All of their samples
  /// count.
  void Visit(
      const std::function<void(const Rows& rows)>& visit,
      const std::function<void(const CalibratedSensor& sensor, const CalibratedSensor::Rows& Me,
                               const std::vector<Eigen::Index>& samples)>& visit_sensor) const;

 private:
  /// A dataset in which something touches the robot.
  struct Touched {
    TouchedSensor sensor;
    std::vector<Eigen::MatrixXd> per_wrench;  ///< Torque of each motor, samples × 6.

    /// Returns true for rows, of a RegressionRows, of sensors that feel it.
    bool Moves(Eigen::Index row) const;
  };
  void FindTouched(const Problem& problem);

  const RegressionRows& rows_;
  std::vector<MotorRow> motors_;
  std::vector<Eigen::Index> others_;  ///< Rows of other equations.
  std::vector<CalibratedSensor> sensors_;
  std::vector<std::optional<Touched>> touched_;  ///< One per dataset; empty if none is.
};

}  // namespace idbench
