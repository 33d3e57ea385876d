#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hw/log/log.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Arrays in NumPy's own formats, which tell all of their options.
struct NumpyFormat {
  static constexpr std::string_view kType = "numpy";
};
FieldTable Visit(NumpyFormat& format);

/// Reads an array (np.save, .npy) or an archive of arrays (np.savez, np.savez_compressed, .npz);
/// its time is one of the columns. The content decides which, not the name. See hw/log/log.h.
///
/// Columns are called as NumPy's indices say: of np.savez("log.npz", t=t, q=q), with t of shape N
/// and q of N × 7, "t" and "q[0]" … "q[6]"; of a single array of N × k, "[0]" … "[k-1]"; of a
/// structured array its fields. Numbers are floats of 16 to 64 bits, integers and truth values,
/// rounded to double (integers beyond 2⁵³ lose digits: nanoseconds since 1970 become multiples of
/// 256). Arrays with one item, of more than two dimensions or more than 1,000 columns, and other
/// than numbers are no columns; if one is wanted, or there is nothing else, the error says so.
///
/// Arrays of the same number of rows are a table: named "" if there is one, else "arrays of N
/// rows". Tables and columns stand in the order of the file. `places` are rows, from 1.
///
/// A wanted column has to hold a finite number in each row, but for those without any wanted number
/// of their table before the first and behind the last of the others. Other columns are NaN where a
/// number is not finite.
///
/// Memory is three times that of the arrays with wanted columns.
/// @throws ConfigError (source: the file) if it is no such file or is damaged, if a wanted column
///         is missing or holds a number that is not finite between others, or if two columns have
///         one name. An .npy that ends early is read as far as its rows are whole.
Log ReadLog(const std::filesystem::path& file, const NumpyFormat& format,
            const std::vector<std::string>& wanted);

}  // namespace idbench
