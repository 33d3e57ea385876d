#include "bench/run/provenance.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "bench/gate/process.h"
#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// As coreutils compute it.
std::string Sha256Sum(const std::filesystem::path& file) {
  const ScratchDirectory scratch;  // tests run side by side, each writes the output to a file
  const auto result = RunProcess({"sha256sum", file.string()}, scratch.path());
  REQUIRE(result);
  return result->output.substr(0, 64);
}

TEST_CASE("A program is identified by versions, build, commit and the hash of its file") {
  const Json identity = ProgramIdentity();
  for (const char* name : {"idbench", "mujoco", "eigen", "xsimd", "compiler"}) {
    CAPTURE(name);
    const auto version = identity["versions"].at(name).get<std::string>();
    CHECK(version.find_first_of("0123456789") != std::string::npos);
  }
  CHECK(identity["versions"]["libc"].get<std::string>().starts_with("glibc 2."));
  CHECK(identity["commit"] == Commit());
  CHECK(identity["program"] == Sha256Sum(ThisProgram()));
}

TEST_CASE("The build tells its type and what of its flags changes machine code") {
  const Json build = Build();
  const auto flags = build["flags"].get<std::string>();
  CHECK(flags.find("-ffp-contract=off") != std::string::npos);
  CHECK(flags.find("-W") == std::string::npos);
  CHECK(build["type"].is_string());
#if defined(NDEBUG)
  CHECK(build["assertions"] == false);
#else
  CHECK(build["assertions"] == true);
#endif
}

TEST_CASE("The machine tells its operating system and processor") {
  const Json machine = Machine();
  CHECK(machine["os"].get<std::string>().find(", Linux ") != std::string::npos);
  CHECK(machine["processor"] != "");
}

TEST_CASE("A manifest has the hash of each file that its robot is read from") {
  const TemporaryFolder folder;
  Records(Description(), folder / "r");
  const Json manifest = ReadJsonFile(folder / "r" / "manifest.json");
  const std::filesystem::path robot = RobotFolder() / "planar2";
  CHECK(manifest["inputs"] == Json{{"/robot/model",
                                    {{"planar2.xml", Sha256Sum(robot / "planar2.xml")},
                                     {"robot.json", Sha256Sum(robot / "robot.json")}}}});
  const Json identity = ProgramIdentity();
  for (const auto& [key, value] : identity.items()) CHECK(manifest[key] == value);
}

}  // namespace
}  // namespace idbench
