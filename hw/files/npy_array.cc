#include "hw/files/npy_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace idbench {
namespace {

constexpr std::size_t kMostColumns = 1000;
constexpr std::size_t kMostColumnsOfAll = 10'000;

template <class T, bool kSwapped>
double ReadAs(const std::byte* place) {
  std::array<std::byte, sizeof(T)> bytes;
  std::copy_n(place, sizeof(T), bytes.begin());
  if constexpr (kSwapped) std::ranges::reverse(bytes);
  return static_cast<double>(std::bit_cast<T>(bytes));
}

/// A floating-point number of 16 bits (IEEE 754 binary16).
template <bool kSwapped>
double ReadHalf(const std::byte* place) {
  const auto bits = static_cast<std::uint16_t>(ReadAs<std::uint16_t, kSwapped>(place));
  return static_cast<double>(
      Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(bits)));
}

using NumberReader = double (*)(const std::byte*);

template <bool kSwapped>
NumberReader ReaderOfSize(const NpyNumber& number) {
  const std::size_t size = number.size;
  switch (number.kind) {
    case 'f':
      return size == 2   ? &ReadHalf<kSwapped>
             : size == 4 ? &ReadAs<float, kSwapped>
                         : &ReadAs<double, kSwapped>;
    case 'i':
      return size == 1   ? &ReadAs<std::int8_t, kSwapped>
             : size == 2 ? &ReadAs<std::int16_t, kSwapped>
             : size == 4 ? &ReadAs<std::int32_t, kSwapped>
                         : &ReadAs<std::int64_t, kSwapped>;
    default:  // u, and b: False is 0, True 1
      return size == 1   ? &ReadAs<std::uint8_t, kSwapped>
             : size == 2 ? &ReadAs<std::uint16_t, kSwapped>
             : size == 4 ? &ReadAs<std::uint32_t, kSwapped>
                         : &ReadAs<std::uint64_t, kSwapped>;
  }
}

NumberReader ReaderOf(const NpyNumber& number) {
  static_assert(std::endian::native == std::endian::little);
  return number.big_endian ? ReaderOfSize<true>(number) : ReaderOfSize<false>(number);
}

std::string FieldName(const std::string& array, const std::string& field) {
  return array.empty() || field.empty() ? array + field : fmt::format("{}.{}", array, field);
}

std::vector<std::size_t> ShapeOfPart(const NpyHeader& header, const NpyPart& part) {
  std::vector<std::size_t> shape = header.shape;
  shape.insert(shape.end(), part.shape.begin(), part.shape.end());
  return shape;
}

/// Why a part is no columns; "" if it is.
/// @param[out] cure  as in NpyOther.
std::string WhyNoColumns(const NpyHeader& header, const NpyPart& part, std::string& cure) {
  if (header.shape.empty()) return "is a single item";
  const std::vector<std::size_t> shape = ShapeOfPart(header, part);
  if (shape.size() > 2) return fmt::format("has {} dimensions", shape.size());
  if (shape[0] == 0) return "has no rows";
  if (shape.size() == 1) return "";
  if (shape[1] == 0) return "has no columns";
  if (shape[1] <= kMostColumns) return "";
  cure = "rows are the first dimension: if it is transposed, save its .T";
  return fmt::format("has {} columns", shape[1]);
}

std::vector<std::string> NamesOfColumns(const std::string& name,
                                        const std::vector<std::size_t>& shape) {
  if (shape.size() == 1 && !name.empty()) return {name};
  std::vector<std::string> names;
  const std::size_t count = shape.size() == 1 ? 1 : shape[1];
  for (std::size_t k = 0; k < count; ++k) names.push_back(fmt::format("{}[{}]", name, k));
  return names;
}

/// The whole rows of an array that is cut off, or those of all.
std::size_t RowsIn(const NpyHeader& header, std::size_t bytes, bool may_be_cut) {
  std::size_t claimed = header.item_size;  // ParseNpyHeader() has counted them
  for (const std::size_t count : header.shape) claimed *= count;
  if (bytes > claimed) {
    throw NpyError(fmt::format("has {} bytes behind its data", bytes - claimed),
                   {"several arrays in one file? np.savez(\"log.npz\", t=t, q=q) writes them so "
                    "that they can be read"});
  }
  const std::size_t rows = header.shape[0];  // at least one, since there are columns
  if (bytes == claimed) return rows;
  const bool by_rows = !header.fortran_order || header.shape.size() == 1;
  const std::size_t whole = bytes / (claimed / rows);
  if (!may_be_cut || !by_rows || whole == 0) {
    throw NpyError(fmt::format("has {} of the {} bytes that its header claims", bytes, claimed),
                   {"was it cut off? copy it again"});
  }
  return whole;
}

/// Fills the columns of a part from the data.
void ReadPart(const NpyHeader& header, const NpyPart& part, std::span<const std::byte> data,
              NpyColumns& columns) {
  const NumberReader read = ReaderOf(part.number);
  const std::size_t rows = columns.shape[0];
  const std::size_t count = columns.shape.size() == 1 ? 1 : columns.shape[1];
  // Distances between rows and between columns [bytes].
  std::size_t row_step = header.item_size;
  std::size_t column_step = part.number.size;
  if (header.shape.size() == 2) {
    row_step = header.item_size * (header.fortran_order ? 1 : count);
    column_step = header.item_size * (header.fortran_order ? header.shape[0] : 1);
  }
  columns.values.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(count));
  for (std::size_t j = 0; j < count; ++j) {
    const std::byte* place = data.data() + part.offset + j * column_step;
    double* values = columns.values.col(static_cast<Eigen::Index>(j)).data();
    for (std::size_t i = 0; i < rows; ++i) {
      const double value = read(place + i * row_step);
      values[i] = std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
    }
  }
}

}  // namespace

NpyContents ContentsOf(const NpyHeader& header, const std::string& name) {
  NpyContents contents;
  std::size_t count = 0;
  for (const NpyPart& part : header.parts) {
    const std::string field = FieldName(name, part.field);
    std::string cure;
    if (std::string why = WhyNoColumns(header, part, cure); !why.empty()) {
      contents.others.push_back({field, std::move(why), std::move(cure)});
      continue;
    }
    std::vector<std::size_t> shape = ShapeOfPart(header, part);
    count += shape.size() == 1 ? 1 : shape[1];
    if (count > kMostColumnsOfAll) {
      throw NpyError(fmt::format("has more than {} columns in its fields", kMostColumnsOfAll));
    }
    std::vector<std::string> names = NamesOfColumns(field, shape);
    contents.columns.push_back({field, std::move(shape), std::move(names), {}});
  }
  for (const NpyOther& other : header.others) {
    contents.others.push_back({FieldName(name, other.field), other.why, other.cure});
  }
  return contents;
}

NpyContents ReadNpyData(const NpyHeader& header, const std::string& name,
                        std::span<const std::byte> data, bool may_be_cut) {
  NpyContents contents = ContentsOf(header, name);
  if (contents.columns.empty()) return contents;
  const std::size_t rows = RowsIn(header, data.size(), may_be_cut);
  auto columns = contents.columns.begin();
  for (const NpyPart& part : header.parts) {
    std::string cure;
    if (!WhyNoColumns(header, part, cure).empty()) continue;
    columns->shape[0] = rows;
    ReadPart(header, part, data, *columns++);
  }
  return contents;
}

}  // namespace idbench
