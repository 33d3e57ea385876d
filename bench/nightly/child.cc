#include "bench/nightly/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "bench/run/sanitized.h"

namespace idbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kStopGrace{30};
constexpr int kLookMs = 20;

/// Exit codes of a child, none of which a library uses to end a process.
constexpr int kCodeReturned = 91;
constexpr int kCodeThrew = 92;
constexpr int kCodeOverMemory = 93;

[[noreturn]] void Fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void LimitMemory(std::int64_t mib) {
  if (IDBENCH_SANITIZED) return;
  const rlim_t bytes = static_cast<rlim_t>(mib) << 20;
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_DATA, &limit);
}

void WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // nobody reads any more
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The child's life: the limits, the call, and its text into the pipe.
[[noreturn]] void Live(const std::function<std::string()>& call, const ChildLimits& limits,
                       pid_t parent, int descriptor) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kCodeThrew);  // it died before that
  LimitMemory(limits.memory_mib);
  int code = kCodeReturned;
  try {
    WriteAll(descriptor, call());
  } catch (const std::bad_alloc&) {
    code = kCodeOverMemory;
  } catch (const std::system_error& error) {
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    code = thread ? kCodeOverMemory : kCodeThrew;
    WriteAll(descriptor, error.what());
  } catch (const std::exception& error) {
    code = kCodeThrew;
    WriteAll(descriptor, error.what());
  }
  std::fflush(nullptr);
  ::_exit(code);
}

/// A child from its fork to its end.
class Child {
 public:
  Child(const std::function<std::string()>& call, const ChildLimits& limits)
      : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(limits.wall_s))) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) Fail("pipe");
    std::fflush(nullptr);  // or both would write what is buffered
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) Live(call, limits, parent, pipe[1]);
    ::close(pipe[1]);
    descriptor_ = pipe[0];
    if (pid_ < 0) {
      ::close(descriptor_);
      Fail("fork");
    }
    ::setpgid(pid_, pid_);  // as the child does: whoever is first
  }
  ~Child() { ::close(descriptor_); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  ChildReport Wait(const std::atomic<bool>& stop) {
    while (!Ended()) {
      if (Clock::now() >= end_) Kill();
      if (stop && !stopped_) Stop();
      Read(kLookMs);
    }
    while (Read(0)) continue;
    return Report();
  }

 private:
  bool Ended() {
    const pid_t ended = ::waitpid(pid_, &status_, WNOHANG);
    if (ended < 0 && errno != EINTR) Fail("waitpid");
    return ended == pid_;
  }

  /// Takes what is in the pipe, waiting for it at most so long. Returns false if it was nothing.
  bool Read(int timeout_ms) {
    pollfd look{descriptor_, POLLIN, 0};
    if (::poll(&look, 1, timeout_ms) <= 0) return false;
    std::array<char, 4096> piece{};
    const ssize_t size = ::read(descriptor_, piece.data(), piece.size());
    if (size > 0) text_.append(piece.data(), static_cast<std::size_t>(size));
    return size > 0;
  }

  void Kill() {
    killed_ = true;
    ::kill(-pid_, SIGKILL);
  }

  void Stop() {
    stopped_ = true;
    end_ = std::min(end_, Clock::now() + kStopGrace);
    ::kill(-pid_, SIGTERM);
  }

  ChildReport Report() {
    const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 0;
    if (code == kCodeReturned) return {ChildEnd::kReturned, std::move(text_), 0};
    if (stopped_) return {ChildEnd::kStopped, "", 0};
    if (killed_) return {ChildEnd::kOverTime, "", 0};
    if (WIFSIGNALED(status_)) return {ChildEnd::kSignal, "", WTERMSIG(status_)};
    if (code == kCodeOverMemory) return {ChildEnd::kOverMemory, "", 0};
    if (code != kCodeThrew) text_ = fmt::format("it ended by itself with exit code {}", code);
    return {ChildEnd::kFailed, std::move(text_), 0};
  }

  Clock::time_point end_;
  pid_t pid_ = -1;
  int descriptor_ = -1;
  int status_ = 0;
  bool stopped_ = false;
  bool killed_ = false;
  std::string text_;
};

}  // namespace

ChildReport RunChild(const std::function<std::string()>& call, const ChildLimits& limits,
                     const std::atomic<bool>& stop) {
  return Child(call, limits).Wait(stop);
}

}  // namespace idbench
