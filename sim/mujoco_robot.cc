#include "sim/mujoco_robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "robots/plant/plant_error.h"

namespace idbench {
namespace {

/// Beyond this no robot moves; MuJoCo itself complains at 1e10, and not about every number.
constexpr double kDiverged = 1e8;

/// Behind a wall an experiment may begin no deeper [m], and with no greater force of its spring
/// [N].
constexpr double kDeepestStart = 0.01;
constexpr double kHardestStart = 100.0;
/// Part of its velocity that a contact may lose to the damping of a wall in one step, so that steps
/// resolve an impact.
constexpr double kHardestDamping = 0.5;

bool IsSane(double value) { return std::abs(value) < kDiverged; }  // false for NaN

[[noreturn]] void Diverged(double t, const std::string& joint, std::string_view what,
                           double value) {
  throw PlantError(fmt::format("simulation diverged at t = {:.6g} s: {} of joint '{}' is {:.6g}", t,
                               what, joint, value));
}

/// True if MuJoCo's integrator does nothing but q̇ ← q̇ + h·q̈ and q ← q + h·q̇: no force depends on
/// the velocity implicitly, and there is no further state.
bool IsSemiImplicitEuler(const mjModel& model) {
  constexpr int kAllOff = mjDSBL_CONSTRAINT | mjDSBL_DAMPER | mjDSBL_ACTUATION;
  const int integrator = model.opt.integrator;
  return (model.opt.disableflags & kAllOff) == kAllOff && model.opt.viscosity == 0.0 &&
         model.opt.density == 0.0 &&
         (integrator == mjINT_EULER || integrator == mjINT_IMPLICITFAST ||
          integrator == mjINT_DISCRETE);
}

}  // namespace

MujocoRobot::MujocoRobot(const Scene& scene)
    : robot_(scene.robot),
      model_(robot_),
      data_(mj_makeData(&robot_.model())),
      semi_implicit_(IsSemiImplicitEuler(robot_.model())),
      inertia_(Eigen::MatrixXd::Zero(robot_.dofs(), robot_.dofs())),
      M_(inertia_),
      damped_M_(inertia_),
      mean_qdd_(Eigen::VectorXd::Zero(robot_.dofs())),
      cholesky_(robot_.dofs()),
      delta_(Eigen::VectorXd::Zero(robot_.dofs())),
      bristles_(Eigen::VectorXd::Zero(robot_.dofs())),
      presliding_(robot_),
      law_tau_(Eigen::VectorXd::Zero(robot_.dofs())),
      term_tau_(Eigen::VectorXd::Zero(robot_.dofs())),
      load_(Eigen::VectorXd::Zero(robot_.dofs())),
      no_load_(load_),
      stage_(JointState::Zero(robot_.dofs())) {
  if (scene.environment != nullptr) {
    outside_.emplace(scene);
    if (scene.environment->motor_noise) noise_ = &*scene.environment->motor_noise;
    if (!scene.environment->walls.empty()) {
      if (const auto why = WhyNoWalls(robot_.options(), robot_.mismatch())) {
        throw std::invalid_argument("MujocoRobot: " + *why);
      }
    }
  }
  if (robot_.options().friction_integration == FrictionIntegration::kImplicit) {
    implicit_friction_.emplace(robot_);
  }
}

void MujocoRobot::Reset(const Eigen::VectorXd& q, const Eigen::VectorXd& qd) {
  if (q.size() != dofs() || qd.size() != dofs()) {
    throw std::invalid_argument(
        fmt::format("MujocoRobot::Reset: got {} positions and {} velocities for {} joints",
                    q.size(), qd.size(), dofs()));
  }
  mj_resetData(&model_.get(), data_.get());
  for (int i = 0; i < dofs(); ++i) {
    data_->qpos[robot_.qpos_address(i)] = q(i);
    data_->qvel[robot_.dof_address(i)] = qd(i);
  }
  bristles_.setZero();
  presliding_.Reset();
  steps_ = 0;
}

void MujocoRobot::State(JointState& state) const {
  for (int i = 0; i < dofs(); ++i) {
    state.q(i) = data_->qpos[robot_.qpos_address(i)];
    state.qd(i) = data_->qvel[robot_.dof_address(i)];
  }
}

void MujocoRobot::Step(const Eigen::VectorXd& tau_command, TrueSample& sample) {
  Begin(tau_command, sample);
  if (semi_implicit_) {
    Integrate(sample);
  } else {
    mj_step(&model_.get(), data_.get());
  }
  End(sample);
}

void MujocoRobot::Step(const TorqueLaw& law, TrueSample& sample) {
  const double t = static_cast<double>(steps_) * step_s();
  law.At(t, law_tau_);
  if (model_.get().opt.integrator != mjINT_RK4) return Step(law_tau_, sample);
  Begin(law_tau_, sample);
  IntegrateLaw(law, t);
  End(sample);
}

void MujocoRobot::Begin(const Eigen::VectorXd& tau, TrueSample& sample) {
  sample.t = static_cast<double>(steps_) * step_s();
  sample.tau.resize(dofs());
  for (int i = 0; i < dofs(); ++i) sample.tau(i) = Resolved(i, tau(i));
  State(sample.state);
  CheckBefore(sample);
  model_.Set(sample.t);
  Accelerate(sample.t, sample.tau, sample.state);
  for (int i = 0; i < dofs(); ++i) sample.state.qdd(i) = data_->qacc[robot_.dof_address(i)];
}

void MujocoRobot::End(const TrueSample& sample) {
  ++steps_;
  CheckAfter(sample);
  AdvanceBristles(sample);
}

void MujocoRobot::Accelerate(double t, const Eigen::VectorXd& tau, const JointState& state) {
  const double factor = robot_.FrictionFactor(t);
  term_tau_.setZero();
  robot_.AddTermTorques(factor, state.qd, term_tau_);
  presliding_.AddTorques(factor, state.qd, no_load_, term_tau_);
  if (noise_ != nullptr) noise_->SubtractFrom(t, term_tau_);
  const bool loaded = robot_.friction().GrowsWithLoad();
  for (int i = 0; i < dofs(); ++i) {
    double& left = data_->qfrc_applied[robot_.dof_address(i)];
    left = tau(i) - Losses(i, state, factor) - term_tau_(i);
    if (loaded) left = load_(i) = LoadUnder(i, left, state.qd(i), factor);
  }
  if (outside_) {
    outside_->Set(t);
    // Where the bodies are is computed first, and once.
    if (outside_->may_act()) mj_fwdPosition(&model_.get(), data_.get());
    outside_->Find(model_.get(), *data_);
    outside_->Apply(*data_);
    if (outside_->may_act()) return mj_forwardSkip(&model_.get(), data_.get(), mjSTAGE_POS, 0);
  }
  // mj_step() would factorise M a second time, for derivatives that are 0 here, and RK4 leaves the
  // acceleration of its last stage.
  mj_forward(&model_.get(), data_.get());
}

void MujocoRobot::IntegrateLaw(const TorqueLaw& law, double t) {
  struct Stage {
    double node, weight;
  };
  static constexpr Stage kFurther[] = {{0.5, 2.0}, {0.5, 2.0}, {1.0, 1.0}};
  const double h = step_s();
  // All joints are hinges and slides, so positions add up like velocities.
  Eigen::Map<Eigen::VectorXd> q(data_->qpos, dofs());
  Eigen::Map<Eigen::VectorXd> qd(data_->qvel, dofs());
  const Eigen::Map<const Eigen::VectorXd> qdd(data_->qacc, dofs());
  const Eigen::VectorXd q0 = q;
  const Eigen::VectorXd qd0 = qd;
  Eigen::VectorXd velocity = qd;
  Eigen::VectorXd acceleration = qdd;
  Eigen::VectorXd q_slope = velocity;
  Eigen::VectorXd qd_slope = acceleration;
  for (const Stage& stage : kFurther) {
    q = q0 + stage.node * h * velocity;
    qd = qd0 + stage.node * h * acceleration;
    State(stage_);
    law.At(t + stage.node * h, law_tau_);
    for (int i = 0; i < dofs(); ++i) law_tau_(i) = Resolved(i, law_tau_(i));
    Accelerate(t + stage.node * h, law_tau_, stage_);
    velocity = qd;
    acceleration = qdd;
    q_slope += stage.weight * velocity;
    qd_slope += stage.weight * acceleration;
  }
  q = q0 + h / 6.0 * q_slope;
  qd = qd0 + h / 6.0 * qd_slope;
  data_->time += h;
}

double MujocoRobot::Resolved(int i, double tau) const {
  return robot_.mismatch().Resolved(static_cast<std::size_t>(i), tau);
}

double MujocoRobot::Losses(int i, const JointState& state, double factor) const {
  const double losses =
      robot_.FrictionTorque(i, state.qd(i), factor) + robot_.PositionTorque(i, state.q(i));
  const std::optional<LugreOptions>& lugre = robot_.mismatch().lugre;
  const auto joint = static_cast<std::size_t>(i);
  if (!lugre || !lugre->Acts(joint)) return losses;
  return losses + factor * lugre->Torque(joint, bristles_(i), state.qd(i));
}

double MujocoRobot::LoadUnder(int i, double rest, double qd, double factor) const {
  const double shape = presliding_.StateOf(i).value_or(robot_.friction_shape().Coulomb(qd));
  return robot_.friction().LoadUnder(i, rest, shape, factor);
}

void MujocoRobot::AdvanceBristles(const TrueSample& sample) {
  if (presliding_.acts()) {
    State(stage_);
    presliding_.Advance(sample.state.q, stage_.q);
  }
  const std::optional<LugreOptions>& lugre = robot_.mismatch().lugre;
  if (!lugre) return;
  for (int i = 0; i < dofs(); ++i) {
    const auto joint = static_cast<std::size_t>(i);
    if (!lugre->Acts(joint)) continue;
    // The velocity after the step, like the position in a semi-implicit step: with the one before,
    // a stiff bristle would gain energy.
    bristles_(i) =
        lugre->Advance(joint, bristles_(i), data_->qvel[robot_.dof_address(i)], step_s());
  }
}

void MujocoRobot::AccelerateImplicitly(const TrueSample& sample) {
  const JointState& state = sample.state;
  if (!(state.qdd.lpNorm<Eigen::Infinity>() < kDiverged)) return;  // CheckAfter() tells it
  mj_fullM(&model_.get(), data_.get(), inertia_.data());
  for (int i = 0; i < dofs(); ++i) {
    for (int j = 0; j < dofs(); ++j) {
      M_(i, j) = inertia_(robot_.dof_address(i), robot_.dof_address(j));
    }
  }
  const bool contact = InContact();
  if (contact) {
    CheckContacts(data_->time);
    damped_M_ = M_;
    for (const WallContact& each : outside_->contacts()) {
      if (each.presses()) each.AddDamping(step_s(), damped_M_);
    }
    cholesky_.compute(damped_M_);
    mean_qdd_.noalias() = M_ * state.qdd;
    cholesky_.solveInPlace(mean_qdd_);
  }
  const Eigen::VectorXd& qdd = contact ? mean_qdd_ : state.qdd;
  if (implicit_friction_) {
    implicit_friction_->Step(
        contact ? damped_M_ : M_, state.qd, qdd, load_,
        {robot_.FrictionFactor(sample.t), robot_.FrictionFactor(sample.t + step_s())}, delta_);
  } else {
    delta_ = step_s() * qdd;
  }
  for (int i = 0; i < dofs(); ++i) data_->qvel[robot_.dof_address(i)] += delta_(i);
}

bool MujocoRobot::InContact() const {
  return outside_ && std::ranges::any_of(outside_->contacts(), &WallContact::presses);
}

void MujocoRobot::CheckContacts(double t) {
  cholesky_.compute(M_);
  for (const WallContact& contact : outside_->contacts()) {
    if (!contact.presses()) continue;
    const Wall& wall = contact.wall();
    const double spring = wall.stiffness * contact.depth();
    if (steps_ == 0 && (contact.depth() > kDeepestStart || spring > kHardestStart)) {
      throw PlantError(fmt::format(
          "the experiment begins {:.3g} m inside {}, whose spring pushes with {:.3g} N: does its "
          "normal point towards the robot?",
          contact.depth(), wall.name, spring));
    }
    const double mobility = contact.Mobility(cholesky_);
    const double resolved_s = kHardestDamping / (wall.damping * mobility);
    if (step_s() > resolved_s) {
      throw PlantError(fmt::format(
          "the damping of {} is too hard for the step at t = {:.6g} s: timestep_s is {} s, at most "
          "{:.3g} s does; or take a smaller damping_ns_m",
          wall.name, t, step_s(), resolved_s));
    }
    const double longest_s = kStiffestContact / std::sqrt(wall.stiffness * mobility);
    if (step_s() <= longest_s) continue;
    throw PlantError(fmt::format(
        "{} is too stiff for the step at t = {:.6g} s: timestep_s is {} s, at most {:.3g} s does; "
        "or take a smaller stiffness_n_m",
        wall.name, t, step_s(), longest_s));
  }
}

void MujocoRobot::Integrate(const TrueSample& sample) {
  const mjModel& model = robot_.model();
  if (implicit_friction_ || InContact()) {
    AccelerateImplicitly(sample);
  } else {
    for (int i = 0; i < model.nv; ++i) data_->qvel[i] += step_s() * data_->qacc[i];
  }
  mj_integratePos(&model, data_->qpos, data_->qvel, step_s());
  data_->time += step_s();
}

void MujocoRobot::CheckBefore(const TrueSample& sample) const {
  if (steps_ >= robot_.options().max_steps) {
    throw PlantError(fmt::format("the experiment takes more than max_steps = {} steps of {} s",
                                 robot_.options().max_steps, step_s()));
  }
  for (int i = 0; i < dofs(); ++i) {
    const std::string& joint = robot_.joint_names()[static_cast<std::size_t>(i)];
    const double q = sample.state.q(i);
    if (!IsSane(q)) Diverged(sample.t, joint, "position", q);
    if (!IsSane(sample.state.qd(i))) Diverged(sample.t, joint, "velocity", sample.state.qd(i));
    if (!IsSane(sample.tau(i))) Diverged(sample.t, joint, "commanded torque", sample.tau(i));
    if (q < robot_.lower(i) || q > robot_.upper(i)) {
      throw StopHit(
          i, fmt::format("joint '{}' hit its stop at t = {:.6g} s: position {:.6g}, range [{}, {}]",
                         joint, sample.t, q, robot_.lower(i), robot_.upper(i)));
    }
  }
}

void MujocoRobot::CheckAfter(const TrueSample& sample) const {
  for (int kind = 0; kind < mjNWARNING; ++kind) {
    // Bad numbers are found below and before the next step, where the joint is known by name.
    const bool bad_number =
        kind == mjWARN_BADQPOS || kind == mjWARN_BADQVEL || kind == mjWARN_BADQACC;
    if (bad_number || data_->warning[kind].number == 0) continue;
    const auto info = static_cast<std::size_t>(data_->warning[kind].lastinfo);
    throw PlantError(fmt::format("simulation failed at t = {:.6g} s: {}", sample.t,
                                 mju_warningText(kind, info)));
  }
  for (int i = 0; i < dofs(); ++i) {
    if (IsSane(sample.state.qdd(i))) continue;
    Diverged(sample.t, robot_.joint_names()[static_cast<std::size_t>(i)], "acceleration",
             sample.state.qdd(i));
  }
}

}  // namespace idbench
