#include "scenarios/motion/trajectory/quintic.h"

namespace idbench {

QuinticStep EvaluateQuinticStep(double t, double duration) {
  if (t <= 0.0) return {};
  if (t >= duration) return {1.0, 0.0, 0.0};
  const double u = t / duration;
  const double v = 1.0 - u;
  return {u * u * u * (10.0 + u * (-15.0 + 6.0 * u)), 30.0 * u * u * v * v / duration,
          60.0 * u * v * (v - u) / (duration * duration)};
}

}  // namespace idbench
