# Writes HEADER with the commit of the tree SOURCE: cmake -D SOURCE=… -D HEADER=… -P write_commit.cmake
execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#pragma once

namespace idbench {
inline constexpr const char* kCommit = \"${commit}\";
}  // namespace idbench
")
