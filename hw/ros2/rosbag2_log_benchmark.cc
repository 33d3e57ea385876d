#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "hw/ros2/rosbag2_log.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

constexpr int kMessages = 5000;

/// A number in CDR, little-endian.
template <class T>
void Append(std::string& message, T value) {
  for (std::size_t k = 0; k < sizeof(T); ++k) {
    message += static_cast<char>(value >> (8 * k) & 0xFF);
  }
}

/// JointState of seven joints.
std::string JointStateAt(int number) {
  constexpr std::uint32_t kJoints = 7;
  std::string message("\0\1\0\0", 4);
  Append(message, static_cast<std::uint32_t>(number));
  Append(message, std::uint32_t{1});
  Append(message, std::uint64_t{1});  // no frame, and its padding
  Append(message, kJoints);
  for (std::uint32_t j = 0; j < kJoints; ++j) {
    Append(message, std::uint32_t{8});
    message += "joint_" + std::to_string(j) + '\0';
  }
  for (int field = 0; field < 3; ++field) {
    Append(message, kJoints);
    while (message.size() % 8 != 4) message += '\0';
    for (std::uint32_t j = 0; j < kJoints; ++j) {
      Append(message, std::bit_cast<std::uint64_t>(std::sin(0.01 * number * (j + 1) + field)));
    }
  }
  return message;
}

void WriteBag(const std::string& file) {
  sqlite3* bag = nullptr;
  sqlite3_open(file.c_str(), &bag);
  sqlite3_exec(bag,
               "CREATE TABLE topics(id INTEGER PRIMARY KEY, name, type, serialization_format);"
               "INSERT INTO topics VALUES(1, '/a', 'sensor_msgs/msg/JointState', 'cdr');"
               "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id, timestamp, data); BEGIN",
               nullptr, nullptr, nullptr);
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(bag, "INSERT INTO messages VALUES(?1, 1, ?1, ?2)", -1, &insert, nullptr);
  for (int i = 1; i <= kMessages; ++i) {
    const std::string state = JointStateAt(i);
    sqlite3_bind_int(insert, 1, i);
    sqlite3_bind_blob(insert, 2, state.data(), static_cast<int>(state.size()), SQLITE_TRANSIENT);
    sqlite3_step(insert);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_exec(bag, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_close(bag);
}

void ReadJointStates(benchmark::State& state) {
  const TemporaryFolder folder;
  WriteBag(folder / "a.db3");
  if (ReadLog(folder / "a.db3", Rosbag2Format{}, {}).tables.at(0).values.rows() != kMessages) {
    throw std::runtime_error("the bag lacks messages");
  }
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(ReadLog(folder / "a.db3", Rosbag2Format{}, {}));
  }
  state.SetItemsProcessed(state.iterations() * kMessages);
}
BENCHMARK(ReadJointStates)->Name("ReadLog/rosbag2/5000x21")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idbench
