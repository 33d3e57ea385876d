#include "bench/run/provenance.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <Eigen/Core>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>
#include <xsimd/config/xsimd_config.hpp>

#include "bench/run/commit.h"
#include "reports/files/sha256.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/random/random_stream.h"
#include "robots/robot.h"
#include "scenarios/options/json.h"
#include "scenarios/scenario_inputs.h"

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

/// What stands behind `key` in the first line of a file that begins with it; "unknown" without one.
std::string ValueInFile(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t:=\"", key.size());
    if (begin == std::string::npos) break;
    return line.substr(begin, line.find_last_not_of(" \"") + 1 - begin);
  }
  return "unknown";
}

/// "glibc 2.36".
std::string LibcVersion() {
  std::string text(::confstr(_CS_GNU_LIBC_VERSION, nullptr, 0), '\0');
  if (text.empty()) return "unknown";
  ::confstr(_CS_GNU_LIBC_VERSION, text.data(), text.size());
  text.pop_back();  // the zero at the end
  return text;
}

/// "Debian GNU/Linux 12 (bookworm), Linux 6.1.0".
std::string OperatingSystem() {
  std::string name = ValueInFile("/etc/os-release", "PRETTY_NAME");
  utsname system{};
  if (::uname(&system) != 0) return name;
  return fmt::format("{}, {} {}", name, system.sysname, system.release);
}

#if defined(__OPTIMIZE__)
constexpr bool kOptimised = true;
#else
constexpr bool kOptimised = false;
#endif
#if defined(NDEBUG)
constexpr bool kAssertions = false;
#else
constexpr bool kAssertions = true;
#endif

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
          {"xsimd",
           fmt::format("{}.{}.{}", XSIMD_VERSION_MAJOR, XSIMD_VERSION_MINOR, XSIMD_VERSION_PATCH)},
          {"compiler", __VERSION__},
          {"libc", LibcVersion()}};
}

Json Build() {
  return {{"type", IDBENCH_BUILD_TYPE},
          {"flags", IDBENCH_FLAGS},
          {"optimised", kOptimised},
          {"assertions", kAssertions}};
}

Json Machine() {
  return {{"processor", ValueInFile("/proc/cpuinfo", "model name")},
          {"cores", std::thread::hardware_concurrency()},
          {"kernel", ActiveKernel().name},
          {"os", OperatingSystem()}};
}

std::string Commit() { return kCommit; }

std::string ProgramHash() {
  // The file of a process never changes: one that is built anew is another file.
  static const std::string hash = Sha256OfFile("/proc/self/exe");
  return hash;
}

Json ProgramIdentity() {
  return {{"versions", Versions()},
          {"build", Build()},
          {"commit", Commit()},
          {"program", ProgramHash()}};
}

Json InputHashes(const LoadedScenario& loaded) {
  Json hashes = Json::object();
  for (const InputFile& input : InputsOf(loaded)) {
    hashes[input.role][input.name] = Sha256OfFile(input.path);
  }
  return hashes;
}

}  // namespace idbench
