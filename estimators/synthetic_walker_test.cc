#include "estimators/synthetic_walker_test.h"

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "estimators/synthetic_test.h"
#include "robots/random/random_stream.h"

namespace idbench {
namespace {

constexpr double kGravity = 9.81;

/// A link that turns about y, its joint at `z` on its parent's line.
Link OnLine(const char* name, const char* joint, int parent, double z) {
  Link link;
  link.name = name;
  link.joint = joint;
  link.parent = parent;
  link.p0 = {0.0, 0.0, z};
  link.axis = Eigen::Vector3d::UnitY();
  return link;
}

RobotModel MakeModel(const char* name, std::vector<Link> links) {
  const Eigen::VectorXd unlimited =
      Eigen::VectorXd::Constant(static_cast<Eigen::Index>(links.size()), 1e300);
  return {name,
          "ground",
          std::move(links),
          {0.0, 0.0, -kGravity},
          {-unlimited, unlimited, unlimited, unlimited, unlimited}};
}

/// A body on its link's line: mass, place of its centre, moment about it.
Eigen::Matrix<double, kInertialCount, 1> Rod(double mass, double center, double inertia) {
  return ToStandard({mass, {0.0, 0.0, center}, Eigen::Vector3d::Constant(inertia).asDiagonal()});
}

/// Chebyshev's series Σ_j c_j·T_j(x).
double Chebyshev(std::span<const double> c, double x) {
  double last = 0.0, sum = 0.0;
  for (std::size_t j = c.size(); j-- > 0;) last = std::exchange(sum, 2.0 * x * sum - last + c[j]);
  return sum - x * last;
}

Problem WalkerProblem(const RobotModel& model, const Eigen::VectorXd& pi,
                      const std::vector<JointParameter>& friction) {
  constexpr FrictionShape kShape{.coulomb_width_rad_s = 0.05};
  Problem problem{
      model,
      kShape,
      PlanarLagrangianParametrisation(model, PlanarLagrangian(model, pi, friction, kShape)),
      {},
      {}};
  Eigen::VectorXd guess = problem.parameters.FromPi(pi);
  for (Eigen::Index k = 0; k < guess.size(); ++k) guess[k] *= k % 2 == 0 ? 1.3 : 0.7;
  problem.parameters.prior = Parametrisation::Prior{guess, std::nullopt};
  return problem;
}

/// q, q̇ and q̈ of N samples, each n × N.
struct SimulatedMotion {
  Eigen::MatrixXd q, qd, qdd, u;
};

SimulatedMotion Simulate(const SyntheticWalker& walker, Eigen::Index samples, double Ts) {
  const PlanarLagrangian& lagrangian = *walker.problem.parameters.lagrangian();
  const Eigen::Index n = lagrangian.dofs();
  const Eigen::MatrixXd& B = walker.problem.model.actuation().B;
  Eigen::VectorXd qdd(n), tau(n);
  const auto slope = [&](double t, const Eigen::VectorXd& x) {
    tau = B * walker.torque(t);
    const bool moves = lagrangian.ForwardDynamics(walker.beta, x.head(n), x.tail(n), tau, qdd);
    assert(moves);
    static_cast<void>(moves);
    Eigen::VectorXd xd(2 * n);
    xd << x.tail(n), qdd;
    return xd;
  };
  SimulatedMotion motion;
  for (Eigen::MatrixXd* part : {&motion.q, &motion.qd, &motion.qdd}) part->resize(n, samples);
  motion.u.resize(B.cols(), samples);
  const int steps = static_cast<int>(std::ceil(Ts / 1e-3 - 1e-9));
  const double h = Ts / steps;
  Eigen::VectorXd x = walker.x0;
  for (Eigen::Index k = 0; k < samples; ++k) {
    const double t_k = Ts * static_cast<double>(k);
    motion.q.col(k) = x.head(n);
    motion.qd.col(k) = x.tail(n);
    motion.qdd.col(k) = slope(t_k, x).tail(n);
    motion.u.col(k) = walker.torque(t_k);
    for (int step = 0; step < steps; ++step) {
      const double t = t_k + h * step;
      const Eigen::VectorXd k1 = slope(t, x), k2 = slope(t + 0.5 * h, x + 0.5 * h * k1),
                            k3 = slope(t + 0.5 * h, x + 0.5 * h * k2),
                            k4 = slope(t + h, x + h * k3);
      x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
  }
  return motion;
}

/// What an IMU reads along the first link's axes, by kinematics in the world's: at
/// p = R·s, R = Rot(y, q1), p̈ + g·ẑ in the link's axes.
Eigen::Matrix3Xd Accelerations(const RobotModel& model, const SimulatedMotion& motion) {
  const Eigen::Vector3d s = model.imu()->p_LS_L, y = Eigen::Vector3d::UnitY();
  Eigen::Matrix3Xd reading(3, motion.q.cols());
  for (Eigen::Index k = 0; k < reading.cols(); ++k) {
    const Eigen::Matrix3d R = Eigen::AngleAxisd(motion.q(0, k), y).toRotationMatrix();
    const Eigen::Vector3d p = R * s, w = motion.qd(0, k) * y;
    const Eigen::Vector3d a = motion.qdd(0, k) * y.cross(p) + w.cross(w.cross(p));
    reading.col(k) = R.transpose() * (a + kGravity * Eigen::Vector3d::UnitZ());
  }
  return reading;
}

/// Where the meter's light meets the ground, z = 0.
Eigen::RowVectorXd Distances(const RobotModel& model, const SimulatedMotion& motion) {
  const DistanceMeter& meter = *model.distance_meter();
  Eigen::RowVectorXd reading(motion.q.cols());
  for (Eigen::Index k = 0; k < reading.cols(); ++k) {
    const Eigen::Matrix3d R =
        Eigen::AngleAxisd(motion.q(0, k), Eigen::Vector3d::UnitY()).toRotationMatrix();
    reading[k] = -(R * meter.p_LS_L).z() / (R * meter.axis_L).z();
  }
  return reading;
}

}  // namespace

SyntheticWalker SyntheticWalker::Biped() {
  RobotModel model =
      MakeModel("biped", {OnLine("stance", "q1", -1, 0.0), OnLine("swing", "q2", 0, 1.0),
                          OnLine("torso", "q3", 0, 1.0)});
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(3, 2);
  B.row(1) << 0.0, -1.0;
  B.row(2) << 1.0, 1.0;
  model.SetActuation({{"u1", "u2"}, B});
  const double gamma3 = 0.6;
  model.SetDistanceMeter({0, {0.0, 0.0, 0.5}, {std::sin(gamma3), 0.0, -std::cos(gamma3)}});
  const ParameterLayout layout(3);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  pi.segment<kInertialCount>(layout.Body(0)) = Rod(5.0, 0.5, 0.0);
  pi.segment<kInertialCount>(layout.Body(1)) = Rod(5.0, 0.5, 0.0);
  pi.segment<kInertialCount>(layout.Body(2)) = Rod(25.0, 0.2, 1.5);
  SyntheticWalker walker{WalkerProblem(model, pi, {}), {}, {}, {}, 0.68, {}};
  walker.beta = walker.problem.parameters.FromPi(pi);
  walker.x0.resize(6);
  walker.x0 << -0.3927, 3.927, 0.9163, 1.42, 3.4, -0.7;
  walker.torque = [](double t) -> Eigen::VectorXd {
    static constexpr double kU1[] = {-42.7719, 36.6241, -27.4759, 6.4159, 8.4951, -5.7072,
                                     1.1976,   0.1476,  -0.118,   0.0168, 0.0168};
    static constexpr double kU2[] = {19.9956, -18.3253, 28.9376, -9.0701, -5.7891, 5.5418,
                                     -1.9777, 0.1384,   0.2658,  -0.2081, 0.0651};
    const double x = 2.0 * t / 0.68 - 1.0;
    return Eigen::Vector2d(Chebyshev(kU1, x), Chebyshev(kU2, x));
  };
  return walker;
}

SyntheticWalker SyntheticWalker::Leg() {
  RobotModel model =
      MakeModel("leg", {OnLine("thigh", "hip", -1, 0.0), OnLine("shank", "knee", 0, -0.4)});
  model.SetActuation({{"motor"}, Eigen::Vector2d(0.0, 1.0)});
  model.SetImu({0, {0.0, 0.0, -0.3}});
  const ParameterLayout layout(2);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  pi.segment<kInertialCount>(layout.Body(0)) = Rod(1.6, -0.18, 0.022);
  pi.segment<kInertialCount>(layout.Body(1)) = Rod(1.0, -0.18, 0.014);
  const double viscous[] = {0.02, 0.05}, coulomb[] = {0.02, 0.15};
  for (int j = 0; j < 2; ++j) {
    pi[layout.Joint(j, JointParameter::kViscous)] = viscous[j];
    pi[layout.Joint(j, JointParameter::kCoulomb)] = coulomb[j];
  }
  SyntheticWalker walker{
      WalkerProblem(model, pi, {JointParameter::kViscous, JointParameter::kCoulomb}),
      {},
      Eigen::VectorXd::Zero(4),
      {},
      4.0,
      {.motor_nm = 0.02}};
  walker.beta = walker.problem.parameters.FromPi(pi);
  walker.torque = [](double t) -> Eigen::VectorXd {
    static constexpr double kSines[][3] = {
        {0.64, 0.35, 0.0}, {0.56, 0.7, 1.0}, {0.4, 1.1, 2.0}, {0.24, 1.8, 0.5}};
    double u = 0.0;
    for (const auto& [amplitude, hz, phase] : kSines) {
      u += amplitude * std::sin(2.0 * std::numbers::pi * hz * t + phase);
    }
    return Eigen::VectorXd::Constant(1, u);
  };
  return walker;
}

Dataset SyntheticWalker::Record(const std::string& label, double noise_scale, int trial, Role role,
                                double rate_hz) const {
  const auto samples = static_cast<Eigen::Index>(std::lround(duration_s * rate_hz)) + 1;
  const double Ts = duration_s / static_cast<double>(samples - 1);
  const SimulatedMotion motion = Simulate(*this, samples, Ts);
  const Eigen::VectorXd time_s = Eigen::VectorXd::LinSpaced(samples, 0.0, duration_s);
  const Eigen::Index n = problem.model.dofs();
  Dataset dataset(label, role);
  const auto add = [&](std::string_view name, const char* unit, Eigen::MatrixXd values,
                       const Eigen::VectorXd& sigma) {
    const RandomStream stream(1, trial, label + "/" + std::string(name) + "/gaussian");
    for (Eigen::Index k = 0; k < samples; ++k) {
      for (Eigen::Index c = 0; c < values.rows(); ++c) {
        values(c, k) += noise_scale * sigma[c] *
                        stream.Normal(static_cast<std::uint64_t>(c), static_cast<std::uint64_t>(k));
      }
    }
    dataset.Add({std::string(name), unit, time_s, values.transpose(), sigma, Origin::kMeasured});
  };
  Eigen::VectorXd sigma_q = Eigen::VectorXd::Zero(n);
  sigma_q[0] = noise.q1_rad;
  add(kJointPosition, "rad", motion.q, sigma_q);
  add(kActuatorTorque, "N·m", motion.u, Eigen::VectorXd::Constant(motion.u.rows(), noise.motor_nm));
  add(kHallPosition, "rad", motion.q, Eigen::VectorXd::Constant(n, noise.hall_rad));
  if (problem.model.imu()) {
    Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(3, samples);
    rates.row(1) = motion.qd.row(0);
    add(kAccelerometer, "m/s²", Accelerations(problem.model, motion),
        Eigen::Vector3d::Constant(noise.accelerometer_m_s2));
    add(kGyroscope, "rad/s", rates, Eigen::Vector3d::Constant(noise.gyroscope_rad_s));
  }
  if (problem.model.distance_meter()) {
    add(kDistance, "m", Distances(problem.model, motion),
        Eigen::VectorXd::Constant(1, noise.distance_m));
  }
  return dataset;
}

const SyntheticWalker& Biped() {
  static const SyntheticWalker walker = SyntheticWalker::Biped();
  return walker;
}

Dataset AtRest(const Dataset& dataset) {
  return WithChannel(dataset, kJointPosition, [](Eigen::MatrixXd& samples) {
    for (Eigen::Index j = 0; j < samples.cols(); ++j) {
      samples.col(j).setConstant(0.3 - 0.7 * static_cast<double>(j));
    }
  });
}

double LargestRelativeError(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  return ((x - y).array() / y.array()).abs().maxCoeff();
}

}  // namespace idbench
