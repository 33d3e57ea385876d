#include "cmake/eigen_instances/eigen_instances.h"

#ifdef IDBENCH_EIGEN_INSTANCES
namespace Eigen {
IDBENCH_EIGEN_PRODUCTS(template)
}  // namespace Eigen
#endif
