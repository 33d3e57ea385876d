#include "hw/log_format.h"

#include <doctest/doctest.h>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

TEST_CASE("The format of a log is guessed by its content, not by its name") {
  const TemporaryFolder folder;
  const auto is_bag = [&folder](const std::string& content) {
    return std::holds_alternative<Rosbag2Format>(GuessFormat(folder.Write("log.csv", content)));
  };
  CHECK(is_bag(std::string("SQLite format 3\0…", 17)));
  CHECK(is_bag("\x89MCAP0\r\n"));
  CHECK(is_bag("\x28\xB5\x2F\xFD"));
  CHECK_FALSE(is_bag("t_s,q1_rad\n"));
  CHECK_FALSE(is_bag(""));
  CHECK(std::holds_alternative<Rosbag2Format>(GuessFormat(folder.path())));
  const auto is_numpy = [&folder](const std::string& content) {
    return std::holds_alternative<NumpyFormat>(GuessFormat(folder.Write("log.csv", content)));
  };
  CHECK(is_numpy(std::string("\x93NUMPY\x01\0", 8)));
  CHECK(is_numpy("PK\x03\x04"));
  CHECK(is_numpy("PK\x05\x06"));
  CHECK_FALSE(is_numpy("PK,q1_rad\n0,1\n"));
  CHECK_THROWS_WITH_AS(GuessFormat("/none/log.csv"),
                       "/none/log.csv: cannot be read\n  is it a file that you may read?",
                       ConfigError);
}

}  // namespace
}  // namespace idbench
