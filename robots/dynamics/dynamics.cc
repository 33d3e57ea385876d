#include "robots/dynamics/dynamics.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "robots/dynamics/calibration.h"
#include "robots/dynamics/end_effector_wrench.h"
#include "robots/dynamics/kernel_links.h"

namespace idbench {
namespace {

/// Dynamics fix the order of packs: lane-interleaved n × 8.
using PackMatrix = Eigen::Map<Eigen::Matrix<double, kLanes, Eigen::Dynamic>, Eigen::Aligned64>;

/// Number of packs in joint rows.
std::ptrdiff_t TorqueBlocks(const std::vector<KernelLink>& links) {
  std::ptrdiff_t count = 0;
  for (const KernelLink& link : links) count += kInertialCount * link.subtree_size;
  return count;
}

PackMatrix AsPacks(Eigen::VectorXd& buffer, Eigen::Index packs, Eigen::Index first = 0) {
  return {buffer.data() + first * kLanes, kLanes, packs};
}

}  // namespace

Dynamics::Scratch::Scratch(const Dynamics& dynamics)
    : kernel_(static_cast<Eigen::Index>(KernelScratchSize(dynamics.dofs()))),
      padded_(kLanes * 3 * dynamics.dofs()),
      tau_(kLanes * dynamics.dofs()),
      wrench_(kLanes * 6),
      links_(dynamics.carried_.empty() ? 0 : dynamics.layout().links_size()),
      acting_(dynamics.absent_.empty() ? 0 : dynamics.layout().size()),
      blocks_(kLanes * static_cast<Eigen::Index>(dynamics.to_kernel_.size()) +
              dynamics.shares_before_.back() + 1),
      q_(dynamics.dofs()),
      torques_(dynamics.dofs() * dynamics.layout().size()) {
  to_blocks_.resize(dynamics.to_kernel_.size());
  for (std::size_t block = 0; block < to_blocks_.size(); ++block) {
    to_blocks_[dynamics.to_kernel_[block]] =
        blocks_.data() + kLanes * static_cast<Eigen::Index>(block);
  }
  for (const EquationInfo& info : kEquationKinds) {
    if (info.make_map == nullptr) continue;
    MapTo(info.equation) = {
        info.make_map(dynamics.model_),
        Eigen::MatrixXd(RowsOf(info.equation, dynamics.dofs()), dynamics.dofs())};
  }
}

Dynamics::Dynamics(const RobotModel& model, FrictionShape friction, const Kernel& kernel)
    : Dynamics(model, std::move(friction), 0, kernel) {}

Dynamics::Dynamics(const RobotModel& model, FrictionShape friction, int configuration,
                   const Kernel& kernel)
    : kernel_(&kernel),
      model_(model),
      links_(MakeKernelLinks(model)),
      cuts_(MakeKernelCuts(model, links_, TorqueBlocks(links_))),
      gravity_(model.gravity()),
      layout_(model),
      friction_(std::move(friction)),
      terms_(TermsOf(model)) {
  for (const int k : model.configurations().at(static_cast<std::size_t>(configuration)).attached) {
    const AttachedBody& body = model.attached()[static_cast<std::size_t>(k)];
    carried_.push_back({dofs() + k, body.link, TransformationOf(body.R_LA, body.p_LA_L)});
  }
  for (const int k : model.AbsentTerms(configuration)) {
    terms_[static_cast<std::size_t>(k)].shares.clear();
    absent_.push_back(layout_.inertial_size() + k);
  }
  for (const Term& term : terms_) {
    shares_before_.push_back(shares_before_.back() + static_cast<int>(term.shares.size()));
  }
  const auto add_link = [this](const KernelLink& link) {
    const std::size_t first = to_kernel_.size();
    to_kernel_.resize(first + kInertialCount);
    for (std::size_t k = 0; k < kInertialCount; ++k) {
      to_kernel_[first + static_cast<std::size_t>(link.order[k])] = first + k;
    }
  };
  for (int row = 0; row < dofs(); ++row) {
    const auto first = links_.begin() + row;
    std::for_each(first, first + first->subtree_size, add_link);
  }
  for (const KernelCut& cut : cuts_) {
    assert(static_cast<std::size_t>(cut.first) == to_kernel_.size());
    const auto first = links_.begin() + std::max(cut.link, 0);
    const auto last = cut.link < 0 ? links_.end() : first + first->subtree_size;
    for (int row = 0; row < kWrenchSize; ++row) {
      for (int k = 0; cut.link < 0 && k < kInertialCount; ++k) {
        to_kernel_.push_back(to_kernel_.size());
      }
      std::for_each(first, last, add_link);
    }
  }
}

const double* Dynamics::LinksOf(const Eigen::Ref<const Eigen::VectorXd>& pi,
                                Scratch& scratch) const {
  if (carried_.empty()) return pi.data();
  scratch.links_ = pi.head(layout_.links_size());
  for (const Carried& each : carried_) {
    scratch.links_.segment<kInertialCount>(layout_.Body(each.link)) +=
        each.X * pi.segment<kInertialCount>(layout_.Body(each.body));
  }
  return scratch.links_.data();
}

const Eigen::VectorXd& Dynamics::Acting(const Eigen::Ref<const Eigen::VectorXd>& pi,
                                        Scratch& scratch) const {
  scratch.acting_ = pi;
  for (const int k : absent_) scratch.acting_[k] = 0.0;
  return scratch.acting_;
}

KernelModel Dynamics::View(const Eigen::Vector3d& gravity) const {
  return {dofs(), links_.data(), {gravity.x(), gravity.y(), gravity.z()}};
}

KernelSamples Dynamics::PackAt(const StateSamples& samples, Eigen::Index first,
                               Scratch& scratch) const {
  const Eigen::Index stride = samples.q.outerStride();
  if (first + kLanes <= samples.size() && samples.qd.outerStride() == stride &&
      samples.qdd.outerStride() == stride) {
    return {samples.q.data() + first, samples.qd.data() + first, samples.qdd.data() + first, stride,
            kLanes};
  }
  const Eigen::Index n = dofs();
  PackMatrix padded = AsPacks(scratch.padded_, 3 * n);
  for (Eigen::Index lane = 0; lane < kLanes; ++lane) {
    const Eigen::Index row = std::min(first + lane, samples.size() - 1);
    padded.row(lane).head(n) = samples.q.row(row);
    padded.row(lane).segment(n, n) = samples.qd.row(row);
    padded.row(lane).tail(n) = samples.qdd.row(row);
  }
  const double* data = scratch.padded_.data();
  const auto count = static_cast<int>(std::min<Eigen::Index>(kLanes, samples.size() - first));
  return {data, data + n * kLanes, data + 2 * n * kLanes, kLanes, count};
}

KernelSamples Dynamics::PackOf(const Eigen::Ref<const Eigen::VectorXd>& q,
                               const Eigen::Ref<const Eigen::VectorXd>& qd,
                               const Eigen::Ref<const Eigen::VectorXd>& qdd,
                               Scratch& scratch) const {
  const Eigen::Index n = dofs();
  assert(q.size() == n && qd.size() == n && qdd.size() == n);
  PackMatrix padded = AsPacks(scratch.padded_, 3 * n);
  padded.leftCols(n).rowwise() = q.transpose();
  padded.middleCols(n, n).rowwise() = qd.transpose();
  padded.rightCols(n).rowwise() = qdd.transpose();
  const double* data = scratch.padded_.data();
  return {data, data + n * kLanes, data + 2 * n * kLanes, kLanes, 1};
}

double Dynamics::JointTorque(const Eigen::Ref<const Eigen::VectorXd>& pi, int joint, double qd,
                             double qdd) const {
  const double* p = pi.data() + layout_.Joint(joint, JointParameter::kViscous);
  return p[0] * qd + p[1] * FrictionShape::Coulomb(qd, friction_.WidthOf(joint)) + p[2] +
         p[3] * qdd;
}

void Dynamics::InverseDynamics(const Eigen::Ref<const Eigen::VectorXd>& pi,
                               const Eigen::Ref<const Eigen::VectorXd>& q,
                               const Eigen::Ref<const Eigen::VectorXd>& qd,
                               const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch,
                               Eigen::Ref<Eigen::VectorXd> tau) const {
  assert(pi.size() == layout_.size() && tau.size() == dofs());
  if (HasAbsent(pi, scratch)) return InverseDynamics(Acting(pi, scratch), q, qd, qdd, scratch, tau);
  const KernelSamples pack = PackOf(q, qd, qdd, scratch);
  kernel_->inverse_dynamics(View(), LinksOf(pi, scratch), pack, scratch.kernel_.data(),
                            scratch.tau_.data(), kLanes, nullptr, nullptr);
  for (int i = 0; i < dofs(); ++i) {
    tau[i] = scratch.tau_[kLanes * i] + JointTorque(pi, i, qd[i], qdd[i]);
  }
  ForOwnTerms(pi, TermRows::kJoints, [&](const Term& term, double theta) {
    const double torque = theta * term.Shape(term.Argument(term.Of(qd, qdd)), friction_);
    for (const Term::Share& share : term.shares) tau[share.joint] += share.factor * torque;
  });
}

void Dynamics::InverseDynamics(const Eigen::Ref<const Eigen::VectorXd>& pi,
                               const StateSamples& samples, Scratch& scratch,
                               Eigen::Ref<Eigen::MatrixXd> tau) const {
  assert(pi.size() == layout_.size() && tau.rows() == samples.size() && tau.cols() == dofs());
  if (HasAbsent(pi, scratch)) return InverseDynamics(Acting(pi, scratch), samples, scratch, tau);
  const KernelModel view = View();
  const double* const links = LinksOf(pi, scratch);
  for (Eigen::Index first = 0; first < samples.size(); first += kLanes) {
    const KernelSamples pack = PackAt(samples, first, scratch);
    const bool whole = pack.count == kLanes;
    kernel_->inverse_dynamics(view, links, pack, scratch.kernel_.data(),
                              whole ? tau.data() + first : scratch.tau_.data(),
                              whole ? tau.outerStride() : kLanes, nullptr, nullptr);
    if (!whole) {
      tau.middleRows(first, pack.count) = AsPacks(scratch.tau_, dofs()).topRows(pack.count);
    }
  }
  for (int joint = 0; joint < dofs(); ++joint) AddJointTorque(pi, joint, samples, tau);
  ForOwnTerms(pi, TermRows::kJoints, [&](const Term& term, double theta) {
    for (Eigen::Index k = 0; k < samples.size(); ++k) {
      const double v = term.Argument(term.Of(samples.qd, samples.qdd).row(k));
      const double torque = theta * term.Shape(v, friction_);
      for (const Term::Share& share : term.shares) tau(k, share.joint) += share.factor * torque;
    }
  });
}

void Dynamics::AddJointTorque(const Eigen::Ref<const Eigen::VectorXd>& pi, int joint,
                              const StateSamples& samples, Eigen::Ref<Eigen::MatrixXd>& tau) const {
  const double* const p = pi.data() + layout_.Joint(joint, JointParameter::kViscous);
  const auto add = [&](const auto& coulomb) {
    for (Eigen::Index k = 0; k < samples.size(); ++k) {
      const double qd = samples.qd(k, joint);
      tau(k, joint) += p[0] * qd + p[1] * coulomb(qd) + p[2] + p[3] * samples.qdd(k, joint);
    }
  };
  if (p[1] == 0.0) {
    add([](double) { return 0.0; });
  } else {
    add([width = friction_.WidthOf(joint)](double qd) {
      return FrictionShape::Coulomb(qd, width);
    });
  }
}

void Dynamics::Predict(const PlacedEquation& equation, const Eigen::Ref<const Eigen::VectorXd>& pi,
                       const StateSamples& samples, Scratch& scratch,
                       Eigen::Ref<Eigen::MatrixXd> measured) const {
  if (HasAbsent(pi, scratch))
    return Predict(equation, Acting(pi, scratch), samples, scratch, measured);
  const RowsFrom rows = InfoOf(equation.kind).rows;
  assert(rows != RowsFrom::kStateRows);
  assert(measured.rows() == samples.size() && measured.cols() == RowsOf(equation, dofs()));
  if (!equation.rows.empty()) {
    Eigen::MatrixXd all(samples.size(), RowsOf(equation.kind, dofs()));
    Predict({equation.kind, equation.cut}, pi, samples, scratch, all);
    measured = all(Eigen::all, equation.rows);
    return;
  }
  if (rows == RowsFrom::kTorqueRows) return InverseDynamics(pi, samples, scratch, measured);
  if (rows == RowsFrom::kWrenchRows) return BaseWrench(pi, samples, scratch, measured);
  if (rows == RowsFrom::kCutRows) {
    CutWrench(equation.cut, pi, samples, scratch, measured);
    if (!HasCalibration(model_, equation.cut)) return;
    // (1 + D)·w = W·π + o
    const Eigen::PartialPivLU<Eigen::Matrix<double, 6, 6>> lu(
        CalibrationOf(model_, equation.cut, pi));
    measured = lu.solve(measured.transpose()).transpose().eval();
    return;
  }
  if (rows == RowsFrom::kDriveRows) {
    InverseDynamics(pi, samples, scratch, measured);
    ForOwnTerms(pi, TermRows::kDrives, [&](const Term& term, double theta) {
      const auto input =
          samples.inputs->col(term.input).segment(samples.first_input, samples.size());
      for (const Term::Share& share : term.shares) {
        measured.col(share.joint) += share.factor * theta * input;
      }
    });
    return;
  }
  Eigen::MatrixXd tau(samples.size(), dofs());
  InverseDynamics(pi, samples, scratch, tau);
  auto& [map, T] = scratch.MapTo(equation.kind);
  for (Eigen::Index k = 0; k < samples.size(); ++k) {
    scratch.q_ = samples.q.row(k).transpose();
    map->At(scratch.q_, T);
    measured.row(k).noalias() = (T * tau.row(k).transpose()).transpose();
  }
}

void Dynamics::RightSide(const PlacedEquation& equation,
                         const Eigen::Ref<const Eigen::VectorXd>& pi, const StateSamples& samples,
                         Scratch& scratch, Eigen::Ref<Eigen::MatrixXd> side) const {
  if (equation.kind != Equation::kCut || !HasCalibration(model_, equation.cut)) {
    return Predict(equation, pi, samples, scratch, side);
  }
  if (HasAbsent(pi, scratch))
    return RightSide(equation, Acting(pi, scratch), samples, scratch, side);
  Eigen::MatrixXd all(samples.size(), RowsOf(equation.kind, dofs()));
  CutWrench(equation.cut, pi, samples, scratch, all);
  ForOwnTerms(pi, TermRows::kCut, [&](const Term& term, double theta) {
    if (term.cut != equation.cut || !IsCalibration(term)) return;
    const auto input = samples.inputs->col(term.input).segment(samples.first_input, all.rows());
    for (const Term::Share& share : term.shares) {
      all.col(share.joint) += share.factor * theta * input;
    }
  });
  side = all(Eigen::all, ChosenRows(equation, dofs()));
}

void Dynamics::BaseWrench(const Eigen::Ref<const Eigen::VectorXd>& pi, const StateSamples& samples,
                          Scratch& scratch, Eigen::Ref<Eigen::MatrixXd> wrench) const {
  WrenchAt(0, pi, samples, scratch, wrench);
}

void Dynamics::CutWrench(int cut, const Eigen::Ref<const Eigen::VectorXd>& pi,
                         const StateSamples& samples, Scratch& scratch,
                         Eigen::Ref<Eigen::MatrixXd> wrench) const {
  if (HasAbsent(pi, scratch)) return CutWrench(cut, Acting(pi, scratch), samples, scratch, wrench);
  const Cut& at = model_.cuts().at(static_cast<std::size_t>(cut));
  Eigen::VectorXd beyond = pi;
  if (!at.link_beyond) beyond.segment<kInertialCount>(layout_.Body(at.link)).setZero();
  WrenchAt(static_cast<std::size_t>(cut) + 1, beyond, samples, scratch, wrench);
  ForOwnTerms(pi, TermRows::kCut, [&](const Term& term, double theta) {
    if (term.cut != cut || IsCalibration(term)) return;
    for (const Term::Share& share : term.shares) wrench.col(share.joint).array() += theta;
  });
}

void Dynamics::WrenchAt(std::size_t cut, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        const StateSamples& samples, Scratch& scratch,
                        Eigen::Ref<Eigen::MatrixXd>& wrench) const {
  assert(pi.size() == layout_.size() && wrench.rows() == samples.size() && wrench.cols() == 6);
  const KernelModel view = View();
  const double* const links = LinksOf(pi, scratch);
  for (Eigen::Index first = 0; first < samples.size(); first += kLanes) {
    const KernelSamples pack = PackAt(samples, first, scratch);
    kernel_->inverse_dynamics(view, links, pack, scratch.kernel_.data(), scratch.tau_.data(),
                              kLanes, &cuts_[cut], scratch.wrench_.data());
    const Eigen::Index count = std::min<Eigen::Index>(kLanes, samples.size() - first);
    wrench.middleRows(first, count) = AsPacks(scratch.wrench_, 6).topRows(count);
  }
}

void Dynamics::TorqueRegressor(const Eigen::Ref<const Eigen::VectorXd>& q,
                               const Eigen::Ref<const Eigen::VectorXd>& qd,
                               const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch,
                               Eigen::Ref<Eigen::MatrixXd> Y) const {
  assert(Y.rows() == dofs() && Y.cols() == kInertialCount * dofs());
  kernel_->regressor(View(), PackOf(q, qd, qdd, scratch), {nullptr, 0}, scratch.kernel_.data(),
                     scratch.to_blocks_.data(), 0);
  // Ten columns at a time, known to the compiler.
  using Ten = Eigen::Matrix<double, 1, kInertialCount>;
  const double* blocks = scratch.blocks_.data();
  for (int row = 0; row < dofs(); ++row) {
    const int end = row + links_[static_cast<std::size_t>(row)].subtree_size;
    for (int link = 0; link < dofs(); ++link) {
      Eigen::Ref<Ten, 0, Eigen::InnerStride<>> entries =
          Y.row(row).segment<kInertialCount>(kInertialCount * link);
      if (link >= row && link < end) {
        entries = Eigen::Map<const Ten, 0, Eigen::InnerStride<kLanes>>(blocks);
        blocks += kLanes * kInertialCount;
      } else {
        entries.setZero();
      }
    }
  }
}

void Dynamics::WrenchRegressor(const Eigen::Ref<const Eigen::VectorXd>& q,
                               const Eigen::Ref<const Eigen::VectorXd>& qd,
                               const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch,
                               Eigen::Ref<Eigen::MatrixXd> Y) const {
  const Eigen::Index columns = kInertialCount * (dofs() + 1);
  assert(Y.rows() == 6 && Y.cols() == columns);
  kernel_->regressor(View(), PackOf(q, qd, qdd, scratch), {&cuts_[0], 1}, scratch.kernel_.data(),
                     scratch.to_blocks_.data(), 0);
  for (Eigen::Index row = 0; row < 6; ++row) {
    Y.row(row) = AsPacks(scratch.blocks_, columns, cuts_[0].first + row * columns).row(0);
  }
}

void Dynamics::MassMatrix(const Eigen::Ref<const Eigen::VectorXd>& pi,
                          const Eigen::Ref<const Eigen::VectorXd>& q, Scratch& scratch,
                          Eigen::Ref<Eigen::MatrixXd> M) const {
  if (HasAbsent(pi, scratch)) return MassMatrix(Acting(pi, scratch), q, scratch, M);
  const int n = dofs();
  assert(pi.size() == layout_.size() && q.size() == n && M.rows() == n && M.cols() == n);
  // Column k is the torque of the unit acceleration of joint k, at rest and without gravity: one
  // column for each lane.
  const KernelModel view = View(Eigen::Vector3d::Zero());
  const double* const links = LinksOf(pi, scratch);
  PackMatrix padded = AsPacks(scratch.padded_, 3 * n);
  for (int first = 0; first < n; first += kLanes) {
    padded.leftCols(n).rowwise() = q.transpose();
    padded.rightCols(2 * n).setZero();
    const int count = std::min(kLanes, n - first);
    for (int lane = 0; lane < count; ++lane) padded(lane, 2 * n + first + lane) = 1.0;
    const double* data = scratch.padded_.data();
    kernel_->inverse_dynamics(
        view, links, {data, data + n * kLanes, data + 2 * n * kLanes, kLanes, count},
        scratch.kernel_.data(), scratch.tau_.data(), kLanes, nullptr, nullptr);
    M.middleCols(first, count) = AsPacks(scratch.tau_, n).topRows(count).transpose();
  }
  M.triangularView<Eigen::StrictlyUpper>() = M.transpose();
  for (int i = 0; i < n; ++i) M(i, i) += pi[layout_.Joint(i, JointParameter::kRotorInertia)];
  ForOwnTerms(pi, TermRows::kJoints, [&M](const Term& term, double theta) {
    if (term.argument != TermArgument::kAcceleration) return;
    for (const Term::Share& a : term.shares) {
      for (const Term::Share& b : term.shares) M(a.joint, b.joint) += theta * a.factor * b.factor;
    }
  });
}

Eigen::VectorXd Dynamics::ForwardDynamics(const Eigen::Ref<const Eigen::VectorXd>& pi,
                                          const Eigen::Ref<const Eigen::VectorXd>& q,
                                          const Eigen::Ref<const Eigen::VectorXd>& qd,
                                          const Eigen::Ref<const Eigen::VectorXd>& tau,
                                          Scratch& scratch) const {
  Eigen::VectorXd rest(dofs());
  InverseDynamics(pi, q, qd, Eigen::VectorXd::Zero(dofs()), scratch, rest);
  rest = tau - rest;
  Eigen::MatrixXd M(dofs(), dofs());
  MassMatrix(pi, q, scratch, M);
  const Eigen::LLT<Eigen::MatrixXd> cholesky(M);
  if (cholesky.info() != Eigen::Success) {
    throw std::domain_error("forward dynamics: the mass matrix is not positive definite here");
  }
  return cholesky.solve(rest);
}

}  // namespace idbench
