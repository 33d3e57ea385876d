#pragma once

#include <Eigen/Dense>
#include <iosfwd>

// Eigen's decompositions, products and printing of dynamic matrices: declared here, compiled once
// in the sources beside this file, with the flags of all other sources. Else each translation unit
// compiles anew what it uses of them; a singular value decomposition alone takes 20 s.
//
// What small systems spend their time in is not here (triangular solvers, products with a vector,
// LLT::compute()): there GCC makes clones for constant arguments, which save up to 6 % of the
// instructions of a method.
//
// This is part of the precompiled headers and no source includes it. Without those
// (IDBENCH_PCH=OFF, preset tidy) all is as Eigen has it. Half of the names are internal to Eigen:
// versions other than the one that they were taken from are left alone.
#if EIGEN_VERSION_AT_LEAST(3, 4, 0) && !EIGEN_VERSION_AT_LEAST(3, 4, 90)
#define IDBENCH_EIGEN_INSTANCES 1

namespace idbench::eigen {
using RowMajorXd = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Lhs, class Rhs>
using First = Lhs;
template <class Lhs, class Rhs>
using Second = Rhs;
}  // namespace idbench::eigen

// clang-format off
#define IDBENCH_EIGEN_CHOLESKY(instance)                                                           \
  instance class LLT<MatrixXd>;                                                                    \
  instance Index internal::llt_inplace<double, Lower>::blocked(MatrixXd&);                         \
  instance Index internal::llt_inplace<double, Lower>::unblocked(MatrixXd&);                       \
  instance Index internal::llt_inplace<double, Lower>::unblocked(Block<MatrixXd>&);                \
  instance class LDLT<MatrixXd>;                                                                   \
  instance LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);                    \
  instance bool internal::ldlt_inplace<Lower>::unblocked(                                          \
      MatrixXd&, Transpositions<Dynamic>&, VectorXd&, internal::SignMatrix&);

#define IDBENCH_EIGEN_LU(instance)                                                                 \
  instance class PartialPivLU<MatrixXd>;                                                           \
  instance class FullPivLU<MatrixXd>;

#define IDBENCH_EIGEN_QR(instance)                                                                 \
  instance class HouseholderQR<MatrixXd>;                                                          \
  instance class ColPivHouseholderQR<MatrixXd>;                                                    \
  instance void HouseholderSequence<MatrixXd, VectorXd, 1>::evalTo(MatrixXd&, VectorXd&) const;    \
  instance void internal::make_block_householder_triangular_factor(                                \
      idbench::eigen::RowMajorXd&, const Block<MatrixXd>&, const VectorBlock<const VectorXd>&);    \
  instance void internal::make_block_householder_triangular_factor(                                \
      idbench::eigen::RowMajorXd&, const Block<MatrixXd>&,                                         \
      const Block<const VectorXd, Dynamic, 1>&);                                                   \
  instance void internal::apply_block_householder_on_the_left(                                     \
      Block<MatrixXd>&, const Block<MatrixXd>&, const VectorBlock<const VectorXd>&, bool);         \
  instance void MatrixBase<Block<MatrixXd>>::applyHouseholderOnTheLeft(                            \
      const Block<const MatrixXd, Dynamic, 1>&, const double&, double*);                           \
  instance void MatrixBase<Block<VectorXd, Dynamic, Dynamic>>::applyHouseholderOnTheLeft(          \
      const Block<const MatrixXd, Dynamic, 1>&, const double&, double*);

#define IDBENCH_EIGEN_EIGENVALUES(instance)                                                        \
  instance void internal::tridiagonalization_inplace(MatrixXd&, VectorXd&);                        \
  instance ComputationInfo internal::computeFromTridiagonal_impl(                                  \
      VectorXd&, VectorXd&, Index, bool, MatrixXd&);                                               \
  instance class SelfAdjointEigenSolver<MatrixXd>;                                                 \
  instance SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(            \
      const EigenBase<MatrixXd>&, int);                                                            \
  instance class SelfAdjointEigenSolver<Matrix3d>;                                                 \
  instance SelfAdjointEigenSolver<Matrix3d>& SelfAdjointEigenSolver<Matrix3d>::compute(            \
      const EigenBase<Matrix3d>&, int);                                                            \
  instance class SelfAdjointEigenSolver<Matrix4d>;                                                 \
  instance SelfAdjointEigenSolver<Matrix4d>& SelfAdjointEigenSolver<Matrix4d>::compute(            \
      const EigenBase<Matrix4d>&, int);

// Not BDCSVD: for some rank-deficient matrices Eigen 3.4's is wrong in the second digit or NaN, and
// reads beyond an array (its assertions say so); see seen_directions_test.cc.
#define IDBENCH_EIGEN_SVD(instance)                                                                \
  instance class JacobiSVD<MatrixXd>;

