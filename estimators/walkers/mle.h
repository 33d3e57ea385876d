#pragma once

#include <vector>

#include "estimators/interface/configured_estimator.h"
#include "estimators/walkers/absolute_motion.h"

namespace idbench {

/// Where a minimisation starts from.
enum class MleStart {
  kFiltered,    ///< The low-passed measurements.
  kPolynomial,  ///< Polynomials through the measurements.
};
template <>
inline constexpr auto kEnumNames<MleStart> = std::to_array<EnumName<MleStart>>(
    {{MleStart::kFiltered, "filtered"}, {MleStart::kPolynomial, "polynomial"}});

struct MleOptions {
  AngleSensor absolute_angle = AngleSensor::kEncoder;
  CutOff half_power = {};
  int order = 5;
  double free_row_variance_ratio = 10.0;
  DifferenceRule differences = DifferenceRule::kTwice;
  std::vector<MleStart> starts = {MleStart::kFiltered, MleStart::kPolynomial};
  int polynomial_degree = 4;
  int max_iterations = 200;
  double tolerance = 1e-6;
  bool reject_unhealthy = false;

  bool operator==(const MleOptions&) const = default;
};
FieldTable Visit(MleOptions& options);

/// Maximum likelihood of a walker's parameters with a noisy absolute angle, whose value at every
/// sample is unknown too; see WalkerLikelihood.
///
/// The sum of squares S has several minima. The method minimises it from several starts, the
/// low-passed measurements and polynomials through the measurements, and keeps the lowest minimum.
/// If the model and the declared σ are right, the mean of S is its degrees of freedom, or less,
/// because S assigns a pseudo-variance to the torque-free rows, which have no errors. An S above
/// the 97.5 % quantile of χ² indicates a wrong minimum, σ or model; the method notes it or, with
/// reject_unhealthy, fails. Source: Dolinský & Čelikovský, IEEE TCST 26(5), 2018, (31)-(51), where
/// (51) is subtracted.
class Mle : public ConfiguredEstimator<MleOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
