#include "hw/ros2/recording_csv_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <vector>

namespace idbench {
namespace {

/// A table as make.py wrote it: message, header_ns, received_ns, and the columns.
struct Expected {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

std::vector<std::string> Split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

Expected ReadExpected(const std::string& file) {
  std::ifstream stream(std::string(IDBENCH_ROS2_TESTDATA) + "/" + file);
  REQUIRE(stream);
  std::string line;
  std::getline(stream, line);
  Expected expected{Split(line), {}};
  expected.columns.erase(expected.columns.begin(), expected.columns.begin() + 3);
  while (std::getline(stream, line)) expected.rows.push_back(Split(line));
  return expected;
}

}  // namespace

void CheckRecording(const LogTable& table, const std::string& file, MessageTime time) {
  CAPTURE(table.name);
  const Expected expected = ReadExpected(file);
  CHECK(table.columns == expected.columns);
  CHECK(table.row == "message");
  REQUIRE(table.values.rows() == static_cast<Eigen::Index>(expected.rows.size()));
  REQUIRE(table.places.size() == expected.rows.size());
  REQUIRE(table.stamps_ns.size() == expected.rows.size());
  for (std::size_t i = 0; i < expected.rows.size(); ++i) {
    const std::vector<std::string>& row = expected.rows[i];
    CHECK(table.places[i] == std::stoll(row[0]));
    CHECK(table.stamps_ns[i] == std::stoll(row[time == MessageTime::kHeader ? 1 : 2]));
    for (std::size_t j = 3; j < row.size(); ++j) {
      const double value =
          table.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j - 3));
      if (row[j].empty()) {
        CHECK(std::isnan(value));
      } else {
        const double number = std::stod(row[j]);
        CHECK(HaveSameBits({&value, 1}, {&number, 1}));
      }
    }
  }
}

bool HaveSameBits(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

}  // namespace idbench
