#include "reports/files/printable_text.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace idbench {
namespace {

constexpr const char* kReplaced = "\xEF\xBF\xBD";

TEST_CASE("Text of any script, tabs and line feeds stay") {
  for (const char* text :
       {"", "a\tb\nc", "τ [N·m], q_°", "\xC2\xA0", "😀", "\xEF\xBF\xBD", "<&>"}) {
    CHECK(PrintableText(text) == text);
  }
}

TEST_CASE("Control characters, noncharacters and stray bytes are replaced one by one") {
  CHECK(PrintableText("\x1b[31mred") == fmt::format("{}[31mred", kReplaced));
  CHECK(PrintableText("a\rb\x01") == fmt::format("a{0}b{0}", kReplaced));
  CHECK(PrintableText(std::string_view("\0", 1)) == kReplaced);
  CHECK(PrintableText("\x7f") == kReplaced);
  CHECK(PrintableText("\xC2\x9B") == kReplaced);      // U+009B introduces a terminal's command
  CHECK(PrintableText("\xEF\xBF\xBE") == kReplaced);  // U+FFFE
  CHECK(PrintableText("q_\xB0") == fmt::format("q_{}", kReplaced));
}

}  // namespace
}  // namespace idbench
