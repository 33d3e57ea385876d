#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "hw/files/npy_header.h"

namespace idbench {

/// The bytes of an array in NumPy's format: `header` as it stands in the file, then the data.
inline std::string NpyFile(std::string_view header, std::string_view data = "", int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  std::size_t size = header.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i, size >>= 8) {
    file += static_cast<char>(size & 0xFF);
  }
  return file.append(header).append(data);
}

/// The same of an array of one type and shape, as in NpyOf("'<f8'", "(3, 2)").
inline std::string NpyOf(std::string_view type, std::string_view shape, std::string_view data = "",
                         bool fortran_order = false) {
  std::string header = "{'descr': ";
  header.append(type).append(", 'fortran_order': ").append(fortran_order ? "True" : "False");
  header.append(", 'shape': ").append(shape).append(", }");
  return NpyFile(header, data);
}

inline std::span<const std::byte> NpyBytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// What an error of NumPy's format says, its details in lines of their own.
template <class Action>
std::string RefusalOf(Action&& action) {
  try {
    action();
  } catch (const NpyError& error) {
    std::string text = error.what();
    for (const std::string& detail : error.details()) text.append("\n  ").append(detail);
    return text;
  }
  return "no error";
}

}  // namespace idbench
