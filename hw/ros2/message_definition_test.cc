#include "hw/ros2/message_definition.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("The fields of ros2msg are those before the first line of =, without constants") {
  constexpr std::string_view kText =
      "# A comment\r\n"
      "std_msgs/Header header # the stamp\r\n"
      "\r\n"
      "uint8 KIND=3\r\n"
      "uint8 OTHER = 4\r\n"
      "string<=8[<=3] names\r\n"
      "  trajectory_msgs/msg/JointTrajectoryPoint\t reference\r\n"
      "float64 scaling 1.0\r\n"
      "float64[9] covariance\r\n"
      "================================================================================\r\n"
      "MSG: std_msgs/Header\r\n"
      "builtin_interfaces/Time stamp\r\n";
  CHECK(FieldsOf("pkg/msg/State", "ros2msg", kText) ==
        std::vector<MessageField>{{"Header", "header"},
                                  {"string[]", "names"},
                                  {"JointTrajectoryPoint", "reference"},
                                  {"float64", "scaling"},
                                  {"float64[9]", "covariance"}});
}

TEST_CASE("A definition in ros2msg may begin with its own name") {
  CHECK(FieldsOf("pkg/msg/State", "ros2msg",
                 "=====\nMSG: pkg/msg/State\nfloat64 a\n=====\nMSG: b\nfloat64 c") ==
        std::vector<MessageField>{{"float64", "a"}});
}

// In the form that rosidl_adapter writes.
TEST_CASE("The fields of ros2idl are those of the struct of that name, as in ros2msg") {
  constexpr std::string_view kText = R"(
================================================================================
IDL: trajectory_msgs/msg/JointTrajectoryPoint
module trajectory_msgs { module msg { struct JointTrajectoryPoint { sequence<double> positions; }; }; };
================================================================================
IDL: pkg/msg/State
// generated from rosidl_adapter/resource/msg.idl.em
#include "std_msgs/msg/Header.idl"
module pkg {
  module msg {
    module State_Constants { const uint8 KIND = 3; };
    @verbatim (language="comment", text=
      "The struct State { of a \"controller\"; it is" "\n" "long.")
    struct State {
      std_msgs::msg::Header header;
      @verbatim (language="comment", text="names (of joints);")
      sequence<string<8>, 3> names;  /* double not_this; */
      trajectory_msgs::msg::JointTrajectoryPoint reference;
      @unit (value="1") @key
      double scaling;
    };
  };
};
)";
  CHECK(FieldsOf("pkg/msg/State", "ros2idl", kText) ==
        std::vector<MessageField>{{"Header", "header"},
                                  {"string[]", "names"},
                                  {"JointTrajectoryPoint", "reference"},
                                  {"float64", "scaling"}});
}

TEST_CASE("Of what is empty, in another language, cut off or of another type nothing is known") {
  CHECK(FieldsOf("pkg/msg/State", "ros2msg", "").empty());
  CHECK(FieldsOf("pkg/msg/State", "", "float64 a").empty());
  CHECK(FieldsOf("pkg/msg/State", "ros2idl", "struct Other { double a; };").empty());
  CHECK(FieldsOf("pkg/msg/State", "ros2idl", "struct StateOther { double a; };").empty());
  CHECK(FieldsOf("pkg/msg/State", "ros2idl", "struct State").empty());
  CHECK(FieldsOf("pkg/msg/State", "ros2idl", "struct State {").empty());
  CHECK(FieldsOf("pkg/msg/State", "ros2idl", "struct State { @unit(\"never ends").empty());
}

}  // namespace
}  // namespace idbench
