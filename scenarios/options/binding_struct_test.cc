#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/options/binding_test.h"

/// Bindings of structs, and of choices among them.
namespace idbench {
namespace {

struct Fourier {
  static constexpr std::string_view kType = "fourier";
  int harmonics = 5;
  bool operator==(const Fourier&) const = default;
};

FieldTable Visit(Fourier& options) {
  FieldTable table;
  table.Add("harmonics", options.harmonics, {.doc = "Harmonics", .lower = 1, .upper = 50});
  return table;
}

struct Ramp {
  static constexpr std::string_view kType = "ramp";
  double rate_rad_s = 1.0;
  std::optional<Fourier> ripple;
  bool operator==(const Ramp&) const = default;
};

FieldTable Visit(Ramp& options) {
  FieldTable table;
  table.Add("rate_rad_s", options.rate_rad_s, {.doc = "Rate", .unit = "rad/s"})
      .Add("ripple", options.ripple, {.doc = "On top of it"});
  return table;
}

using Motion = std::variant<Fourier, Ramp>;

TEST_CASE("A struct keeps its values where keys are absent, and refuses all but an object") {
  CHECK(Reading<Fourier>("{}", {}, {7}).value == Fourier{7});
  CHECK(Reading<Fourier>(R"({"harmonics": 3})").value == Fourier{3});
  CHECK(ErrorOf<Fourier>("3") == "a.json: /x: got 3\n  accepted here: an object {…}");
  CHECK(ErrorOf<Fourier>(R"({"harmonic": 3})") ==
        "a.json: /x/harmonic: unknown key\n"
        "  accepted here: harmonics\n"
        "  did you mean 'harmonics'?");
}

TEST_CASE("An optional struct is read from an object, on top of what it holds") {
  using Optional = std::optional<Fourier>;
  CHECK(Reading<Optional>("{}").value == Fourier{5});
  CHECK(Reading<Optional>("{}", {}, Fourier{7}).value == Fourier{7});
  CHECK(Reading<Optional>("null", {}, Fourier{7}).value == std::nullopt);
  CHECK(ErrorOf<Optional>(R"({"harmonics": 0})") ==
        "a.json: /x/harmonics: got 0\n  accepted here: an integer, at least 1 and at most 50");
}

TEST_CASE("A list of structs and of optional structs names the item that is wrong") {
  CHECK(Reading<std::vector<Fourier>>(R"([{"harmonics": 3}, {}])").value ==
        std::vector{Fourier{3}, Fourier{5}});
  CHECK(ErrorOf<std::vector<Fourier>>(R"([{}, {"harmonics": 0}, 4])") ==
        "a.json: /x/1/harmonics: got 0\n"
        "  accepted here: an integer, at least 1 and at most 50\n"
        "a.json: /x/2: got 4\n"
        "  accepted here: an object {…}");

  using Optionals = std::vector<std::optional<Fourier>>;
  CHECK(Reading<Optionals>(R"([null, {"harmonics": 3}])").value ==
        Optionals{std::nullopt, Fourier{3}});
  CHECK(WriteValue<Optionals>({std::nullopt, Fourier{3}}).dump() == R"([null,{"harmonics":3}])");
}

TEST_CASE("The key type chooses among structs, and without it the present one is meant") {
  CHECK(Reading<Motion>(R"({"harmonics": 3})").value == Motion(Fourier{3}));
  CHECK(Reading<Motion>(R"({"rate_rad_s": 2, "type": "ramp"})").value == Motion(Ramp{2.0, {}}));
  CHECK(Reading<Motion>("{}", {}, Ramp{3.0, {}}).value == Motion(Ramp{3.0, {}}));
  CHECK(Reading<Motion>(R"({"type": "fourier"})", {}, Ramp{}).value == Motion(Fourier{}));
  CHECK(ErrorOf<Motion>("\"ramp\"") == "a.json: /x: got \"ramp\"\n  accepted here: an object {…}");
  CHECK(ErrorOf<Motion>(R"({"type": "rmap", "rate": 2})") ==
        "a.json: /x/type: got \"rmap\"\n"
        "  accepted here: fourier, ramp\n"
        "  did you mean 'ramp'?");
  CHECK(ErrorOf<Motion>(R"({"type": 1})") ==
        "a.json: /x/type: got 1\n  accepted here: fourier, ramp");
  CHECK(ErrorOf<Motion>(R"({"type": "ramp", "harmonics": 3})") ==
        "a.json: /x/harmonics: unknown key\n  accepted here: rate_rad_s, ripple, type");
}

TEST_CASE("Choices work inside labels, lists and optionals") {
  const std::string text = R"({"b":{"type":"ramp","rate_rad_s":2.0,"ripple":{"harmonics":2}},)"
                           R"("a":{"type":"fourier","harmonics":5}})";
  const Labelled<Motion> value{{"b", Ramp{2.0, Fourier{2}}}, {"a", Fourier{}}};
  CHECK(Reading<Labelled<Motion>>(text).value == value);
  CHECK(WriteValue(value).dump() == text);
  CHECK(ErrorOf<Labelled<Motion>>(R"({"b": {"type": "ramp", "ripple": {"harmonics": 0}}})") ==
        "a.json: /x/b/ripple/harmonics: got 0\n"
        "  accepted here: an integer, at least 1 and at most 50");
  CHECK(Reading<std::vector<Motion>>(R"([{"type": "ramp"}, {}])").value ==
        std::vector<Motion>{Ramp{}, Fourier{}});
  CHECK(Reading<std::optional<Motion>>(R"({"type": "ramp"})").value == Motion(Ramp{}));
}

struct Entry {
  std::string type;
  int weight = 1;
  void SetLabel(const std::string& label) { type = label; }
  bool operator==(const Entry&) const = default;
};

FieldTable Visit(Entry& options) {
  FieldTable table;
  table.Add("type", options.type, {.doc = "Method; its label if absent"})
      .Add("weight", options.weight, {.doc = "Weight"});
  return table;
}

TEST_CASE("A labelled struct may take a default from its label") {
  CHECK(Reading<Labelled<Entry>>(R"({"ols": {}, "mine": {"type": "wls", "weight": 2}})").value ==
        Labelled<Entry>{{"ols", {"ols", 1}}, {"mine", {"wls", 2}}});
}

TEST_CASE("The schema of a choice demands the type of all structs but the present one") {
  const std::string fourier_harmonics = R"("harmonics": {"type": "integer", "minimum": 1,
      "maximum": 50, "description": "Harmonics", "default": 7})";
  const Json schema = SchemaOf<Motion>({}, Fourier{7});
  REQUIRE(schema.at("oneOf").size() == 2);
  CHECK(schema["oneOf"][0] ==
        Parsed(R"({"type": "object", "additionalProperties": false, "properties":
          {"type": {"const": "fourier"}, )" +
               fourier_harmonics + "}}"));
  CHECK(schema["oneOf"][1]["properties"]["type"] == Json{{"const", "ramp"}});
  CHECK(schema["oneOf"][1]["required"] == Json{"type"});
}

}  // namespace
}  // namespace idbench
