#include "scenarios/options/json_access.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench::json_access {
namespace {

TEST_CASE("Items of a list and members of an object are found by their place") {
  const Json list = {5, "b", nullptr};
  REQUIRE(SizeOf(list) == 3);
  CHECK(ValueAt(list, 1) == "b");
  CHECK(IsNull(ValueAt(list, 2)));
  CHECK_FALSE(IsNull(list));

  const Json object = {{"z", 1}, {"a", 2}};
  REQUIRE(SizeOf(object) == 2);
  CHECK(LabelAt(object, 0) == "z");
  CHECK(ValueAt(object, 0) == 1);
  CHECK(LabelAt(object, 1) == "a");
  CHECK(ValueAt(object, 1) == 2);
}

TEST_CASE("Whatever there was, a value becomes null, an empty list or an empty object") {
  Json json = "text";
  SetEmptyList(json);
  CHECK(json == Json::array());
  SetEmptyObject(json);
  CHECK(json == Json::object());
  SetNull(json);
  CHECK(json.is_null());
}

TEST_CASE("Items and members are made as null, and a member that is there is found") {
  Json list = Json::array();
  Append(list) = 1;
  CHECK(Append(list).is_null());
  CHECK(list.dump() == "[1,null]");

  Json object = Json::object();
  Member(object, "z") = 1;
  CHECK(Member(object, "a").is_null());
  Member(object, "z") = 2;
  CHECK(object.dump() == R"({"z":2,"a":null})");
}

}  // namespace
}  // namespace idbench::json_access
