#include "reports/statistics/normal_law.h"

#include <boost/math/distributions/normal.hpp>

namespace idbench {

double NormalQuantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

}  // namespace idbench
