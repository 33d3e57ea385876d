#include <benchmark/benchmark.h>

#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/rows.h"
#include "robots/robot.h"

namespace idbench {
namespace {

constexpr Eigen::Index kBatchSamples = 4000;
const std::vector<PlacedEquation> kTorque = {Equation::kTorque};

/// The Barrett WAM on fixed states.
struct Wam {
  Robot robot = LoadRobot("barrett_wam7");
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  Dynamics dynamics = Dynamics(robot.model);
  Dynamics::Scratch scratch = Dynamics::Scratch(dynamics);
  FixedStates states = MakeFixedStates(robot.model, kBatchSamples, StateSet::kInstructionCounts);
  std::vector<int> standard = ConsideredParameters(robot.model, kTorque, {});
  int n = robot.model.dofs();
};

/// A loop over single samples of `wam`; `evaluate(q, qd, qdd)` for each.
template <class Evaluate>
void OneByOne(benchmark::State& state, const Wam& wam, const Evaluate& evaluate) {
  const Eigen::MatrixXd q = wam.states.q.transpose();
  const Eigen::MatrixXd qd = wam.states.qd.transpose();
  const Eigen::MatrixXd qdd = wam.states.qdd.transpose();
  Eigen::Index k = 0;
  for ([[maybe_unused]] auto _ : state) {
    evaluate(q.col(k), qd.col(k), qdd.col(k));
    k = (k + 1) % kBatchSamples;
  }
  state.SetItemsProcessed(state.iterations());
}

void TorqueRegressorSingle(benchmark::State& state) {
  Wam wam;
  Eigen::MatrixXd Y(wam.n, kInertialCount * wam.n);
  OneByOne(state, wam, [&](const auto& q, const auto& qd, const auto& qdd) {
    wam.dynamics.TorqueRegressor(q, qd, qdd, wam.scratch, Y);
    benchmark::DoNotOptimize(Y.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(TorqueRegressorSingle)->Name("TorqueRegressor/wam7/single");

/// The kernel's non-zero blocks, overwritten pack by pack: what a consumer in cache finds.
void TorqueRegressorBatch(benchmark::State& state) {
  Wam wam;
  for ([[maybe_unused]] auto _ : state) {
    wam.dynamics.TorqueRegressorBlocks(wam.states.samples(), wam.scratch,
                                       [](Eigen::Index, const double* blocks) {
                                         benchmark::DoNotOptimize(blocks);
                                         benchmark::ClobberMemory();
                                       });
  }
  state.SetItemsProcessed(state.iterations() * kBatchSamples);
}
BENCHMARK(TorqueRegressorBatch)->Name("TorqueRegressor/wam7/batch");

/// Gram matrices of `columns`, one per joint row, with the measured torque beside them.
void Information(benchmark::State& state, Wam& wam, const std::vector<int>& columns) {
  const RowRegressor rows(wam.dynamics, kTorque, columns);
  Eigen::MatrixXd tau(kBatchSamples, wam.n);
  wam.dynamics.InverseDynamics(wam.pi, wam.states.samples(), wam.scratch, tau);
  std::vector<Eigen::MatrixXd> grams;
  for ([[maybe_unused]] auto _ : state) {
    rows.Gram(wam.states.samples(), tau, wam.scratch, grams);
    benchmark::DoNotOptimize(grams.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kBatchSamples);
}

void TorqueRegressorInformation(benchmark::State& state) {
  Wam wam;
  Information(state, wam, wam.standard);
}
BENCHMARK(TorqueRegressorInformation)->Name("TorqueRegressor/wam7/information");

void TorqueRegressorBaseInformation(benchmark::State& state) {
  Wam wam;
  Information(state, wam, FindBaseParameters(wam.robot.model, kTorque, wam.standard).independent);
}
BENCHMARK(TorqueRegressorBaseInformation)->Name("TorqueRegressor/wam7/base_information");

/// Samples of a motion that is designed: ten seconds at 25 Hz.
constexpr Eigen::Index kDesignSamples = 250;

/// Base columns and friction on the samples of a motion that is designed.
struct DesignRows {
  Wam wam;
  std::vector<int> columns =
      FindBaseParameters(wam.robot.model, kTorque,
                         ConsideredParameters(wam.robot.model, kTorque,
                                              {JointParameter::kViscous, JointParameter::kCoulomb}))
          .independent;
  Dynamics dynamics = Dynamics(wam.robot.model, FrictionShape{0.05});
  Dynamics::Scratch scratch = Dynamics::Scratch(dynamics);
  RowRegressor rows = RowRegressor(dynamics, kTorque, columns);
  FixedStates states = MakeFixedStates(wam.robot.model, kDesignSamples, 1);
};

void RowRegressorDense(benchmark::State& state) {
  DesignRows design;
  std::vector<Eigen::MatrixXd> W;
  for ([[maybe_unused]] auto _ : state) {
    design.rows.Dense(design.states.samples(), design.scratch, W);
    benchmark::DoNotOptimize(W.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kDesignSamples);
}
BENCHMARK(RowRegressorDense)->Name("RowRegressor/wam7/dense");

/// Derivatives of a sum of its entries, to be compared with the entries themselves.
void RowRegressorGradient(benchmark::State& state) {
  DesignRows design;
  std::vector<Eigen::MatrixXd> W;
  design.rows.Dense(design.states.samples(), design.scratch, W);
  StateGradient gradient;
  for ([[maybe_unused]] auto _ : state) {
    design.rows.Gradient(design.states.samples(), W, design.scratch, gradient);
    benchmark::DoNotOptimize(gradient.q.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kDesignSamples);
}
BENCHMARK(RowRegressorGradient)->Name("RowRegressor/wam7/gradient");

/// All columns of the joint rows, friction, offset and rotor inertia included, for a filter.
void RowRegressorSingle(benchmark::State& state) {
  Wam wam;
  const RowRegressor rows(
      wam.dynamics, kTorque,
      ConsideredParameters(wam.robot.model, kTorque,
                           {JointParameter::kViscous, JointParameter::kCoulomb,
                            JointParameter::kOffset, JointParameter::kRotorInertia}));
  Eigen::MatrixXd W(rows.row_count(), rows.column_count());
  OneByOne(state, wam, [&](const auto& q, const auto& qd, const auto& qdd) {
    rows.Single(q, qd, qdd, wam.scratch, W);
    benchmark::DoNotOptimize(W.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(RowRegressorSingle)->Name("RowRegressor/wam7/single");

void InverseDynamicsSingle(benchmark::State& state) {
  Wam wam;
  Eigen::VectorXd tau(wam.n);
  OneByOne(state, wam, [&](const auto& q, const auto& qd, const auto& qdd) {
    wam.dynamics.InverseDynamics(wam.pi, q, qd, qdd, wam.scratch, tau);
    benchmark::DoNotOptimize(tau.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(InverseDynamicsSingle)->Name("InverseDynamics/wam7/single");

void InverseDynamicsBatch(benchmark::State& state) {
  Wam wam;
  Eigen::MatrixXd tau(kBatchSamples, wam.n);
  for ([[maybe_unused]] auto _ : state) {
    wam.dynamics.InverseDynamics(wam.pi, wam.states.samples(), wam.scratch, tau);
    benchmark::DoNotOptimize(tau.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kBatchSamples);
}
BENCHMARK(InverseDynamicsBatch)->Name("InverseDynamics/wam7/batch");

void MassMatrix(benchmark::State& state) {
  Wam wam;
  Eigen::MatrixXd M(wam.n, wam.n);
  OneByOne(state, wam, [&](const auto& q, const auto&, const auto&) {
    wam.dynamics.MassMatrix(wam.pi, q, wam.scratch, M);
    benchmark::DoNotOptimize(M.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(MassMatrix)->Name("MassMatrix/wam7");

void BaseParametersOfTorque(benchmark::State& state) {
  const Wam wam;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(FindBaseParameters(wam.robot.model, kTorque, wam.standard));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BaseParametersOfTorque)->Name("BaseParameters/wam7")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idbench
