#include "hw/ros2/cdr.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace idbench {
namespace {

constexpr std::size_t kRepresentationSize = 4;

double Swapped(double value) {
  return std::bit_cast<double>(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
}
std::uint32_t Swapped(std::uint32_t value) { return __builtin_bswap32(value); }

}  // namespace

CdrReader::CdrReader(std::span<const std::byte> message) {
  if (message.size() < kRepresentationSize) {
    throw MessageError(fmt::format("got {} bytes, a message in CDR has 4 or more", message.size()));
  }
  const auto kind =
      std::to_integer<unsigned>(message[0]) << 8 | std::to_integer<unsigned>(message[1]);
  if (kind > 1) {
    throw MessageError(fmt::format("begins with {:04x}, which is not plain CDR", kind),
                       {"accepted here: 0000 (big-endian) and 0001 (little-endian)"});
  }
  swapped_ = (kind == 1) != (std::endian::native == std::endian::little);
  fields_ = message.subspan(kRepresentationSize);
}

void CdrReader::RefuseEnd(const std::string& what) const {
  throw MessageError(fmt::format("{} at byte {}, where {} are left", what,
                                 position_ + kRepresentationSize, left()),
                     {"was the message cut off, or is it of another type or version?"});
}

void CdrReader::Align(std::size_t size) {
  position_ = std::min((position_ + size - 1) / size * size, fields_.size());
}

template <class T>
T CdrReader::Number() {
  Align(sizeof(T));
  if (left() < sizeof(T)) RefuseEnd(fmt::format("a number of {} bytes", sizeof(T)));
  T value;
  std::memcpy(&value, fields_.data() + position_, sizeof(T));
  position_ += sizeof(T);
  return swapped_ ? Swapped(value) : value;
}

std::uint32_t CdrReader::UInt32() { return Number<std::uint32_t>(); }
std::int32_t CdrReader::Int32() { return std::bit_cast<std::int32_t>(UInt32()); }
double CdrReader::Double() { return Number<double>(); }

std::string_view CdrReader::String() {
  const std::size_t size = UInt32();
  if (size == 0) return {};  // not allowed, but some write an empty text so
  if (size > left()) RefuseEnd(fmt::format("a text of {} bytes", size));
  const char* const text = reinterpret_cast<const char*>(fields_.data() + position_);
  if (text[size - 1] != '\0') RefuseEnd(fmt::format("a text of {} bytes without NUL", size));
  position_ += size;
  return {text, size - 1};
}

std::size_t CdrReader::Length(std::size_t least) {
  const std::size_t count = UInt32();
  if (count > left() / least) RefuseEnd(fmt::format("a sequence of {} elements", count));
  return count;
}

void CdrReader::Strings(std::vector<std::string_view>& texts) {
  texts.resize(Length(sizeof(std::uint32_t)));
  for (std::string_view& text : texts) text = String();
}

void CdrReader::Doubles(std::vector<double>& numbers) {
  numbers.resize(Length(sizeof(double)));
  if (numbers.empty()) return;  // without padding
  Align(sizeof(double));
  const std::size_t size = numbers.size() * sizeof(double);
  if (left() < size) RefuseEnd(fmt::format("{} numbers", numbers.size()));
  std::memcpy(numbers.data(), fields_.data() + position_, size);
  position_ += size;
  if (!swapped_) return;
  for (double& number : numbers) number = Swapped(number);
}

void CdrReader::SkipDoubles(std::size_t count) {
  if (count == 0) return;
  Align(sizeof(double));
  if (count > left() / sizeof(double)) RefuseEnd(fmt::format("{} numbers", count));
  position_ += count * sizeof(double);
}

void CdrReader::SkipSequence(std::size_t doubles) {
  SkipDoubles(Length(doubles * sizeof(double)) * doubles);
}

}  // namespace idbench
