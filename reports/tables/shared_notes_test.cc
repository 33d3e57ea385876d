#include "reports/tables/shared_notes.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

using Notes = std::vector<std::string>;

Table WithNotes(Notes notes) {
  Table table;
  table.columns = {{"ols", {}}};
  table.notes = std::move(notes);
  return table;
}

TEST_CASE("A note under all tables is taken out of each, in the order of the first") {
  std::vector<Table> tables = {WithNotes({"a", "trials", "marks"}),
                               WithNotes({"marks", "b", "trials"})};
  CHECK(TakeSharedNotes(tables) == Notes{"trials", "marks"});
  CHECK(tables[0].notes == Notes{"a"});
  CHECK(tables[1].notes == Notes{"b"});
}

TEST_CASE("A note that one table lacks stays under the others, and one table keeps its notes") {
  std::vector<Table> tables = {WithNotes({"a", "marks"}), WithNotes({"a", "marks"}),
                               WithNotes({"marks"})};
  CHECK(TakeSharedNotes(tables) == Notes{"marks"});
  CHECK(tables[1].notes == Notes{"a"});
  std::vector<Table> single = {WithNotes({"marks"})};
  CHECK(TakeSharedNotes(single).empty());
  CHECK(single[0].notes == Notes{"marks"});
}

TEST_CASE("Durations have no say in what tables of metrics share, nor has a table of nothing") {
  std::vector<Table> tables = {WithNotes({"marks"}), WithNotes({"marks"}), WithNotes({"medians"}),
                               WithNotes({"–: nis: none", "marks"})};
  tables[2].of_metrics = false;
  tables[3].columns.clear();
  CHECK(TakeSharedNotes(tables) == Notes{"marks"});
  CHECK(tables[2].notes == Notes{"medians"});
  CHECK(tables[3].notes == Notes{"–: nis: none"});
}

}  // namespace
}  // namespace idbench
