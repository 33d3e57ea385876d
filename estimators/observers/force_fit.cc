#include "estimators/observers/force_fit.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "estimators/observers/model_residual.h"

namespace idbench {
namespace {

constexpr double kNoForce = std::numeric_limits<double>::quiet_NaN();
/// Positions in which a robot is looked at, of which all would have to be singular by chance.
constexpr int kSomewhere = 8;
/// Reciprocal condition that is round-off: the root of a relative error of squares.
constexpr double kNoDirection = 1e-6;

const EquationRows* RowsMadeOf(const std::vector<EquationRows>& equations, RowsFrom source) {
  for (const EquationRows& rows : equations) {
    if (InfoOf(rows.equation).rows == source) return &rows;
  }
  return nullptr;
}

}  // namespace

JointRows JointTorqueRows(const Problem& problem, int least) {
  const std::vector<EquationRows> equations = EquationsWithModel(problem);
  const EquationRows* rows = RowsMadeOf(equations, RowsFrom::kTorqueRows);
  if (rows == nullptr) rows = RowsMadeOf(equations, RowsFrom::kDriveRows);
  if (rows == nullptr) {
    Refuse(
        "takes residuals of joint torques or drives, and no equation of the problem has such rows");
  }
  const std::vector<int> joints = ChosenRows(rows->placed(), problem.model.dofs());
  if (std::ssize(joints) < least) {
    Refuse(fmt::format("takes the torques of at least {} joints, the problem has rows of {}", least,
                       joints.size()));
  }
  return {*rows, joints};
}

void CheckMovesInSpace(const RobotModel& model, const std::vector<int>& joints) {
  ForceFit fit(model, joints, Eigen::MatrixXd::Identity(std::ssize(joints), std::ssize(joints)));
  Eigen::RowVectorXd q(model.dofs());
  for (int configuration = 0; configuration < kSomewhere; ++configuration) {
    // Far from each other and from any symmetry: parts of turns by the golden ratio.
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      q[j] =
          std::fmod((static_cast<double>(configuration * q.size() + j) + 1.0) * std::numbers::phi,
                    1.0) *
              2.0 -
          1.0;
    }
    if (fit.MoveTo(q) > kNoDirection) return;
  }
  Refuse("the end effector moves in a plane or on a line, and no torque tells a force across");
}

ForceFit::ForceFit(const RobotModel& model, std::vector<int> joints, const Eigen::MatrixXd& R)
    : model_(model),
      joints_(std::move(joints)),
      root_(R),
      poses_(model.links().size()),
      q_(model.dofs()),
      J_(Eigen::MatrixXd::Zero(6, model.dofs())),
      V_(std::ssize(joints_), 3),
      Q_(std::ssize(joints_), 3),
      whitened_(std::ssize(joints_)),
      left_(std::ssize(joints_)) {}

double ForceFit::MoveTo(const Eigen::Ref<const Eigen::RowVectorXd>& q) {
  q_ = q.transpose();
  if (!q_.allFinite()) return kNoForce;
  ForwardKinematics(model_, q_, poses_);
  PointJacobian(model_, poses_, model_.end_effector().link, model_.end_effector().p_LE_L, J_);
  Eigen::Matrix3d G = Eigen::Matrix3d::Zero();
  for (Eigen::Index k = 0; k < V_.rows(); ++k) {
    V_.row(k) = J_.col(joints_[static_cast<std::size_t>(k)]).head<3>().transpose();
    G += V_.row(k).transpose() * V_.row(k);
  }
  for (Eigen::Index axis = 0; axis < 3; ++axis) root_.matrixL().solveInPlace(V_.col(axis));
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> squares(G, Eigen::EigenvaluesOnly);
  const double most = squares.eigenvalues()[2];
  return most > 0.0 ? std::sqrt(std::max(squares.eigenvalues()[0], 0.0) / most) : 0.0;
}

const Eigen::VectorXd& ForceFit::Whitened(const Eigen::Ref<const Eigen::RowVectorXd>& r) {
  whitened_ = r.transpose();
  root_.matrixL().solveInPlace(whitened_);
  return whitened_;
}

Eigen::Vector3d ForceFit::Solve(const Eigen::Ref<const Eigen::RowVectorXd>& r) {
  // (V, L⁻¹r) = Q·(U, d) by modified Gram-Schmidt, which is as good as Householder's for U f = −d.
  left_ = Whitened(r);
  Q_ = V_;
  Eigen::Matrix3d U = Eigen::Matrix3d::Zero();
  Eigen::Vector3d d;
  for (Eigen::Index i = 0; i < 3; ++i) {
    U(i, i) = Q_.col(i).norm();
    Q_.col(i) /= U(i, i);
    for (Eigen::Index j = i + 1; j < 3; ++j) {
      U(i, j) = Q_.col(i).dot(Q_.col(j));
      Q_.col(j) -= U(i, j) * Q_.col(i);
    }
    d[i] = Q_.col(i).dot(left_);
    left_ -= d[i] * Q_.col(i);
  }
  return -U.triangularView<Eigen::Upper>().solve(d);
}

void AddLeastCondition(double& least_condition, FieldTable& table) {
  table.Add("least_condition", least_condition,
            {.doc = "Reciprocal condition of the end effector's Jacobian below which there is no "
                    "force: noise of torques makes up to its inverse times as much there",
             .lower = 0.0,
             .upper = 1.0,
             .lower_open = true});
}

Eigen::MatrixXd FitForces(ForceFit& fit, const Eigen::MatrixXd& q, const Eigen::MatrixXd& r,
                          double least_condition) {
  Eigen::MatrixXd force = Eigen::MatrixXd::Constant(q.rows(), 3, kNoForce);
  Eigen::RowVectorXd state(q.cols()), residual(r.cols());
  for (Eigen::Index k = 0; k < q.rows(); ++k) {
    state = q.row(k);
    residual = r.row(k);
    if (residual.allFinite() && fit.MoveTo(state) >= least_condition) {
      force.row(k) = fit.Solve(residual).transpose();
    }
  }
  return force;
}

void LowPass(const Eigen::VectorXd& time_s, double cutoff_hz, Eigen::MatrixXd& values) {
  Eigen::Index last = -1;
  for (Eigen::Index k = 0; k < values.rows(); ++k) {
    if (!values.row(k).allFinite()) continue;
    if (last >= 0) {
      const double step_s = time_s[k] - time_s[last];
      const double part = -std::expm1(-2.0 * std::numbers::pi * cutoff_hz * step_s);
      values.row(k) = values.row(last) + part * (values.row(k) - values.row(last));
    }
    last = k;
  }
}

Series ForceSeries(const Eigen::VectorXd& time_s, Eigen::MatrixXd force) {
  return {.name = std::string(kExternalForce),
          .columns = {"x", "y", "z"},
          .units = {"N", "N", "N"},
          .time_s = time_s,
          .values = std::move(force)};
}

}  // namespace idbench
