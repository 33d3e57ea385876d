#include "robots/dynamics/regressor_row.h"

#include <algorithm>

namespace idbench {

std::size_t RegressorRow::Insert(int column, const RegressorColumn& source) {
  const auto at = std::ranges::lower_bound(columns, column) - columns.begin();
  columns.insert(columns.begin() + at, column);
  sources.insert(sources.begin() + at, source);
  return static_cast<std::size_t>(at);
}

void FillTerm(const Term& term, std::size_t share, const FrictionShape& friction,
              const StateSamples& samples, Eigen::Index first, Eigen::Index count, double* to) {
  Eigen::Map<Eigen::VectorXd> values(to, count);
  if (term.shape == TermShape::kOne) {
    values.setConstant(term.shares[share].factor);
    return;
  }
  if (term.argument == TermArgument::kInput) {
    values = term.shares[share].factor *
             samples.inputs->col(term.input).segment(samples.first_input + first, count);
    return;
  }
  const auto& rates = term.Of(samples.qd, samples.qdd);
  // By column, as they lie in memory.
  values = term.shares[0].factor * rates.col(term.shares[0].joint).segment(first, count);
  for (std::size_t k = 1; k < term.shares.size(); ++k) {
    values += term.shares[k].factor * rates.col(term.shares[k].joint).segment(first, count);
  }
  if (term.shape != TermShape::kLinear) {
    for (double& v : values) v = term.Shape(v, friction);
  }
  const double factor = term.shares[share].factor;
  if (factor != 1.0) values *= factor;
}

}  // namespace idbench
