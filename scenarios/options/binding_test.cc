#include "scenarios/options/binding_test.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {
namespace {

enum class Tide { kFlood, kEbb, kSlack };

}  // namespace

template <>
inline constexpr auto kEnumNames<Tide> = std::to_array<EnumName<Tide>>({{Tide::kFlood, "flood"},
                                                                        {Tide::kEbb, "ebb"},
                                                                        {Tide::kSlack, "slack"},
                                                                        {Tide::kEbb, "falling"}});

namespace {

FieldInfo Range(double lower, double upper, std::string unit = "") {
  return {.doc = "", .unit = std::move(unit), .lower = lower, .upper = upper};
}

TEST_CASE("A bool is true or false") {
  CHECK(Reading<bool>("true").value);
  CHECK_FALSE(Reading<bool>("false", {}, true).value);
  CHECK(ErrorOf<bool>("1") == "a.json: /x: got 1\n  accepted here: true or false");
  CHECK(ErrorOf<bool>("\"true\"") == "a.json: /x: got \"true\"\n  accepted here: true or false");
}

TEST_CASE("A double is any number in its range") {
  CHECK(Reading<double>("0.1").value == 0.1);
  CHECK(Reading<double>("-3").value == -3.0);
  CHECK(ErrorOf<double>("null") == "a.json: /x: got null\n  accepted here: a number");
  CHECK(ErrorOf<double>("\"1\"", {.doc = "", .unit = "s"}) ==
        "a.json: /x: got \"1\"\n  accepted here: a number [s]");
  CHECK(Reading<double>("\"1\"", {}, 5.0).value == 5.0);  // refused: left alone
}

TEST_CASE("Closed bounds are accepted, an open one is refused, and the message states them") {
  const FieldInfo closed = Range(0, 2.5, "s");
  CHECK(ErrorOf<double>("0", closed) == "none");
  CHECK(ErrorOf<double>("2.5", closed) == "none");
  CHECK(ErrorOf<double>("-1e-300", closed) ==
        "a.json: /x: got -1e-300\n  accepted here: a number, at least 0 and at most 2.5 [s]");
  CHECK(ErrorOf<double>("2.6", closed) ==
        "a.json: /x: got 2.6\n  accepted here: a number, at least 0 and at most 2.5 [s]");

  FieldInfo open = Range(0, 2.5);
  open.lower_open = true;
  CHECK(ErrorOf<double>("5e-324", open) == "none");
  CHECK(ErrorOf<double>("0", open) ==
        "a.json: /x: got 0\n  accepted here: a number, greater than 0 and at most 2.5");

  const FieldInfo none;
  CHECK(ErrorOf<double>("-1", Range(0, none.upper)) ==
        "a.json: /x: got -1\n  accepted here: a number, at least 0");
  CHECK(ErrorOf<double>("2", Range(none.lower, 1)) ==
        "a.json: /x: got 2\n  accepted here: a number, at most 1");
}

TEST_CASE("An integer has no fraction, however it is written") {
  CHECK(Reading<int>("-7").value == -7);
  CHECK(Reading<int>("1e3").value == 1000);
  CHECK(Reading<std::uint64_t>("4.0").value == 4);
  CHECK(ErrorOf<int>("1.5") == "a.json: /x: got 1.5\n  accepted here: an integer");
  CHECK(ErrorOf<int>("true") == "a.json: /x: got true\n  accepted here: an integer");
  CHECK(ErrorOf<int>("0", Range(1, 10)) ==
        "a.json: /x: got 0\n  accepted here: an integer, at least 1 and at most 10");
  CHECK(Reading<int>("1.5", {}, -7).value == -7);  // refused: left alone
}

TEST_CASE("An integer is refused where its type would wrap it round") {
  CHECK(Reading<int>("-2147483648").value == INT32_MIN);
  CHECK(ErrorOf<int>("-2147483649") ==
        "a.json: /x: got -2147483649\n  accepted here: an integer, at least -2147483648");
  CHECK(ErrorOf<int>("2147483648") ==
        "a.json: /x: got 2147483648\n  accepted here: an integer, at most 2147483647");
  CHECK(Reading<std::uint32_t>("4294967295").value == UINT32_MAX);
  CHECK(ErrorOf<std::uint32_t>("4294967296") ==
        "a.json: /x: got 4294967296\n  accepted here: an integer, at most 4294967295");
  CHECK(ErrorOf<std::uint32_t>("-1") ==
        "a.json: /x: got -1\n  accepted here: an integer, at least 0");
}

TEST_CASE("All 64 bits of an integer are read, and no more") {
  CHECK(Reading<std::int64_t>("-9223372036854775808").value == INT64_MIN);
  CHECK(Reading<std::int64_t>("9223372036854775807").value == INT64_MAX);
  CHECK(Reading<std::uint64_t>("9223372036854775807").value == INT64_MAX);
  CHECK(Reading<std::uint64_t>("9223372036854775808").value == 9223372036854775808u);
  CHECK(Reading<std::uint64_t>("18446744073709551615").value == UINT64_MAX);
  CHECK(ErrorOf<std::int64_t>("9223372036854775808") ==
        "a.json: /x: got 9223372036854775808\n"
        "  accepted here: an integer, at most 9.223372036854776e+18");
  CHECK(ErrorOf<std::uint64_t>("-1") ==
        "a.json: /x: got -1\n  accepted here: an integer, at least 0");
  // The parser has made doubles of these; above 2⁵³ they may not be the digits that were written.
  CHECK(ErrorOf<std::uint64_t>("18446744073709551616") ==
        "a.json: /x: got 1.8446744073709552e+19\n  accepted here: an integer of at most 64 bits, "
        "with all its digits");
  CHECK(Reading<std::uint64_t>("9007199254740992.0").value == 9007199254740992u);
  CHECK(ErrorOf<std::uint64_t>("9007199254740994.0") ==
        "a.json: /x: got 9.007199254740994e+15\n  accepted here: an integer of at most 64 bits, "
        "with all its digits");
}

TEST_CASE("A string is any text, or one of its choices") {
  CHECK(Reading<std::string>("\"a b\"").value == "a b");
  CHECK(ErrorOf<std::string>("5") == "a.json: /x: got 5\n  accepted here: a text in quotes");

  const FieldInfo info{.doc = "", .choices = {"viscous", "coulomb", "offset"}};
  CHECK(Reading<std::string>("\"coulomb\"", info).value == "coulomb");
  CHECK(ErrorOf<std::string>("\"colomb\"", info) ==
        "a.json: /x: got \"colomb\"\n"
        "  accepted here: viscous, coulomb, offset\n"
        "  did you mean 'coulomb'?");
  CHECK(ErrorOf<std::string>("5", info) ==
        "a.json: /x: got 5\n  accepted here: viscous, coulomb, offset");
  CHECK(ErrorOf<std::string>("\"\"", info) ==
        "a.json: /x: got \"\"\n  accepted here: viscous, coulomb, offset");
}

TEST_CASE("An enum is one of its names, or an old spelling, which is not written again") {
  CHECK(Reading<Tide>("\"ebb\"").value == Tide::kEbb);
  CHECK(Reading<Tide>("\"falling\"", {}, Tide::kFlood).value == Tide::kEbb);
  CHECK(WriteValue(Tide::kEbb) == "ebb");
  CHECK(ErrorOf<Tide>("\"eb\"") ==
        "a.json: /x: got \"eb\"\n  accepted here: flood, ebb, slack\n  did you mean 'ebb'?");
  CHECK(ErrorOf<Tide>("0") == "a.json: /x: got 0\n  accepted here: flood, ebb, slack");
  CHECK(Reading<Tide>("\"rising\"", {}, Tide::kSlack).value == Tide::kSlack);  // left alone
  CHECK(ToString(Tide::kSlack) == "slack");
  CHECK(FromName<Tide>("falling") == Tide::kEbb);
  CHECK_FALSE(FromName<Tide>("rising"));
}

TEST_CASE("Choices leave only some names of an enum, and their old spellings") {
  const FieldInfo moving{.doc = "", .choices = {"flood", "ebb"}};
  CHECK(Reading<Tide>("\"falling\"", moving).value == Tide::kEbb);
  CHECK(ErrorOf<Tide>("\"slack\"", moving) ==
        "a.json: /x: got \"slack\"\n  accepted here: flood, ebb");
}

TEST_CASE("An optional is absent for null, and otherwise what it holds") {
  CHECK(Reading<std::optional<double>>("0.5").value == 0.5);
  CHECK(Reading<std::optional<double>>("null", {}, 3.0).value == std::nullopt);
  CHECK(ErrorOf<std::optional<double>>("-1", Range(0, 1)) ==
        "a.json: /x: got -1\n  accepted here: a number, at least 0 and at most 1");
  CHECK(WriteValue<std::optional<double>>(std::nullopt).is_null());
  CHECK(WriteValue<std::optional<double>>(0.5) == Json(0.5));
}

TEST_CASE("A value per joint is one number for all or a list") {
  CHECK(Reading<PerJoint>("0.5").value == PerJoint{{0.5}});
  CHECK(Reading<PerJoint>("[0.5, 1]").value == PerJoint{{0.5, 1.0}});
  CHECK(PerJoint{}[6] == 0.0);
  CHECK(PerJoint{{0.5}}[6] == 0.5);
  CHECK(PerJoint{{0.5, 1.0}}[1] == 1.0);
  CHECK_THROWS_AS((PerJoint{{0.5, 1.0}}[2]), std::out_of_range);

  const std::string accepted =
      "\n  accepted here: a number, or a list with one number per joint, at least 0 and at most 1 "
      "[rad]";
  const FieldInfo info = Range(0, 1, "rad");
  CHECK(ErrorOf<PerJoint>("\"0.5\"", info) == "a.json: /x: got \"0.5\"" + accepted);
  CHECK(ErrorOf<PerJoint>("[]", info) == "a.json: /x: got a list of 0" + accepted);
  CHECK(ErrorOf<PerJoint>("2", info) == "a.json: /x: got 2" + accepted);
  CHECK(ErrorOf<PerJoint>("[0, true, 2]", info) ==
        "a.json: /x/1: got true\n"
        "  accepted here: a number, at least 0 and at most 1 [rad]\n"
        "a.json: /x/2: got 2\n"
        "  accepted here: a number, at least 0 and at most 1 [rad]");
  for (const PerJoint& value : {PerJoint{}, PerJoint{{0.5}}, PerJoint{{0.5, 1.0}}}) {
    CHECK(Reading<PerJoint>(WriteValue(value).dump()).value == value);
  }
}

TEST_CASE("A list holds values of one kind, each in the field's range or choices") {
  CHECK(Reading<std::vector<int>>("[1, 2]").value == std::vector{1, 2});
  CHECK(Reading<std::vector<int>>("[]", {}, {5}).value.empty());
  CHECK(Reading<std::vector<std::vector<int>>>("[[1], []]").value ==
        std::vector<std::vector<int>>{{1}, {}});
  CHECK(ErrorOf<std::vector<int>>("{}") ==
        "a.json: /x: got an object\n  accepted here: a list […]");
  CHECK(ErrorOf<std::vector<int>>("[1, \"2\", 3, 11]", Range(1, 10)) ==
        "a.json: /x/1: got \"2\"\n"
        "  accepted here: an integer, at least 1 and at most 10\n"
        "a.json: /x/3: got 11\n"
        "  accepted here: an integer, at least 1 and at most 10");
  CHECK(ErrorOf<std::vector<std::string>>("[\"b\", \"bad\"]", {.doc = "", .choices = {"a", "b"}}) ==
        "a.json: /x/1: got \"bad\"\n  accepted here: a, b");
  CHECK(ErrorOf<std::vector<std::vector<int>>>("[[1], [2, false]]") ==
        "a.json: /x/1/1: got false\n  accepted here: an integer");
}

/// A number whose key depends on what it measures.
struct Dial {
  std::string key;
  double value = 0.0;

