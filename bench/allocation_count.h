#pragma once

#include <cstdint>

namespace idbench {

/// Calls of malloc, which operator new and Eigen go through, by the calling thread so far, from
/// objects that are linked statically. Programs that link idbench::bench have malloc wrapped by the
/// linker (-Wl,--wrap=malloc) and operator new replaced.
std::uint64_t AllocationsOfThisThread();

}  // namespace idbench
