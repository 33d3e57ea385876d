#include "hw/units.h"

#include <doctest/doctest.h>

#include <numbers>

#include "robots/recording/dataset.h"

namespace idbench {
namespace {

TEST_CASE("A column is in the longest unit that its name ends in") {
  const auto suffix_of = [](std::string_view column) {
    const auto unit = UnitOfColumn(column);
    return unit ? unit->suffix : "none";
  };
  CHECK(suffix_of("t_s") == "s");
  CHECK(suffix_of("t_ms") == "ms");
  CHECK(suffix_of("q1_rad") == "rad");
  CHECK(suffix_of("qd1_rad_s") == "rad_s");
  CHECK(suffix_of("qdd1_rad_s2") == "rad_s2");
  CHECK(suffix_of("v_m_s") == "m_s");
  CHECK(suffix_of("tau_max_nm") == "nm");
  CHECK(suffix_of("i1_a") == "a");
}

TEST_CASE("A name that ends in no unit has none") {
  for (const std::string column : {"", "q1", "s", "_s", "q1rad", "q1_RAD", "q1_rad_", "Joint_1"}) {
    CAPTURE(column);
    CHECK_FALSE(UnitOfColumn(column).has_value());
  }
}

TEST_CASE("Every channel has a unit that columns can end in") {
  for (const ChannelInfo& channel : kChannels) {
    CAPTURE(std::string(channel.name));
    CHECK_FALSE(UnitsOfChannel(channel.name).empty());
  }
}

TEST_CASE("Units are converted to SI by their definition") {
  const auto to_si = [](std::string_view suffix) { return UnitBySuffix(suffix).value().to_si; };
  for (const char* si : {"s", "rad", "rad_s", "rad_s2", "m", "m_s", "m_s2", "nm", "n", "a"}) {
    CHECK(to_si(si) == 1.0);  // exactly, so that what is recorded stays bit for bit
  }
  CHECK(180.0 * to_si("deg") == doctest::Approx(std::numbers::pi).epsilon(1e-15));
  CHECK(180.0 * to_si("deg_s2") == doctest::Approx(std::numbers::pi).epsilon(1e-15));
  CHECK(60.0 * to_si("rpm") == doctest::Approx(2.0 * std::numbers::pi).epsilon(1e-15));
  CHECK(to_si("ns") == 1e-9);
  CHECK(UnitBySuffix("deg_s")->si == "rad/s");
  CHECK(UnitBySuffix("mm_s2")->si == "m/s²");
  CHECK_FALSE(UnitBySuffix("inch").has_value());
}

TEST_CASE("A channel takes units of its quantity, of revolute and of prismatic joints") {
  using Suffixes = std::vector<std::string>;
  CHECK(UnitsOfChannel(kTime) == Suffixes{"s", "ms", "us", "ns"});
  CHECK(UnitsOfChannel(kJointPosition) == Suffixes{"rad", "deg", "m", "mm"});
  CHECK(UnitsOfChannel(kJointVelocity) == Suffixes{"rad_s", "deg_s", "rpm", "m_s", "mm_s"});
  CHECK(UnitsOfChannel(kJointAcceleration) == Suffixes{"rad_s2", "deg_s2", "m_s2", "mm_s2"});
  CHECK(UnitsOfChannel(kJointTorque) == Suffixes{"nm", "knm", "mnm", "ncm", "nmm", "n"});
  CHECK(UnitsOfChannel(kMotorTorque) == Suffixes{"nm", "knm", "mnm", "ncm", "nmm"});
  CHECK(UnitsOfChannel(kMotorCurrent) == Suffixes{"a", "ma"});
  CHECK(UnitsOfChannel(kMotorPwm) == Suffixes{"pct"});
  CHECK(UnitOfColumn("pwm1_pct")->si == "%");
  CHECK(UnitsOfChannel(kBaseWrench) == UnitsOfChannel(kJointTorque));
}

}  // namespace
}  // namespace idbench
