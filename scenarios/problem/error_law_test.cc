#include "scenarios/problem/error_law.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace idbench {
namespace {

TEST_CASE("A law is described with its numbers in percent") {
  CHECK(DescribeLaw(RandomSignError{0.2}) == "±20 %, signs drawn");
  CHECK(DescribeLaw(UniformError{0.1, 0.5}) == "uniform in [10, 50] %");
  CHECK(DescribeLaw(GaussianError{0.125}) == "Gaussian with σ = 12.5 %");
  CHECK(DescribeLaw(DeclaredError{}) == "Gaussian with the σ that it declares");
}

TEST_CASE("A law that leaves what is positive so is accepted up to its limit") {
  for (const ErrorLaw& law : {ErrorLaw(RandomSignError{0.999}), ErrorLaw(UniformError{-0.999, 5.0}),
                              ErrorLaw(GaussianError{0.3}), ErrorLaw(DeclaredError{})}) {
    CHECK(!CheckPositive(law, "/mass_error"));
  }
  for (const auto& [law, where] :
       {std::pair(ErrorLaw(RandomSignError{1.0}), "/mass_error/size"),
        std::pair(ErrorLaw(UniformError{-1.0, 0.0}), "/mass_error/lower"),
        std::pair(ErrorLaw(GaussianError{0.301}), "/mass_error/std")}) {
    const std::optional<Issue> issue = CheckPositive(law, "/mass_error");
    REQUIRE(issue);
    CHECK(issue->where == where);
    CHECK(issue->details == std::vector<std::string>{"masses and moments have to stay positive"});
  }
}

}  // namespace
}  // namespace idbench
