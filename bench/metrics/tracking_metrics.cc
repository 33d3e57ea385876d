#include "bench/metrics/tracking_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "estimators/interface/recorded_time.h"
#include "reports/statistics/normal_law.h"

namespace idbench {
namespace {

/// |x̂ − x|/|x| of a window, samples × unknowns, or why there is none.
struct RelativeErrors {
  Eigen::MatrixXd errors;
  std::string failure;
};

}  // namespace

struct TrackingMetrics::Excerpt {
  const WindowOptions& window;
  std::string failure;        ///< Why it is none.
  std::vector<double> t_s;    ///< Of its samples.
  std::vector<int> unknowns;  ///< Indices into x.
  Eigen::MatrixXd x_hat;      ///< Samples × unknowns.
  Eigen::MatrixXd truth;      ///< Likewise; empty for recordings.
  Eigen::MatrixXd sigma;      ///< Likewise; empty unless stated after every sample.

  Eigen::MatrixXd error() const { return x_hat - truth; }
  Eigen::Index size() const { return static_cast<Eigen::Index>(t_s.size()); }

  RelativeErrors Relative() const {
    for (Eigen::Index i = 0; i < truth.rows(); ++i) {
      for (Eigen::Index k = 0; k < truth.cols(); ++k) {
        if (truth(i, k) != 0.0) continue;
        return {{},
                fmt::format("the true value of {} is 0 at {:.6g} s",
                            window.unknowns[static_cast<std::size_t>(k)],
                            t_s[static_cast<std::size_t>(i)])};
      }
    }
    return {(error().array() / truth.array()).abs(), ""};
  }
};

namespace {

/// Time from the window's beginning until each unknown's error stays below the window's fraction.
MetricValue SettlingTime(const WindowOptions& window, const std::vector<double>& t_s,
                         const RelativeErrors& relative) {
  if (!relative.failure.empty()) return FailedMetric(relative.failure);
  Eigen::VectorXd settling(relative.errors.cols());
  for (Eigen::Index k = 0; k < settling.size(); ++k) {
    Eigen::Index settled = relative.errors.rows();
    while (settled > 0 && relative.errors(settled - 1, k) <= window.settled_fraction) --settled;
    if (settled == relative.errors.rows()) {
      return FailedMetric(fmt::format("{} is not within {:g} % of the truth where the window ends",
                                      window.unknowns[static_cast<std::size_t>(k)],
                                      100.0 * window.settled_fraction));
    }
    settling[k] = std::max(t_s[static_cast<std::size_t>(settled)] - window.from_s, 0.0);
  }
  return MetricOf(settling.maxCoeff(), settling);
}

/// Time from the window's beginning until each unknown's error is first below its fraction.
MetricValue ReachingTime(const WindowOptions& window, const std::vector<double>& t_s,
                         const RelativeErrors& relative) {
  if (!relative.failure.empty()) return FailedMetric(relative.failure);
  Eigen::VectorXd reaching(relative.errors.cols());
  for (Eigen::Index k = 0; k < reaching.size(); ++k) {
    Eigen::Index reached = 0;
    while (reached < relative.errors.rows() &&
           relative.errors(reached, k) > window.settled_fraction) {
      ++reached;
    }
    if (reached == relative.errors.rows()) {
      return FailedMetric(fmt::format("{} is nowhere in the window within {:g} % of the truth",
                                      window.unknowns[static_cast<std::size_t>(k)],
                                      100.0 * window.settled_fraction));
    }
    reaching[k] = std::max(t_s[static_cast<std::size_t>(reached)] - window.from_s, 0.0);
  }
  return MetricOf(reaching.maxCoeff(), reaching);
}

}  // namespace

TrackingMetrics::TrackingMetrics(const Scenario& scenario, const Problem& problem)
    : scenario_(scenario), parameters_(problem.parameters), truth_(scenario, problem) {}

void TrackingMetrics::SetTrial(const TrialData& data) {
  data_ = &data;
  if (data.truth != nullptr) truth_.SetTrial(data);
}

TrackingMetrics::Excerpt TrackingMetrics::CutOut(const WindowOptions& window,
                                                 const Estimate& estimate) const {
  const bool has_truth = data_->truth != nullptr;
  Excerpt part{window, "", {}, {}, {}, {}, {}};
  const std::vector<std::string>& names = parameters_.names;
  for (const std::string& name : window.unknowns) {
    part.unknowns.push_back(static_cast<int>(std::ranges::find(names, name) - names.begin()));
  }
  const Series& x = *FindNamed(estimate.series, kParameters);
  const Series* const sigma = FindNamed(estimate.series, kParameterSigma);
  std::vector<Eigen::Index> samples;
  bool has_sigma = sigma != nullptr;
  for (Eigen::Index i = 0; i < x.time_s.size(); ++i) {
    if (!IsInWindow(x.time_s[i], window.from_s, window.until_s)) continue;
    if (x.values.row(i).hasNaN()) {
      part.failure = fmt::format("the estimate failed at {:.6g} s", x.time_s[i]);
      return part;
    }
    has_sigma = has_sigma && !sigma->values.row(i).array().isNaN().all();
    samples.push_back(i);
    part.t_s.push_back(x.time_s[i]);
  }
  if (samples.empty()) {
    part.failure = "no sample lies in the window";
    return part;
  }
  part.x_hat = x.values(samples, part.unknowns);
  if (has_sigma) part.sigma = sigma->values(samples, part.unknowns);
  if (!has_truth) return part;
  part.truth.resize(part.x_hat.rows(), part.x_hat.cols());
  for (Eigen::Index i = 0; i < part.size(); ++i) {
    part.truth.row(i) = truth_.At(part.t_s[static_cast<std::size_t>(i)])(part.unknowns).transpose();
  }
  return part;
}

MetricValue TrackingMetrics::In(const std::string& window, const Estimate& estimate,
                                OfExcerpt metric) const {
  const WindowOptions* options = scenario_.FindWindow(window);
  if (options == nullptr) return FailedMetric("this cell has no such window");
  const Excerpt part = CutOut(*options, estimate);
  return part.failure.empty() ? (this->*metric)(part) : FailedMetric(part.failure);
}

MetricValue TrackingMetrics::MaxError(const Excerpt& part) const {
  const RelativeErrors relative = part.Relative();
  if (!relative.failure.empty()) return FailedMetric(relative.failure);
  const Eigen::VectorXd most = relative.errors.colwise().maxCoeff().transpose();
  return MetricOf(most.maxCoeff(), most);
}

MetricValue TrackingMetrics::Settling(const Excerpt& part) const {
  return SettlingTime(part.window, part.t_s, part.Relative());
}

MetricValue TrackingMetrics::Reaching(const Excerpt& part) const {
  return ReachingTime(part.window, part.t_s, part.Relative());
}

MetricValue TrackingMetrics::Coverage(const Excerpt& part) const {
  if (part.sigma.size() == 0) return AbsentMetric("the method states no covariance");
  const Eigen::VectorXd held = (part.error().array().abs() <= kNormal95 * part.sigma.array())
                                   .cast<double>()
                                   .colwise()
                                   .mean()
                                   .transpose();
  return MetricOf(held.mean(), held);
}

bool TrackingMetrics::OneUnit(const Excerpt& part) const {
  const std::vector<std::string>& units = parameters_.units;
  const auto unit = [&units](int k) { return units[static_cast<std::size_t>(k)]; };
  return std::ranges::all_of(part.unknowns,
                             [&](int k) { return unit(k) == unit(part.unknowns.front()); });
}

MetricValue TrackingMetrics::Rmse(const Excerpt& part) const {
  const Eigen::VectorXd squared =
      part.error().colwise().squaredNorm().transpose() / static_cast<double>(part.size());
  MetricValue metric = MetricOf(std::sqrt(squared.mean()), squared.cwiseSqrt());
  if (!OneUnit(part)) metric.value.reset();
  return metric;
}

MetricValue TrackingMetrics::RmseWithinBounds(const Excerpt& part) const {
  const Parametrisation& parameters = data_->problem().parameters;
  Eigen::VectorXd rmse(static_cast<Eigen::Index>(part.unknowns.size()));
  for (Eigen::Index k = 0; k < rmse.size(); ++k) {
    const int unknown = part.unknowns[static_cast<std::size_t>(k)];
    const Eigen::ArrayXd within = (part.truth.col(k).array() > parameters.lower[unknown] &&
                                   part.truth.col(k).array() < parameters.upper[unknown])
                                      .cast<double>();
    if (within.sum() == 0.0) {
      return FailedMetric(fmt::format("the true value of {} is never within its bounds",
                                      part.window.unknowns[static_cast<std::size_t>(k)]));
    }
    rmse[k] = std::sqrt((part.error().col(k).array().square() * within).sum() / within.sum());
  }
  MetricValue metric = MetricOf(std::sqrt(rmse.array().square().mean()), rmse);
  if (!OneUnit(part)) metric.value.reset();
  return metric;
}

MetricValue TrackingMetrics::OutOfBounds(const Excerpt& part) const {
  const Parametrisation& parameters = data_->problem().parameters;
  Eigen::VectorXd out(static_cast<Eigen::Index>(part.unknowns.size()));
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    const int unknown = part.unknowns[static_cast<std::size_t>(k)];
    out[k] = (part.x_hat.col(k).array() < parameters.lower[unknown] ||
              part.x_hat.col(k).array() > parameters.upper[unknown])
                 .cast<double>()
                 .mean();
  }
  return MetricOf(out.mean(), out);
}

