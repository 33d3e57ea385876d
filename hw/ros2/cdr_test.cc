#include "hw/ros2/cdr.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "hw/ros2/hex_test.h"

namespace idbench {
namespace {

TEST_CASE("Fields are aligned to their size, counted from byte 4, in both byte orders") {
  for (const char* hex : {"00010000 01000000 02000000 6100 0000 ffffffff 000000000000f03f",
                          "00000000 00000001 00000002 6100 0000 ffffffff 3ff0000000000000"}) {
    CAPTURE(hex);
    const std::vector<std::byte> message = FromHex(hex);
    CdrReader reader(message);
    CHECK(reader.UInt32() == 1);
    CHECK(reader.String() == "a");
    CHECK(reader.Int32() == -1);
    CHECK(reader.Double() == 1.0);
    CHECK(reader.left() == 0);
  }
}

TEST_CASE("An empty sequence has no padding, one with numbers is aligned to them") {
  const std::vector<std::byte> message =
      FromHex("00010000 00000000 01000000 000000000000e03f 02000000 05000000 61626364 00");
  CdrReader reader(message);
  std::vector<double> numbers = {7.0};
  reader.Doubles(numbers);
  CHECK(numbers.empty());
  reader.Doubles(numbers);
  CHECK(numbers == std::vector<double>{0.5});
  reader.UInt32();
  CHECK(reader.String() == "abcd");
}

TEST_CASE("Sequences of arrays are passed over") {
  const std::vector<std::byte> message = FromHex(
      "00010000 02000000 00000000 "
      "0000000000000000 0000000000000000 0000000000000000 0000000000000000 07000000");
  CdrReader reader(message);
  reader.SkipSequence(2);
  CHECK(reader.UInt32() == 7);
}

TEST_CASE("An empty text may lack its NUL") {
  const std::vector<std::byte> message = FromHex("00010000 00000000 01000000 00");
  CdrReader reader(message);
  CHECK(reader.String().empty());
  CHECK(reader.String().empty());
  CHECK(reader.left() == 0);
}

TEST_CASE("Other representations than plain CDR are refused") {
  CHECK_THROWS_WITH_AS(CdrReader(FromHex("0001")), "got 2 bytes, a message in CDR has 4 or more",
                       MessageError);
  CHECK_THROWS_WITH_AS(CdrReader(FromHex("00070000")), "begins with 0007, which is not plain CDR",
                       MessageError);
}

/// Why a message that holds one field cannot be read.
template <class Read>
std::string WhyRefused(const char* hex, const Read& read) {
  const std::vector<std::byte> message = FromHex(hex);
  CdrReader reader(message);
  try {
    read(reader);
  } catch (const MessageError& error) {
    CHECK(error.details() == std::vector<std::string>{
                                 "was the message cut off, or is it of another type or version?"});
    return error.what();
  }
  return "";
}

TEST_CASE("What reaches beyond the end is refused with its place, before memory is allocated") {
  std::vector<double> numbers;
  std::vector<std::string_view> texts;
  CHECK(WhyRefused("00010000 0000", [](CdrReader& reader) { reader.UInt32(); }) ==
        "a number of 4 bytes at byte 4, where 2 are left");
  CHECK(WhyRefused("00010000 ff00", [](CdrReader& reader) { reader.Double(); }) ==
        "a number of 8 bytes at byte 4, where 2 are left");
  CHECK(WhyRefused("00010000 05000000 6162", [](CdrReader& reader) { reader.String(); }) ==
        "a text of 5 bytes at byte 8, where 2 are left");
  CHECK(WhyRefused("00010000 02000000 6162", [](CdrReader& reader) { reader.String(); }) ==
        "a text of 2 bytes without NUL at byte 8, where 2 are left");
  CHECK(WhyRefused("00010000 ffffffff 6162", [&](CdrReader& reader) { reader.Strings(texts); }) ==
        "a sequence of 4294967295 elements at byte 8, where 2 are left");
  CHECK(WhyRefused("00010000 01000000 000000000000f0", [&](CdrReader& reader) {
          reader.Doubles(numbers);
        }) == "a sequence of 1 elements at byte 8, where 7 are left");
  CHECK(WhyRefused("00010000 000000000000f03f", [](CdrReader& reader) {
          reader.SkipDoubles(0);
          reader.SkipDoubles(2);
        }) == "2 numbers at byte 4, where 8 are left");
  // Eight bytes are left, but not behind the padding.
  CHECK(WhyRefused("00010000 00000000 01000000 00000000 0000f03f", [&](CdrReader& reader) {
          reader.UInt32();
          reader.UInt32();
          reader.UInt32();
          reader.SkipDoubles(1);
        }) == "1 numbers at byte 20, where 0 are left");
  CHECK(WhyRefused("00010000 01000000 00000000 01000000 0000000000000000", [&](CdrReader& reader) {
          reader.UInt32();
          reader.UInt32();
          reader.Doubles(numbers);
        }) == "1 numbers at byte 20, where 4 are left");
}

}  // namespace
}  // namespace idbench
