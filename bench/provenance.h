#pragma once

#include <string>

#include "scenarios/options/json.h"

namespace idbench {

/// Hash of what this machine's libm and kernel make of fixed inputs. Runs with different
/// fingerprints need not agree bit for bit, and must not be merged.
std::string FloatingPointFingerprint();

/// Versions of idbench, the simulator, libraries and compiler.
Json Versions();

/// Processor, its count, and the kernel that is used.
Json Machine();

/// Commit that the program was built from, "-dirty" behind it if files were changed; "" if unknown.
std::string Commit();

}  // namespace idbench
