#include "scenarios/motion/excitation/weighed_rows.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <string>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"

namespace idbench {
namespace {

DesignErrorOptions AllErrors() {
  return {.noise_std_nm = {{0.5, 0.2}},
          .rate_hz = 1000.0,
          .offset_std_nm = {{0.3, 0.1}},
          .cogging_amplitude_nm = {{0.4, 0.0}},
          .cogging_periods_per_rev = {{3.0}},
          .stribeck_excess_nm = {{0.0, 0.2}},
          .stribeck_velocity_rad_s = {{0.7}}};
}

/// Rows of planar2's torques on 40 states.
struct Planar {
  Robot robot = LoadRobot("planar2");
  DesignOptions design = {.friction = {JointParameter::kViscous, JointParameter::kCoulomb},
                          .coulomb_width_rad_s = 0.5};
  FrictionShape friction = {design.coulomb_width_rad_s};
  std::vector<int> columns =
      FindBaseParameters(robot.model, {Equation::kTorque},
                         ConsideredParameters(robot.model, {Equation::kTorque}, design.friction),
                         friction)
          .independent;
  Dynamics dynamics = Dynamics(robot.model, friction);
  RowRegressor rows = RowRegressor(dynamics, {Equation::kTorque}, columns);
  Dynamics::Scratch scratch = Dynamics::Scratch(dynamics);
  FixedStates states = MakeFixedStates(robot.model, 40, 5);
  std::vector<Eigen::MatrixXd> W;

  RowSamples Samples(double rate_hz) {
    rows.Dense(states.samples(), scratch, W);
    return {states.samples(), W, rate_hz};
  }
  Eigen::MatrixXd Known() const {
    const auto p = static_cast<Eigen::Index>(columns.size());
    Eigen::MatrixXd root = Eigen::MatrixXd::Identity(p, p);
    root.diagonal(1).setConstant(0.3);
    return 20.0 * root * root.transpose();
  }
};

/// Covariance of the weighted estimate: every sample stands for rate/rate_hz readings of one row.
Eigen::MatrixXd CovarianceOf(Planar& planar, const DesignErrors& errors,
                             const Eigen::MatrixXd& known) {
  const RowSamples samples = planar.Samples(100.0);
  const auto p = static_cast<Eigen::Index>(planar.columns.size());
  Eigen::MatrixXd A = known;
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(p, std::ssize(errors.disturbances));
  for (int j = 0; j < 2; ++j) {
    for (Eigen::Index k = 0; k < 40; ++k) {
      Eigen::VectorXd w = Eigen::VectorXd::Zero(p);
      w(planar.rows.ColumnsOf(j)) = samples.W[static_cast<std::size_t>(j)].row(k).transpose();
      A += 10.0 * errors.precision[j] * w * w.transpose();
      for (std::size_t d = 0; d < errors.disturbances.size(); ++d) {
        const Disturbance& of = errors.disturbances[d];
        if (of.joint != j) continue;
        D.col(static_cast<Eigen::Index>(d)) +=
            10.0 * errors.precision[j] * of.sigma *
            of.At(planar.states.q(k, j), planar.states.qd(k, j)).z * w;
      }
    }
  }
  return A.inverse() * (A + D * D.transpose()) * A.inverse();
}

TEST_CASE("J_d is the logarithm of the determinant of the estimate's covariance") {
  Planar planar;
  const DesignErrors errors = ErrorsOfRows(AllErrors(), planar.design, planar.robot.model);
  REQUIRE(errors.disturbances.size() == 5);  // two constants, a sine and a cosine, Stribeck's
  const WeighedRows rows(planar.rows, ExcitationCriterion::kLogDet, errors, planar.Known());
  const double expected = std::log(CovarianceOf(planar, errors, planar.Known()).determinant());
  CHECK(rows.Value(planar.Samples(100.0)) == doctest::Approx(expected).epsilon(1e-10));
  const WeighedRows white(planar.rows, ExcitationCriterion::kLogDet,
                          {errors.precision, errors.rate_hz, {}}, planar.Known());
  CHECK(white.Value(planar.Samples(100.0)) < expected - 1.0);
}

TEST_CASE("Without errors rows count as they are, beside what is known at 100 Hz") {
  Planar planar;
  const DesignErrors none = ErrorsOfRows({}, planar.design, planar.robot.model);
  const RowSamples samples = planar.Samples(25.0);
  const Eigen::MatrixXd M = InformationOf(planar.rows, samples.W);
  const WeighedRows alone(planar.rows, ExcitationCriterion::kLogDet, none, {});
  CHECK(alone.Value(samples) == CriterionOf(ExcitationCriterion::kLogDet, M));
  const WeighedRows told(planar.rows, ExcitationCriterion::kHadamard, none, planar.Known());
  CHECK(told.Value(samples) ==
        doctest::Approx(CriterionOf(ExcitationCriterion::kHadamard, 4.0 * M + planar.Known())));
}

TEST_CASE("Derivatives of weighed rows are those of differences") {
  Planar planar;
  const DesignErrors errors = ErrorsOfRows(AllErrors(), planar.design, planar.robot.model);
  for (const bool knows : {true, false}) {
    for (const ExcitationCriterion criterion :
         {ExcitationCriterion::kLogDet, ExcitationCriterion::kHadamard}) {
      CAPTURE(knows);
      CAPTURE(ToString(criterion));
      DesignErrors of = errors;
      if (criterion != ExcitationCriterion::kLogDet) of.disturbances.clear();
      WeighedRows rows(planar.rows, criterion, of, knows ? planar.Known() : Eigen::MatrixXd());
      StateGradient gradient;
      const RowSamples samples = planar.Samples(100.0);
      const double value = rows.MoveTo(samples);
      CHECK(value == doctest::Approx(rows.Value(samples)).epsilon(1e-12));
      rows.Gradient(samples, 1.5, planar.scratch, gradient);
      constexpr double kStep = 1e-5;
      for (const auto& [exact, part] :
           {std::pair(&gradient.q, &planar.states.q), std::pair(&gradient.qd, &planar.states.qd),
            std::pair(&gradient.qdd, &planar.states.qdd)}) {
        for (Eigen::Index k = 0; k < part->size(); k += 7) {
          const double at = part->data()[k];
          const auto shifted = [&](double by) {
            part->data()[k] = at + by;
            return rows.MoveTo(planar.Samples(100.0));
          };
          const double difference = (shifted(kStep) - shifted(-kStep)) / (2.0 * kStep);
          part->data()[k] = at;
          CHECK(exact->data()[k] == doctest::Approx(1.5 * difference).epsilon(1e-5).scale(1e-3));
        }
      }
    }
  }
}

}  // namespace
}  // namespace idbench
