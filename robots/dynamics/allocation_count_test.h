#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

/// Counts every allocation of the objects linked into a test program: the linker wraps malloc,
/// which Eigen calls (-Wl,--wrap=malloc in CMakeLists.txt), and operator new calls malloc. Only one
/// file of a program may include this header, hence its definitions.
// NOLINTBEGIN(misc-definitions-in-headers)
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming): the linker's names
namespace {
long allocation_count = 0;
}
extern "C" {
void* __real_malloc(std::size_t size);
void* __wrap_malloc(std::size_t size) {
  ++allocation_count;
  return __real_malloc(size);
}
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
void* operator new(std::size_t size) {
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
/// That of buffers that algorithms can do without, as std::stable_sort's.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-definitions-in-headers)
