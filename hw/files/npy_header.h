#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace idbench {

/// What is wrong with an array in NumPy's format, or with an archive of such.
class NpyError : public std::runtime_error {
 public:
  /// @param details  what is accepted, and the likely cure; one line each.
  explicit NpyError(const std::string& what, std::vector<std::string> details = {})
      : std::runtime_error(what), details_(std::move(details)) {}

  const std::vector<std::string>& details() const { return details_; }

 private:
  std::vector<std::string> details_;
};

/// A number as it lies in a file.
struct NpyNumber {
  char kind = 'f';  ///< NumPy's letter: f (floating), i, u (integer), b (truth value).
  std::size_t size = 8;
  bool big_endian = false;
};

/// Numbers that each item of an array holds at the same place: the item itself, or one of its
/// fields.
struct NpyPart {
  std::string field;  ///< UTF-8; "" the item itself, "pose.x" of a structure in it.
  NpyNumber number;
  std::size_t offset = 0;          ///< In the item [bytes].
  std::vector<std::size_t> shape;  ///< Of the part: {} a number, {6} six of them.
};

/// A part of an array that cannot be read as numbers in columns.
struct NpyOther {
  std::string field;
  std::string why;        ///< "holds text (<U5)"
  std::string cure = {};  ///< "" if there is none.
};

/// What stands before the data of an array.
struct NpyHeader {
  std::size_t size = 0;  ///< Of the header, which is where the data begin [bytes].
  std::vector<std::size_t> shape;
  bool fortran_order = false;  ///< The first index runs fastest.
  std::size_t item_size = 0;   ///< [bytes]
  std::vector<NpyPart> parts;  ///< None of an array of Python objects, whatever its fields.
  std::vector<NpyOther> others;
};

/// Bytes of a file that tell how long its header is.
constexpr std::size_t kNpyPreamble = 12;

/// Returns the size of the header whose first kNpyPreamble bytes (or all of them, of a shorter
/// file) are given.
/// @throws NpyError if it is no array in NumPy's format, of a version that is not known, or claims
///         a header of more than 1 MB.
std::size_t NpyHeaderSize(std::span<const std::byte> bytes);

/// Reads the header of an array in NumPy's format (.npy), versions 1.0, 2.0 and 3.0. Source:
/// numpy.lib.format, and dtype.descr for the types.
/// @param bytes  of the file; those behind the header are not looked at.
/// @throws NpyError as NpyHeaderSize() does, if the header is cut off or does not describe an
///         array, or if its shape cannot be counted.
NpyHeader ParseNpyHeader(std::span<const std::byte> bytes);

}  // namespace idbench
