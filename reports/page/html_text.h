#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns a text as content or as a quoted attribute of HTML: escapes & < > " '.
std::string HtmlEscape(std::string_view text);

/// Returns JSON as the content of a <script>: without any <, so that nothing ends the
/// element early.
std::string ScriptJson(const Json& json);

/// Cell of a table.
struct HtmlCell {
  std::string html;  ///< Its content, escaped.
  /// Sort key; absent: sorted by its text, or last in a column of numbers.
  std::optional<double> value;
  std::string css_class = "";
};

/// Table that a click on a header sorts.
struct HtmlTable {
  struct Column {
    std::string html;
    std::string css_class = "";  ///< "text": aligned left and sorted as words.
  };
  std::vector<Column> columns;
  std::vector<std::vector<HtmlCell>> rows;  ///< The first cell of each row is its header.
  std::vector<HtmlCell> footer;             ///< Row that stays last; may be empty.

  std::string Render() const;
};

/// Returns the number that an object holds under a key; nothing if there is no number.
std::optional<double> NumberAt(const Json& object, const char* key);

/// Returns a cell that shows a number and sorts by it, "–" if it is absent.
///
/// @param format  of fmt, for a double.
HtmlCell NumberCell(const std::optional<double>& value, const char* format = "{:.4g}");

/// Returns a list of names and contents, both escaped already.
std::string HtmlFacts(const std::vector<std::pair<std::string, std::string>>& facts);

/// Returns a list of notes, which it escapes; "" without notes.
std::string HtmlNotes(const std::vector<std::string>& notes);

}  // namespace idbench
