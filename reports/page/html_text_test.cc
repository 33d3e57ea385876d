#include "reports/page/html_text.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Nothing in a text is taken for markup") {
  CHECK(HtmlEscape("a <script>\"b\" & 'c'") == "a &lt;script&gt;&quot;b&quot; &amp; &#39;c&#39;");
  CHECK(HtmlEscape("σ [N·m]") == "σ [N·m]");
}

TEST_CASE("JSON in a script does not end it, and stays the same JSON") {
  const Json json = {{"label", "</script><!--"}, {"x", 1.5}};
  const std::string text = ScriptJson(json);
  CHECK(text.find('<') == std::string::npos);
  CHECK(Json::parse(text) == json);
}

TEST_CASE("A table has a button in each header, keys to sort by, and a footer that stays") {
  HtmlTable table;
  table.columns = {{"joint", "text"}, {"error"}};
  table.rows = {{{"a", {}, "text"}, {"0.5", 0.51}}, {{"b", {}, "text"}, {"–", {}, "absent"}}};
  table.footer = {{"failed", {}, ""}, {"2", 2.0, "failures"}};
  CHECK(table.Render() ==
        "<div class=\"scroll\"><table class=\"sortable\">\n"
        "<thead><tr><th scope=\"col\" class=\"text\"><button type=\"button\">joint</button></th>"
        "<th scope=\"col\"><button type=\"button\">error</button></th></tr></thead>\n"
        "<tbody>\n"
        "<tr><th scope=\"row\" class=\"text\">a</th><td data-v=\"0.51\">0.5</td></tr>\n"
        "<tr><th scope=\"row\" class=\"text\">b</th><td class=\"absent\">–</td></tr>\n"
        "</tbody>\n<tfoot>\n"
        "<tr><th scope=\"row\">failed</th><td class=\"failures\" data-v=\"2\">2</td></tr>\n"
        "</tfoot>\n</table></div>\n");
}

TEST_CASE("A number is a cell that is sorted by it, and a dash where there is none") {
  const Json object = {{"p", 0.0123}, {"why", "0.5"}};
  const HtmlCell cell = NumberCell(NumberAt(object, "p"), "{:.2g}");
  CHECK(cell.html == "0.012");
  CHECK(cell.value == 0.0123);
  for (const char* key : {"why", "effect"}) {
    CAPTURE(key);
    const HtmlCell absent = NumberCell(NumberAt(object, key));
    CHECK(absent.html == "–");
    CHECK(!absent.value);
    CHECK(absent.css_class == "absent");
  }
}

TEST_CASE("Notes are escaped, and no notes leave no empty list") {
  CHECK(HtmlNotes({}).empty());
  CHECK(HtmlNotes({"a < b"}) == "<ul class=\"notes\">\n<li>a &lt; b</li>\n</ul>\n");
}

}  // namespace
}  // namespace idbench
