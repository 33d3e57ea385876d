#include "hw/files/csv_log.h"

#include <utility>

#include "robots/recording/csv.h"

namespace idbench {

FieldTable Visit(CsvFormat& format) { return Visit(format.dialect); }

Log ReadLog(const std::filesystem::path& file, const CsvFormat& format,
            const std::vector<std::string>& wanted) {
  CsvTable csv =
      ReadCsv(file, {.dialect = format.dialect, .required = wanted, .leaves_out_text = true});
  Log log{csv.source, {}};
  log.tables.push_back({"",
                        std::move(csv.columns),
                        std::move(csv.values),
                        {},
                        "line",
                        std::move(csv.lines),
                        std::move(csv.below_names),
                        std::move(csv.texts)});
  return log;
}

}  // namespace idbench
