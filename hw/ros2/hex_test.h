#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// Bytes of hexadecimal digits; spaces are left out.
inline std::vector<std::byte> FromHex(std::string_view digits) {
  std::vector<std::byte> bytes;
  std::string pair;
  for (const char digit : digits) {
    if (digit == ' ') continue;
    pair += digit;
    if (pair.size() < 2) continue;
    bytes.push_back(static_cast<std::byte>(std::stoi(pair, nullptr, 16)));
    pair.clear();
  }
  return bytes;
}

}  // namespace idbench
