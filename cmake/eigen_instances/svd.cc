#include "cmake/eigen_instances/eigen_instances.h"

#ifdef IDBENCH_EIGEN_INSTANCES
namespace Eigen {
IDBENCH_EIGEN_SVD(template)
}  // namespace Eigen
#endif
