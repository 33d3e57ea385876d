#include "robots/recording/transmission.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <stdexcept>
#include <utility>

namespace idbench {
namespace {

/// The motor channel, or nullptr if there is none or the joint channel is there already.
const Channel* SourceOf(const Dataset& dataset, std::string_view joint, std::string_view motor,
                        Eigen::Index motors) {
  const Channel* const source = dataset.Find(motor);
  if (source == nullptr || dataset.Find(joint) != nullptr) return nullptr;
  if (source->samples.cols() == motors) return source;
  throw std::invalid_argument(fmt::format("the channel '{}' has {} columns for {} motors", motor,
                                          source->samples.cols(), motors));
}

Channel Derived(std::string_view name, const Channel& source, Eigen::MatrixXd samples) {
  Channel channel;
  channel.name = name;
  channel.unit = ChannelNamed(name).unit;
  channel.time_s = source.time_s;
  channel.samples = std::move(samples);
  channel.origin = source.origin;
  return channel;
}

}  // namespace

Dataset ThroughTransmission(const Dataset& dataset, const Transmission& transmission) {
  const Eigen::MatrixXd& N = transmission.N;
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(N);
  if (N.rows() != N.cols() || !lu.isInvertible()) {
    throw std::invalid_argument(
        fmt::format("no joint positions follow from {} motors of {} joints: the matrix of the "
                    "transmission has no inverse",
                    N.rows(), N.cols()));
  }
  Dataset with = dataset;
  if (const Channel* const motor = SourceOf(dataset, kJointPosition, kMotorPosition, N.rows())) {
    Eigen::MatrixXd q = lu.solve(motor->samples.transpose()).transpose();
    q.rowwise() += transmission.offset.transpose();
    with.Add(Derived(kJointPosition, *motor, std::move(q)));
  }
  if (const Channel* const motor = SourceOf(dataset, kJointTorque, kMotorTorque, N.rows())) {
    with.Add(Derived(kJointTorque, *motor, motor->samples * N));
  }
  return with;
}

}  // namespace idbench
