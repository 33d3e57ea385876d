#include <benchmark/benchmark.h>

#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"
#include "scenarios/motion/excitation/exciting_motion.h"

namespace idbench {
namespace {

/// One design of ten seconds for the KUKA, 57 columns, one start: what a scenario waits for.
void DesignForKuka(benchmark::State& state, ExcitationCriterion criterion) {
  const Robot robot = LoadRobot("kuka_lwr4_mdh");
  const std::vector<PlacedEquation> equations = {Equation::kTorque};
  const std::vector<int> columns =
      FindBaseParameters(robot.model, equations,
                         ConsideredParameters(robot.model, equations,
                                              {JointParameter::kViscous, JointParameter::kCoulomb}))
          .independent;
  const Dynamics dynamics(robot.model, FrictionShape{0.05});
  const RowRegressor rows(dynamics, equations, columns);
  const Eigen::VectorXd pi = robot.FindSet("")->pi;
  const ExcitationSubject subject{robot.model, dynamics, rows, pi};
  ExcitingMotionOptions options;
  options.criterion = criterion;
  options.floor_m = 0.25;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(DesignExcitingMotion(subject, options, 1, 0).motion);
  }
}
BENCHMARK_CAPTURE(DesignForKuka, log_det, ExcitationCriterion::kLogDet)
    ->Name("ExcitingMotion/kuka_lwr4/jd")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(DesignForKuka, condition, ExcitationCriterion::kCondition)
    ->Name("ExcitingMotion/kuka_lwr4/jc")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idbench
