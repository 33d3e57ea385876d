#include "reports/tables/shared_notes.h"

#include <algorithm>

namespace idbench {

std::vector<std::string> TakeSharedNotes(std::vector<Table>& tables) {
  std::vector<const Table*> judges;
  for (const Table& table : tables) {
    if (table.of_metrics && !table.columns.empty()) judges.push_back(&table);
  }
  std::vector<std::string> shared;
  if (judges.size() < 2) return shared;
  for (const std::string& note : judges.front()->notes) {
    const bool everywhere = std::ranges::all_of(judges, [&](const Table* table) {
      return std::ranges::find(table->notes, note) != table->notes.end();
    });
    if (everywhere) shared.push_back(note);
  }
  for (Table& table : tables) {
    if (!table.of_metrics) continue;
    std::erase_if(table.notes, [&](const std::string& note) {
      return std::ranges::find(shared, note) != shared.end();
    });
  }
  return shared;
}

}  // namespace idbench
