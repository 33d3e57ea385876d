#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace idbench {

/// A serialised message that is not what its type says. Who has read it from a file adds file,
/// topic and number of the message.
class MessageError : public std::runtime_error {
 public:
  explicit MessageError(const std::string& what, std::vector<std::string> details = {})
      : std::runtime_error(what), details_(std::move(details)) {}

  /// What is accepted, and the likely cure; one line each.
  const std::vector<std::string>& details() const { return details_; }

 private:
  std::vector<std::string> details_;
};

/// Reads the fields of a message in Common Data Representation one after the other, as ROS 2
/// writes them into bags and sends them: 4 bytes that say the representation, then XCDR1 in
/// either byte order. (OMG DDSI-RTPS 2.5, section 10; OMG DDS-XTypes 1.3, section 7.4.1.)
///
/// A number is aligned to its size, counted from the end of those 4 bytes. Every function throws
/// MessageError where the message ends too early, and allocates no more than the message holds.
class CdrReader {
 public:
  /// @param message  must outlive the reader and the texts that it returns.
  /// @throws MessageError if the message has no representation, or one other than XCDR1's.
  explicit CdrReader(std::span<const std::byte> message);

  std::int32_t Int32();
  std::uint32_t UInt32();
  double Double();
  /// Returns a text without its final NUL, as a view into the message.
  std::string_view String();
  /// Reads a sequence of texts, which replaces `texts`.
  void Strings(std::vector<std::string_view>& texts);
  /// Reads a sequence of numbers, which replaces `numbers`.
  void Doubles(std::vector<double>& numbers);
  /// Passes over a sequence whose elements are `doubles` numbers each.
  void SkipSequence(std::size_t doubles);
  /// Passes over an array of a fixed length.
  void SkipDoubles(std::size_t count);

  /// Number of bytes that were not read. Up to 3 may trail a whole message.
  std::size_t left() const { return fields_.size() - position_; }

 private:
  template <class T>
  T Number();
  void Align(std::size_t size);
  /// Reads the length of a sequence whose elements take `least` bytes each or more.
  std::size_t Length(std::size_t least);
  [[noreturn]] void RefuseEnd(const std::string& what) const;

  std::span<const std::byte> fields_;  ///< What follows the representation.
  std::size_t position_ = 0;
  bool swapped_ = false;
};

}  // namespace idbench
