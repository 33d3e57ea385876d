#include "scenarios/options/json_value.h"

#include <doctest/doctest.h>

#include <type_traits>
#include <utility>

#include "scenarios/options/fields.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A JSON value begins as null or as an object without members") {
  CHECK(JsonValue()->is_null());
  CHECK(*JsonValue::EmptyObject() == Json::object());
}

TEST_CASE("A copy of a JSON value is one of its own, and equality compares what they hold") {
  JsonValue value = Json{{"a", {1, 2}}};
  JsonValue copy = value;
  CHECK(copy == value);
  (*copy)["a"][0] = 3;
  CHECK_FALSE(copy == value);
  CHECK(value->dump() == R"({"a":[1,2]})");
  value = copy;
  CHECK(value->dump() == R"({"a":[3,2]})");
  const JsonValue& itself = value;
  value = itself;
  CHECK(value == copy);
}

TEST_CASE("A JSON value that was moved from takes another one") {
  JsonValue value = Json(1);
  JsonValue taken = std::move(value);
  CHECK(*taken == 1);
  value = taken;
  CHECK(*value == 1);
  taken = std::move(value);
  CHECK(*taken == 1);
}

TEST_CASE("A JSON value is const where its owner is") {
  CHECK(std::is_same_v<decltype(*std::declval<const JsonValue&>()), const Json&>);
  CHECK(std::is_same_v<decltype(std::declval<const JsonValue&>().operator->()), const Json*>);
}

TEST_CASE("A JSON value as an option is any JSON at all") {
  JsonValue value;
  std::vector<Issue> issues;
  Binding<JsonValue>::Read(Json{{"b", {1, nullptr}}, {"a", "x"}}, "/x", {}, value, issues);
  CHECK(issues.empty());
  CHECK(WriteValue(value).dump() == R"({"b":[1,null],"a":"x"})");
  Json schema;
  Binding<JsonValue>::Schema({}, value, schema);
  CHECK(schema == Json::object());
}

}  // namespace
}  // namespace idbench
