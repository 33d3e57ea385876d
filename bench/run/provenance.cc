#include "bench/run/provenance.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "bench/run/commit.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/random/random_stream.h"
#include "robots/robot.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A chain of two joints with numbers that are not round.
RobotModel FingerprintModel() {
  Link first{.name = "a", .joint = "a"};
  Link second{.name = "b",
              .joint = "b",
              .parent = 0,
              .p0 = {0.31, -0.17, 0.53},
              .axis = Eigen::Vector3d(0.6, 0.0, 0.8)};
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(2);
  return {
      "fingerprint", "base", {first, second}, {0.0, 0.0, -9.81}, {none, none, none, none, none}};
}

void Add(double value, std::uint64_t& hash) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  hash = Hash64({bytes, sizeof bytes}, hash);
}

}  // namespace

std::string FloatingPointFingerprint() {
  std::uint64_t hash = Hash64("");
  for (int k = 0; k < 64; ++k) {
    const double x = 0.137 + 0.731 * k;
    for (const double value : {std::sin(x), std::cos(x), std::exp(-x), std::log(x), std::tanh(x),
                               std::sqrt(x), std::atan2(x, 3.0)}) {
      Add(value, hash);
    }
  }
  const RobotModel model = FingerprintModel();
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 16, StateSet::kFingerprint);
  Eigen::MatrixXd tau(16, 2);
  const Eigen::VectorXd pi = Eigen::VectorXd::LinSpaced(dynamics.layout().size(), 0.11, 1.37);
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  for (const double value : tau.reshaped()) Add(value, hash);
  return fmt::format("{:016x}", hash);
}

Json Versions() {
  return {{"idbench", IDBENCH_VERSION},
          {"mujoco", SimulatorVersion()},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"compiler", __VERSION__}};
}

Json Machine() {
  std::string processor = "unknown";
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("model name")) continue;
    processor = line.substr(line.find(':') + 2);
    break;
  }
  return {{"processor", processor},
          {"cores", std::thread::hardware_concurrency()},
          {"kernel", ActiveKernel().name}};
}

std::string Commit() { return kCommit; }

}  // namespace idbench
