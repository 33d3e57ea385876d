#include "robots/physical_inertia.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace idbench {
namespace {

constexpr double kLeastMassFraction = 1e-6;
/// Moments about the centre of mass below this part of those about the origin are round-off.
constexpr double kPointRounding = 1e-12;
constexpr double kLeastSpread = 1e-3;          // [m]
constexpr double kLeastMomentFraction = 1e-6;  ///< Of the trace of Σ.

}  // namespace

Consistency ConsistencyOf(CentralInertia inertia) {
  inertia.com.setZero();
  return PhysicalConsistency(ToStandard(inertia));
}

std::optional<std::string> WhyUnphysical(const CentralInertia& inertia) {
  const Consistency consistency = ConsistencyOf(inertia);
  if (consistency == Consistency::kConsistent) return std::nullopt;
  const bool nothing = inertia.I_com.isZero(0.0);
  if (inertia.mass <= 0.0) {
    return nothing && inertia.mass == 0.0 ? "no mass" : fmt::format("mass {:.4g} kg", inertia.mass);
  }
  if (nothing) return "a point: mass, but no moments of inertia";
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia.I_com, Eigen::EigenvaluesOnly)
          .eigenvalues();
  const std::string values =
      fmt::format("{:.4g}, {:.4g}, {:.4g} kg·m²", moments[0], moments[1], moments[2]);
  if (moments[0] < 0.0) return "not positive definite: principal moments " + values;
  if (consistency == Consistency::kDegenerate) {
    return "a rod or a plate without thickness: principal moments " + values;
  }
  return "triangle inequality: principal moments " + values;
}

CentralInertia MadePhysical(const CentralInertia& inertia, double least_mass) {
  if (ConsistencyOf(inertia) == Consistency::kConsistent) return inertia;
  CentralInertia physical = inertia;
  physical.mass = std::max(inertia.mass, least_mass);
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(
      Eigen::Matrix3d(0.5 * inertia.I_com.trace() * one - inertia.I_com));
  const double least = std::max(physical.mass * kLeastSpread * kLeastSpread,
                                kLeastMomentFraction * eigen.eigenvalues().cwiseMax(0.0).sum());
  const Eigen::Vector3d values = eigen.eigenvalues().cwiseMax(least);
  const Eigen::Matrix3d sigma =
      eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
  physical.I_com = sigma.trace() * one - sigma;  // I = tr(Σ)·1 − Σ
  return physical;
}

namespace {

/// Whether an attached body is possible beside its link: it may be a rod, a plate or a point, which
/// has no extent but what rounding makes.
bool IsPartOfBody(const InertialParameters& parameters, const CentralInertia& inertia) {
  return inertia.I_com.norm() <= kPointRounding * parameters.tail<6>().norm() ||
         ConsistencyOf(inertia) != Consistency::kInconsistent;
}

}  // namespace

PhysicalParameters MakePhysical(const RobotModel& model,
                                const Eigen::Ref<const Eigen::VectorXd>& pi) {
  const ParameterLayout layout(model);
  double greatest = 0.0;
  for (int body = -1; body < model.body_end(); ++body) {
    greatest = std::max(greatest, pi[layout.Body(body)]);
  }
  const double least_mass = kLeastMassFraction * (greatest > 0.0 ? greatest : 1.0);
  PhysicalParameters physical{pi, {}};
  for (int body = -1; body < model.body_end(); ++body) {
    auto parameters = physical.pi.segment<kInertialCount>(layout.Body(body));
    const bool moves = body >= 0 && body < model.dofs();
    const bool no_body = moves ? model.link(body).massless : parameters.isZero(0.0);
    if (no_body) continue;
    const CentralInertia inertia = FromStandard(parameters);
    if (body >= model.dofs() && IsPartOfBody(parameters, inertia)) continue;
    if (!WhyUnphysical(inertia)) continue;
    parameters = ToStandard(MadePhysical(inertia, least_mass));
    physical.changed.push_back(model.BodyName(body));
  }
  return physical;
}

}  // namespace idbench
