#pragma once

#include <string>

#include "scenarios/options/json_fwd.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// Returns a hash of the results of this machine's libm and kernel on fixed inputs. Runs with
/// different fingerprints may differ in their bits, and must not be merged.
std::string FloatingPointFingerprint();

/// Returns the versions of idbench, of what computes with it (simulator, libraries, compiler), and
/// of the C library that it runs with.
Json Versions();

/// Returns how this program was built: `type` (CMake's) and `flags`, without those for warnings,
/// and whether it is `optimised` and has `assertions`.
Json Build();

/// Returns the processor, its count, the kernel in use, and the operating system.
Json Machine();

/// Returns the SHA-256 of the file of this program.
std::string ProgramHash();

/// Returns what identifies this program in a manifest.json: `versions`, `build`, `commit` and
/// `program`.
Json ProgramIdentity();

/// Returns the SHA-256 of all that the scenario reads (see InputsOf()): by role, then by name.
/// @throws ConfigError if a file cannot be read.
Json InputHashes(const LoadedScenario& loaded);

/// Returns the commit of this build, followed by "-dirty" if files were changed; "" if unknown.
std::string Commit();

}  // namespace idbench
