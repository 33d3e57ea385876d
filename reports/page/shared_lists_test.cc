#include "reports/page/shared_lists.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("Lists of numbers that occur twice are written once") {
  const Json time = {0, 1, 2, 3, 4, 5, 6, nullptr};
  const Json once = {0, 1, 2, 3, 4, 5, 6, 7};
  const Json names = {"a", "b", "c", "d", "e", "f", "g", "h"};
  const Json brief = {0, 1};
  Json data = {{"a", {{{"t", time}, {"y", once}, {"n", names}, {"s", brief}}}},
               {"b", {{"t", time}, {"n", names}, {"s", brief}}}};
  const Json lists = TakeSharedLists(data);
  CHECK(lists == Json::array({time}));
  const Json reference = {{"$list", 0}};
  CHECK(data == Json{{"a", {{{"t", reference}, {"y", once}, {"n", names}, {"s", brief}}}},
                     {"b", {{"t", reference}, {"n", names}, {"s", brief}}}});
}

TEST_CASE("Data without equal lists stay as they are") {
  Json data = {{"a", {1, 2, 3, 4, 5, 6, 7, 8}}, {"b", {1, 2, 3, 4, 5, 6, 7, 9}}};
  const Json before = data;
  CHECK(TakeSharedLists(data).empty());
  CHECK(data == before);
}

}  // namespace
}  // namespace idbench
