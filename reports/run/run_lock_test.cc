#include "reports/run/run_lock.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

TEST_CASE("A folder is locked once, and free again afterwards") {
  const TemporaryFolder folder;
  CHECK_FALSE(RunningSince(folder.path()));
  auto lock = std::make_unique<RunLock>(folder.path());
  CHECK(RunningSince(folder.path()));
  CHECK(MessageOf("/none", [&] { RunLock again(folder.path()); }) ==
        folder.path().string() +
            ": another process is running in this folder\n"
            "  wait for it, or give another --out");
  CHECK(RunningSince(folder.path()));
  lock.reset();
  CHECK_FALSE(RunningSince(folder.path()));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("A process that is killed leaves a file that locks nothing") {
  const TemporaryFolder folder;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const RunLock lock(folder.path());
    [[maybe_unused]] const ssize_t written = ::write(ready[1], "x", 1);
    while (true) ::pause();
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK(RunningSince(folder.path()));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
  CHECK(std::filesystem::exists(folder.path() / kRunLockName));
  CHECK_FALSE(RunningSince(folder.path()));
  CHECK_NOTHROW(RunLock(folder.path()));
}

TEST_CASE("A folder that is not there cannot be locked") {
  CHECK_THROWS_AS(RunLock("/nowhere/at/all"), std::filesystem::filesystem_error);
}

}  // namespace
}  // namespace idbench
