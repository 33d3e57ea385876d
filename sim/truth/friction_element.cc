#include "sim/truth/friction_element.h"

#include <fmt/format.h>

#include <cmath>

namespace idbench {
namespace {

/// The element of θ·f(u); zero if it is constant or depends on accelerations.
FrictionElement ElementOf(const TrueTerm& own) {
  using Side = FrictionElement::Side;
  const double theta = own.value;
  FrictionElement element{.name = own.term.name, .shares = own.term.shares};
  if (own.term.argument != TermArgument::kVelocity) return element;
  switch (own.term.shape) {
    case TermShape::kOne:
      break;
    case TermShape::kLinear:
      element.viscous = theta;
      break;
    case TermShape::kPositivePart:
      element.viscous = theta;
      element.side = Side::kPositive;
      break;
    case TermShape::kNegativePart:
      element.viscous = theta;
      element.side = Side::kNegative;
      break;
    case TermShape::kCoulomb:
      element.coulomb = theta;
      break;
    case TermShape::kPositiveSign:
      element.coulomb = theta;
      element.side = Side::kPositive;
      break;
    case TermShape::kNegativeSign:
      element.coulomb = theta;
      element.side = Side::kNegative;
      break;
    case TermShape::kStribeck:
      element.stribeck_excess = theta;
      element.stribeck_velocity = own.term.stribeck_velocity;
      break;
  }
  return element;
}

}  // namespace

double FrictionElement::Level(double u) const {
  if (stribeck_excess == 0.0) return coulomb;
  const double ratio = u / stribeck_velocity;
  return coulomb + stribeck_excess * std::exp(-ratio * ratio);
}

double FrictionElement::Torque(double u, double level, double width) const {
  const double v = Acting(u);
  if (v == 0.0) return 0.0;
  // A tanh for each element and iteration of a step is most of its time.
  return viscous * v + (level == 0.0 ? 0.0 : level * std::tanh(v / width));
}

FrictionElement::Tangent FrictionElement::At(double u, double level, double width) const {
  // At the kink u = 0 of an element that acts on one side the slope is that of this side: Newton's
  // step is too short there rather than too long.
  if (Acting(u) != u) return {};
  if (level == 0.0) return {viscous * u, viscous};
  const double s = std::tanh(u / width);
  return {viscous * u + level * s, viscous + level * (1.0 - s * s) / width};
}

FrictionElement FrictionElement::Times(double factor) const {
  FrictionElement product = *this;
  product.viscous *= factor;
  product.coulomb *= factor;
  product.stribeck_excess *= factor;
  product.load_coefficient *= factor;
  return product;
}

FrictionElement FrictionElement::Viscous() const {
  FrictionElement viscous_part = *this;
  viscous_part.coulomb = viscous_part.stribeck_excess = viscous_part.load_coefficient = 0.0;
  return viscous_part;
}

double FrictionElement::SteepestSlope(double width) const {
  const double static_level = coulomb + stribeck_excess;
  return viscous + (static_level == 0.0 ? 0.0 : static_level / width);
}

std::vector<FrictionElement> FrictionElementsOf(const TrueRobot& robot) {
  const TrueFriction& friction = robot.friction();
  std::vector<FrictionElement> elements;
  for (int i = 0; i < robot.dofs(); ++i) {
    elements.push_back(
        {.name = fmt::format("of joint '{}'", robot.joint_names()[static_cast<std::size_t>(i)]),
         .shares = {{.joint = i}},
         .viscous = friction.viscous(i),
         .coulomb = friction.coulomb(i),
         .stribeck_excess = friction.stribeck_excess(i),
         .stribeck_velocity = friction.stribeck_velocity(i),
         .load_coefficient = friction.load_coefficient(i)});
  }
  for (const TrueTerm& own : robot.terms()) elements.push_back(ElementOf(own));
  return elements;
}

}  // namespace idbench