  bool operator==(const Dial&) const = default;
};
FieldTable Visit(Dial& dial) {
  FieldTable table;
  table.Add(dial.key, dial.value, {.doc = ""});
  return table;
}

TEST_CASE("Labelled values that are alike begin as copies of their prototype") {
  LabelledAlike<Dial> dials({.key = "bar", .value = 2.0});
  std::vector<Issue> issues;
  Binding<LabelledAlike<Dial>>::Read(ParseJson(R"({"a": {"bar": 1}, "b": {}})", "a.json"), "/x", {},
                                     dials, issues);
  CHECK(issues.empty());
  CHECK(dials.values == Labelled<Dial>{{"a", {"bar", 1.0}}, {"b", {"bar", 2.0}}});
  CHECK(WriteValue(dials) == ParseJson(R"({"a": {"bar": 1.0}, "b": {"bar": 2.0}})", "a.json"));
  Binding<LabelledAlike<Dial>>::Read(ParseJson(R"({"a": {"ba": 1}})", "a.json"), "/x", {}, dials,
                                     issues);
  CHECK(issues.at(0).where == "/x/a/ba");
}

TEST_CASE("Labelled values keep the order of the file and escape their labels in pointers") {
  CHECK(Reading<Labelled<int>>(R"({"z": 1, "a": 2})").value == Labelled<int>{{"z", 1}, {"a", 2}});
  CHECK(Reading<Labelled<int>>("{}", {}, {{"z", 1}}).value.empty());
  CHECK(ErrorOf<Labelled<int>>("[1]") ==
        "a.json: /x: got a list of 1\n  accepted here: an object {…}");
  CHECK(ErrorOf<Labelled<int>>(R"({"a/b": 0})", Range(1, 10)) ==
        "a.json: /x/a~1b: got 0\n  accepted here: an integer, at least 1 and at most 10");
  const Labelled<int> value{{"z", 1}, {"a", 2}};
  CHECK(Reading<Labelled<int>>(WriteValue(value).dump()).value == value);
}

TEST_CASE("The schema of an enum lists its names, or the choices") {
  CHECK(SchemaOf<Tide>({}, {}) ==
        Parsed(R"({"type": "string", "enum": ["flood", "ebb", "slack"]})"));
  CHECK(SchemaOf<Tide>({.doc = "", .choices = {"ebb"}}, {}) ==
        Parsed(R"({"type": "string", "enum": ["ebb"]})"));
}

TEST_CASE("The schema of a value states its type, range and choices") {
  CHECK(SchemaOf<bool>({}, false) == Parsed(R"({"type": "boolean"})"));
  CHECK(SchemaOf<double>(Range(0, 2.5), 0) ==
        Parsed(R"({"type": "number", "minimum": 0, "maximum": 2.5})"));
  CHECK(SchemaOf<double>({.doc = "", .lower = 0, .lower_open = true}, 0) ==
        Parsed(R"({"type": "number", "exclusiveMinimum": 0})"));
  CHECK(SchemaOf<std::string>({}, "") == Parsed(R"({"type": "string"})"));
  CHECK(SchemaOf<std::string>({.doc = "", .choices = {"a", "b"}}, "") ==
        Parsed(R"({"type": "string", "enum": ["a", "b"]})"));
  CHECK(SchemaOf<std::optional<bool>>({}, {}) ==
        Parsed(R"({"anyOf": [{"type": "boolean"}, {"type": "null"}]})"));
  CHECK(SchemaOf<std::vector<bool>>({}, {}) ==
        Parsed(R"({"type": "array", "items": {"type": "boolean"}})"));
  CHECK(SchemaOf<Labelled<bool>>({}, {}) ==
        Parsed(R"({"type": "object", "additionalProperties": {"type": "boolean"}})"));
  CHECK(SchemaOf<PerJoint>(Range(0, 1), {}) == Parsed(R"({"anyOf": [
          {"type": "number", "minimum": 0, "maximum": 1},
          {"type": "array", "items": {"type": "number", "minimum": 0, "maximum": 1},
           "minItems": 1}]})"));
}

TEST_CASE("The schema of an integer has the narrower of the field's and the type's range") {
  CHECK(SchemaOf<int>(Range(1, 10), 0) ==
        Parsed(R"({"type": "integer", "minimum": 1, "maximum": 10})"));
  CHECK(SchemaOf<int>({}, 0) ==
        Parsed(R"({"type": "integer", "minimum": -2147483648, "maximum": 2147483647})"));
  CHECK(SchemaOf<std::uint64_t>({}, 0).dump() ==
        R"({"type":"integer","minimum":0,"maximum":18446744073709551615})");
  CHECK(SchemaOf<unsigned>({.doc = "", .lower = 0, .upper = 5, .lower_open = true}, 0) ==
        Parsed(R"({"type": "integer", "exclusiveMinimum": 0, "maximum": 5})"));
}

}  // namespace
}  // namespace idbench
