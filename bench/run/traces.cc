#include "bench/run/traces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "bench/run/motion.h"
#include "bench/run/six_digits.h"
#include "estimators/active/swing.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/interface/recorded_time.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Instants of a track: as many as its unknowns leave room for.
constexpr int kLeastTrackPoints = 60, kMostTrackPoints = 260;
constexpr int kTrackNumbers = 1040;
/// Instants of a residual, of a motion and of what was observed, at most.
constexpr Eigen::Index kSeriesPoints = 300;

/// Stretches of `stride` of N samples, of which a trace has one value each.
class Thinning {
 public:
  Thinning(Eigen::Index size, Eigen::Index most)
      : stride_(std::max<Eigen::Index>(1, (size + most - 1) / most)) {}

  /// The first value of each.
  Eigen::VectorXd Firsts(const Eigen::Ref<const Eigen::VectorXd>& values) const {
    Eigen::VectorXd firsts(Count(values.size()));
    for (Eigen::Index k = 0; k < firsts.size(); ++k) firsts[k] = values[k * stride_];
    return firsts;
  }
  /// The largest value of each; NaN where all are.
  Eigen::VectorXd Largest(const Eigen::Ref<const Eigen::VectorXd>& values) const {
    Eigen::VectorXd largest = Eigen::VectorXd::Constant(Count(values.size()), std::nan(""));
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      double& value = largest[k / stride_];
      if (std::isnan(value) || values[k] > value) value = values[k];
    }
    return largest;
  }

 private:
  Eigen::Index Count(Eigen::Index size) const { return (size + stride_ - 1) / stride_; }

  Eigen::Index stride_;
};

/// 1 where something is detected, 0 where nothing is, NaN where nothing is recognised.
Eigen::VectorXd ClassOrNothing(const Labels& labels) {
  return labels.chosen.unaryExpr(
      [](int chosen) { return chosen < 0 ? std::nan("") : (chosen > 0 ? 1.0 : 0.0); });
}

/// Numbers 0 and 1 as integers; null for NaN.
Json Flags(const Eigen::VectorXd& values) {
  Json flags = Json::array();
  for (const double value : values) {
    flags.push_back(std::isnan(value) ? Json() : Json(value > 0.0 ? 1 : 0));
  }
  return flags;
}

Thinning ThinningOf(const Series& series) { return {series.time_s.size(), kSeriesPoints}; }

/// What a line of observations says of a series, without labels and truth.
Json TraceOf(const Series& series, double shift_s) {
  const Thinning thinning = ThinningOf(series);
  const Eigen::VectorXd time = thinning.Firsts(series.time_s).array() + shift_s;
  Json trace = {{"series", series.name},
                {"columns", series.columns},
                {"units", series.units},
                {"t_s", SixDigits(time)},
                {"values", Json::array()}};
  const bool peaks = series.name == kStatistic;
  for (const auto& column : series.values.colwise()) {
    trace["values"].push_back(
        SixDigits(peaks ? thinning.Largest(column) : thinning.Firsts(column)));
  }
  return trace;
}

double IdentificationTime(const std::vector<Dataset>& datasets) {
  double recorded_s = 0.0;
  for (const Dataset& dataset : datasets) {
    if (dataset.role() == Role::kIdentification) recorded_s += RecordedTimeOf(dataset).duration_s;
  }
  return recorded_s;
}

/// @param times_s  one for each of the estimates.
Json TrackOf(const std::vector<const Estimate*>& estimates, const std::vector<double>& times_s) {
  Json track = {{"t_s", Json::array()}, {"x", Json::array()}};
  Json sigmas = Json::array();
  for (std::size_t k = 0; k < estimates.size(); ++k) {
    if (!estimates[k]->ok()) continue;
    track["t_s"].push_back(SixDigits(times_s[k]));
    track["x"].push_back(SixDigits(estimates[k]->x));
    // Of unknowns that show in combinations alone there is no band to draw.
    if (estimates[k]->covariance) sigmas.push_back(SixDigits(*estimates[k]->sigma()));
  }
  if (!sigmas.empty() && sigmas.size() == track["x"].size()) track["sigma"] = std::move(sigmas);
  return track;
}

/// The unknowns' true values, one for each or, if they change, a list for each instant.
Json TruthOf(const TrueUnknowns& truth, const Json& times) {
  if (truth.constant()) return SixDigits(truth.At(0.0));
  Json list = Json::array();
  for (const Json& t_s : times) list.push_back(SixDigits(truth.At(t_s.get<double>())));
  return list;
}

}  // namespace

