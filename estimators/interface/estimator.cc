#include "estimators/interface/estimator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>

#include "estimators/interface/recorded_time.h"
#include "robots/dynamics/calibration.h"

namespace idbench {
namespace {

Estimate Failed(Outcome outcome, const std::string& reason) {
  Estimate estimate;
  estimate.outcome = outcome;
  estimate.reason = reason;
  return estimate;
}

/// Least magnitude of an eigenvalue of 1 + D from which on an estimate of a calibration counts: no
/// sensor reads ten times too much.
constexpr double kLeastCalibration = 0.1;

/// Why no reading follows from the calibrations of an estimate; "" if all do.
std::string WhyNoReading(const RobotModel& model, const Eigen::VectorXd& pi) {
  for (int cut = 0; cut < std::ssize(model.cuts()); ++cut) {
    if (!HasCalibration(model, cut)) continue;
    const double least = LeastOfCalibration(CalibrationOf(model, cut, pi));
    if (least >= kLeastCalibration) continue;
    return fmt::format(
        "the calibration of '{}' has shrunk to nothing (an eigenvalue of 1 + D is {:.2g}), for "
        "which its rows hold whatever is measured: record a known load that comes off, or take "
        "drive_nls, which predicts what the sensor reads",
        model.cuts()[static_cast<std::size_t>(cut)].name, least);
  }
  return "";
}

/// A result that claims to be fine, checked.
Estimate Checked(const Problem& problem, Estimate estimate) {
  const Eigen::Index size = problem.parameters.size();
  if (estimate.x.size() != size) {
    return Failed(Outcome::kCrashed,
                  fmt::format("returned {} numbers for {} unknowns", estimate.x.size(), size));
  }
  for (Eigen::Index k = 0; k < size; ++k) {
    if (std::isfinite(estimate.x[k])) continue;
    return Failed(
        Outcome::kNonFinite,
        fmt::format("the estimate of {} is {}",
                    problem.parameters.names[static_cast<std::size_t>(k)], estimate.x[k]));
  }
  if (estimate.covariance &&
      (estimate.covariance->rows() != size || estimate.covariance->cols() != size)) {
    return Failed(Outcome::kCrashed,
                  fmt::format("returned a {} × {} covariance for {} unknowns",
                              estimate.covariance->rows(), estimate.covariance->cols(), size));
  }
  const auto is_finite = [](const std::optional<Eigen::MatrixXd>& stated) {
    return !stated || stated->allFinite();
  };
  if (!is_finite(estimate.covariance) ||
      (estimate.combinations && !is_finite(estimate.combinations->covariance))) {
    return Failed(Outcome::kNonFinite, "the covariance holds a number that is not finite");
  }
  if (const std::string fault = FirstFaultOf(estimate.series, estimate.labels); !fault.empty()) {
    return Failed(Outcome::kCrashed, fault);
  }
  const auto is_lost = [](const std::optional<Eigen::MatrixXd>& stated) {
    return stated && (stated->diagonal().array() < 0.0).any();
  };
  if (is_lost(estimate.covariance) ||
      (estimate.combinations && is_lost(estimate.combinations->covariance))) {
    estimate.covariance.reset();
    if (estimate.combinations) estimate.combinations->covariance.reset();
    estimate.notes.erase("sigma");
    estimate.notes["covariance"] =
        "none stated: double precision does not hold variances as far apart as those of prior and "
        "data";
  }
  estimate.pi = problem.parameters.Pi(estimate.x);
  if (const std::string why = WhyNoReading(problem.model, estimate.pi); !why.empty()) {
    return Failed(Outcome::kRankDeficient, why);
  }
  return estimate;
}

}  // namespace

Estimate Estimator::Guarded(const Problem& problem, const std::function<Estimate()>& make) {
  try {
    Estimate estimate = make();
    return estimate.ok() ? Checked(problem, std::move(estimate)) : estimate;
  } catch (...) {
    const CaughtFailure failure;
    return Failed(failure.outcome, failure.reason);
  }
}

Estimate Estimator::Run(const Problem& problem, std::span<const Dataset> datasets) {
  return Guarded(problem, [&] { return Identify(problem, datasets); });
}

std::string Estimator::WhyRefused(const Problem& problem) {
  try {
    CheckProblem(problem);
  } catch (const std::bad_alloc&) {
    throw;  // the machine's failure, not the method's
  } catch (const std::exception& error) {
    return error.what();  // Run() would record it
  }
  return "";
}

void Estimator::CheckProblem(const Problem& problem) { CheckNeeds(problem); }

void Estimator::CheckCheckpoints(std::span<const double> checkpoints_s) {
  double last_s = 0.0;
  for (const double checkpoint_s : checkpoints_s) {
    if (!(checkpoint_s > last_s)) {
      throw std::invalid_argument(
          fmt::format("RunAt: checkpoints must be positive and increase, got {} s behind {} s",
                      checkpoint_s, last_s));
    }
    last_s = checkpoint_s;
  }
}

std::vector<Estimate> Estimator::RunAt(const Problem& problem, std::span<const Dataset> datasets,
                                       std::span<const double> checkpoints_s) {
  CheckCheckpoints(checkpoints_s);
  return IdentifyAt(problem, datasets, checkpoints_s);
}

std::vector<Estimate> Estimator::IdentifyAt(const Problem& problem,
                                            std::span<const Dataset> datasets,
                                            std::span<const double> checkpoints_s) {
  std::vector<Estimate> estimates;
  for (const double checkpoint_s : checkpoints_s) {
    estimates.push_back(Run(problem, RecordedUpTo(datasets, checkpoint_s)));
  }
  estimates.push_back(Run(problem, datasets));
  return estimates;
}

void Estimator::CheckNeeds(const Problem& problem) const {
  const std::vector<std::string> unmet = UnmetNeeds(needs(), problem);
  if (!unmet.empty()) Refuse(unmet.front());
}

EstimatorNeeds ArmNeeds(Capabilities more) {
  return {.channels = {kJointPosition, kJointVelocity, kJointAcceleration},
          .problem = Capabilities{Capability::kStandardUnknowns} | more};
}

std::vector<std::string> UnmetNeeds(const EstimatorNeeds& needs, const Problem& problem) {
  std::vector<std::string> unmet;
  const bool reads_data = needs.measurements || !needs.channels.empty();
  const Capabilities needed =
      needs.problem | Capabilities::If(reads_data && !needs.takes_touched, Capability::kUntouched);
  for (const Lack& lack : SuppliedBy(problem).Unmet(needed)) {
    unmet.push_back(lack.Sentence());
  }
  return unmet;
}

std::vector<std::string> UnmetNeeds(const EstimatorNeeds& needs, const Problem& problem,
                                    const std::vector<std::string>& available) {
  std::vector<std::string> unmet;
  std::vector<std::string_view> channels = needs.channels;
  if (needs.measurements) {
    for (const std::string_view channel : problem.measured_channels()) channels.push_back(channel);
  }
  for (const std::string_view channel : channels) {
    if (std::ranges::find(available, channel) == available.end()) {
      unmet.push_back(fmt::format("needs the channel '{}'", channel));
    }
  }
  std::ranges::copy(UnmetNeeds(needs, problem), std::back_inserter(unmet));
  return unmet;
}

}  // namespace idbench
