#include "robots/dynamics/terms.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace idbench {

double Term::Shape(double v, const FrictionShape& friction) const {
  const auto coulomb = [&](double rate) { return FrictionShape::Coulomb(rate, WidthOf(friction)); };
  switch (shape) {
    case TermShape::kOne:
      return 1.0;
    case TermShape::kLinear:
      return v;
    case TermShape::kCoulomb:
      return coulomb(v);
    case TermShape::kPositivePart:
      return std::max(v, 0.0);
    case TermShape::kNegativePart:
      return std::min(v, 0.0);
    case TermShape::kPositiveSign:
      return std::max(coulomb(v), 0.0);
    case TermShape::kNegativeSign:
      return std::min(coulomb(v), 0.0);
    case TermShape::kStribeck: {
      const double ratio = v / stribeck_velocity;
      return coulomb(v) * std::exp(-ratio * ratio);
    }
  }
  return 0.0;
}

double Term::Slope(double v, const FrictionShape& friction) const {
  const double width = WidthOf(friction);
  const double s = FrictionShape::Coulomb(v, width);
  const double by_v = width > 0.0 ? (1.0 - s * s) / width : 0.0;
  switch (shape) {
    case TermShape::kOne:
      return 0.0;
    case TermShape::kLinear:
      return 1.0;
    case TermShape::kCoulomb:
      return by_v;
    case TermShape::kPositivePart:
      return v > 0.0 ? 1.0 : 0.0;
    case TermShape::kNegativePart:
      return v < 0.0 ? 1.0 : 0.0;
    case TermShape::kPositiveSign:
      return v > 0.0 ? by_v : 0.0;
    case TermShape::kNegativeSign:
      return v < 0.0 ? by_v : 0.0;
    case TermShape::kStribeck: {
      const double ratio = v / stribeck_velocity;
      return std::exp(-ratio * ratio) * (by_v - 2.0 * ratio / stribeck_velocity * s);
    }
  }
  return 0.0;
}

Term MakeTerm(const std::string& place, const TermCoefficient& coefficient,
              std::vector<Term::Share> shares, bool prismatic) {
  return {.name = place + "." + std::string(coefficient.name),
          .unit = std::string(prismatic ? coefficient.prismatic_unit : coefficient.unit),
          .argument = coefficient.argument,
          .shape = coefficient.shape,
          .shares = std::move(shares)};
}

std::vector<Term::Share> SharesOf(const Eigen::Ref<const Eigen::VectorXd>& column) {
  std::vector<Term::Share> shares;
  for (Eigen::Index i = 0; i < column.size(); ++i) {
    if (column[i] != 0.0) shares.push_back({static_cast<int>(i), column[i]});
  }
  return shares;
}

}  // namespace idbench
