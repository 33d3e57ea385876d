#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {

/// A text as content or as a quoted attribute of HTML: & < > " ' are escaped.
std::string HtmlEscape(std::string_view text);

/// JSON as the content of a <script>: no < in it, so that nothing ends the element early.
std::string ScriptJson(const Json& json);

/// One place of a table.
struct HtmlCell {
  std::string html;             ///< Its content, escaped.
  std::optional<double> value;  ///< What it is sorted by; nothing: by its text, or last in a
                                ///< column of numbers.
  std::string css_class = "";
};

/// A table that is sorted by a click on a header.
struct HtmlTable {
  struct Column {
    std::string html;
    std::string css_class = "";  ///< "text": read as words, aligned left and sorted as words.
  };
  std::vector<Column> columns;
  std::vector<std::vector<HtmlCell>> rows;  ///< The first cell of each is its header.
  std::vector<HtmlCell> footer;             ///< A row that stays last, or nothing.

  std::string Render() const;
};

/// The number that an object holds under a key; nothing if there is no number.
std::optional<double> NumberAt(const Json& object, const char* key);

/// A number as a cell that is sorted by it, "–" if it is absent.
///
/// @param format  of fmt, for a double.
HtmlCell NumberCell(const std::optional<double>& value, const char* format = "{:.4g}");

/// A list of names and contents; both escaped already.
std::string HtmlFacts(const std::vector<std::pair<std::string, std::string>>& facts);

/// A list of notes, which are escaped here; "" of none.
std::string HtmlNotes(const std::vector<std::string>& notes);

}  // namespace idbench
