#include "scenarios/options/utf8.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("What is UTF-8 stays as it is, control characters and U+FFFD itself too") {
  for (const std::string_view text : {"", "q_°", "τ = Y π", "😀", "a\nb\x1b\x01", "\xEF\xBF\xBD"}) {
    CAPTURE(text);
    CHECK(IsUtf8(text));
    CHECK(ReplaceIllFormed(text) == text);
  }
  CHECK(IsUtf8(std::string_view("a\0b", 3)));
}

TEST_CASE("What is not UTF-8 is told apart: table 3-7 of the Unicode Standard") {
  CHECK_FALSE(IsUtf8("q_\xB0"));            // "q_°" in Latin-1
  CHECK_FALSE(IsUtf8("\xC0\xAF"));          // overlong
  CHECK_FALSE(IsUtf8("\xED\xA0\x80"));      // a surrogate
  CHECK_FALSE(IsUtf8("\xF4\x90\x80\x80"));  // above U+10FFFF
  CHECK_FALSE(IsUtf8("\xE2\x82"));          // cut off
  CHECK(ReplaceIllFormed("q_\xB0") == "q_\xEF\xBF\xBD");
  CHECK(ReplaceIllFormed("\xB0q") == "\xEF\xBF\xBDq");
}

TEST_CASE("JSON is written whatever its strings and keys hold, and can be read again") {
  const Json json = {{"q_\xB0", Json::array({"\xFF", 0.1})}};
  CHECK_THROWS(json.dump());
  CHECK(JsonText(json) == "{\"q_\xEF\xBF\xBD\":[\"\xEF\xBF\xBD\",0.1]}");
  CHECK(ParseJson(JsonText(json, 2), "a.json")["q_\xEF\xBF\xBD"][1] == 0.1);
  const Json plain = {{"a", "é\n"}, {"b", Json::object()}};
  CHECK(JsonText(plain) == plain.dump());
  CHECK(JsonText(plain, 1) == plain.dump(1));
}

}  // namespace
}  // namespace idbench
