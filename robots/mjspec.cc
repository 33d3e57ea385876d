#include "robots/mjspec.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

void HandleLog(const mjLogMessage* message) {
  if (message->level >= mjLOG_ERROR) {
    throw std::runtime_error(fmt::format("MuJoCo: {}", message->subject));
  }
  if (message->level == mjLOG_WARNING) fmt::print(stderr, "MuJoCo: {}\n", message->subject);
}

void DeleteAll(mjSpec* spec, mjtObj type) {
  mjsElement* element = mjs_firstElement(spec, type);
  while (element != nullptr) {
    mjsElement* const next = mjs_nextElement(spec, element);
    mjs_delete(spec, element);
    element = next;
  }
}

}  // namespace

void InstallMujocoLogHandler() {
  static std::once_flag once;
  std::call_once(once, [] { mju_setLogHandler(&HandleLog); });
}

SpecPtr ParseSpec(const std::filesystem::path& file) {
  InstallMujocoLogHandler();
  if (!std::filesystem::is_regular_file(file)) {
    throw ConfigError(file.string(), "", "no such file", {"give the path of an MJCF or URDF file"});
  }
  std::array<char, 1000> error{};
  SpecPtr spec(mj_parseXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!spec) {
    std::string words = error.data();
    words.erase(words.find_last_not_of('\n') + 1);
    throw ConfigError(file.string(), "", fmt::format("MuJoCo cannot read it: {}", words),
                      {"accepted here: MJCF (.xml) or URDF (.urdf)"});
  }
  // Fused into others, bodies would lose the inertias that are written for them.
  spec->compiler.fusestatic = 0;
  if (file.extension() == ".urdf") {
    DeleteAll(spec.get(), mjOBJ_GEOM);
    DeleteAll(spec.get(), mjOBJ_MESH);
  }
  return spec;
}

ModelPtr Compile(mjSpec* spec, const std::filesystem::path& file) {
  InstallMujocoLogHandler();
  ModelPtr model(mj_compile(spec, nullptr));
  if (!model) {
    throw ConfigError(file.string(), "",
                      fmt::format("MuJoCo cannot compile it: {}", mjs_getError(spec)));
  }
  return model;
}

}  // namespace idbench
