#include "scenarios/motion/excitation/motion_curve.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "scenarios/motion/state_at_test.h"

namespace idbench {
namespace {

std::vector<std::unique_ptr<MotionCurve>> Curves() {
  std::vector<std::unique_ptr<MotionCurve>> curves;
  curves.push_back(std::make_unique<SplineCurve>(6.0, 1.0));
  curves.push_back(std::make_unique<FourierCurve>(6.0, 4, true));
  curves.push_back(std::make_unique<FourierCurve>(6.0, 4, false));
  return curves;
}

TEST_CASE("A motion is the sum of its curve's functions") {
  for (const auto& curve : Curves()) {
    Eigen::MatrixXd c(curve->size(), 3);
    for (Eigen::Index k = 0; k < c.size(); ++k) {
      c.data()[k] = std::sin(0.4 + 1.7 * static_cast<double>(k));
    }
    const std::unique_ptr<Motion> motion = curve->Make(c);
    CHECK(motion->duration_s() == 6.0);
    for (const double t : {0.0, 0.7, 3.3, 5.99}) {
      JointState state = JointState::Zero(3);
      motion->Evaluate(t, state);
      const Eigen::MatrixXd sum = curve->At(t) * c;
      CHECK((sum.row(0).transpose() - state.q).norm() < 1e-12);
      CHECK((sum.row(1).transpose() - state.qd).norm() < 1e-11);
      CHECK((sum.row(2).transpose() - state.qdd).norm() < 1e-10);
    }
    const Eigen::MatrixXd still = curve->At(2.1) * curve->Constant();
    CHECK((still - Eigen::Vector3d(1.0, 0.0, 0.0)).norm() < 1e-10);
  }
}

TEST_CASE("Curves rest at both ends, but for a series that need not") {
  for (const auto& curve : Curves()) {
    for (const double t : {0.0, 6.0}) {
      const double rates = curve->At(t).bottomRows(2).norm();
      const bool rests = curve->size() != 9;
      CHECK((rates < 1e-9) == rests);
    }
  }
  CHECK(Curves()[1]->size() == 7);
}

TEST_CASE("Way points are as near to the distance asked for as a whole number of them allows") {
  CHECK(SplineCurve(10.0, 1.0).size() == 11);
  CHECK(SplineCurve(1.0, 0.3).size() == 4);
  CHECK(SplineCurve(0.4, 1.0).size() == 2);
}

TEST_CASE("A series at rest takes two harmonics") {
  CHECK_THROWS_AS(FourierCurve(1.0, 1, true), std::invalid_argument);
  CHECK(FourierCurve(1.0, 1, false).size() == 3);
}

}  // namespace
}  // namespace idbench
