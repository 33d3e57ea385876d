#include "estimators/walkers/walker_data.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>

#include "estimators/interface/aligned_equations.h"
#include "estimators/interface/estimate.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// Share of a step by which time may jitter.
constexpr double kJitterTolerance = 1e-3;

Eigen::Index ColumnsOf(std::string_view channel, const RobotModel& model) {
  const ChannelInfo& known = ChannelNamed(channel);
  if (known.parts == ChannelParts::kMotors) return model.actuation().B.cols();
  if (known.parts == ChannelParts::kJoints) return model.dofs();
  return static_cast<Eigen::Index>(ComponentsOf(known).size());
}

void CheckSize(const Dataset& dataset, const AlignedView& view, Eigen::Index least_samples) {
  if (view.size() >= least_samples) return;
  Refuse(fmt::format("{}: {} samples are too few, at least {} are needed", dataset.label(),
                     view.size(), least_samples));
}

void CheckTime(const Dataset& dataset, const AlignedView& view) {
  const double jitter = LargestJitter(view.time_s());
  if (jitter <= kJitterTolerance) return;
  Refuse(
      fmt::format("{}: time jitters by up to {:.2g} % of its step, {:g} % are accepted, because "
                  "differences stand for derivatives: resample the recording "
                  "(/processing/resample_rate_hz)",
                  dataset.label(), 100.0 * jitter, 100.0 * kJitterTolerance));
}

WalkerSignal Read(const Problem& problem, const Dataset& dataset, const AlignedView& view,
                  std::size_t channel) {
  const Channel& source = view.channel(channel);
  const Eigen::Index columns = ColumnsOf(source.name, problem.model);
  if (view[channel].cols() != columns) {
    Refuse(fmt::format("{}: the channel '{}' has {} columns, expected {}", dataset.label(),
                       source.name, view[channel].cols(), columns));
  }
  for (Eigen::Index k = 0; k < view.size(); ++k) CheckFinite(dataset, view, channel, k);
  return {source.name, view[channel].transpose(), source.sigma};
}

WalkerRecording ReadRecording(const Problem& problem, const Dataset& dataset,
                              const std::vector<std::string_view>& channels,
                              const LeastOfPeriod& least_samples) {
  const AlignedView view = Align(dataset, channels, problem.alignment);
  if (!view.ok()) Refuse(view.reason());
  if (view.size() == 0) Refuse("there are no samples");
  WalkerRecording recording;
  recording.label = dataset.label();
  recording.q = Read(problem, dataset, view, 0);
  recording.u = Read(problem, dataset, view, 1);
  for (std::size_t k = 2; k < channels.size(); ++k) {
    recording.further.push_back(Read(problem, dataset, view, k));
  }
  CheckSize(dataset, view, 2);
  const Eigen::VectorXd& time_s = view.time_s();
  recording.Ts = (time_s[time_s.size() - 1] - time_s[0]) / static_cast<double>(view.size() - 1);
  CheckSize(dataset, view, least_samples(recording.Ts));
  CheckTime(dataset, view);
  recording.tau = problem.model.actuation().B * recording.u.samples;
  return recording;
}

[[noreturn]] void RefuseSigma(const WalkerRecording& recording, const WalkerSignal& signal) {
  Refuse(fmt::format("{}: needs a positive declared σ of the channel '{}'", recording.label,
                     signal.channel));
}

}  // namespace

const WalkerSignal& WalkerRecording::Further(std::string_view channel) const {
  const auto found = std::ranges::find(further, channel, &WalkerSignal::channel);
  assert(found != further.end());
  return *found;
}

std::vector<WalkerRecording> ReadWalkerData(const Problem& problem,
                                            std::span<const Dataset> datasets,
                                            std::span<const std::string_view> further,
                                            const LeastOfPeriod& least_samples) {
  std::vector<std::string_view> channels = {kJointPosition, kActuatorTorque};
  channels.insert(channels.end(), further.begin(), further.end());
  std::vector<WalkerRecording> recordings;
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    recordings.push_back(ReadRecording(problem, dataset, channels, least_samples));
  }
  if (recordings.empty()) Refuse("there is no dataset of role identification");
  return recordings;
}

std::vector<WalkerRecording> ReadWalkerData(const Problem& problem,
                                            std::span<const Dataset> datasets,
                                            std::span<const std::string_view> further,
                                            Eigen::Index least_samples) {
  return ReadWalkerData(problem, datasets, further, [=](double /*Ts*/) { return least_samples; });
}

Eigen::VectorXd DeclaredSigma(const WalkerRecording& recording, const WalkerSignal& signal) {
  const bool declared = signal.sigma.size() == signal.samples.rows();
  if (!declared || !(signal.sigma.array() > 0.0).all()) RefuseSigma(recording, signal);
  return signal.sigma;
}

double DeclaredSigmaOfAngle(const WalkerRecording& recording, const WalkerSignal& signal) {
  if (signal.sigma.size() == 0 || !(signal.sigma[0] > 0.0)) RefuseSigma(recording, signal);
  return signal.sigma[0];
}

Eigen::MatrixXd TorqueCovariance::WhiteningRoot() const {
  const Eigen::Index n = covariance.rows();
  return covariance.llt().matrixL().solve(Eigen::MatrixXd::Identity(n, n));
}

TorqueCovariance CovarianceOfTorques(const RobotModel& model, const Eigen::VectorXd& sigma_u,
                                     double free_row_variance_ratio) {
  const Eigen::MatrixXd& B = model.actuation().B;
  const Eigen::VectorXd variance = sigma_u.array().square();
  TorqueCovariance torques;
  torques.covariance = B * variance.asDiagonal() * B.transpose();
  torques.epsilon = free_row_variance_ratio * variance.mean();
  for (int j = 0; j < model.dofs(); ++j) {
    if (!B.row(j).isZero(0.0)) continue;
    torques.free_rows.push_back(j);
    torques.covariance(j, j) = torques.epsilon;
  }
  const double scale = torques.covariance.diagonal().maxCoeff();
  const Eigen::LDLT<Eigen::MatrixXd> factor(torques.covariance);
  // A joint that is driven only along with another leaves a pivot of round-off.
  if (!(factor.vectorD().minCoeff() > 1e-12 * scale)) {
    Refuse(
        "the errors of the joints' torques have no invertible covariance: each joint needs a "
        "motor of its own, or none at all");
  }
  return torques;
}

void AddFreeRowVarianceRatio(double& ratio, std::string_view use, FieldTable& table) {
  table.Add("free_row_variance_ratio", ratio,
            {.doc = fmt::format("Pseudo-variance of the equation of a joint that no motor drives, "
                                "relative to the mean variance of the motors' torques{}",
                                use),
             .lower = 0.0,
             .lower_open = true});
}

}  // namespace idbench
