#pragma once

#include <string>
#include <vector>

#include "estimators/estimator.h"

namespace idbench {

struct MleOptions {
  std::string absolute_angle = "joint_position";
  double half_power = 1.0;
  int order = 5;
  double free_row_variance_ratio = 10.0;
  std::string differences = "twice";
  std::vector<std::string> starts = {"filtered", "polynomial"};
  int polynomial_degree = 4;
  int max_iterations = 200;
  double tolerance = 1e-6;
  bool reject_unhealthy = false;

  bool operator==(const MleOptions&) const = default;
};
FieldTable Visit(MleOptions& options);

/// Maximum likelihood of a walker's parameters where its absolute angle is measured with noise: the
/// angle at every sample is unknown too, see WalkerLikelihood.
///
/// The sum of squares S has more minima than one, so it is minimised from several starts and the
/// lowest minimum kept: from what was measured, low-passed, and from polynomials through it. Where
/// the model and the declared σ are right S has its degrees of freedom for its mean, or less,
/// because the torque-free rows have no errors where a pseudo-variance is taken for them: an S
/// above the 97.5 % quantile of χ² tells a wrong minimum, σ or model, and is noted, or refused.
/// Source: Dolinský & Čelikovský, IEEE TCST 26(5), 2018, (31)-(51), where (51) is subtracted.
class Mle : public Estimator {
 public:
  FieldTable Fields() override { return Visit(options_); }
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;

 private:
  MleOptions options_;
};

}  // namespace idbench
