#include "robots/dynamics/kernel_links.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace idbench {
namespace {

constexpr double kAxisRoundOff = 1e-15;

using Matrix3RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

void CopyMatrix(const Eigen::Matrix3d& from, double* to) { Eigen::Map<Matrix3RowMajor>{to} = from; }
void CopyVector(const Eigen::Vector3d& from, double* to) { Eigen::Map<Eigen::Vector3d>{to} = from; }

Eigen::Matrix3d Skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d skew;
  skew << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return skew;
}

/// The k for which v is ±e_k, −1 if there is none.
int CoordinateAxis(const Eigen::Vector3d& v) {
  for (int k = 0; k < 3; ++k) {
    Eigen::Vector3d rest = v;
    rest[k] = 0.0;
    if (rest.cwiseAbs().maxCoeff() <= kAxisRoundOff) return k;
  }
  return -1;
}

/// R_LK of kernel axes K: those of the link in cyclic order, with the link's axis k last.
Eigen::Matrix3d Cyclic(int k) {
  Eigen::Matrix3d R_LK = Eigen::Matrix3d::Zero();
  for (int column = 0; column < 3; ++column) R_LK((k + 1 + column) % 3, column) = 1.0;
  return R_LK;
}

/// The standard parameters of a link in the kernel's order.
void SetOrder(int k, KernelLink& link) {
  constexpr int kInertia[3][3] = {{4, 5, 7}, {5, 6, 8}, {7, 8, 9}};
  const auto axis = [k](int kernel_axis) { return (k + 1 + kernel_axis) % 3; };
  link.order[0] = 0;
  for (int a = 0; a < 3; ++a) {
    link.order[1 + a] = 1 + axis(a);
    for (int b = 0; b < 3; ++b) link.order[kInertia[a][b]] = kInertia[axis(a)][axis(b)];
  }
}

/// Splits R0, which takes z to an axis of the parent's, as S·Rot(z, γ) with S as in the kernel's
/// AxisTurn, moves γ into φ and returns S.
Eigen::Matrix3d SetZAxis(const Eigen::Matrix3d& R0, KernelLink& link) {
  const int k = CoordinateAxis(R0.col(2));
  const bool opposite = R0(k, 2) < 0.0;
  link.z_axis = static_cast<ZAxis>(k + (opposite ? 3 : 0));
  Eigen::Matrix3d S = Cyclic(k);
  if (opposite) {
    S.col(0).swap(S.col(1));
    S.col(2) *= -1.0;
  }
  const Eigen::Vector3d x = S.transpose() * R0.col(0);
  const double gamma = std::atan2(x.y(), x.x());
  link.quarter_turns = std::round(gamma / (0.5 * std::numbers::pi));
  const double rest = gamma - link.quarter_turns * (0.5 * std::numbers::pi);
  if (std::abs(rest) > kAxisRoundOff) link.offset += rest;
  return S;
}

/// R0, axis and anchor in the kernel's axes.
/// Rot(u, φ) = u·uᵀ + sin φ·[u]× + cos φ·(1 − u·uᵀ),  p = p0 + R0·c − R_PL·c
void SetRevolute(Eigen::Matrix3d R0, const Eigen::Vector3d& p0, const Eigen::Vector3d& axis,
                 const Eigen::Vector3d& anchor, double reference, KernelLink& link) {
  const Eigen::Vector3d v0 = anchor.cross(axis);
  Eigen::Vector3d origin = p0 + R0 * anchor;
  Eigen::Vector3d u = axis;
  link.sense = 1.0;
  link.offset = -reference;
  link.moves_origin = !v0.isZero(0.0);
  const bool along_z = CoordinateAxis(axis) == 2;
  link.turns_about_z = along_z && !link.moves_origin;
  if (along_z && CoordinateAxis(R0.col(2)) >= 0) {
    link.sense = axis.z() > 0.0 ? 1.0 : -1.0;
    link.offset *= link.sense;
    u = Eigen::Vector3d::UnitZ();
    R0 = SetZAxis(R0, link);
  }
  const Eigen::Matrix3d R_const = R0 * u * u.transpose();
  const Eigen::Matrix3d R_sin = R0 * Skew(u);
  const Eigen::Matrix3d R_cos = R0 - R_const;
  CopyMatrix(R_const, link.R_const);
  CopyMatrix(R_sin, link.R_sin);
  CopyMatrix(R_cos, link.R_cos);
  if (link.moves_origin) {
    origin -= R_const * anchor;
    CopyVector(-R_sin * anchor, link.p_sin);
    CopyVector(-R_cos * anchor, link.p_cos);
  } else {
    origin = p0;
  }
  CopyVector(origin, link.p_const);
  CopyVector(axis, link.z);
  CopyVector(v0, link.v0);
}

