#include <benchmark/benchmark.h>

#include "robots/robot.h"
#include "sim/simulated_plant.h"
#include "sim/truth/compile_truth.h"

namespace idbench {
namespace {

/// Three upright rods in steps of 18 ms.
struct UprightRods {
  Robot robot = LoadRobot("rods3");
  TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {.timestep_s = 0.018});
};

/// `Step/rods3`: what MuJoCo takes for a step.
void StepRods(benchmark::State& state) {
  const UprightRods rods;
  MujocoRobot moved(rods.truth);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
  TrueSample sample{0.0, JointState::Zero(3), zero};
  moved.Reset(zero, zero);
  for ([[maybe_unused]] auto _ : state) moved.Step(zero, sample);
}
BENCHMARK(StepRods)->Name("Step/rods3")->Unit(benchmark::kNanosecond);

/// `Exchange/rods3`: the same as an exchange with a plant, with noise on positions.
void ExchangeWithRods(benchmark::State& state) {
  const UprightRods rods;
  SensorOptions sensors;
  sensors[kJointPosition].noise_std = PerJoint{{1e-3}};
  for (const auto channel : {kJointVelocity, kJointAcceleration, kJointTorque}) {
    sensors[channel].origin = SensorOrigin::kAbsent;
  }
  SimulatedPlant plant(rods.truth, Resolve(sensors, PartsOf(rods.robot.model), {}), 1.0 / 0.018,
                       {1, 0, "laboratory"});
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
  const Command none = Command::Zero(3);
  Reading reading;
  plant.MoveTo({zero, zero, {}}, reading);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(plant.Exchange(none, reading));
  }
}
BENCHMARK(ExchangeWithRods)->Name("Exchange/rods3")->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace idbench
