#include "robots/dynamics/walkers/planar_lagrangian.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cassert>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace idbench {
namespace {

constexpr int kMax = PlanarLagrangian::kMaxDofs;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMax, 1>;
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMax, kMax>;

/// Angles and lengths below this part are round-off of a model file.
constexpr double kStraight = 1e-9;

[[noreturn]] void Refuse(const RobotModel& model, const std::string& what) {
  throw std::invalid_argument("robot '" + model.name() +
                              "' is no chain of straight links in a "
                              "vertical plane: " +
                              what);
}

/// Part of v that is perpendicular to the unit vector `axis`.
Eigen::Vector3d Across(const Eigen::Vector3d& v, const Eigen::Vector3d& axis) {
  return v - axis.dot(v) * axis;
}

/// m·c of a link about its joint's anchor, across its axis.
Eigen::Vector3d MomentAboutJoint(const Link& link, const Eigen::Ref<const Eigen::VectorXd>& body) {
  return Across(body.segment<3>(1) - body(0) * link.anchor, link.axis);
}

/// Where a link's joint is on its parent, from the parent's joint, across the axes, in the
/// parent's frame.
Eigen::Vector3d JointOnParent(const RobotModel& model, const Link& link) {
  const Link& parent = model.link(link.parent);
  return Across(link.p0 + link.R0 * link.anchor - parent.anchor, parent.axis);
}

/// Axes of link i in the base's frame where all joint positions are 0.
Eigen::Matrix3d RotationAtZero(const RobotModel& model, int i) {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  for (; i >= 0; i = model.link(i).parent) {
    const Link& link = model.link(i);
    R = link.R0 * Eigen::AngleAxisd(-link.reference, link.axis).toRotationMatrix() * R;
  }
  return R;
}

std::string_view Suffix(JointParameter kind) {
  switch (kind) {
    case JointParameter::kViscous:
      return "fv";
    case JointParameter::kCoulomb:
      return "fc";
    case JointParameter::kOffset:
      return "fo";
    case JointParameter::kRotorInertia:
      break;
  }
  return "ia";
}

std::string_view Unit(JointParameter kind) {
  switch (kind) {
    case JointParameter::kViscous:
      return "N·m·s/rad";
    case JointParameter::kCoulomb:
    case JointParameter::kOffset:
      return "N·m";
    case JointParameter::kRotorInertia:
      break;
  }
  return "kg·m²";
}

}  // namespace

double JointColumn(JointParameter kind, double qd, double qdd, const FrictionShape& shape) {
  switch (kind) {
    case JointParameter::kViscous:
      return qd;
    case JointParameter::kCoulomb:
      return shape.Coulomb(qd);
    case JointParameter::kOffset:
      return 1.0;
    case JointParameter::kRotorInertia:
      break;
  }
  return qdd;
}

double JointSlope(JointParameter kind, double qd, const FrictionShape& shape) {
  if (kind == JointParameter::kViscous) return 1.0;
  if (kind != JointParameter::kCoulomb || shape.coulomb_width_rad_s <= 0.0) return 0.0;
  const double s = shape.Coulomb(qd);
  return (1.0 - s * s) / shape.coulomb_width_rad_s;
}

PlanarLagrangian::PlanarLagrangian(const RobotModel& model,
                                   const Eigen::Ref<const Eigen::VectorXd>& pi_known,
                                   const std::vector<JointParameter>& friction, FrictionShape shape)
    : theta0_(model.dofs()),
      S_(Eigen::MatrixXd::Zero(model.dofs(), model.dofs())),
      shape_(std::move(shape)),
      layout_(model),
      gravity_(model.gravity().norm()),
      reach_(Eigen::VectorXd::Zero(model.dofs())) {
  assert(pi_known.size() == layout_.size());
  CheckJoints(model);
  FindLines(model, pi_known);
  FindAngles(model);
  const int n = dofs();
  for (int i = 0; i < n; ++i) {
    for (int a = 0; a < i; ++a) {
      if (i < a + model.subtree_size(a)) couplings_.push_back({a, i});
    }
  }
  const auto add = [this](std::string name, std::string_view unit) {
    names_.push_back(std::move(name));
    units_.emplace_back(unit);
  };
  for (const Link& link : model.links()) add(link.name + ".J", "kg·m²");
  for (const Coupling& pair : couplings_) {
    add(model.link(pair.ancestor).name + "." + model.link(pair.link).name + ".P", "kg·m²");
  }
  for (const Link& link : model.links()) add(link.name + ".G", "N·m");
  for (const JointParameter kind : friction) {
    for (int j = 0; j < n; ++j) {
      joint_terms_.push_back({kind, j});
      add(fmt::format("{}.{}", model.link(j).joint, Suffix(kind)), Unit(kind));
    }
  }
}

