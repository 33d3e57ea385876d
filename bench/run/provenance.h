#pragma once

#include <string>

#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns a hash of the results of this machine's libm and kernel on fixed inputs. Runs with
/// different fingerprints may differ in their bits, and must not be merged.
std::string FloatingPointFingerprint();

/// Returns the versions of idbench, the simulator, libraries and compiler.
Json Versions();

/// Returns the processor, its count, and the kernel in use.
Json Machine();

/// Returns the commit of this build, followed by "-dirty" if files were changed; "" if unknown.
std::string Commit();

}  // namespace idbench
