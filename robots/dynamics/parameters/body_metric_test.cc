#include "robots/dynamics/parameters/body_metric.h"

#include <doctest/doctest.h>

#include "robots/dynamics/parameters/consistent_fit.h"
#include "robots/random/random_stream.h"

namespace idbench {
namespace {

/// Bodies that exist: P = (1 + N/4)(1 + N/4)ᵀ with N of normal numbers.
InertialParameters BodyOfTrial(std::int64_t trial) {
  const RandomStream stream(1, trial, "body_metric_test");
  Eigen::Matrix4d root = Eigen::Matrix4d::Identity();
  for (int i = 0; i < 16; ++i) {
    root(i / 4, i % 4) += 0.25 * stream.Normal(static_cast<std::uint64_t>(i), 0);
  }
  return FromPseudoInertia(root * root.transpose());
}

TEST_CASE("The metric is the curvature of the entropic divergence") {
  constexpr double kStep = 1e-4;
  for (std::int64_t trial = 0; trial < 5; ++trial) {
    const InertialParameters body = BodyOfTrial(trial);
    REQUIRE(PhysicalConsistency(body) == Consistency::kConsistent);
    const RandomStream stream(2, trial, "body_metric_test");
    const Eigen::MatrixXd J =
        Eigen::MatrixXd::NullaryExpr(10, 3, [&](Eigen::Index i, Eigen::Index k) {
          return stream.Normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(k));
        });
    const Eigen::MatrixXd H = BodyMetric(body, J);
    const Eigen::Vector3d x = kStep * Eigen::Vector3d(1.0, -2.0, 0.5);
    const Eigen::VectorXd dx = J * x;
    // The mean of both sides has no third order; the fourth is a part ‖X‖² of the second.
    const double divergence =
        0.5 * (EntropicDivergence(body + dx, body) + EntropicDivergence(body - dx, body));
    const double squared = x.dot(H * x);
    CHECK(0.5 * squared == doctest::Approx(divergence).epsilon(10.0 * squared + 1e-6));
  }
}

TEST_CASE("The metric's root is one of it") {
  const Eigen::MatrixXd all = Eigen::MatrixXd::Identity(kInertialCount, kInertialCount);
  for (std::int64_t trial = 0; trial < 5; ++trial) {
    const Eigen::MatrixXd M = BodyMetricRoot(BodyOfTrial(trial), all);
    const Eigen::MatrixXd H = BodyMetric(BodyOfTrial(trial), all);
    CHECK((M.transpose() * M - H).norm() < 1e-13 * H.norm());  // round-off
  }
}

}  // namespace
}  // namespace idbench