TrialTracer::TrialTracer(const PreparedCell& context, std::size_t cell, const TrialData& data)
    : context_(context),
      data_(data),
      cell_(cell),
      end_s_(IdentificationTime(data.datasets)),
      model_(context.problem()),
      friction_(data.problem(), data.datasets) {
  if (data.truth != nullptr) {
    truth_.emplace(context.scenario(), context.problem()).SetTrial(data);
    acting_.emplace(context).SetTrial(data);
  }
  std::map<std::string, int> count, before;
  std::map<std::string, double> recorded_s;
  for (const Dataset& dataset : data.datasets) ++count[dataset.label()];
  for (const Dataset& dataset : data.datasets) {
    const std::string& label = dataset.label();
    const RecordedTime clock = RecordedTimeOf(dataset);
    // Stamps of a simulation count from its beginning as they are.
    const double shift_s = data.truth != nullptr ? 0.0 : recorded_s[label] - clock.start_s;
    Segment& segment = segments_.emplace_back(Json{{"experiment", label}}, shift_s);
    if (count[label] > 1) segment.name["segment"] = before[label]++;
    recorded_s[label] += clock.duration_s;
  }
  for (std::size_t d = 0; d < data.datasets.size(); ++d) AddMotion(data.datasets[d], segments_[d]);
}

std::vector<double> TrialTracer::InstantsOf(const Estimator& estimator) const {
  std::vector<double> times;
  if (dynamic_cast<const OnlineEstimator*>(&estimator) != nullptr) {
    const int unknowns = context_.problem().parameters.size();
    const int points = std::clamp(kTrackNumbers / unknowns, kLeastTrackPoints, kMostTrackPoints);
    for (int k = 1; k < points; ++k) times.push_back(end_s_ * k / points);
  } else {
    times = context_.scenario().evaluate_at_s;
  }
  std::erase_if(times, [this](double t) { return t <= 0.0 || IsRecorded(end_s_, t); });
  return times;
}

void TrialTracer::Add(const std::string& label, const EstimatorRun& run,
                      std::vector<double> traced_s, const StagedExperiments& staged) {
  const Json head = {{"cell", cell_}, {"trial", data_.trial}, {"estimator", label}};
  std::vector<const Estimate*> estimates;
  for (const Estimate& estimate : run.traced) estimates.push_back(&estimate);
  estimates.push_back(&run.last());
  traced_s.push_back(end_s_);
  Json track = head;
  track.update(TrackOf(estimates, traced_s));
  if (track["t_s"].empty()) return;
  if (truth_) track["x_true"] = TruthOf(*truth_, track["t_s"]);
  traces_.tracks += track.dump() + '\n';
  if (!run.last().ok()) return;
  for (const Series& series : run.last().series) {
    if (!series.name.starts_with(kSwingSeries)) continue;
    Json line = head;
    line["swing"] = series.name.substr(kSwingSeries.size());
    Json trace = TraceOf(series, 0.0);
    trace.erase("series");
    line.update(trace);
    traces_.swings += line.dump() + '\n';
  }
  for (const StagedExperiment& stage : staged) AddFollowing(head, stage);
  for (const Json& curve : friction_.Of(run.last(), data_.true_pi())) {
    Json line = head;
    line.update(curve);
    traces_.friction += line.dump() + '\n';
  }
  for (std::size_t d = 0; d < data_.datasets.size(); ++d) {
    const Json residual = ResidualOf(run.last(), data_.datasets[d], segments_[d].shift_s);
    if (residual.is_null()) continue;
    Json line = head;
    line.update(segments_[d].name);
    line.update(residual);
    traces_.residuals += line.dump() + '\n';
  }
}

void TrialTracer::AddFollowing(const Json& head, const StagedExperiment& stage) {
  if (!stage.failure.empty()) return;
  const Eigen::VectorXd& time_s = stage.clean.time_s;
  const Thinning thinning(time_s.size(), kSeriesPoints);
  const RobotModel& model = context_.robot().model;
  Json line = head;
  line["experiment"] = stage.experiment;
  line["joints"] = model.joint_names();
  line["units"] = Json::object();
  line["t_s"] = SixDigits(thinning.Firsts(time_s));
  for (const auto& [key, channel] :
       {std::pair("desired", kDesiredPosition), std::pair("position", kJointPosition)}) {
    line[key] = Json::array();
    for (int j = 0; j < model.dofs(); ++j) {
      line[key].push_back(SixDigits(thinning.Firsts(stage.clean[channel].col(j))));
    }
  }
  for (int j = 0; j < model.dofs(); ++j) {
    const auto joint = static_cast<std::size_t>(j);
    if (model.links()[joint].type == JointType::kPrismatic) {
      line["units"][model.joint_names()[joint]] = "m";
    }
  }
  traces_.following += line.dump() + '\n';
}

