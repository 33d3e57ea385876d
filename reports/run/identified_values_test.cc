#include "reports/run/identified_values.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("An interval of 95 % is 1.96 σ on either side, and none without σ") {
  CHECK(HalfWidth95({{"sigma", 0.05}}).value() == doctest::Approx(0.0979982).epsilon(1e-6));
  CHECK_FALSE(HalfWidth95({{"value", 1.0}}).has_value());
  CHECK_FALSE(HalfWidth95({{"sigma", nullptr}}).has_value());
}

TEST_CASE("What is hardly told, or never, is named as parameter and as combination") {
  const Json estimator =
      ParseJson(R"({"standard": [{"name": "link1.Izz", "hardly": [{"name": "link1.Izz_R"}]},
                                 {"name": "link1.m", "identifiable": "no"},
                                 {"name": "link2.m", "identifiable": "alone"}]})",
                "identified");
  CHECK(HardlyTold(estimator) == std::set<std::string>{"link1.Izz", "link1.Izz_R", "link1.m"});
  Json prior = estimator;
  prior["untaught"] = true;
  CHECK(HardlyTold(prior).empty());
  CHECK(HardlyTold(Json::object()).empty());
}

TEST_CASE("The prior of a combination is that of its factors, and absent if one is unknown") {
  const PriorValues prior = {{"a", 4.0}, {"b", 3.0}};
  CHECK(PriorOf({{"name", "a"}}, prior) == 4.0);
  CHECK(PriorOf({{"name", "a_R"}, {"factors", {{"a", 2.0}, {"b", -0.5}}}}, prior) == 6.5);
  CHECK_FALSE(PriorOf({{"name", "a_R"}, {"factors", {{"a", 2.0}, {"c", 1.0}}}}, prior));
}

}  // namespace
}  // namespace idbench
