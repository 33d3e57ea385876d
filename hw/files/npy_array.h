#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "hw/files/npy_header.h"

namespace idbench {

/// Numbers of an array, or of a field of a structured one, as N rows.
struct NpyColumns {
  std::string field;               ///< "" the array itself.
  std::vector<std::size_t> shape;  ///< N, or N and k.
  /// As NumPy's indices say: "[0]" … "[k-1]" of a field "", "q[0]" … of two dimensions, "t" of one.
  std::vector<std::string> names;
  Eigen::MatrixXd values;  ///< N × k; NaN where a number is not finite.
};

/// What there is to be read in an array; the values are empty.
struct NpyContents {
  std::vector<NpyColumns> columns;
  std::vector<NpyOther> others;
};

/// Tells which parts of an array can be read: numbers of one or two dimensions, at least one row,
/// one to 1,000 columns.
/// @param name  of the array: its fields are called name.field, and its columns begin with it.
/// @throws NpyError if the parts have more than 10,000 columns together.
NpyContents ContentsOf(const NpyHeader& header, const std::string& name);

/// Reads the numbers of ContentsOf(), rounded to double.
///
/// @param data  what follows the header.
/// @param may_be_cut  reads the whole rows of data that end early.
/// @throws NpyError as ContentsOf() does, and if there are more bytes than the header claims or
///         fewer, unless that is allowed and a row is whole.
NpyContents ReadNpyData(const NpyHeader& header, const std::string& name,
                        std::span<const std::byte> data, bool may_be_cut);

}  // namespace idbench