void SetPrismatic(const Eigen::Matrix3d& R0, const Eigen::Vector3d& p0, const Eigen::Vector3d& axis,
                  double reference, KernelLink& link) {
  link.sense = 1.0;
  link.offset = -reference;
  CopyMatrix(R0, link.R_const);
  CopyVector(p0, link.p_const);
  CopyVector(R0 * axis, link.p_sin);
  CopyVector(axis, link.v0);
  link.prismatic = true;
  link.moves_origin = true;
}

}  // namespace

std::vector<KernelLink> MakeKernelLinks(const RobotModel& model) {
  std::vector<KernelLink> links;
  std::vector<Eigen::Matrix3d> axes;  // R_LK
  for (int i = 0; i < model.dofs(); ++i) {
    const Link& from = model.link(i);
    const auto parent = static_cast<std::size_t>(from.parent);
    KernelLink link{};
    link.parent = from.parent;
    link.subtree_size = model.subtree_size(i);
    // The first link that it carries stands behind it; is that all of its subtree?
    link.branches = link.subtree_size > 1 && model.subtree_size(i + 1) < link.subtree_size - 1;
    link.z_axis = ZAxis::kOther;
    const int along = CoordinateAxis(from.axis);
    const int last = along < 0 ? 2 : along;
    SetOrder(last, link);
    axes.push_back(Cyclic(last));
    const Eigen::Matrix3d to_parent =
        from.parent < 0 ? Eigen::Matrix3d::Identity() : Eigen::Matrix3d(axes[parent].transpose());
    const Eigen::Matrix3d R0 = to_parent * from.R0 * axes.back();
    const Eigen::Vector3d p0 = to_parent * from.p0;
    const Eigen::Vector3d axis = axes.back().transpose() * from.axis;
    const Eigen::Vector3d anchor = axes.back().transpose() * from.anchor;
    if (from.type == JointType::kRevolute) {
      SetRevolute(R0, p0, axis, anchor, from.reference, link);
    } else {
      SetPrismatic(R0, p0, axis, from.reference, link);
    }
    const bool stays = !link.moves_origin && from.p0.isZero(0.0);
    link.origin = !stays ? i : (from.parent < 0 ? -1 : links[parent].origin);
    links.push_back(link);
  }
  return links;
}

std::vector<KernelCut> MakeKernelCuts(const RobotModel& model, const std::vector<KernelLink>& links,
                                      std::ptrdiff_t first) {
  std::vector<KernelCut> cuts;
  const auto add = [&](int link, const Eigen::Matrix3d& axes, const Eigen::Vector3d& p) {
    KernelCut cut{};
    cut.link = link;
    cut.through_origin = p.isZero(0.0);
    cut.first = first;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d a = axes.col(k);
      CopyVector(a, cut.v[k]);
      CopyVector(a, cut.z[3 + k]);
      if (!cut.through_origin) CopyVector(p.cross(a), cut.v[3 + k]);
    }
    cuts.push_back(cut);
    const int bodies = link < 0 ? model.dofs() + 1 : model.subtree_size(link);
    first += 6 * 10 * bodies;
  };
  add(-1, Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero());
  for (const Cut& cut : model.cuts()) {
    const KernelLink& link = links[static_cast<std::size_t>(cut.link)];
    Eigen::Matrix3d R_LK;  // of the kernel's axes K
    for (int k = 0; k < 3; ++k) R_LK.col(k) = Eigen::Vector3d::Unit(link.order[1 + k] - 1);
    add(cut.link, R_LK.transpose() * cut.R_LS, R_LK.transpose() * cut.p_LS_L);
  }
  return cuts;
}

}  // namespace idbench
