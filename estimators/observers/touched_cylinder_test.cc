#include "estimators/observers/touched_cylinder.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

using Wrench = Eigen::Matrix<double, 6, 1>;
using Covariance = Eigen::Matrix<double, 6, 6>;

/// A cylinder that is turned, away from the origin.
TouchedCylinder Forearm() {
  return {.from = {0.1, -0.05, 0.2},
          .axis = Eigen::Vector3d(-0.966, 0.1, 0.259).normalized(),
          .length = 0.11,
          .radius = 0.035};
}

/// Axes across that of a cylinder.
struct Across {
  Eigen::Vector3d x, y;
  explicit Across(const TouchedCylinder& c) : x(c.axis.unitOrthogonal()), y(c.axis.cross(x)) {}
};

/// A touch that is drawn as those of an experiment are: at a place, inwards, with a part along the
/// surface.
struct DrawnTouch {
  Eigen::Vector3d p, f;
};
DrawnTouch DrawOne(const TouchedCylinder& c, std::uint64_t k, double tangential) {
  const RandomStream stream(4, 0, "touch");
  const Across across(c);
  const double around = 2.0 * std::numbers::pi * stream.Uniform(0, k);
  const double turn = 2.0 * std::numbers::pi * stream.Uniform(1, k);
  const Eigen::Vector3d out = std::cos(around) * across.x + std::sin(around) * across.y;
  const Eigen::Vector3d tangent = std::cos(turn) * c.axis + std::sin(turn) * c.axis.cross(out);
  return {c.from + stream.Uniform(2, k) * c.length * c.axis + c.radius * out,
          (0.5 + 9.5 * stream.Uniform(3, k)) * (-out + tangential * tangent).normalized()};
}

Wrench WrenchOf(const DrawnTouch& touch) {
  Wrench w;
  w << touch.f, touch.p.cross(touch.f);
  return w;
}

/// A covariance with correlations: noise of 0.15 N and 0.005 N·m, and what a model leaves.
Covariance Correlated() {
  Covariance L = Covariance::Zero();
  for (int i = 0; i < 6; ++i) {
    L(i, i) = i < 3 ? 0.15 : 0.005;
    for (int j = 0; j < i; ++j) L(i, j) = (i < 3 ? 0.05 : 0.002) * std::sin(1.0 + 3.0 * i + j);
  }
  return L * L.transpose();
}

double MisfitOf(const Wrench& w, const Wrench& measured, const Covariance& R) {
  return (w - measured).dot(R.llt().solve(w - measured));
}

TEST_CASE("A drawn force on a cylinder is found at its place") {
  const TouchedCylinder cylinder = Forearm();
  for (std::uint64_t k = 0; k < 200; ++k) {
    CAPTURE(k);
    const DrawnTouch touch = DrawOne(cylinder, k, 0.2);
    const Wrench w = WrenchOf(touch);
    const ForceAndMoment found = WrenchOfForce(w, Correlated());
    CHECK((found.f - touch.f).norm() < 1e-12);
    const Eigen::Vector3d place = PlaceOfForce(cylinder, found);
    CHECK((place - touch.p).norm() < 1e-12);  // round-off of 0.3 m
    CHECK((ForceAt(place, w, Correlated()) - touch.f).norm() < 1e-12);
  }
}