void TrialTracer::AddMotion(const Dataset& dataset, const Segment& segment) {
  const Channel* const channel = dataset.Find(kJointPosition);
  if (channel == nullptr || channel->time_s.size() == 0) return;
  const Thinning thinning(channel->time_s.size(), kSeriesPoints);
  Json line = {{"cell", cell_}, {"trial", data_.trial}};
  line.update(segment.name);
  const Eigen::VectorXd time = thinning.Firsts(channel->time_s).array() + segment.shift_s;
  line["t_s"] = SixDigits(time);
  Eigen::MatrixXd q(time.size(), channel->samples.cols());
  for (Eigen::Index joint = 0; joint < q.cols(); ++joint) {
    q.col(joint) = thinning.Firsts(channel->samples.col(joint));
  }
  line.update(MotionOf(context_.robot(), q));
  traces_.motions += line.dump() + '\n';
}

void TrialTracer::Add(const LabelledObserver& observer, const std::string& model,
                      std::size_t dataset, const Observation& observation) {
  AddObservation(observer, model, segments_[dataset], data_.datasets[dataset].label(), observation);
}

void TrialTracer::Add(const LabelledObserver& observer, const std::string& model,
                      const StagedExperiments& staged, const std::string& experiment,
                      const Observation& observation) {
  static const StagedExperiments kNone;
  if (acting_) acting_->SetStaged(staged);
  AddObservation(observer, model, {Json{{"experiment", experiment}}, 0.0}, experiment, observation);
  if (acting_) acting_->SetStaged(kNone);
}

void TrialTracer::AddObservation(const LabelledObserver& observer, const std::string& model,
                                 const Segment& segment, const std::string& experiment,
                                 const Observation& observation) {
  for (const Series& series : observation.series) {
    Json line = {{"cell", cell_},
                 {"trial", data_.trial},
                 {"observer", observer.label},
                 {"estimator", model}};
    line.update(segment.name);
    line.update(TraceOf(series, segment.shift_s));
    if (const Labels* const labels = FindNamed(observation.labels, kDetected);
        series.name == kStatistic && labels != nullptr &&
        labels->chosen.size() == series.time_s.size()) {
      line["detected"] = Flags(ThinningOf(series).Largest(ClassOrNothing(*labels)));
      if (observation.threshold) line["threshold"] = SixDigits(*observation.threshold);
    }
    if (acting_) AddTruth(series, experiment, observer.observer->detects(), line);
    traces_.observations += line.dump() + '\n';
  }
}

void TrialTracer::AddTruth(const Series& series, const std::string& experiment, Detects detects,
                           Json& line) const {
  const Thinning thinning = ThinningOf(series);
  if (detects != Detects::kNothing && acting_->Has(detects)) {
    const std::vector<bool> there = acting_->There(detects, experiment, series.time_s);
    Eigen::VectorXd flags(series.time_s.size());
    std::ranges::copy(there, flags.begin());
    line["there"] = Flags(thinning.Largest(flags));
  }
  if (series.name == kExternalForce) {
    line["true"] = Json::array();
    const Eigen::MatrixXd force = acting_->Force(experiment, thinning.Firsts(series.time_s));
    for (const auto& column : force.colwise()) line["true"].push_back(SixDigits(column));
  }
}

Json TrialTracer::ResidualOf(const Estimate& estimate, const Dataset& dataset, double shift_s) {
  if (!data_.WhyNoJointTorques().empty()) return nullptr;
  const AlignedView view =
      Align(dataset, {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque},
            context_.problem().alignment);
  if (!view.ok()) return nullptr;
  predicted_.resize(view.size(), model_.dofs());
  model_.SetProblem(data_.problem());
  model_.SetConfiguration(data_.problem().model.ConfigurationIndex(dataset.configuration()));
  model_.Torque(model_.Of(estimate), {view[0], view[1], view[2]}, predicted_);
  const Thinning thinning(view.size(), kSeriesPoints);
  const Eigen::VectorXd time = thinning.Firsts(view.time_s()).array() + shift_s;
  const Eigen::MatrixXd residual = view[3] - predicted_;
  Json json = {{"channel", kJointTorque},
               {"t_s", SixDigits(time)},
               {"rows", Json::array()},
               {"residual", Json::array()},
               {"measured", Json::array()}};
  for (int joint = 0; joint < model_.dofs(); ++joint) {
    const Link& link = context_.problem().model.link(joint);
    json["rows"].push_back(link.joint);
    if (link.type == JointType::kPrismatic) json["units"][link.joint] = "N";
    json["residual"].push_back(SixDigits(thinning.Firsts(residual.col(joint))));
    json["measured"].push_back(SixDigits(thinning.Firsts(view[3].col(joint))));
  }
  return json;
}

}  // namespace idbench
