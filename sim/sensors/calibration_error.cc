#include "sim/sensors/calibration_error.h"

#include <stdexcept>
#include <utility>

#include "robots/random/random_stream.h"

namespace idbench {

FieldTable Visit(CalibrationErrorOptions& options) {
  FieldTable table;
  table
      .Add("relative_std", options.relative_std,
           {.doc = "Standard deviation of the entries of the error matrix on its diagonal",
            .lower = 0,
            .required = true})
      .Add("off_diagonal_factor", options.off_diagonal_factor,
           {.doc = "Standard deviation of other entries, in units of force and moment, over that "
                   "on the diagonal",
            .lower = 0})
      .Add("force_unit_n", options.force_unit_n,
           {.doc = "Unit of forces in which entries of the error matrix are compared",
            .unit = "N",
            .lower = 0,
            .lower_open = true})
      .Add("moment_unit_nm", options.moment_unit_nm,
           {.doc = "Unit of moments in which entries of the error matrix are compared",
            .unit = "N·m",
            .lower = 0,
            .lower_open = true})
      .Add("draw", options.draw,
           {.doc = "Draws of the matrix: one a trial, for all its experiments (trial), or one for "
                   "all trials (cell)"});
  return table;
}

CalibrationError::CalibrationError(const CalibrationErrorOptions& options, std::string channel)
    : options_(options), channel_(std::move(channel)) {
  if (!(options.relative_std >= 0.0) || !(options.off_diagonal_factor >= 0.0) ||
      !(options.force_unit_n > 0.0) || !(options.moment_unit_nm > 0.0)) {
    throw std::invalid_argument(
        "CalibrationError: the standard deviation and the factor must be at least 0, units above "
        "0");
  }
}

void CalibrationError::Reset(const SensorKey& key) {
  const RandomStream stream(key.seed, options_.draw == Draw::kTrial ? key.trial : -1,
                            "sensors/" + channel_ + "/calibration");
  const auto unit = [this](Eigen::Index i) {
    return i < 3 ? options_.force_unit_n : options_.moment_unit_nm;
  };
  for (Eigen::Index i = 0; i < E_.rows(); ++i) {
    for (Eigen::Index j = 0; j < E_.cols(); ++j) {
      E_(i, j) = options_.relative_std * (i == j ? 1.0 : options_.off_diagonal_factor) * unit(i) /
                 unit(j) *
                 stream.Normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
    }
  }
}

bool CalibrationError::Apply(double, std::uint64_t, Eigen::VectorXd& sample) {
  wrench_ = sample;
  sample.noalias() += E_ * wrench_;  // wrench_ is no part of sample
  return true;
}

}  // namespace idbench
