#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace idbench {

/// How progress is shown.
enum class ProgressStyle {
  kBar,    ///< One line that is redrawn.
  kLines,  ///< One line per 10 %.
};

/// Returns kBar if stderr is a terminal, else kLines.
ProgressStyle ProgressStyleOfStderr();

/// Shows on stderr the progress of a run. Thread-safe.
class Progress {
 public:
  /// @param total  trials of all cells; a shard may have none, and is complete then.
  /// @param done   those that were complete before this run.
  /// @param quiet_s  time in which nothing is shown [s].
  Progress(std::string title, std::int64_t total, std::int64_t done,
           ProgressStyle style = ProgressStyleOfStderr(), double quiet_s = 0.0);
  /// Ends the bar's line.
  ~Progress();

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Counts completed trials.
  /// @param failures  failed estimates among these trials.
  void Advance(std::int64_t trials, std::int64_t failures);
  /// Says that no more trials follow: those that are done are all.
  void Close();

 private:
  using Clock = std::chrono::steady_clock;

  /// False in the quiet time at the beginning.
  bool Shows() const;
  void Print();
  std::int64_t DoneOf(std::int64_t whole) const;  ///< The part of `whole` that is done.

  std::mutex mutex_;
  std::string title_;
  std::int64_t total_;
  std::int64_t done_before_;
  std::int64_t done_;
  std::int64_t failures_ = 0;
  ProgressStyle style_;
  double quiet_s_;
  std::int64_t tenths_printed_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point printed_ = {};
};

}  // namespace idbench
