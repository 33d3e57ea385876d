#include "reports/files/number_format.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace idbench {
namespace {

/// The values in their common format, separated by spaces.
std::string Printed(const std::vector<double>& values, int digits = 3) {
  const NumberFormat format = ChooseFormat(values, digits);
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + format.Print(value);
  return text;
}

TEST_CASE("The largest value has the digits, the smallest at least two") {
  CHECK(Printed({0.31234}) == "0.312");
  CHECK(Printed({2.9287, 6.34}) == "2.93 6.34");
  CHECK(Printed({12.4, 0.6, 5, 1.8, 21, 28, 42.123}) == "12.40 0.60 5.00 1.80 21.00 28.00 42.12");
  CHECK(Printed({1234, 250}) == "1234 250");
  CHECK(Printed({0.31234}, 5) == "0.31234");
  CHECK(Printed({3, 4}, 1) == "3 4");
}

TEST_CASE("Of values many decades apart each has its readable form, with its digits") {
  CHECK(Printed({0.26312, 23213, 4.51}) == "0.263 23213 4.51");
  CHECK(Printed({0.9798, 8.0e5, 0}) == "0.980 800000 0");
  CHECK(Printed({2.88e7, 2963}) == "2.88e+07 2963");
  CHECK(Printed({3.123e-9, 1.5}) == "3.12e-09 1.50");
  CHECK(Printed({0.26312, 23213}, 2) == "0.26 23213");
  CHECK(NumberFormat{.significant = 3}.Print(-0.26312) == "-0.263");
}

TEST_CASE("Tiny or huge values are printed with exponents") {
  CHECK(Printed({3.123e-9}) == "3.12e-09");
  CHECK(Printed({3.123e9}) == "3.12e+09");
  CHECK(Printed({0.0001234}) == "0.000123");
}

TEST_CASE("Zeros and failures have no say in the format") {
  CHECK(Printed({0, 0.5}) == "0.000 0.500");
  CHECK(Printed({0, 0}) == "0 0");
  CHECK(Printed({}).empty());
  CHECK(ChooseFormat(std::vector<double>{0.5, std::numeric_limits<double>::infinity()}, 3) ==
        NumberFormat{false, 3});
}

TEST_CASE("A zero has no sign") {
  CHECK(NumberFormat{false, 2}.Print(-0.001) == "0.00");
  CHECK(NumberFormat{true, 1}.Print(-0.0) == "0.0e+00");
  CHECK(NumberFormat{false, 2}.Print(-0.01) == "-0.01");
}

TEST_CASE("Published numbers keep the digits that were printed") {
  const std::vector<double> published = {2.9287, 6.3, 12};
  CHECK(KeepPrintedDigits(published).Print(6.3) == "6.3000");
  CHECK(KeepPrintedDigits(published).Print(2.9287) == "2.9287");
  const std::vector<double> tiny = {1e-9, 2.5e-8};
  CHECK(KeepPrintedDigits(tiny).Print(2.5e-8) == "2.5e-08");
  const std::vector<double> wide = {1.9e12, 173.1557, 2.98e6, 2.567};
  CHECK(KeepPrintedDigits(wide).Print(1.9e12) == "1.9e+12");
  CHECK(KeepPrintedDigits(wide).Print(2.98e6) == "2.98e+06");
  CHECK(KeepPrintedDigits(wide).Print(173.1557) == "173.1557");
  CHECK(KeepPrintedDigits(std::vector<double>{}) == NumberFormat{});
}

TEST_CASE("Durations are printed in the two largest units that matter") {
  CHECK(PrintDuration(0.2) == "0 s");
  CHECK(PrintDuration(59.4) == "59 s");
  CHECK(PrintDuration(59.6) == "1 min 00 s");
  CHECK(PrintDuration(725) == "12 min 05 s");
  CHECK(PrintDuration(13200) == "3 h 40 min");
}

}  // namespace
}  // namespace idbench