TEST_CASE("A line that misses the cylinder, or its ends, has the nearest place") {
  const TouchedCylinder rod{.axis = {1.0, 0.0, 0.0}, .length = 0.4, .radius = 0.05};
  const auto place_of = [&](const Eigen::Vector3d& p, const Eigen::Vector3d& f) {
    return PlaceOfForce(rod, {f, p.cross(f)});
  };
  // Downwards, through a point on top.
  CHECK((place_of({0.1, 0.0, 0.3}, {0.0, 0.0, -2.0}) - Eigen::Vector3d(0.1, 0.0, 0.05)).norm() <
        1e-15);
  // Upwards, on the same line: from below, as nothing pulls.
  CHECK((place_of({0.1, 0.0, 0.3}, {0.0, 0.0, 2.0}) - Eigen::Vector3d(0.1, 0.0, -0.05)).norm() <
        1e-15);
  // Past it at 0.07 m.
  CHECK((place_of({0.1, 0.07, 0.3}, {0.0, 0.0, -2.0}) - Eigen::Vector3d(0.1, 0.05, 0.0)).norm() <
        1e-15);
  // Beyond its ends.
  CHECK((place_of({0.6, 0.0, 0.3}, {0.0, 0.0, -2.0}) - Eigen::Vector3d(0.4, 0.0, 0.05)).norm() <
        1e-15);
  CHECK((place_of({-0.2, 0.0, 0.3}, {0.0, 0.0, -2.0}) - Eigen::Vector3d(0.0, 0.0, 0.05)).norm() <
        1e-15);
  // Nothing tells where a force along the axis acts, nor where none does.
  CHECK(place_of({0.1, 0.05, 0.0}, {3.0, 0.0, 0.0}).array().isNaN().all());
  CHECK(place_of({0.1, 0.05, 0.0}, Eigen::Vector3d::Zero()).array().isNaN().all());
  // An axis alone, without a radius.
  const TouchedCylinder wire{.axis = {1.0, 0.0, 0.0}, .length = 0.4};
  CHECK((PlaceOfForce(wire, {{0.0, 0.0, -2.0}, {0.0, 0.2, 0.0}}) - Eigen::Vector3d(0.1, 0.0, 0.0))
            .norm() < 1e-15);
}

TEST_CASE("The wrench of a force is the most likely one of those that a force alone makes") {
  const TouchedCylinder cylinder = Forearm();
  const Covariance R = Correlated();
  const Eigen::LLT<Covariance> root(R);
  const RandomStream stream(5, 0, "noise");
  for (std::uint64_t k = 0; k < 50; ++k) {
    CAPTURE(k);
    Wrench noise;
    for (Eigen::Index i = 0; i < 6; ++i) noise[i] = stream.Normal(static_cast<std::uint64_t>(i), k);
    const Wrench measured = WrenchOf(DrawOne(cylinder, k, 0.2)) + Wrench(root.matrixL() * noise);
    const ForceAndMoment found = WrenchOfForce(measured, R);
    REQUIRE(found.f.allFinite());
    CHECK(std::abs(found.f.dot(found.m)) < 1e-12 * found.f.norm() * found.m.norm());
    Wrench w;
    w << found.f, found.m;
    // Stationary: R⁻¹(w − ŵ) is along ∇g = (m, f), as of the least misfit.
    Wrench gradient, slope = root.solve(w - measured);
    gradient << found.m, found.f;
    slope -= gradient * (gradient.dot(slope) / gradient.squaredNorm());
    CHECK(slope.norm() < 1e-9 * root.solve(measured).norm());
    // No wrench of a force near it is nearer to what was measured.
    const double least = MisfitOf(w, measured, R);
    for (Eigen::Index i = 0; i < 3; ++i) {
      for (const double step : {-1e-3, 1e-3}) {
        ForceAndMoment other = found;
        other.f[i] += step;
        other.m -= other.f * (other.f.dot(other.m) / other.f.squaredNorm());
        Wrench moved;
        moved << other.f, other.m;
        CHECK(MisfitOf(moved, measured, R) >= least);
      }
    }
    // Where its line meets the cylinder, it is the best force at that place too.
    const Eigen::Vector3d place = PlaceOfForce(cylinder, found);
    if ((place.cross(found.f) - found.m).norm() > 1e-9) continue;
    CHECK((ForceAt(place, measured, R) - found.f).norm() < 1e-9);
  }
}

TEST_CASE("A force at a known place is the weighted least squares of a wrench") {
  const Covariance R = Correlated();
  const Eigen::Vector3d p(0.1, -0.2, 0.3);
  const Wrench w = (Wrench() << 1.0, -2.0, 0.5, 0.3, 0.2, -0.1).finished();
  const Eigen::Vector3d f = ForceAt(p, w, R);
  // Normal equations: Gᵀ R⁻¹ (ŵ − G f) = 0.
  Wrench left = w;
  left.head<3>() -= f;
  left.tail<3>() -= p.cross(f);
  const Wrench weighted = R.llt().solve(left);
  const Eigen::Vector3d slope = weighted.head<3>() - p.cross(weighted.tail<3>());
  CHECK(slope.norm() < 1e-9 * weighted.norm());
}

}  // namespace
}  // namespace idbench
