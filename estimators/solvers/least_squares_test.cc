#include "estimators/solvers/least_squares.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

/// NIST StRD, Longley: y, x1 … x6. https://www.itl.nist.gov/div898/strd/lls/data/Longley.shtml
const Eigen::Matrix<double, 16, 7> kLongley{{60323, 83.0, 234289, 2356, 1590, 107608, 1947},
                                            {61122, 88.5, 259426, 2325, 1456, 108632, 1948},
                                            {60171, 88.2, 258054, 3682, 1616, 109773, 1949},
                                            {61187, 89.5, 284599, 3351, 1650, 110929, 1950},
                                            {63221, 96.2, 328975, 2099, 3099, 112075, 1951},
                                            {63639, 98.1, 346999, 1932, 3594, 113270, 1952},
                                            {64989, 99.0, 365385, 1870, 3547, 115094, 1953},
                                            {63761, 100.0, 363112, 3578, 3350, 116219, 1954},
                                            {66019, 101.2, 397469, 2904, 3048, 117388, 1955},
                                            {67857, 104.6, 419180, 2822, 2857, 118734, 1956},
                                            {68169, 108.4, 442769, 2936, 2798, 120445, 1957},
                                            {66513, 110.8, 444546, 4681, 2637, 121950, 1958},
                                            {68655, 112.6, 482704, 3813, 2552, 123366, 1959},
                                            {69564, 114.2, 502601, 3931, 2514, 125368, 1960},
                                            {69331, 115.7, 518173, 4806, 2572, 127852, 1961},
                                            {70551, 116.9, 554894, 4007, 2827, 130081, 1962}};
const Eigen::Vector<double, 7> kCertified{
    -3482258.63459582, 15.0618722713733,       -0.358191792925910e-01, -2.02022980381683,
    -1.03322686717359, -0.511041056535807e-01, 1829.15146461355};
const Eigen::Vector<double, 7> kCertifiedDeviations{
    890420.383607373,  84.9149257747669,  0.334910077722432e-01, 0.488399681651699,
    0.214274163161675, 0.226073200069370, 455.478499142212};
constexpr double kCertifiedResidualDeviation = 304.854073561965;

Eigen::MatrixXd LongleyColumns() {
  Eigen::MatrixXd A(16, 7);
  A << Eigen::VectorXd::Ones(16), kLongley.rightCols<6>();
  return A;
}

/// Digits that agree with the certified values, of the worst entry.
double Digits(const Eigen::VectorXd& x, const Eigen::VectorXd& certified) {
  const double error = ((x - certified).array() / certified.array()).abs().maxCoeff();
  return -std::log10(std::max(error, 1e-16));
}

/// Uniform in ±1.
Eigen::MatrixXd Noise(Eigen::Index rows, Eigen::Index columns) {
  const RandomStream stream(3, 0, "least_squares_test");
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index i, Eigen::Index j) {
    return 2.0 * stream.Uniform(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(i)) - 1.0;
  });
}

NormalEquations SumsOf(const Eigen::MatrixXd& A, const Eigen::VectorXd& y) {
  return {A.transpose() * A, A.transpose() * y};
}

LeastSquaresSolution ByQr(const Eigen::MatrixXd& A, const Eigen::VectorXd& y,
                          Eigen::Index rows_at_once = 1000) {
  StreamingQr qr(A.cols());
  for (Eigen::Index first = 0; first < A.rows(); first += rows_at_once) {
    const Eigen::Index count = std::min(rows_at_once, A.rows() - first);
    qr.Add(A.middleRows(first, count), y.segment(first, count));
  }
  return qr.Solve();
}

TEST_CASE("QR keeps at least ten digits of NIST's Longley problem, fed at once or row by row") {
  // Certified to 15 digits; the columns' condition, 5e9 raw and 4e4 scaled, costs about 4.
  const Eigen::MatrixXd A = LongleyColumns();
  for (const Eigen::Index rows_at_once : {16, 5, 1}) {
    CAPTURE(rows_at_once);
    const LeastSquaresSolution solution = ByQr(A, kLongley.col(0), rows_at_once);
    REQUIRE(solution.determined());
    CHECK(solution.by_qr);
    CHECK(Digits(solution.x, kCertified) >= 10.0);
    const Eigen::VectorXd deviations =
        kCertifiedResidualDeviation * solution.inverse.diagonal().cwiseSqrt();
    CHECK(Digits(deviations, kCertifiedDeviations) >= 10.0);
  }
}