void PlanarLagrangian::CheckJoints(const RobotModel& model) const {
  if (model.dofs() == 0 || model.dofs() > kMaxDofs) {
    Refuse(model, fmt::format("it has {} joints, 1 to {} are accepted", model.dofs(), kMaxDofs));
  }
  if (!(gravity_ > 0.0)) Refuse(model, "there is no gravity that would tell what is vertical");
  const Eigen::Vector3d up = -model.gravity() / gravity_;
  const Eigen::Vector3d first = RotationAtZero(model, 0) * model.link(0).axis;
  for (int i = 0; i < model.dofs(); ++i) {
    const Link& link = model.link(i);
    if (link.type != JointType::kRevolute) {
      Refuse(model, "joint '" + link.joint + "' is prismatic");
    }
    const Eigen::Vector3d axis = RotationAtZero(model, i) * link.axis;
    if (std::abs(axis.dot(up)) > kStraight) {
      Refuse(model, "the axis of joint '" + link.joint + "' is not horizontal");
    }
    if (axis.cross(first).norm() > kStraight) {
      Refuse(model, "the axis of joint '" + link.joint + "' is not parallel to that of '" +
                        model.link(0).joint + "'");
    }
    if (i > 0 && link.parent < 0) {
      Refuse(model,
             "joint '" + link.joint + "' is on the base, as '" + model.link(0).joint + "' is");
    }
  }
}

void PlanarLagrangian::FindLines(const RobotModel& model,
                                 const Eigen::Ref<const Eigen::VectorXd>& pi_known) {
  const int n = dofs();
  std::vector<Eigen::Vector3d> moment(static_cast<std::size_t>(n));
  Eigen::VectorXd mass(n);
  for (int i = 0; i < n; ++i) {
    const Link& link = model.link(i);
    parent_.push_back(link.parent);
    axis_.push_back(link.axis);
    anchor_.push_back(link.anchor);
    const auto body = pi_known.segment<kInertialCount>(layout_.Body(i));
    mass(i) = body(0);
    moment[static_cast<std::size_t>(i)] = MomentAboutJoint(link, body);
  }
  for (int i = n - 1; i > 0; --i) {  // What hangs on a link counts as a mass at its joint.
    mass(parent_[static_cast<std::size_t>(i)]) += mass(i);
    moment[static_cast<std::size_t>(parent_[static_cast<std::size_t>(i)])] +=
        mass(i) * JointOnParent(model, model.link(i));
  }
  for (int i = 0; i < n; ++i) {
    const Eigen::Vector3d& m = moment[static_cast<std::size_t>(i)];
    if (!(m.norm() > 0.0)) {
      Refuse(model, "the centre of mass of link '" + model.link(i).name +
                        "' is on its joint's axis, so that the link has no direction");
    }
    line_.push_back(m.normalized());
  }
  for (int i = 1; i < n; ++i) {
    const auto parent = static_cast<std::size_t>(parent_[static_cast<std::size_t>(i)]);
    const Eigen::Vector3d joint = JointOnParent(model, model.link(i));
    reach_(i) = line_[parent].dot(joint);
    if ((joint - reach_(i) * line_[parent]).norm() > kStraight * joint.norm()) {
      Refuse(model, "joint '" + model.link(i).joint + "' is not on the line of link '" +
                        model.link(static_cast<int>(parent)).name +
                        "' from its joint to its centre of mass, with what hangs on it");
    }
  }
}

void PlanarLagrangian::FindAngles(const RobotModel& model) {
  const Eigen::Vector3d up = -model.gravity() / gravity_;
  const Eigen::Vector3d first = RotationAtZero(model, 0) * model.link(0).axis;
  for (int i = 0; i < dofs(); ++i) {
    const Eigen::Matrix3d R = RotationAtZero(model, i);
    const Eigen::Vector3d line = R * line_[static_cast<std::size_t>(i)];
    theta0_(i) = std::atan2(first.dot(up.cross(line)), up.dot(line));
    if (i > 0) S_.row(i) = S_.row(model.link(i).parent);
    S_(i, i) = (R * model.link(i).axis).dot(first) > 0.0 ? 1.0 : -1.0;
  }
}

