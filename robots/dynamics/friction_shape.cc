#include "robots/dynamics/friction_shape.h"

#include <cmath>

namespace idbench {

double FrictionShape::Coulomb(double qd, double width_rad_s) {
  if (width_rad_s > 0.0) return std::tanh(qd / width_rad_s);
  return qd > 0.0 ? 1.0 : (qd < 0.0 ? -1.0 : 0.0);
}

}  // namespace idbench
