#include "robots/control/control_loop.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace idbench {
namespace {

/// Asks for the same torque at all times.
class SameTorque : public Controller {
 public:
  explicit SameTorque(Eigen::VectorXd tau) : tau_(std::move(tau)) {}
  double hold_s() const override { return 0.25; }
  void Act(const JointState&, const Reading&, Command& command) override { command.value = tau_; }

 private:
  Eigen::VectorXd tau_;
};

TEST_CASE("Torques beyond a joint's limit are clipped on both sides, held as long as before") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EffortLimited limited(std::make_unique<SameTorque>(Eigen::Vector4d(5.0, -5.0, 2.0, -1e9)),
                        Eigen::Vector4d(3.0, 3.0, 3.0, kInf));
  Command command = Command::Zero(4);
  limited.Act(JointState::Zero(4), {}, command);
  CHECK(command.value == Eigen::Vector4d(3.0, -3.0, 2.0, -1e9));
  CHECK(limited.hold_s() == 0.25);
}

/// Whether q̈ = −2ζω·q̇ − ω²·q, held for T, makes the exactly discretised double integrator stable.
bool IsStable(double natural_frequency_hz, double damping_ratio, double rate_hz) {
  const double w = 2.0 * std::numbers::pi * natural_frequency_hz, T = 1.0 / rate_hz;
  const double kp = w * w, kd = 2.0 * damping_ratio * w;
  Eigen::Matrix2d A;
  A << 1.0 - 0.5 * T * T * kp, T - 0.5 * T * T * kd, -T * kp, 1.0 - T * kd;
  return A.eigenvalues().cwiseAbs().maxCoeff() < 1.0;
}

TEST_CASE(
    "A frequency is refused exactly where the eigenvalues of the held loop leave the circle") {
  const double rate_hz = 100.0;
  for (const double damping_ratio : {0.1, 0.3, 0.5, 0.7, 1.0, 2.0}) {
    for (int k = 1; k < 80; ++k) {
      const double frequency_hz = 0.5 * k;
      CAPTURE(damping_ratio);
      CAPTURE(frequency_hz);
      FieldTable table;
      AddStabilityCheck(table, frequency_hz, damping_ratio, rate_hz);
      std::vector<Issue> issues;
      table.checks().at(0)(issues);
      CHECK(issues.empty() == IsStable(frequency_hz, damping_ratio, rate_hz));
    }
  }
}

TEST_CASE("A controller without a prior's model or measurements needs neither") {
  CHECK(NeedsOf(ControlModel::kPrior).Has(Capability::kPrior));
  CHECK(NeedsOf(ControlModel::kTruth) == Capabilities{});
  CHECK(NeedsOf(Feedback::kMeasured).Has(Capability::kMeasuredPositions));
  CHECK(NeedsOf(Feedback::kTrueState) == Capabilities{});
}

}  // namespace
}  // namespace idbench
