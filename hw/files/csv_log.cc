#include "hw/files/csv_log.h"

#include <utility>

#include "robots/recording/csv.h"

namespace idbench {

FieldTable Visit(CsvFormat&) { return {}; }

Log ReadLog(const std::filesystem::path& file, const CsvFormat&,
            const std::vector<std::string>& wanted) {
  CsvTable csv = ReadCsv(file, wanted);
  Log log{csv.source, {}};
  log.tables.push_back(
      {"", std::move(csv.columns), std::move(csv.values), {}, "line", std::move(csv.lines)});
  return log;
}

}  // namespace idbench
