#pragma once

#include <cstdint>

namespace idbench {

/// Returns the number of malloc calls of the calling thread so far, made by statically linked
/// objects; operator new and Eigen call malloc too. In programs that link idbench::bench the linker
/// wraps malloc (-Wl,--wrap=malloc) and operator new is replaced.
std::uint64_t AllocationsOfThisThread();

}  // namespace idbench
