#include "bench/lab_checks/common_scale.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "bench/lab_checks/lab_regressor.h"
#include "robots/dynamics/dynamics.h"

namespace idbench {
namespace {

using Gram = Eigen::Matrix<double, 6, 6>;  ///< fv, fc, fo, ia; τ of the file; y.

/// What the friction of a joint leaves: Σ of (τ, y)ᵀ(τ, y).
Eigen::Matrix2d WithoutFriction(const Gram& gram) {
  Eigen::Matrix4d A = gram.topLeftCorner<4, 4>();
  const double size = std::max(A.diagonal().maxCoeff(), 1e-300);
  A.diagonal().array() += 1e-9 * size;  // a joint that stands still
  const Eigen::Matrix<double, 4, 2> b = gram.topRightCorner<4, 2>();
  return gram.bottomRightCorner<2, 2>() - b.transpose() * A.ldlt().solve(b);
}

struct Pooled {
  double factor = 0.0, explained = 0.0;
};

Pooled Pool(const std::vector<Gram>& joints) {
  double ty = 0.0, tt = 0.0, yy = 0.0;
  for (const Gram& gram : joints) {
    const Eigen::Matrix2d left = WithoutFriction(gram);
    if (left(0, 0) <= 0.0 || left(1, 1) <= 0.0) continue;
    const double residual = left(1, 1) - left(0, 1) * left(0, 1) / left(0, 0);
    const double weight = 1.0 / std::max(residual, 1e-6 * left(1, 1));
    tt += weight * left(0, 0);
    ty += weight * left(0, 1);
    yy += weight * left(1, 1);
  }
  if (tt <= 0.0 || yy <= 0.0) return {};
  return {ty / tt, ty * ty / (tt * yy)};
}

}  // namespace

CommonScale FindCommonScale(const Robot& robot, const LabRows& rows, const DataChange& change) {
  constexpr Eigen::Index kBlocks = LabRows::kBlocks;
  const Dynamics dynamics(UnderGravity(robot.model, change.gravity));
  const Eigen::VectorXd pi = InertiasOf(robot, dynamics.layout());
  const Eigen::MatrixXd q = rows.Positions(change), qd = rows.Velocities(change),
                        qdd = rows.Accelerations(change),
                        torques = rows.Torques(change.torque_delay_s);
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd predicted(q.rows(), q.cols());
  dynamics.InverseDynamics(pi, {q, qd, qdd}, scratch, predicted);

  const auto n = static_cast<std::size_t>(rows.joints());
  std::vector<std::vector<Gram>> blocks(kBlocks, std::vector<Gram>(n));
  std::vector<Gram> all(n, Gram::Zero());
  for (std::size_t j = 0; j < n; ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    const int d = change.torque_of[j];
    Eigen::MatrixXd joined(q.rows(), 6);
    joined << qd.col(at), qd.col(at).cwiseSign(), Eigen::VectorXd::Ones(q.rows()), qdd.col(at),
        predicted.col(at), change.torque_scale[d] * torques.col(d);
    const Eigen::VectorXd mask = rows.steady_sign().col(change.position_of[j]);
    joined = (mask.asDiagonal() * joined).eval();
    for (Eigen::Index b = 0; b < kBlocks; ++b) {
      const Eigen::Index first = rows.BlockStart(b), count = rows.BlockStart(b + 1) - first;
      const Eigen::MatrixXd part = joined.middleRows(first, count);
      blocks[static_cast<std::size_t>(b)][j] = part.transpose() * part;
      all[j] += blocks[static_cast<std::size_t>(b)][j];
    }
  }
  const Pooled pooled = Pool(all);
  double squares = 0.0;
  for (const std::vector<Gram>& block : blocks) {
    std::vector<Gram> others = all;
    for (std::size_t j = 0; j < n; ++j) others[j] -= block[j];
    const double difference = Pool(others).factor - pooled.factor;
    squares += difference * difference;
  }
  CommonScale scale{pooled.factor, std::sqrt(squares * (kBlocks - 1.0) / kBlocks), pooled.explained,
                    Eigen::VectorXd(q.cols()), Eigen::VectorXd(q.cols())};
  for (std::size_t j = 0; j < n; ++j) {
    const Pooled alone = Pool({all[j]});
    scale.of_column[change.torque_of[j]] = alone.factor;
    scale.explained_of_column[change.torque_of[j]] = alone.explained;
  }
  return scale;
}

std::optional<Eigen::VectorXd> FactorsOfFile(const Robot& robot, const LabRows& rows,
                                             const DataChange& change) {
  const CommonScale scale = FindCommonScale(robot, rows, change);
  Eigen::VectorXd factors = scale.of_column.cwiseInverse();
  std::vector<double> known;
  const auto tells = [&scale](Eigen::Index d) {
    return scale.explained_of_column[d] >= CommonScale::kLeastExplained && scale.of_column[d] > 0.0;
  };
  for (Eigen::Index d = 0; d < factors.size(); ++d) {
    if (tells(d)) known.push_back(factors[d]);
  }
  if (2 * std::ssize(known) < factors.size()) return std::nullopt;
  std::ranges::sort(known);
  for (Eigen::Index d = 0; d < factors.size(); ++d) {
    if (!tells(d)) factors[d] = known[known.size() / 2];
  }
  return factors;
}

}  // namespace idbench