MetricValue TrackingMetrics::Drift(const Excerpt& part) const {
  const Eigen::VectorXd drift =
      (part.x_hat.rowwise() - part.x_hat.row(0)).cwiseAbs().colwise().maxCoeff().transpose();
  MetricValue metric = MetricOf(drift.maxCoeff(), drift);
  if (!OneUnit(part)) metric.value.reset();
  return metric;
}

MetricValue TrackingMetrics::LockedIn(const Excerpt& part) const {
  const Parametrisation& parameters = data_->problem().parameters;
  Eigen::VectorXd locked(static_cast<Eigen::Index>(part.unknowns.size()));
  for (Eigen::Index k = 0; k < locked.size(); ++k) {
    const int unknown = part.unknowns[static_cast<std::size_t>(k)];
    const auto is_saturated = [&](double x) {
      return IsSaturated(x, parameters.lower[unknown], parameters.upper[unknown]);
    };
    const auto estimate = part.x_hat.col(k);
    const auto truth = part.truth.col(k);
    locked[k] = std::all_of(estimate.begin(), estimate.end(), is_saturated) &&
                        std::none_of(truth.begin(), truth.end(), is_saturated)
                    ? 1.0
                    : 0.0;
  }
  return MetricOf(locked.maxCoeff(), locked);
}

}  // namespace idbench
