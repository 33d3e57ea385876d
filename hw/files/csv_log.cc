#include "hw/files/csv_log.h"

#include <utility>

#include "robots/recording/csv.h"

namespace idbench {

FieldTable Visit(CsvFormat& format) { return Visit(format.dialect); }

Log ReadLog(const std::filesystem::path& file, const CsvFormat& format,
            const std::vector<std::string>& wanted) {
  CsvTable csv =
      ReadCsv(file, {.dialect = format.dialect, .required = wanted, .leaves_out_text = true});
  LogTable table;
  table.columns = std::move(csv.columns);
  table.values = std::move(csv.values);
  table.places = std::move(csv.lines);
  table.below_names = std::move(csv.below_names);
  for (CsvText& each : csv.texts) {
    table.texts.push_back(
        {each.column, std::move(each.text), std::move(each.other), each.other_line});
  }
  Log log{csv.source, {}};
  log.tables.push_back(std::move(table));
  return log;
}

}  // namespace idbench