#define IDBENCH_EIGEN_GEMM(instance, lhs, rhs)                                                     \
  instance struct internal::general_matrix_matrix_product<Index, double, lhs, false, double, rhs,  \
                                                          false, ColMajor, 1>;
#define IDBENCH_EIGEN_TRIANGULAR_PRODUCT(instance, mode, triangular_left, lhs, rhs)                \
  instance struct internal::product_triangular_matrix_matrix<                                      \
      double, Index, mode, triangular_left, lhs, false, rhs, false, ColMajor, 1>;
#define IDBENCH_EIGEN_PRODUCT(instance, ...)                                                       \
  instance void internal::generic_product_impl<__VA_ARGS__, DenseShape, DenseShape, GemmProduct>:: \
      scaleAndAddTo(MatrixXd&, const idbench::eigen::First<__VA_ARGS__>&,                          \
                    const idbench::eigen::Second<__VA_ARGS__>&, const double&);
#define IDBENCH_EIGEN_PRODUCTS(instance)                                                           \
  IDBENCH_EIGEN_PRODUCT(instance, MatrixXd, MatrixXd)                                              \
  IDBENCH_EIGEN_PRODUCT(instance, MatrixXd, Transpose<const MatrixXd>)                             \
  IDBENCH_EIGEN_PRODUCT(instance, Transpose<const MatrixXd>, MatrixXd)                             \
  IDBENCH_EIGEN_PRODUCT(instance, Transpose<MatrixXd>, MatrixXd)                                   \
  IDBENCH_EIGEN_TRIANGULAR_PRODUCT(instance, Lower, false, ColMajor, ColMajor)                     \
  IDBENCH_EIGEN_TRIANGULAR_PRODUCT(instance, Lower, true, ColMajor, ColMajor)                      \
  IDBENCH_EIGEN_TRIANGULAR_PRODUCT(instance, Upper, true, RowMajor, ColMajor)                      \
  IDBENCH_EIGEN_TRIANGULAR_PRODUCT(instance, UnitLower, true, ColMajor, ColMajor)                  \
  IDBENCH_EIGEN_TRIANGULAR_PRODUCT(instance, UnitUpper, true, RowMajor, ColMajor)                  \
  instance struct internal::general_matrix_matrix_triangular_product<                              \
      Index, double, ColMajor, false, double, RowMajor, false, ColMajor, 1, Lower, 0>;             \
  instance struct internal::selfadjoint_matrix_vector_product<                                     \
      double, Index, ColMajor, Lower, false, false, 0>;                                            \
  instance struct internal::gebp_kernel<double, double, Index,                                     \
      internal::blas_data_mapper<double, Index, ColMajor>,                                         \
      internal::gebp_traits<double, double>::mr,                                                   \
      internal::gebp_traits<double, double>::nr>;                                                  \
  IDBENCH_EIGEN_GEMM(instance, ColMajor, ColMajor)                                                 \
  IDBENCH_EIGEN_GEMM(instance, ColMajor, RowMajor)                                                 \
  IDBENCH_EIGEN_GEMM(instance, RowMajor, ColMajor)                                                 \
  IDBENCH_EIGEN_GEMM(instance, RowMajor, RowMajor)

#define IDBENCH_EIGEN_PRINT(instance, ...)                                                         \
  instance std::ostream& operator<<(std::ostream&, const DenseBase<__VA_ARGS__>&);                 \
  instance std::ostream& internal::print_matrix(std::ostream&, const __VA_ARGS__&, const IOFormat&);
#define IDBENCH_EIGEN_PRINTING(instance)                                                           \
  IDBENCH_EIGEN_PRINT(instance, MatrixXd)                                                          \
  IDBENCH_EIGEN_PRINT(instance, VectorXd)                                                          \
  IDBENCH_EIGEN_PRINT(instance, RowVectorXd)                                                       \
  IDBENCH_EIGEN_PRINT(instance, Vector2d)                                                          \
  IDBENCH_EIGEN_PRINT(instance, Vector3d)                                                          \
  IDBENCH_EIGEN_PRINT(instance, Matrix2d)                                                          \
  IDBENCH_EIGEN_PRINT(instance, Matrix3d)                                                          \
  IDBENCH_EIGEN_PRINT(instance, Block<const MatrixXd>)
// clang-format on

namespace Eigen {
IDBENCH_EIGEN_CHOLESKY(extern template)
IDBENCH_EIGEN_LU(extern template)
IDBENCH_EIGEN_QR(extern template)
IDBENCH_EIGEN_EIGENVALUES(extern template)
IDBENCH_EIGEN_SVD(extern template)
IDBENCH_EIGEN_PRODUCTS(extern template)
IDBENCH_EIGEN_PRINTING(extern template)
}  // namespace Eigen
#endif
