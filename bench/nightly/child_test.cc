#include "bench/nightly/child.h"

#include <doctest/doctest.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/run/sanitized.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

constexpr ChildLimits kWide{.wall_s = 60, .memory_mib = 1 << 14};
const std::atomic<bool> kGoOn = false;

/// Whether a process runs: not one that is gone, nor a zombie that nobody has waited for yet.
bool IsAlive(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  stat >> number >> name >> state;
  return !state.empty() && state != "Z" && state != "X";
}

volatile std::sig_atomic_t asked_to_stop = 0;

TEST_CASE("A child returns its text, more than a pipe holds too") {
  const ChildReport report = RunChild([] { return std::string(1 << 20, 'x'); }, kWide, kGoOn);
  CHECK(report.end == ChildEnd::kReturned);
  CHECK(report.text == std::string(1 << 20, 'x'));
}

TEST_CASE("What a child does to its memory and its state stays in it") {
  int value = 1;
  const ChildReport report = RunChild(
      [&value] {
        value = 2;
        return std::to_string(value);
      },
      kWide, kGoOn);
  CHECK(report.text == "2");
  CHECK(value == 1);
}

TEST_CASE("A child that throws or ends by itself is told with its reason") {
  const ChildReport threw =
      RunChild([]() -> std::string { throw std::runtime_error("no disk"); }, kWide, kGoOn);
  CHECK(threw.end == ChildEnd::kFailed);
  CHECK(threw.text == "no disk");
  const ChildReport ended = RunChild([]() -> std::string { ::_exit(1); }, kWide, kGoOn);
  CHECK(ended.end == ChildEnd::kFailed);
  CHECK(ended.text == "it ended by itself with exit code 1");
}

TEST_CASE("A child that crashes is told with its signal") {
  for (const int signal : {SIGSEGV, SIGABRT, SIGKILL}) {
    CAPTURE(signal);
    const ChildReport report = RunChild(
        [signal]() -> std::string {
          if (signal != SIGKILL) std::signal(signal, SIG_DFL);  // else the test program's handler
          ::kill(::getpid(), signal);
          for (;;) ::pause();
        },
        kWide, kGoOn);
    CHECK(report.end == ChildEnd::kSignal);
    CHECK(report.signal == signal);
  }
}

TEST_CASE("A child that does not return is killed at its limit of time, and what it started too") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "grandchild";
  const ChildReport report = RunChild(
      [&file]() -> std::string {
        std::signal(SIGTERM, SIG_IGN);
        const pid_t grandchild = ::fork();
        if (grandchild != 0) std::ofstream(file) << grandchild << std::flush;
        for (;;) ::pause();
      },
      {.wall_s = 0.3, .memory_mib = kWide.memory_mib}, kGoOn);
  CHECK(report.end == ChildEnd::kOverTime);
  pid_t grandchild = 0;
  std::ifstream(file) >> grandchild;
  REQUIRE(grandchild > 0);
  for (int k = 0; k < 500 && IsAlive(grandchild); ++k) ::usleep(10'000);  // the kernel ends it
  CHECK_FALSE(IsAlive(grandchild));
}

#if !IDBENCH_SANITIZED  // they need it themselves
TEST_CASE("A child that asks for more memory than its limit is refused it") {
  const auto eat = [] {
    std::vector<std::unique_ptr<char[]>> eaten;  // asked for, and not touched
    for (int gib = 0; gib < 2; ++gib)
      eaten.push_back(std::make_unique_for_overwrite<char[]>(1 << 30));
    return std::to_string(eaten.size());
  };
  CHECK(RunChild(eat, {.wall_s = 60, .memory_mib = 1024}, kGoOn).end == ChildEnd::kOverMemory);
  CHECK(RunChild(eat, kWide, kGoOn).text == "2");
  const auto start_threads = [] {
    std::vector<std::jthread> threads;  // each has a stack of megabytes
    for (int k = 0; k < 500; ++k) threads.emplace_back([] {});
    return std::to_string(threads.size());
  };
  CHECK(RunChild(start_threads, {.wall_s = 60, .memory_mib = 64}, kGoOn).end ==
        ChildEnd::kOverMemory);
}
#endif

TEST_CASE("A child that is stopped from outside may return what it has, and else ends") {
  const std::atomic<bool> stop = true;
  const auto wait = [] {
    while (asked_to_stop == 0) ::usleep(1'000);
    return std::string("kept");
  };
  const auto before = std::signal(SIGTERM, [](int) { asked_to_stop = 1; });
  const ChildReport kept = RunChild(wait, kWide, stop);
  std::signal(SIGTERM, SIG_DFL);
  const ChildReport ended = RunChild(wait, kWide, stop);
  std::signal(SIGTERM, before);
  CHECK(kept.end == ChildEnd::kReturned);
  CHECK(kept.text == "kept");
  CHECK(ended.end == ChildEnd::kStopped);
}

}  // namespace
}  // namespace idbench
