#include "reports/page/html_text.h"

#include <fmt/format.h>

#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

std::string ClassAttribute(const std::string& css_class) {
  return css_class.empty() ? std::string() : fmt::format(" class=\"{}\"", css_class);
}

/// The cells of a row: the first one is a header.
std::string Row(const std::vector<HtmlCell>& cells) {
  std::string text = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const HtmlCell& cell = cells[i];
    const std::string value = cell.value ? fmt::format(" data-v=\"{}\"", *cell.value) : "";
    const char* tag = i == 0 ? "th" : "td";
    text += fmt::format("<{0}{1}{2}{3}>{4}</{0}>", tag, i == 0 ? " scope=\"row\"" : "",
                        ClassAttribute(cell.css_class), value, cell.html);
  }
  return text + "</tr>\n";
}

}  // namespace

std::string HtmlEscape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string ScriptJson(const Json& json) {
  std::string text;
  for (const char c : JsonText(json)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string HtmlTable::Render() const {
  std::string text = "<div class=\"scroll\"><table class=\"sortable\">\n<thead><tr>";
  for (const Column& column : columns) {
    text += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                        ClassAttribute(column.css_class), column.html);
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) text += Row(row);
  text += "</tbody>\n";
  if (!footer.empty()) text += "<tfoot>\n" + Row(footer) + "</tfoot>\n";
  return text + "</table></div>\n";
}

std::optional<double> NumberAt(const Json& object, const char* key) {
  const auto member = object.find(key);
  if (member == object.end() || !member->is_number()) return std::nullopt;
  return member->get<double>();
}

HtmlCell NumberCell(const std::optional<double>& value, const char* format) {
  if (!value) return {"–", {}, "absent"};
  return {fmt::format(fmt::runtime(format), *value), value};
}

std::string HtmlFacts(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string text = "<dl class=\"facts\">\n";
  for (const auto& [name, content] : facts) {
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, content);
  }
  return text + "</dl>\n";
}

std::string HtmlNotes(const std::vector<std::string>& notes) {
  if (notes.empty()) return "";
  std::string text = "<ul class=\"notes\">\n";
  for (const std::string& note : notes) text += fmt::format("<li>{}</li>\n", HtmlEscape(note));
  return text + "</ul>\n";
}

}  // namespace idbench