TEST_CASE(
    "The normal equations keep about seven digits of it, so a condition of 4e4 still passes") {
  const std::optional<LeastSquaresSolution> solution =
      SolveNormalEquations(SumsOf(LongleyColumns(), kLongley.col(0)));
  REQUIRE(solution);
  CHECK(!solution->by_qr);
  CHECK(Digits(solution->x, kCertified) >= 6.0);
  const double by_qr = ByQr(LongleyColumns(), kLongley.col(0)).condition;
  CHECK(solution->condition == doctest::Approx(by_qr).epsilon(1e-4));  // its square has 7 digits
}

TEST_CASE("Both ways agree with the dense SVD of a well-conditioned problem") {
  const Eigen::MatrixXd A = Noise(50, 6);
  const Eigen::VectorXd y = Noise(50, 7).col(6);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd x = svd.solve(y);
  const Eigen::MatrixXd inverse = svd.matrixV() *
                                  svd.singularValues().cwiseAbs2().cwiseInverse().asDiagonal() *
                                  svd.matrixV().transpose();
  for (const LeastSquaresSolution& solution :
       {SolveNormalEquations(SumsOf(A, y)).value(), ByQr(A, y, 7)}) {
    CHECK((solution.x - x).norm() < 1e-13 * x.norm());  // condition below 3
    CHECK((solution.inverse - inverse).norm() < 1e-13 * inverse.norm());
    CHECK(solution.rank == 6);
    CHECK(solution.undetermined.isZero(0.0));
    CHECK(solution.condition < 3.0);
  }
}

TEST_CASE("Units of the unknowns change neither condition nor rank") {
  const Eigen::MatrixXd A = Noise(50, 6);
  const Eigen::VectorXd y = Noise(50, 7).col(6);
  const Eigen::Vector<double, 6> units{1.0, 1e-8, 1e2, 1e-5, 1e-9, 1e1};
  const Eigen::MatrixXd scaled = A * units.asDiagonal();
  const Eigen::VectorXd x = ByQr(A, y).x;
  for (const LeastSquaresSolution& solution :
       {SolveNormalEquations(SumsOf(scaled, y)).value(), ByQr(scaled, y)}) {
    CHECK(solution.condition < 3.0);
    CHECK((units.asDiagonal() * solution.x - x).norm() < 1e-13 * x.norm());
  }
}

TEST_CASE("Above a condition of 1e6 the normal equations decline and QR goes on") {
  Eigen::MatrixXd A = Noise(50, 6);
  const Eigen::Vector<double, 6> x{1.0, -2.0, 3.0, -4.0, 5.0, -6.0};
  for (const double apart : {1e-4, 1e-8}) {
    CAPTURE(apart);
    A.col(5) = A.col(0) + apart * Noise(50, 7).col(6);
    const bool good = apart > 1e-6;
    CHECK(SolveNormalEquations(SumsOf(A, A * x)).has_value() == good);
    const LeastSquaresSolution solution = ByQr(A, A * x);
    REQUIRE(solution.determined());
    CHECK(solution.condition > 0.5 / apart);
    CHECK(solution.condition < 10.0 / apart);
    CHECK((solution.x - x).norm() < 100.0 * 1e-16 / apart * x.norm());  // condition × round-off
  }
}

TEST_CASE("A dependent column lowers the rank, and those that it depends on are told") {
  Eigen::MatrixXd A = Noise(50, 6);
  A.col(4) = 2.0 * A.col(1) - 1e-3 * A.col(2);
  CHECK(!SolveNormalEquations(SumsOf(A, A.col(0))));
  const LeastSquaresSolution solution = ByQr(A, A.col(0));
  CHECK(!solution.determined());
  CHECK(solution.rank == 5);
  CHECK(solution.x.size() == 0);
  CHECK(solution.condition > 1e14);
  const Eigen::Array<bool, 6, 1> takes_part = solution.undetermined.array() > 1e-6;
  CHECK((takes_part == Eigen::Array<bool, 6, 1>{false, true, true, false, true, false}).all());
}

TEST_CASE("A column of zeros, or of round-off, is not determined and never scaled up") {
  for (const double size : {0.0, 1e-15}) {
    CAPTURE(size);
    Eigen::MatrixXd A = Noise(50, 6);
    A.col(3) *= size;
    CHECK(!SolveNormalEquations(SumsOf(A, A.col(0))));
    CHECK(SquaredColumnNorms(A.transpose() * A)[3] == 0.0);
    const LeastSquaresSolution solution = ByQr(A, A.col(0));
    CHECK(solution.rank == 5);
    CHECK(solution.undetermined[3] == doctest::Approx(1.0));
    CHECK(solution.condition > 1e15);
  }
}

}  // namespace
}  // namespace idbench
