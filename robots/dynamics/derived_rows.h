#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/equations.h"
#include "robots/dynamics/regressor_row.h"

namespace idbench {

class RowRegressor;

/// Rows that are made from those of the joint torques: with Y these,
///   T(q)·Y          of equations that joint torques are mapped to, NaN where there is no map;
///   (Y, −B·diag(v)) of drives, whose gains have the last columns and v is what motors are fed.
class DerivedRows {
 public:
  /// Buffers of Evaluate().
  struct Buffers {
    KernelTargets kernel;
    std::vector<Eigen::MatrixXd> columns;  ///< Of the joint torques: one matrix per row.
    std::vector<RowDestination> to;
  };

  /// @param dynamics  must outlive this object.
  /// @param columns   indices into π, increasing.
  DerivedRows(const Dynamics& dynamics, const std::vector<int>& columns);
  ~DerivedRows();

  bool empty() const { return mapped_.empty() && drives_.empty(); }
  /// Adds the rows of an equation, kMappedRows or kDriveRows.
  void Add(const PlacedEquation& equation, std::vector<RegressorRow>& rows);

  Buffers MakeBuffers() const;
  /// Computes samples first … first + count − 1, at most kSamplesAtOnce.
  /// @param rows  all of the RowRegressor's, and where they go.
  void Evaluate(const std::vector<RegressorRow>& rows, const StateSamples& samples,
                Eigen::Index first, Eigen::Index count, const std::vector<RowDestination>& to,
                Dynamics::Scratch& scratch, Buffers& buffers) const;
  /// Computes those of one sample, with the same bits; see RowRegressor::Single().
  void Single(const std::vector<RegressorRow>& rows, const Eigen::Ref<const Eigen::VectorXd>& q,
              const Eigen::Ref<const Eigen::VectorXd>& qd,
              const Eigen::Ref<const Eigen::VectorXd>& qdd,
              const Eigen::Ref<const Eigen::VectorXd>& inputs, Dynamics::Scratch& scratch,
              Eigen::Ref<Eigen::MatrixXd>& W) const;

 private:
  /// Rows of one equation, which stand one after another.
  struct Instance {
    Equation equation;
    std::size_t first_row;
    std::vector<int> chosen;  ///< Which of the equation's rows they are.
  };

  void AddMapped(const Instance& instance, std::vector<RegressorRow>& rows) const;
  void AddDrives(const Instance& instance, std::vector<RegressorRow>& rows) const;
  void EvaluateMapped(const Instance& mapped, const std::vector<int>& all,
                      const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                      const std::vector<RowDestination>& to, Dynamics::Scratch& scratch,
                      const Buffers& buffers) const;
  void EvaluateDrive(std::size_t joint, const RegressorRow& row, const StateSamples& samples,
                     Eigen::Index first, Eigen::Index count, const RowDestination& to,
                     const Buffers& buffers) const;

  const Dynamics& dynamics_;
  std::vector<int> columns_;
  std::unique_ptr<const RowRegressor> torque_rows_;  ///< nullptr while empty().
  std::vector<Instance> mapped_, drives_;
};

}  // namespace idbench
