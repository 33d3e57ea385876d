#include "hw/ros2/message_table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace idbench {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const MessageType& JointState() { return *FindMessageType("sensor_msgs/msg/JointState"); }

TEST_CASE("Joints are columns in the order of their first appearance, whatever their order later") {
  MessageTable table("/t", JointState());
  table.Add({0, {"b", "a"}, {1, 2, 3, 4, 5, 6}}, 10);
  table.Add({0, {"a", "b"}, {7, 8, 9, 10, 11, 12}}, 20);
  table.Add({0, {"c"}, {13, kNan, kNan}}, 15);
  const LogTable result = table.Finish({});
  CHECK(result.name == "/t");
  CHECK(result.columns == std::vector<std::string>{"/t/b/position_rad", "/t/b/velocity_rad_s",
                                                   "/t/b/effort_nm", "/t/a/position_rad",
                                                   "/t/a/velocity_rad_s", "/t/a/effort_nm",
                                                   "/t/c/position_rad"});
  CHECK(result.stamps_ns == std::vector<std::int64_t>{10, 20, 15});
  CHECK(result.places == std::vector<std::int64_t>{1, 2, 3});
  Eigen::MatrixXd expected(3, 7);
  expected << 1, 2, 3, 4, 5, 6, kNan,  //
      10, 11, 12, 7, 8, 9, kNan,       //
      kNan, kNan, kNan, kNan, kNan, kNan, 13;
  CHECK(result.values.array().isNaN().cwiseEqual(expected.array().isNaN()).all());
  CHECK(result.values.unaryExpr([](double v) { return std::isnan(v) ? 0.0 : v; }) ==
        expected.unaryExpr([](double v) { return std::isnan(v) ? 0.0 : v; }));
  CHECK(table.EmptyColumns() == std::vector<std::string>{"/t/c/velocity_rad_s", "/t/c/effort_nm"});
}

TEST_CASE("Rows without a number, or without a wanted one, are left out and keep their places") {
  MessageTable table("/t", JointState());
  table.Add({0, {}, {}}, 10);
  table.Add({0, {"a"}, {1, kNan, kNan}}, 20);
  table.Add({0, {"b"}, {2, kNan, kNan}}, 30);
  CHECK(table.Finish({}).places == std::vector<std::int64_t>{2, 3});
  const LogTable wanted = table.Finish({"/t/b/position_rad"});
  CHECK(wanted.places == std::vector<std::int64_t>{3});
  CHECK(wanted.stamps_ns == std::vector<std::int64_t>{30});
  CHECK(wanted.columns.size() == 2);
  CHECK(wanted.values(0, 1) == 2.0);
}

TEST_CASE("A type without joints has its columns under the topic") {
  MessageTable table("/ft", *FindMessageType("geometry_msgs/msg/WrenchStamped"));
  table.Add({0, {""}, {1, 2, 3, 4, 5, 6}}, 0);
  CHECK(table.Finish({}).columns == std::vector<std::string>{"/ft/force/x_n", "/ft/force/y_n",
                                                             "/ft/force/z_n", "/ft/torque/x_nm",
                                                             "/ft/torque/y_nm", "/ft/torque/z_nm"});
  CHECK(table.stamps_are_zero());
  table.Add({0, {""}, {1, 2, 3, 4, 5, 6}}, 1);
  CHECK_FALSE(table.stamps_are_zero());
}

TEST_CASE("Joints with the same name, none, or one that is not UTF-8 are refused") {
  MessageTable table("/t", JointState());
  CHECK_THROWS_WITH_AS(table.Add({0, {"a", "b", "a"}, std::vector<double>(9)}, 0),
                       "the name of joint 'a' stands in it twice", MessageError);
  CHECK_THROWS_WITH_AS(MessageTable("/t", JointState()).Add({0, {""}, {1, 2, 3}}, 0),
                       "a joint has no name", MessageError);
  CHECK_THROWS_WITH_AS(MessageTable("/t", JointState()).Add({0, {"a\xff"}, {1, 2, 3}}, 0),
                       "the name of a joint is not UTF-8: 'a\xEF\xBF\xBD'", MessageError);
}

}  // namespace
}  // namespace idbench
