#include "bench/metrics/link_divergence.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/planar_metrics_test.h"
#include "robots/dynamics/no_limits_test.h"
#include "robots/dynamics/parameters/pseudo_inertia.h"

namespace idbench {
namespace {

RobotModel OneLink() {
  return {"robot", "base", {Link{.name = "arm", .joint = "joint"}}, {0, 0, -9.81}, NoLimits(1)};
}

Eigen::VectorXd PiOf(const InertialParameters& body) {
  const ParameterLayout layout(1);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  pi.segment<kInertialCount>(layout.Body(0)) = body;
  return pi;
}

InertialParameters Box() {
  CentralInertia inertia;
  inertia.mass = 2.0;
  inertia.com = {0.1, 0.02, -0.05};
  inertia.I_com << 0.02, 0.001, 0, 0.001, 0.03, 0.002, 0, 0.002, 0.025;
  return ToStandard(inertia);
}

MetricValue Of(const InertialParameters& estimate, const InertialParameters& truth) {
  return LinkDivergence(OneLink(), {0}, PiOf(estimate), PiOf(truth));
}

TEST_CASE("Of a body s times as heavy the divergence is 4·(s − 1 − ln s)") {
  CHECK(*Of(Box(), Box()).value == doctest::Approx(0.0).epsilon(1e-12));
  for (const double s : {0.5, 1.2, 3.0}) {
    const MetricValue metric = Of(s * Box(), Box());
    CHECK(*metric.value == doctest::Approx(4.0 * (s - 1.0 - std::log(s))).epsilon(1e-12));
    CHECK(metric.components == std::vector{*metric.value});
  }
}

TEST_CASE("The divergence of a body does not depend on its frame, single parameters do") {
  InertialParameters estimate = Box();
  estimate[1] *= 1.3;
  estimate[4] *= 1.1;
  Eigen::Matrix4d G = Eigen::Matrix4d::Identity();
  G.topLeftCorner<3, 3>() =
      Eigen::AngleAxisd(0.9, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  G.topRightCorner<3, 1>() = Eigen::Vector3d(0.2, -0.4, 0.1);
  const auto moved = [&G](const InertialParameters& body) {
    const Eigen::Matrix4d J = PseudoInertia(body);
    return FromPseudoInertia(G * J * G.transpose());
  };
  CHECK(*Of(moved(estimate), moved(Box())).value ==
        doctest::Approx(*Of(estimate, Box()).value).epsilon(1e-9));
  const auto error = [](const InertialParameters& a, const InertialParameters& b) {
    return (a - b).cwiseQuotient(b).cwiseAbs().mean();
  };
  CHECK(std::abs(error(moved(estimate), moved(Box())) / error(estimate, Box()) - 1.0) > 0.1);
}

TEST_CASE("What no body has fails, and a true rod has no divergence at all") {
  InertialParameters impossible = Box();
  impossible[0] *= -1.0;
  CHECK(Of(impossible, Box()).failure == "arm of the estimate is not physically consistent");
  CHECK_FALSE(Of(impossible, Box()).absent);
  CHECK(Of(Box(), impossible).failure == "the true arm is a rod, a plate or a point");
  CHECK(Of(Box(), impossible).absent);
}

TEST_CASE("The divergence stands beside errors of single unknowns, which are told to be framed") {
  const LoadedScenario loaded = PlanarScenario(
      R"({"problem": {"parametrisation": {"type": "standard"},
                      "prior": {"mass_scale": 1.2, "inertia_scale": 1.2}},
          "estimators": {"ols": null, "prior_only": {}}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  Estimate estimate = TrueEstimate(context);
  estimate.pi *= 1.2;
  const auto values = evaluator.Evaluate({{estimate}}, context.Run(0));
  const double of_link = 4.0 * (0.2 - std::log(1.2));
  const MetricValue& divergence = Find(values, "link_entropic_divergence");
  REQUIRE(divergence.components.size() == 2);
  CHECK(*divergence.value == doctest::Approx(2.0 * of_link).epsilon(1e-9));
  for (const RunMetric& metric : loaded.metrics) {
    if (metric.name == "link_entropic_divergence") CHECK_FALSE(metric.framed);
    if (metric.name == "parameter_error_fraction") CHECK(metric.framed);
  }
}

}  // namespace
}  // namespace idbench
