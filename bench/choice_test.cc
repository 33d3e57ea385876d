#include "bench/choice.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

enum class Meal { kBreakfast, kSupper };

}  // namespace

template <>
inline constexpr auto kEnumNames<Meal> = std::to_array<EnumName<Meal>>(
    {{Meal::kBreakfast, "breakfast"}, {Meal::kSupper, "supper"}, {Meal::kSupper, "dinner"}});

namespace {

TEST_CASE("A choice is read by any of its names, and another text is told the present ones") {
  CHECK(ParseChoice<Meal>("--meal", "breakfast") == Meal::kBreakfast);
  CHECK(ParseChoice<Meal>("--meal", "dinner") == Meal::kSupper);
  CHECK_THROWS_WITH_AS(ParseChoice<Meal>("--meal", "lunch"),
                       "--meal: got 'lunch'\n  accepted here: breakfast, supper", UsageError);
}

}  // namespace
}  // namespace idbench
