#pragma once

#include <Eigen/Core>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/metrics/identified_model.h"
#include "bench/metrics/metric_value.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/estimate.h"
#include "scenarios/carried_payloads.h"

namespace idbench {

/// The two vectors of a wrench.
enum class WrenchPart { kForce, kMoment };

/// Metrics of an estimate's prediction of the wrenches w = (F, M) at the force/torque sensors of
/// which the problem has equations, in the configuration of each experiment and with the offsets of
/// the estimate. With e = F − F̂ of one sample, or M − M̂,
///
///   mean |e|, the standard deviation of |e|, and mean |e| over that of the CAD model.
///
/// The CAD model is the mean of the prior, with offsets of the sensor that are the mean of what it
/// leaves of the data for identification in configurations with the same offsets. Components are
/// the sensors; overall is the mean over them, and of a ratio that of the two means. All rows of a
/// sensor are judged, whichever the equations have. Where several channels measure one sensor, by
/// the first of the problem's.
///
/// Where the calibration of a sensor is estimated, ŵ is what it would read,
/// (1 + D̂)⁻¹·(W·π̂ + ô), which is no function of what it did read.
///
/// Against the wrench before any sensor effect both sides are at the true state and less their mean
/// over the experiment: offsets and all that is constant do not count there, nor do noise and D̂.
///
/// Where what the robot carries changes in an experiment no one estimate predicts its wrenches, and
/// there are no such metrics. Holds its own scratch: use one object per thread.
/// Source: Traversaro, Del Prete, Muradore, Natale & Nori, 2013, Table II.
class WrenchMetrics {
 public:
  /// @param problem  of the cell; must outlive this.
  /// @param changes  experiments in which what the robot carries changes.
  explicit WrenchMetrics(const Problem& problem, PayloadChanges changes = {});

  /// Select a trial and then an estimate, which must outlive the calls below.
  void SetTrial(const TrialData& data);
  void SetEstimate(const Estimate& estimate);

  /// Of the measured wrench at the measured state, as /scoring compares them.
  MetricValue Error(const std::string& experiment, WrenchPart part);
  MetricValue ErrorSd(const std::string& experiment, WrenchPart part);
  MetricValue RatioToCad(const std::string& experiment, WrenchPart part);
  /// Of the wrench before any sensor effect, centred; of simulations alone.
  MetricValue CentredError(const std::string& experiment, WrenchPart part);
  MetricValue CentredRatioToCad(const std::string& experiment, WrenchPart part);

 private:
  /// Force/torque sensor and the channel that measures it.
  struct Sensor {
    int cut;
    std::string channel;
  };
  /// What predictions are compared with.
  enum class Against { kMeasured, kCleanCentred };
  /// w and w − ŵ of one sensor, samples × 6, or why there are none.
  struct Residuals {
    Eigen::MatrixXd signal, left;
    std::string failure;
  };
  /// Over samples, of |F| and of |M|.
  struct Norms {
    double mean = 0.0;    ///< Of |e|.
    double sd = 0.0;      ///< Of |e|, unbiased; NaN of a single sample.
    double signal = 0.0;  ///< Mean of |F| or |M| itself.
  };
  /// Errors of all sensors, or why there are none.
  struct Errors {
    std::vector<std::array<Norms, 2>> sensors;  ///< By WrenchPart.
    std::string failure;
    bool absent = false;  ///< With a failure: there can be none, see MetricValue.

    MetricValue Failure() const { return absent ? AbsentMetric(failure) : FailedMetric(failure); }
  };
  /// Errors by experiment and what they are against, computed at their first use.
  using Known = std::map<std::pair<std::string, Against>, Errors>;

  const Errors& OfEstimate(const std::string& experiment, Against against);
  const Errors& OfCad(const std::string& experiment, Against against);
  MetricValue MeanNorm(const std::string& experiment, WrenchPart part, Against against);
  MetricValue Ratio(const std::string& experiment, WrenchPart part, Against against);

  Residuals ResidualsOf(const Sensor& sensor, const Eigen::VectorXd& p,
                        const std::string& experiment, Against against);
  static void Add(const Residuals& residuals, Errors& errors);
  /// Adds what the CAD model leaves of a sensor.
  void AddCad(const Sensor& sensor, const Eigen::VectorXd& p, const std::string& experiment,
              Against against, Errors& errors);
  /// The labels of the experiments for identification in which a sensor has the same offsets.
  std::vector<std::string> IdentifiedWithOffsetsOf(const std::string& experiment, int cut) const;
  /// Index of an experiment's configuration.
  int ConfigurationOf(const std::string& experiment) const;
  /// Offsets of a sensor that act in a configuration: indices into TermsOf() the model.
  std::vector<int> OffsetsIn(int configuration, int cut) const;

  const Problem& problem_;
  PayloadChanges changes_;
  std::vector<Sensor> sensors_;
  IdentifiedModel model_;
  const TrialData* data_ = nullptr;
  const Estimate* estimate_ = nullptr;
  Known errors_;  ///< Of the estimate.
  Known cad_;     ///< Of this trial's prior.
};

}  // namespace idbench
