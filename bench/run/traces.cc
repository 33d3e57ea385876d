#include "bench/run/traces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "estimators/interface/online_estimator.h"
#include "estimators/interface/recorded_time.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Instants of a track: as many as its unknowns leave room for.
constexpr int kLeastTrackPoints = 60, kMostTrackPoints = 260;
constexpr int kTrackNumbers = 1040;
/// Samples of a residual trace, at most.
constexpr Eigen::Index kResidualPoints = 300;

/// Six significant digits, which is more than a chart shows.
double SixDigits(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
  const double rounded = std::round(value * scale) / scale;
  return std::isfinite(rounded) ? rounded : value;
}

std::vector<double> SixDigits(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::vector<double> rounded;
  for (const double value : values) rounded.push_back(SixDigits(value));
  return rounded;
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
      model_(context.problem()) {
  if (data.truth != nullptr) truth_.emplace(context.scenario(), context.problem()).SetTrial(data);
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
                      std::vector<double> traced_s) {
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
  std::map<std::string, int> segments;
  for (const Dataset& dataset : data_.datasets) ++segments[dataset.label()];
  std::map<std::string, int> before;
  std::map<std::string, double> recorded_s;
  for (const Dataset& dataset : data_.datasets) {
    const int segment = before[dataset.label()]++;
    const RecordedTime clock = RecordedTimeOf(dataset);
    // Stamps of a simulation count from its beginning as they are.
    const double shift_s =
        data_.truth != nullptr ? 0.0 : recorded_s[dataset.label()] - clock.start_s;
    const Json of_experiment = ResidualOf(run.last(), dataset, shift_s);
    recorded_s[dataset.label()] += clock.duration_s;
    if (of_experiment.is_null()) continue;
    Json line = head;
    line["experiment"] = dataset.label();
    if (segments[dataset.label()] > 1) line["segment"] = segment;
    line.update(of_experiment);
    traces_.residuals += line.dump() + '\n';
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
  const Eigen::Index stride = (view.size() + kResidualPoints - 1) / kResidualPoints;
  const auto every = Eigen::seq(0, view.size() - 1, stride);
  const Eigen::VectorXd time = view.time_s()(every).array() + shift_s;
  const Eigen::MatrixXd residual = (view[3] - predicted_)(every, Eigen::all);
  Json json = {{"channel", kJointTorque},
               {"t_s", SixDigits(time)},
               {"rows", Json::array()},
               {"residual", Json::array()}};
  for (int joint = 0; joint < model_.dofs(); ++joint) {
    const Link& link = context_.problem().model.link(joint);
    json["rows"].push_back(link.joint);
    if (link.type == JointType::kPrismatic) json["units"][link.joint] = "N";
    json["residual"].push_back(SixDigits(residual.col(joint)));
  }
  return json;
}

}  // namespace idbench
