#include "scenarios/options/json.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr const char* kStrict =
    "\n  strict JSON is accepted: finite numbers, no comments, no trailing commas";

std::string JsonError(std::string_view text) {
  try {
    ParseJson(text, "a.json");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

/// The message for text that is not JSON, without its constant last line.
std::string SyntaxErrorOf(std::string_view text) {
  std::string message = JsonError(text);
  const std::string strict = kStrict;
  REQUIRE(message.ends_with(strict));
  message.resize(message.size() - strict.size());
  return message;
}

std::string ErrorOfFile(const std::filesystem::path& file) {
  try {
    ReadJsonFile(file);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("Parsing keeps the order of the keys and all kinds of values") {
  const std::string text =
      R"({"z":1,"a":[true,false,null,-2,0.5,"é\n"],"m":{"y":{},"b":[]},"":18446744073709551615})";
  CHECK(ParseJson(text, "a.json").dump() == text);
  CHECK(ParseJson(" 7 ", "a.json") == Json(7));
}

TEST_CASE("A number keeps its bits") {
  CHECK(ParseJson("0.1", "a.json").get<double>() == 0.1);
  CHECK(ParseJson("5e-324", "a.json").get<double>() == 5e-324);
  CHECK(ParseJson("1.7976931348623157e308", "a.json").get<double>() == 1.7976931348623157e308);
  CHECK(ParseJson("-9223372036854775808", "a.json").get<std::int64_t>() == INT64_MIN);
}

TEST_CASE("Text that is not strict JSON is refused with line and column") {
  CHECK(JsonError("{\n  \"a\": NaN\n}") ==
        "a.json: line 2, column 8: syntax error while parsing value - invalid literal; last read: "
        "'\"a\": N'\n"
        "  strict JSON is accepted: finite numbers, no comments, no trailing commas");
  CHECK(SyntaxErrorOf("[-Infinity]") ==
        "a.json: line 1, column 3: syntax error while parsing value - invalid number; expected "
        "digit after '-'; last read: '-I'");
  CHECK(SyntaxErrorOf("{\n  \"a\": 1, // why\n}") ==
        "a.json: line 2, column 11: syntax error while parsing object key - invalid literal; last "
        "read: '1, /'; expected string literal");
  CHECK(SyntaxErrorOf("{\n  \"a\": [1, 2,]\n}") ==
        "a.json: line 2, column 14: syntax error while parsing value - unexpected ']'; expected "
        "'[', '{', or a literal");
  CHECK(SyntaxErrorOf("{\"a\": 1,}") ==
        "a.json: line 1, column 9: syntax error while parsing object key - unexpected '}'; "
        "expected string literal");
  CHECK(SyntaxErrorOf("{\n  \"a\": 1\n  \"b\": 2\n}") ==
        "a.json: line 3, column 5: syntax error while parsing object - unexpected string literal; "
        "expected '}'");
  CHECK(SyntaxErrorOf("[\"syntax error") ==
        "a.json: line 1, column 15: syntax error while parsing value - invalid string: missing "
        "closing quote; last read: '\"syntax error'");
}

TEST_CASE("Nothing may stand behind the value") {
  CHECK(SyntaxErrorOf("{} x") ==
        "a.json: line 1, column 4: syntax error while parsing value - invalid literal; last read: "
        "'{} x'; expected end of input");
  CHECK(SyntaxErrorOf("{}\r\n{}") ==
        "a.json: line 2, column 1: syntax error while parsing value - unexpected '{'; expected end "
        "of input");
}

TEST_CASE("Empty and unfinished text is refused where it ends") {
  CHECK(SyntaxErrorOf("") ==
        "a.json: line 1, column 1: syntax error while parsing value - unexpected end of input; "
        "expected '[', '{', or a literal");
  CHECK(SyntaxErrorOf("{\n") ==
        "a.json: line 2, column 1: syntax error while parsing object key - unexpected end of "
        "input; expected string literal");
}

TEST_CASE("Columns count characters, not bytes") {
  CHECK(SyntaxErrorOf("{\"é€\": x}") ==
        "a.json: line 1, column 8: syntax error while parsing value - invalid literal; last read: "
        "'\"é€\": x'");
}

TEST_CASE("A number that no double can hold is refused") {
  CHECK(SyntaxErrorOf("{\n  \"a\": 1e999}") ==
        "a.json: line 2, column 12: number overflow parsing '1e999'");
  CHECK(SyntaxErrorOf("[-1e999]") == "a.json: line 1, column 7: number overflow parsing '-1e999'");
}

TEST_CASE("Duplicate keys are refused by their pointers, all at once") {
  CHECK(JsonError(R"({"a": 1, "a": 1})") ==
        "a.json: /a: duplicate key\n"
        "  remove one of the two");
  CHECK(JsonError(
            R"({"x": [0, {"b~/": {"c": 1, "\u0063": 2}, "b~/": 1}, [[{"d": [], "d": {}}]]]})") ==
        "a.json: /x/1/b~0~1/c: duplicate key\n"
        "  remove one of the two\n"
        "a.json: /x/1/b~0~1: duplicate key\n"
        "  remove one of the two\n"
        "a.json: /x/2/0/0/d: duplicate key\n"
        "  remove one of the two");
}

TEST_CASE("Equal keys of different objects are no duplicates") {
  CHECK(JsonError(R"([{"a": {"a": 1}}, {"a": 1}])") == "no error");
}

TEST_CASE("Sixty-four levels of nesting are read, more are refused before they fill the stack") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(JsonError(nested(64)) == "no error");
  std::string pointer;
  for (int i = 0; i < 64; ++i) pointer += "/0";
  const std::string refused = "a.json: " + pointer + ": nested deeper than 64 levels";
  CHECK(JsonError(nested(65)) == refused);
  CHECK(JsonError(std::string(1'000'000, '[')) == refused);
}

TEST_CASE("A file is parsed under its own name") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("a.json", "{\"a\": 1}\n");
  CHECK(ReadJsonFile(file) == Json{{"a", 1}});
  folder.Write("a.json", "[1 2]");
  CHECK(ErrorOfFile(file) == file +
                                 ": line 1, column 4: syntax error while parsing array - "
                                 "unexpected number literal; expected ']'" +
                                 kStrict);
  folder.Write("a.json", "");
  CHECK(ErrorOfFile(file).starts_with(file + ": line 1, column 1: syntax error"));
}

TEST_CASE("What cannot be read is refused with the likely reason") {
  CHECK(ErrorOfFile("/no/such/file.json") ==
        "/no/such/file.json: cannot be read\n  no such file: check the path");
  CHECK(ErrorOfFile("/tmp") == "/tmp: cannot be read\n  it is a folder: name a file in it");
  // This file of Linux opens and then fails, for every user: unlike one without permissions.
  CHECK(ErrorOfFile("/proc/self/mem") ==
        "/proc/self/mem: cannot be read\n  it exists: check that you may read it");
}

TEST_CASE("A pointer escapes ~ and / as RFC 6901 section 5 lists them") {
  CHECK(PointerTo("", "foo") == "/foo");
  CHECK(PointerTo("/foo", "0") == "/foo/0");
  CHECK(PointerTo("/foo", std::size_t{10}) == "/foo/10");
  CHECK(PointerTo("", "") == "/");
  CHECK(PointerTo("", "a/b") == "/a~1b");
  CHECK(PointerTo("", "m~n") == "/m~0n");
  CHECK(PointerTo("", "~1") == "/~01");
  const Json json = {{"a/b", {{"m~n", 8}}}};
  CHECK(json.at(Json::json_pointer(PointerTo(PointerTo("", "a/b"), "m~n"))) == 8);
}

TEST_CASE("A value is described by itself, an object and a list by their kind") {
  CHECK(Describe(Json::object()) == "an object");
  CHECK(Describe({1, 2, 3}) == "a list of 3");
  CHECK(Describe("a \"b\"\n") == R"("a \"b\"\n")");
  CHECK(Describe(-0.5) == "-0.5");
  CHECK(Describe(nullptr) == "null");
  CHECK(Describe(true) == "true");
  CHECK(Describe("\xff") == "\"\xEF\xBF\xBD\"");  // from a command line: not everything is UTF-8
}

TEST_CASE("The first difference of two documents is told as a JSON pointer") {
  const Json a = Json::parse(R"({"x": {"y/z": [1, 2.0, {"w": 3}]}, "v": 1})");
  CHECK_FALSE(FirstDifference(a, Json::parse(R"({"v": 1, "x": {"y/z": [1, 2, {"w": 3.0}]}})")));
  CHECK(FirstDifference(a, Json::parse(R"({"x": {"y/z": [1, 2, {"w": 4}]}, "v": 2})")) ==
        "/x/y~1z/2/w");
  CHECK(FirstDifference(a, Json::parse(R"({"x": {"y/z": [1, 2]}, "v": 1})")) == "/x/y~1z/2");
  CHECK(FirstDifference(a, Json::parse(R"({"x": {"y/z": [1, 2, {"w": 3}]}})")) == "/v");
  CHECK(FirstDifference(Json::parse(R"({"x": 1})"), Json::parse(R"({"x": 1, "q": 2})")) == "/q");
  CHECK(FirstDifference(Json(1), Json("1")) == "");
}

TEST_CASE("What stands at a pointer is described, and nothing where nothing stands") {
  const Json json = Json::parse(R"({"a/b": [1, "two", {}]})");
  CHECK(DescribeAt(json, "/a~1b/1") == "\"two\"");
  CHECK(DescribeAt(json, "/a~1b/2") == "an object");
  CHECK(DescribeAt(json, "/a~1b/3") == "nothing");
  CHECK(DescribeAt(json, "/c/d") == "nothing");
}

}  // namespace
}  // namespace idbench
