#include "estimators/interface/problem.h"

#include <doctest/doctest.h>

#include <limits>

#include "estimators/synthetic_test.h"
#include "estimators/synthetic_walker_test.h"

namespace idbench {
namespace {

/// The sentences of the one capability that a problem lacks.
std::vector<std::string> Sentences(const Problem& problem, Capability capability) {
  std::vector<std::string> sentences;
  for (const Lack& lack : SuppliedBy(problem).Unmet({capability})) {
    sentences.push_back(lack.Sentence());
  }
  return sentences;
}

TEST_CASE("Rows stand in the order of their kinds, each once, two channels of a kind as stated") {
  Problem problem = Declared("planar2").problem;
  problem.rows = {{Equation::kVelocity, {}, ""},
                  {Equation::kWrench, {}, ""},
                  {Equation::kPosition, {}, "hall_position"},
                  {Equation::kTorque, {}, ""},
                  {Equation::kPosition, {}, ""},
                  {Equation::kPosition, {}, "hall_position"},
                  {Equation::kTorque, {}, "joint_torque"},
                  {Equation::kTorque, {}, "", "joints"}};
  CHECK(problem.equations() == EquationsOf(problem.rows));
  CHECK(problem.row_count() == 2 + 6 + 2 + 2 + 2 + 2 + 2 + 2);
  problem.rows = problem.rows_in_order();
  CHECK(problem.equations() == std::vector<PlacedEquation>{Equation::kTorque, Equation::kWrench,
                                                           Equation::kPosition, Equation::kPosition,
                                                           Equation::kVelocity});
  CHECK(problem.measured_channels() == std::vector<std::string_view>{kJointTorque, kBaseWrench,
                                                                     kHallPosition, kJointPosition,
                                                                     kJointVelocity});
  CHECK(problem.row_count() == 14);
}

TEST_CASE("A problem with all declared supplies all that its unknowns can") {
  using enum Capability;
  const Supplies supplies = SuppliedBy(Declared("planar2").problem);
  CHECK(supplies.supplied() == Capabilities{kStandardUnknowns, kAffine, kPrior, kPriorCovariance,
                                            kSigmaOfAll, kSigmaOfBodies, kRowSigma, kTwoBounds,
                                            kUntouched});
  const Supplies of_walker = SuppliedBy(Biped().problem);
  CHECK(of_walker.Has(kLagrangian));
  CHECK(of_walker.Has(kAffine));
  CHECK(!of_walker.Has(kStandardUnknowns));
}

TEST_CASE("Unknowns of another kind than needed are told with theirs") {
  using enum Capability;
  const Problem arm = Declared("planar2").problem;
  CHECK(Sentences(arm, kLagrangian).front().ends_with("in a vertical plane; got 'base'"));
  CHECK(Sentences(Biped().problem, kStandardUnknowns).front() ==
        "takes standard parameters for its unknowns; those of 'planar_lagrangian' are others");
  CHECK(Sentences(Declared("barrett_wam7", "log_cholesky").problem, kAffine) ==
        std::vector<std::string>{
            "needs a parametrisation that is affine in x; 'log_cholesky' is not"});
}

TEST_CASE("Each row without a positive σ is told, one that declares 0 as such") {
  using enum Capability;
  Problem problem = Declared("planar2").problem;
  problem.rows.push_back({Equation::kWrench, {}, ""});
  problem.rows[0].sigma = Eigen::Vector2d(0.1, 0.0);
  CHECK(Sentences(problem, kRowSigma) ==
        std::vector<std::string>{"needs a positive declared σ of joint_torque; that of a row is 0",
                                 "needs a positive declared σ of base_wrench"});
}

TEST_CASE("The first unknown without two bounds is told, and what no prior says") {
  using enum Capability;
  Problem problem = Declared("planar2").problem;
  problem.parameters.upper[1] = std::numeric_limits<double>::infinity();
  problem.parameters.lower[2] = -std::numeric_limits<double>::infinity();
  CHECK(Sentences(problem, kTwoBounds)
            .front()
            .starts_with("needs bounds on both sides of every unknown, " +
                         problem.parameters.names[1] + " among them"));
  problem.parameters.prior->covariance.reset();
  CHECK(!SuppliedBy(problem).Has(kPriorCovariance));
  problem.parameters.prior.reset();
  // Who needs the covariance needs the prior first: one sentence for both.
  CHECK(SuppliedBy(problem).Unmet({kPrior, kPriorCovariance}).size() == 1);
}

}  // namespace
}  // namespace idbench
