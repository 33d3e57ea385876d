#include "estimators/interface/recorded_time.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

Channel RampChannel(const char* name, double first_s, double step_s, Eigen::Index count) {
  const Eigen::VectorXd time_s = Eigen::VectorXd::NullaryExpr(
      count, [=](Eigen::Index k) { return first_s + step_s * static_cast<double>(k); });
  return {name, "", time_s, time_s, Eigen::VectorXd::Constant(1, 0.3), Origin::kDerived};
}

Dataset Recording(double first_s, Eigen::Index count = 11, Role role = Role::kIdentification) {
  Dataset dataset("recording", role);
  dataset.Add(RampChannel("fast", first_s, 0.1, count));
  dataset.Add(RampChannel("slow", first_s + 0.05, 0.2, count / 2));
  dataset.lowpass_cutoff_hz = 3.0;
  return dataset;
}

TEST_CASE("Recorded time goes from the first sample of any channel to the last of any") {
  const RecordedTime time = RecordedTimeOf(Recording(5.0));
  CHECK(time.start_s == 5.0);
  CHECK(time.duration_s == doctest::Approx(1.0).epsilon(1e-15));
  CHECK(RecordedTimeOf(Dataset()).duration_s == 0.0);
  Dataset empty;
  empty.Add(RampChannel("none", 0.0, 1.0, 0));
  CHECK(RecordedTimeOf(empty).duration_s == 0.0);
}

TEST_CASE(
    "A cut keeps each channel's samples up to and at the checkpoint, and all it is known by") {
  const std::vector<Dataset> datasets = {Recording(5.0)};
  const std::vector<Dataset> cut = RecordedUpTo(datasets, 0.3);
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].label() == "recording");
  CHECK(cut[0].lowpass_cutoff_hz == 3.0);
  const Channel& fast = cut[0].Get("fast");
  CHECK(fast.time_s == datasets[0].Get("fast").time_s.head(4));
  CHECK(fast.samples == datasets[0].Get("fast").samples.topRows(4));
  CHECK(fast.sigma == datasets[0].Get("fast").sigma);
  CHECK(fast.origin == Origin::kDerived);
  CHECK(cut[0].Get("slow").samples.rows() == 2);
  CHECK(RecordedUpTo(datasets, 0.01)[0].Get("slow").samples.rows() == 0);
}

TEST_CASE("Stamps that count from 1970 miss a checkpoint by less than the tolerance") {
  const std::vector<Dataset> datasets = {Recording(1.7e9)};
  for (const int tenths : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
    CAPTURE(tenths);
    CHECK(RecordedUpTo(datasets, 0.1 * tenths)[0].Get("fast").samples.rows() == tenths + 1);
  }
}

TEST_CASE("Datasets come one after another, whatever their stamps; other roles take no time") {
  const std::vector<Dataset> datasets = {Recording(7.0), Recording(0.0, 31, Role::kValidation),
                                         Recording(2.0)};
  CHECK(RecordedUpTo(datasets, 0.5).size() == 1);
  CHECK(RecordedUpTo(datasets, 1.0).size() == 1);  // the second one has not begun
  const std::vector<Dataset> both = RecordedUpTo(datasets, 1.2);
  REQUIRE(both.size() == 2);
  CHECK(both[0].Get("fast").samples.rows() == 11);
  CHECK(both[1].Get("fast").time_s == datasets[2].Get("fast").time_s.head(3));
  CHECK(RecordedUpTo(datasets, 100.0)[1].Get("slow").samples.rows() == 5);
}

}  // namespace
}  // namespace idbench
