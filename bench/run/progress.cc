#include "bench/run/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "reports/files/number_format.h"

namespace idbench {
namespace {

constexpr std::int64_t kBarWidth = 24;
constexpr std::chrono::milliseconds kRedraw{100};

}  // namespace

ProgressStyle ProgressStyleOfStderr() {
  return ::isatty(STDERR_FILENO) == 1 ? ProgressStyle::kBar : ProgressStyle::kLines;
}

Progress::Progress(std::string title, std::int64_t total, std::int64_t done, ProgressStyle style,
                   double quiet_s)
    : title_(std::move(title)),
      total_(total),
      done_before_(done),
      done_(done),
      style_(style),
      quiet_s_(quiet_s),
      tenths_printed_(DoneOf(10)) {
  if (style_ == ProgressStyle::kBar && Shows()) Print();
}

bool Progress::Shows() const {
  return std::chrono::duration<double>(Clock::now() - started_).count() >= quiet_s_;
}

Progress::~Progress() {
  if (style_ != ProgressStyle::kBar || !Shows()) return;
  Print();
  fmt::print(stderr, "\n");
}

void Progress::Advance(std::int64_t trials, std::int64_t failures) {
  const std::lock_guard lock(mutex_);
  done_ += trials;
  failures_ += failures;
  if (!Shows()) return;
  if (style_ == ProgressStyle::kBar) {
    if (Clock::now() - printed_ >= kRedraw) Print();
    return;
  }
  const std::int64_t tenths = DoneOf(10);
  if (tenths == tenths_printed_) return;
  tenths_printed_ = tenths;
  Print();
}

void Progress::Close() {
  const std::lock_guard lock(mutex_);
  total_ = done_;
  if (style_ == ProgressStyle::kLines && tenths_printed_ > 0 && done_ > 0) Print();
}

std::int64_t Progress::DoneOf(std::int64_t whole) const {
  return total_ > 0 ? whole * done_ / total_ : whole;
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
  if (style_ == ProgressStyle::kLines) {
    fmt::print(stderr, "{}: {:3} %  {}\n", title_, DoneOf(100), text);
    return;
  }
  const std::int64_t filled = DoneOf(kBarWidth);
  std::string bar;
  for (std::int64_t k = 0; k < kBarWidth; ++k) bar += k < filled ? "█" : "░";
  fmt::print(stderr, "\r\033[K{} {} {}", title_, bar, text);
  std::fflush(stderr);
}

}  // namespace idbench
