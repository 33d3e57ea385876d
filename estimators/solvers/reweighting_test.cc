#include "estimators/solvers/reweighting.h"

#include <doctest/doctest.h>

#include <string>

#include "estimators/interface/estimator.h"

namespace idbench {
namespace {

TEST_CASE("A given number of rounds is taken, whatever the weights do") {
  Reweighting rounds(2);
  while (rounds.Continue()) rounds.Took(Eigen::Vector2d(1.0, 3.0));
  CHECK(rounds.rounds() == 2);
  CHECK(rounds.change() == 0.0);
}

TEST_CASE("Without a number, rounds end with the first that changes no weight by more than 1e-6") {
  Reweighting rounds(std::nullopt);
  // w₂ = 2 + 10⁻ᵏ: the step to round k changes it by 0.45·10⁻ᵏ⁺¹ of itself, below 1e-6 at k = 7.
  double step = 1.0;
  while (rounds.Continue()) rounds.Took(Eigen::Vector2d(1.0, 2.0 + (step /= 10.0)));
  CHECK(rounds.rounds() == 7);
  CHECK(rounds.change() == doctest::Approx(0.45e-6).epsilon(1e-3));
}

TEST_CASE("Rounds end, too, with the first that does not move the fit") {
  Reweighting rounds(std::nullopt);
  double weight = 1.0;
  Eigen::VectorXd x = Eigen::Vector2d(1.0, 0.0);
  double step = 3e-6;
  while (rounds.Continue()) {
    rounds.Took(Eigen::Vector2d(1.0, weight *= 1.25));
    const Eigen::VectorXd before = x;
    x[1] += step *= 0.1;
    rounds.Moved(x, before);
  }
  CHECK(rounds.rounds() == 4);  // by 3e-7, 3e-8, 3e-9, 3e-10
}

TEST_CASE("Weights that go on changing are a failure that says by how much") {
  Reweighting rounds(std::nullopt);
  double weight = 1.0;
  std::string reason;
  try {
    while (rounds.Continue()) rounds.Took(Eigen::Vector2d(1.0, weight *= 1.25));
  } catch (const EstimationFailure& failure) {
    CHECK(failure.outcome() == Outcome::kNotConverged);
    reason = failure.what();
  }
  CHECK(reason ==
        "a weight still changes by 25 % from round to round after 200 reweightings; set "
        "\"reweightings\" to stop after that many, or a lower cap of the weights");
}

}  // namespace
}  // namespace idbench
