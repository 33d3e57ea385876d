#include "bench/run/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "reports/files/number_format.h"

namespace idbench {
namespace {

constexpr std::int64_t kBarWidth = 24;
constexpr std::chrono::milliseconds kRedraw{100};

}  // namespace

Progress::Progress(std::string title, std::int64_t total, std::int64_t done)
    : title_(std::move(title)),
      total_(total),
      done_before_(done),
      done_(done),
      tenths_printed_(10 * done / std::max<std::int64_t>(total, 1)),
      terminal_(::isatty(STDERR_FILENO) == 1) {
  if (terminal_) Print();
}

Progress::~Progress() {
  if (!terminal_) return;
  Print();
  fmt::print(stderr, "\n");
}

void Progress::Advance(std::int64_t trials, std::int64_t failures) {
  const std::lock_guard lock(mutex_);
  done_ += trials;
  failures_ += failures;
  if (terminal_) {
    if (Clock::now() - printed_ >= kRedraw) Print();
    return;
  }
  const std::int64_t tenths = 10 * done_ / total_;
  if (tenths == tenths_printed_) return;
  tenths_printed_ = tenths;
  Print();
}

void Progress::Print() {
  printed_ = Clock::now();
  const double elapsed = std::chrono::duration<double>(printed_ - started_).count();
  const auto fresh = static_cast<double>(done_ - done_before_);
  const double rate = elapsed > 0.0 ? fresh / elapsed : 0.0;
  std::string text = fmt::format("{}/{} trials", done_, total_);
  if (rate > 0.0) {
    text += fmt::format(", {:.3g}/s", rate);
    if (done_ < total_) {
      text += fmt::format(", {} left", PrintDuration(static_cast<double>(total_ - done_) / rate));
    }
  }
  if (failures_ > 0) text += fmt::format(", {} failed estimates", failures_);
  if (!terminal_) {
    fmt::print(stderr, "{}: {:3} %  {}\n", title_, 100 * done_ / total_, text);
    return;
  }
  const std::int64_t filled = kBarWidth * done_ / total_;
  std::string bar;
  for (std::int64_t k = 0; k < kBarWidth; ++k) bar += k < filled ? "█" : "░";
  fmt::print(stderr, "\r\033[K{} {} {}", title_, bar, text);
  std::fflush(stderr);
}

}  // namespace idbench