Eigen::VectorXd PlanarLagrangian::FromPi(const Eigen::Ref<const Eigen::VectorXd>& pi) const {
  assert(pi.size() == layout_.size());
  const int n = dofs();
  Eigen::VectorXd beta = Eigen::VectorXd::Zero(size());
  Eigen::VectorXd mass(n), moment(n);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto body = pi.segment<kInertialCount>(layout_.Body(i));
    Eigen::Matrix3d inertia;
    inertia << body(4), body(5), body(7),  //
        body(5), body(6), body(8),         //
        body(7), body(8), body(9);
    const Eigen::Vector3d anchor = Across(anchor_[k], axis_[k]);
    mass(i) = body(0);
    moment(i) = line_[k].dot(body.segment<3>(1) - body(0) * anchor_[k]);
    // ∫|r − c|² = ∫|r|² − 2c·∫r + m|c|², across the axis.
    beta(i) = axis_[k].dot(inertia * axis_[k]) - 2.0 * anchor.dot(body.segment<3>(1)) +
              body(0) * anchor.squaredNorm();
  }
  for (int i = n - 1; i > 0; --i) {
    const int parent = parent_[static_cast<std::size_t>(i)];
    mass(parent) += mass(i);
    moment(parent) += reach_(i) * mass(i);
    beta(parent) += reach_(i) * reach_(i) * mass(i);
  }
  for (std::size_t k = 0; k < couplings_.size(); ++k) {
    int next = couplings_[k].link;  // The ancestor's child on the way to the link.
    while (parent_[static_cast<std::size_t>(next)] != couplings_[k].ancestor) {
      next = parent_[static_cast<std::size_t>(next)];
    }
    beta(FirstCoupling() + static_cast<int>(k)) = reach_(next) * moment(couplings_[k].link);
  }
  beta.segment(FirstGravity(), n) = gravity_ * moment;
  for (std::size_t k = 0; k < joint_terms_.size(); ++k) {
    beta(FirstJointTerm() + static_cast<int>(k)) =
        pi(layout_.Joint(joint_terms_[k].joint, joint_terms_[k].kind));
  }
  return beta;
}

void PlanarLagrangian::Rows(const Eigen::Ref<const Eigen::VectorXd>& q,
                            const Eigen::Ref<const Eigen::VectorXd>& qd,
                            const Eigen::Ref<const Eigen::VectorXd>& qdd,
                            Eigen::Ref<Eigen::MatrixXd> Z) const {
  assert(Z.rows() == dofs() && Z.cols() == size());
  const SmallVector theta = theta0_ + S_.lazyProduct(q), omega = S_.lazyProduct(qd),
                    alpha = S_.lazyProduct(qdd);
  for (int i = 0; i < dofs(); ++i) Z.col(i) = alpha(i) * S_.row(i).transpose();
  int k = FirstCoupling();
  for (const auto& [a, i] : couplings_) {
    const double c = std::cos(theta(i) - theta(a)), s = std::sin(theta(i) - theta(a));
    Z.col(k++) = (alpha(i) * c - omega(i) * omega(i) * s) * S_.row(a).transpose() +
                 (alpha(a) * c + omega(a) * omega(a) * s) * S_.row(i).transpose();
  }
  for (int i = 0; i < dofs(); ++i) Z.col(k++) = -std::sin(theta(i)) * S_.row(i).transpose();
  for (const auto& [kind, j] : joint_terms_) {
    Z.col(k).setZero();
    Z(j, k++) = JointColumn(kind, qd(j), qdd(j), shape_);
  }
}

void PlanarLagrangian::MomentumRows(const Eigen::Ref<const Eigen::VectorXd>& q,
                                    const Eigen::Ref<const Eigen::VectorXd>& qd,
                                    Eigen::Ref<Eigen::MatrixXd> rows) const {
  assert(rows.rows() == dofs() && rows.cols() == size());
  const SmallVector theta = theta0_ + S_.lazyProduct(q), omega = S_.lazyProduct(qd);
  rows.setZero();
  for (int i = 0; i < dofs(); ++i) rows.col(i) = omega(i) * S_.row(i).transpose();
  int k = FirstCoupling();
  for (const auto& [a, i] : couplings_) {
    const double c = std::cos(theta(i) - theta(a));
    rows.col(k++) = omega(i) * c * S_.row(a).transpose() + omega(a) * c * S_.row(i).transpose();
  }
  k = FirstJointTerm();
  for (const auto& [kind, j] : joint_terms_) {
    if (kind == JointParameter::kRotorInertia) rows(j, k) = qd(j);
    ++k;
  }
}

void PlanarLagrangian::Torque(const Eigen::Ref<const Eigen::VectorXd>& beta,
                              const Eigen::Ref<const Eigen::VectorXd>& q,
                              const Eigen::Ref<const Eigen::VectorXd>& qd,
                              const Eigen::Ref<const Eigen::VectorXd>& qdd,
                              Eigen::Ref<Eigen::VectorXd> tau) const {
  assert(beta.size() == size() && tau.size() == dofs());
  const SmallVector theta = theta0_ + S_.lazyProduct(q), omega = S_.lazyProduct(qd),
                    alpha = S_.lazyProduct(qdd);
  SmallVector on_links(dofs());
  for (int i = 0; i < dofs(); ++i) {
    on_links(i) = beta(i) * alpha(i) - beta(FirstGravity() + i) * std::sin(theta(i));
  }
  int k = FirstCoupling();
  for (const auto& [a, i] : couplings_) {
    const double c = std::cos(theta(i) - theta(a)), s = std::sin(theta(i) - theta(a));
    on_links(a) += beta(k) * (alpha(i) * c - omega(i) * omega(i) * s);
    on_links(i) += beta(k++) * (alpha(a) * c + omega(a) * omega(a) * s);
  }
  tau = S_.transpose().lazyProduct(on_links);
  k = FirstJointTerm();
  for (const auto& [kind, j] : joint_terms_) {
    tau(j) += beta(k++) * JointColumn(kind, qd(j), qdd(j), shape_);
  }
}

