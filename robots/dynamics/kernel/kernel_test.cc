#include "robots/dynamics/kernel/kernel.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mujoco_reference_test.h"
#include "robots/robot.h"

namespace idbench {
namespace {

/// The kernel for `isa`, nullptr if this processor does not run it.
const Kernel* FindKernel(const char* isa) {
  try {
    return &SelectKernel(isa);
  } catch (const std::invalid_argument&) {
    MESSAGE("this processor does not run ", isa, ": not compared");
    return nullptr;
  }
}

/// All that a kernel computes, on states that fill packs, blocks of packs and a remainder of one.
struct Results {
  Results(RobotModel model, const Kernel& kernel) {
    model.SetCuts({{.name = "at", .link = 1},
                   {.name = "beside", .link = 0, .p_LS_L = Eigen::Vector3d(0.1, 0.2, -0.3)}});
    const Dynamics dynamics(model, FrictionShape{0.3}, kernel);
    Dynamics::Scratch scratch(dynamics);
    const FixedStates states = MakeFixedStates(model, 297, 41);
    Eigen::VectorXd pi(dynamics.layout().size());
    for (Eigen::Index k = 0; k < pi.size(); ++k)
      pi[k] = std::sin(1.0 + 2.3 * static_cast<double>(k));
    tau.resize(297, model.dofs());
    wrench.resize(297, 18);
    dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
    dynamics.BaseWrench(pi, states.samples(), scratch, wrench.leftCols(6));
    dynamics.CutWrench(0, pi, states.samples(), scratch, wrench.middleCols(6, 6));
    dynamics.CutWrench(1, pi, states.samples(), scratch, wrench.rightCols(6));
    const std::vector<PlacedEquation> equations = {
        Equation::kTorque, Equation::kWrench, {Equation::kCut, 0}, {Equation::kCut, 1}};
    const RowRegressor rows(dynamics, equations,
                            ConsideredParameters(model, equations, {JointParameter::kCoulomb}));
    rows.Dense(states.samples(), scratch, W);
    Eigen::MatrixXd y(297, rows.row_count());
    y << tau, wrench;
    rows.Gram(states.samples(), y, scratch, grams);
    rows.Gradient(states.samples(), W, scratch, gradient);
  }

  Eigen::MatrixXd tau, wrench;
  StateGradient gradient;
  std::vector<Eigen::MatrixXd> W, grams;
};

std::vector<RobotModel> ModelsForKernels() {
  return {LoadRobot("barrett_wam7").model, MujocoReference::FromText(kOddTree).tree.model};
}

TEST_CASE("AVX2 and AVX-512 give the same bits") {
  const Kernel* const avx2 = FindKernel("avx2");
  const Kernel* const avx512 = FindKernel("avx512");
  if (avx2 == nullptr || avx512 == nullptr) return;
  for (const RobotModel& model : ModelsForKernels()) {
    const Results narrow(model, *avx2), wide(model, *avx512);
    CHECK(narrow.tau == wide.tau);
    CHECK(narrow.wrench == wide.wrench);
    CHECK(narrow.W == wide.W);
    CHECK(narrow.grams == wide.grams);
    CHECK(narrow.gradient.q == wide.gradient.q);
    CHECK(narrow.gradient.qd == wide.gradient.qd);
    CHECK(narrow.gradient.qdd == wide.gradient.qdd);
  }
}

TEST_CASE("The baseline, which rounds twice where others fuse, agrees to 1e-13") {
  for (const char* isa : {"avx2", "avx512"}) {
    const Kernel* const kernel = FindKernel(isa);
    if (kernel == nullptr) continue;
    for (const RobotModel& model : ModelsForKernels()) {
      const Results results(model, *kernel), baseline(model, BaselineKernel());
      const auto close = [](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
        return (a - b).norm() <= 1e-13 * b.norm();  // round-off over eight joints
      };
      CHECK(close(results.tau, baseline.tau));
      CHECK(close(results.wrench, baseline.wrench));
      CHECK(close(results.gradient.q, baseline.gradient.q));
      CHECK(close(results.gradient.qd, baseline.gradient.qd));
      CHECK(close(results.gradient.qdd, baseline.gradient.qdd));
      for (std::size_t r = 0; r < baseline.W.size(); ++r) {
        CHECK(close(results.W[r], baseline.W[r]));
        CHECK(close(results.grams[r], baseline.grams[r]));
      }
    }
  }
}

/// Gravity of 1 m/s² on first moments of 1 kg·m: the torque of a hinge is sin q, or cos q.
Eigen::VectorXd SineOrCosine(const Eigen::VectorXd& q, int moment, double sign) {
  Link link;
  link.axis = Eigen::Vector3d::UnitY();
  const Eigen::VectorXd none = Eigen::VectorXd::Ones(1);
  const RobotModel model("hinge", "base", {link}, {0.0, 0.0, -1.0}, {none, none, none, none, none});
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(dynamics.layout().size());
  pi[dynamics.layout().Body(0) + moment] = sign;
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(q.size(), 1);
  Eigen::MatrixXd tau(q.size(), 1);
  dynamics.InverseDynamics(pi, {q, rest, rest}, scratch, tau);
  return tau.col(0);
}

TEST_CASE("Sines and cosines are right to two units in the last place up to a million radians") {
  // Even steps on a logarithmic scale, with odd neighbours: every pack holds near and far angles.
  const Eigen::Index count = 20000;
  Eigen::VectorXd q(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const double part = static_cast<double>(k * 7919 % count) / static_cast<double>(count);
    q[k] = (k % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, -6.0 + 12.0 * part);
  }
  for (int k = 0; k < 100; ++k) q[k] = 0.5 * std::numbers::pi * (k - 50);  // where one is nearly 0
  const Eigen::VectorXd sine = SineOrCosine(q, 3, -1.0);
  const Eigen::VectorXd cosine = SineOrCosine(q, 1, -1.0);
  const auto units = [](double value, long double exact) {
    const double near = static_cast<double>(exact);
    const double unit = std::nextafter(std::abs(near), 2.0) - std::abs(near);
    return static_cast<double>(std::abs(static_cast<long double>(value) - exact)) / unit;
  };
  double worst = 0.0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto angle = static_cast<long double>(q[k]);
    worst = std::max({worst, units(sine[k], std::sin(angle)), units(cosine[k], std::cos(angle))});
  }
  CHECK(worst < 2.0);
}

TEST_CASE("Without a wish the widest kernel is taken, with one the one that it names") {
  CHECK(std::string(SelectKernel("baseline").name) == "baseline");
  for (const char* isa : {"avx2", "avx512"}) {
    const Kernel* const kernel = FindKernel(isa);
    if (kernel == nullptr) continue;
    CHECK(std::string(kernel->name) == isa);
    CHECK(std::string(SelectKernel(nullptr).name) != "baseline");
  }
  const char* const wish = std::getenv("IDBENCH_ISA");
  CHECK(&ActiveKernel() == &SelectKernel(wish));
}

TEST_CASE("An instruction set that does not exist is refused with those that do") {
  std::string usable;
  for (const char* isa : {"avx512", "avx2", "baseline"}) {
    if (FindKernel(isa) != nullptr) usable += (usable.empty() ? "" : ", ") + std::string(isa);
  }
  const std::string message = "IDBENCH_ISA: got 'sse9'; this processor runs: " + usable;
  CHECK_THROWS_WITH_AS(static_cast<void>(SelectKernel("sse9")), message.c_str(),
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
