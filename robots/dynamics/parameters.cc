#include "robots/dynamics/parameters.h"

#include <algorithm>
#include <utility>

#include "robots/dynamics/inertial_kinds.h"

namespace idbench {
namespace {

static_assert(kInertialKinds.size() == kInertialCount);

using Standard = Eigen::Matrix<double, kInertialCount, 1>;

Eigen::Matrix3d InertiaMatrix(const Standard& p) {
  Eigen::Matrix3d inertia;
  inertia << p[4], p[5], p[7], p[5], p[6], p[8], p[7], p[8], p[9];
  return inertia;
}

/// |c|²·1 − c·cᵀ
Eigen::Matrix3d PointInertia(const Eigen::Vector3d& c) {
  return c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose();
}

Standard Pack(double mass, const Eigen::Vector3d& h, const Eigen::Matrix3d& inertia) {
  Standard p;
  p << mass, h, inertia(0, 0), inertia(0, 1), inertia(1, 1), inertia(0, 2), inertia(1, 2),
      inertia(2, 2);
  return p;
}

}  // namespace

std::vector<Term> TermsOf(const RobotModel& model) {
  std::vector<Term> terms;
  for (int i = 0; i < model.dofs(); ++i) {
    const bool prismatic = model.link(i).type == JointType::kPrismatic;
    for (const TermCoefficient& each : kJointTerms) {
      terms.push_back(MakeTerm(model.link(i).joint, each, {{.joint = i}}, prismatic));
    }
  }
  terms.insert(terms.end(), model.terms().begin(), model.terms().end());
  return terms;
}

Eigen::VectorXd ActingParameters(const RobotModel& model, int configuration,
                                 const Eigen::Ref<const Eigen::VectorXd>& pi) {
  Eigen::VectorXd acting = pi;
  const int first = ParameterLayout(model).inertial_size();
  for (const int term : model.AbsentTerms(configuration)) acting[first + term] = 0.0;
  return acting;
}

std::vector<std::string> ParameterNames(const RobotModel& model) {
  std::vector<std::string> names;
  const auto add_body = [&names](const std::string& body) {
    for (const InertialKind& kind : kInertialKinds) {
      names.push_back(body + "." + std::string(kind.name));
    }
  };
  add_body(model.base_name());
  for (const Link& link : model.links()) add_body(link.name);
  for (const AttachedBody& body : model.attached()) add_body(body.name);
  for (Term& term : TermsOf(model)) names.push_back(std::move(term.name));
  return names;
}

std::vector<int> WholeBodies(const RobotModel& model, const std::vector<int>& parameters) {
  const ParameterLayout layout(model);
  std::vector<int> bodies;
  for (int body = -1; body < model.body_end(); ++body) {
    const int first = layout.Body(body);
    const auto count = std::ranges::count_if(
        parameters, [first](int k) { return k >= first && k < first + kInertialCount; });
    if (count == kInertialCount) bodies.push_back(body);
  }
  return bodies;
}

std::vector<std::string> ParameterUnits(const RobotModel& model) {
  std::vector<std::string> units;
  for (int body = -1; body < model.body_end(); ++body) {
    for (const InertialKind& kind : kInertialKinds) units.emplace_back(kind.unit);
  }
  for (Term& term : TermsOf(model)) units.push_back(std::move(term.unit));
  return units;
}

Standard ToStandard(const CentralInertia& inertia) {
  return Pack(inertia.mass, inertia.mass * inertia.com,
              inertia.I_com + inertia.mass * PointInertia(inertia.com));
}

CentralInertia FromStandard(const Standard& parameters) {
  CentralInertia inertia;
  inertia.mass = parameters[0];
  if (inertia.mass != 0.0) inertia.com = parameters.segment<3>(1) / inertia.mass;
  inertia.I_com = InertiaMatrix(parameters) - inertia.mass * PointInertia(inertia.com);
  return inertia;
}

Eigen::Matrix<double, kInertialCount, kInertialCount> TransformationOf(
    const Eigen::Matrix3d& R_BA, const Eigen::Vector3d& p_BA_B) {
  Eigen::Matrix<double, kInertialCount, kInertialCount> X;
  for (int k = 0; k < kInertialCount; ++k) {
    X.col(k) = Transformed(Standard::Unit(k), R_BA, p_BA_B);
  }
  return X;
}

Standard Transformed(const Standard& parameters_A, const Eigen::Matrix3d& R_BA,
                     const Eigen::Vector3d& p_BA_B) {
  const double mass = parameters_A[0];
  const Eigen::Vector3d h_A_B = R_BA * parameters_A.segment<3>(1);
  const Eigen::Matrix3d I_A_B = R_BA * InertiaMatrix(parameters_A) * R_BA.transpose();
  // With r = c + p:  m(|r|² − r rᵀ) = m(|c|² − c cᵀ) + 2(h·p) − h pᵀ − p hᵀ + m(|p|² − p pᵀ).
  const Eigen::Matrix3d cross = 2.0 * h_A_B.dot(p_BA_B) * Eigen::Matrix3d::Identity() -
                                h_A_B * p_BA_B.transpose() - p_BA_B * h_A_B.transpose();
  return Pack(mass, h_A_B + mass * p_BA_B, I_A_B + cross + mass * PointInertia(p_BA_B));
}

}  // namespace idbench
