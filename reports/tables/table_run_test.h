#pragma once

#include <string>

#include "reports/run/sample_run_test.h"
#include "reports/tables/render.h"
#include "reports/tables/table.h"
#include "scenarios/options/json.h"

namespace idbench {

/// All tables of a run, as Markdown.
inline std::string Tables(const SampleRun& run) {
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  std::string text;
  for (const Table& table : MakeTables(Summarise(read), read.manifest())) {
    text += RenderMarkdown(table);
  }
  return text;
}

/// The sample with these tables and no marks.
inline SampleRun RunWith(const Json& table, int trials = SampleRun::kTrials) {
  SampleRun run;
  run.manifest["marks"] = Json::array();
  run.manifest["scenario"]["tables"] = Json::array({table});
  run.manifest["trials"] = trials;
  return run;
}

}  // namespace idbench
