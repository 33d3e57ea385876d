#include "estimators/solvers/parallel_filter.h"

#include <doctest/doctest.h>

#include "estimators/interface/estimate.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Dataset RampOver(const Eigen::VectorXd& time_s) {
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add({std::string(kJointTorque), "N·m", time_s, time_s, {}, Origin::kMeasured});
  return dataset;
}

Eigen::VectorXd TimeAt(double rate_hz, Eigen::Index samples) {
  return Eigen::VectorXd::LinSpaced(samples, 0.0, static_cast<double>(samples - 1) / rate_hz);
}

std::string RefusalOf(const Eigen::VectorXd& time_s, const ParallelFilter& options) {
  const Dataset dataset = RampOver(time_s);
  try {
    const DecimatingLowpass lowpass(options, Align(dataset, {kJointTorque}));
  } catch (const EstimationFailure& failure) {
    CHECK(failure.outcome() == Outcome::kRefused);
    return failure.what();
  }
  return "no refusal";
}

TEST_CASE("Edges are dropped and the rest is decimated to 2.5 times the cut-off") {
  const Dataset dataset = RampOver(TimeAt(200.0, 1000));
  const DecimatingLowpass lowpass({.cutoff_hz = 10.0, .order = 5}, Align(dataset, {kJointTorque}));
  CHECK(lowpass.step() == 8);  // 200 / 25
  const Eigen::Index edge = ButterworthLowpass(5, 10.0, 200.0).EdgeSamples();
  CHECK(lowpass.edge_samples() == edge);
  CHECK(edge == 48);  // 0.24 s
  const Eigen::MatrixXd kept = lowpass.Apply(dataset.channels()[0].samples);
  REQUIRE(kept.rows() == (1000 - 2 * 48 + 7) / 8);
  // A ramp passes a zero-phase filter unchanged, up to 1 % of what the edges got wrong.
  CHECK(kept(0, 0) == doctest::Approx(48 / 200.0).epsilon(1e-3));
  CHECK(kept(1, 0) - kept(0, 0) == doctest::Approx(8 / 200.0).epsilon(1e-2));
}

TEST_CASE("The rate that is left is at most 2.5 times the cut-off, up to 1 %") {
  const auto step = [](double rate_hz, double cutoff_hz) {
    const Dataset dataset = RampOver(TimeAt(rate_hz, 2000));
    return DecimatingLowpass({.cutoff_hz = cutoff_hz, .order = 2}, Align(dataset, {kJointTorque}))
        .step();
  };
  CHECK(step(200.0, 90.0) == 1);
  CHECK(step(200.0, 79.9) == 1);    // 200.0 Hz are 2.503 cut-offs
  CHECK(step(200.0, 50.0) == 2);    // 1.6: left are 100 Hz
  CHECK(step(222.469, 10.0) == 9);  // 8.9
}

TEST_CASE("What cannot be filtered is refused with its reason") {
  Eigen::VectorXd jittered = TimeAt(200.0, 1000);
  jittered[500] += 0.0002;  // 4 % of a step
  CHECK(RefusalOf(jittered, {}) ==
        "the parallel filter needs uniform time: resample the recording "
        "(/processing/resample_rate_hz)");
  CHECK(RefusalOf(TimeAt(20.0, 1000), {}) ==
        "the parallel filter's cut-off of 10 Hz is not below half the sample rate of 20 Hz");
  CHECK(RefusalOf(TimeAt(200.0, 96), {}) ==
        "96 samples are too few for a low-pass at 10 Hz, which spoils 48 at each end");
  CHECK(RefusalOf(TimeAt(200.0, 97), {}) == "no refusal");
  CHECK(RefusalOf(TimeAt(200.0, 1), {}) == "1 samples are too few to filter");
}

TEST_CASE("A cut-off and an order out of range are refused by the reader") {
  ParallelFilter options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json{{"cutoff_hz", 0.0}, {"order", 21}}, "", issues);
  REQUIRE(issues.size() == 2);
  CHECK(issues[0].where == "/cutoff_hz");
  CHECK(issues[1].where == "/order");
}

}  // namespace
}  // namespace idbench