void PlanarLagrangian::MassMatrix(const Eigen::Ref<const Eigen::VectorXd>& beta,
                                  const Eigen::Ref<const Eigen::VectorXd>& q,
                                  Eigen::Ref<Eigen::MatrixXd> D) const {
  assert(beta.size() == size() && D.rows() == dofs() && D.cols() == dofs());
  const SmallVector theta = theta0_ + S_.lazyProduct(q);
  SmallMatrix on_links = SmallMatrix::Zero(dofs(), dofs());
  for (int i = 0; i < dofs(); ++i) on_links(i, i) = beta(i);
  int k = FirstCoupling();
  for (const auto& [a, i] : couplings_) {
    on_links(a, i) = on_links(i, a) = beta(k++) * std::cos(theta(i) - theta(a));
  }
  const SmallMatrix right = on_links.lazyProduct(S_);
  D = S_.transpose().lazyProduct(right);
  k = FirstJointTerm();
  for (const auto& [kind, j] : joint_terms_) {
    if (kind == JointParameter::kRotorInertia) D(j, j) += beta(k);
    ++k;
  }
}

bool PlanarLagrangian::ForwardDynamics(const Eigen::Ref<const Eigen::VectorXd>& beta,
                                       const Eigen::Ref<const Eigen::VectorXd>& q,
                                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                                       const Eigen::Ref<const Eigen::VectorXd>& tau,
                                       Eigen::Ref<Eigen::VectorXd> qdd) const {
  SmallMatrix D(dofs(), dofs());
  MassMatrix(beta, q, D);
  const Eigen::LLT<SmallMatrix> llt(D);
  if (llt.info() != Eigen::Success) return false;
  SmallVector bias(dofs());
  Torque(beta, q, qd, SmallVector::Zero(dofs()), bias);
  SmallVector rest = tau - bias;
  llt.solveInPlace(rest);
  qdd = rest;
  return true;
}

void PlanarLagrangian::TorqueDerivatives(const Eigen::Ref<const Eigen::VectorXd>& beta,
                                         const Eigen::Ref<const Eigen::VectorXd>& q,
                                         const Eigen::Ref<const Eigen::VectorXd>& qd,
                                         const Eigen::Ref<const Eigen::VectorXd>& qdd,
                                         Eigen::Ref<Eigen::MatrixXd> by_q,
                                         Eigen::Ref<Eigen::MatrixXd> by_qd) const {
  assert(beta.size() == size());
  const SmallVector theta = theta0_ + S_.lazyProduct(q), omega = S_.lazyProduct(qd),
                    alpha = S_.lazyProduct(qdd);
  SmallMatrix by_theta = SmallMatrix::Zero(dofs(), dofs()),
              by_omega = SmallMatrix::Zero(dofs(), dofs());
  for (int i = 0; i < dofs(); ++i) {
    by_theta(i, i) = -beta(FirstGravity() + i) * std::cos(theta(i));
  }
  int k = FirstCoupling();
  for (const auto& [a, i] : couplings_) {
    const double P = beta(k++);
    const double c = P * std::cos(theta(i) - theta(a)), s = P * std::sin(theta(i) - theta(a));
    const double on_a = -alpha(i) * s - omega(i) * omega(i) * c;  // ∂/∂(θ_i − θ_a)
    const double on_i = -alpha(a) * s + omega(a) * omega(a) * c;
    by_theta(a, i) += on_a;
    by_theta(a, a) -= on_a;
    by_theta(i, i) += on_i;
    by_theta(i, a) -= on_i;
    by_omega(a, i) -= 2.0 * omega(i) * s;
    by_omega(i, a) += 2.0 * omega(a) * s;
  }
  SmallMatrix right = by_theta.lazyProduct(S_);
  by_q = S_.transpose().lazyProduct(right);
  right = by_omega.lazyProduct(S_);
  by_qd = S_.transpose().lazyProduct(right);
  k = FirstJointTerm();
  for (const auto& [kind, j] : joint_terms_) {
    by_qd(j, j) += beta(k++) * JointSlope(kind, qd(j), shape_);
  }
}

}  // namespace idbench
