#pragma once

#include "bench/captured_output_test.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

namespace idbench {

/// Runs a scenario into the folder's `run`.
inline ProgramResult RunLog(const TemporaryFolder& folder, const Json& json) {
  return Call(
      {"run", folder.Write("r.json", json.dump()), "--out", (folder.path() / "run").string()});
}

}  // namespace idbench
