#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace idbench {

/// Shows on stderr the progress of a run: a bar that is redrawn on a terminal, else one line per 10
/// %. Thread-safe.
class Progress {
 public:
  /// @param total  trials of all cells.
  /// @param done   those that were complete before this run.
  Progress(std::string title, std::int64_t total, std::int64_t done);
  /// Ends the bar's line.
  ~Progress();

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Counts completed trials.
  /// @param failures  failed estimates among these trials.
  void Advance(std::int64_t trials, std::int64_t failures);

 private:
  using Clock = std::chrono::steady_clock;

  void Print();

  std::mutex mutex_;
  std::string title_;
  std::int64_t total_;
  std::int64_t done_before_;
  std::int64_t done_;
  std::int64_t failures_ = 0;
  std::int64_t tenths_printed_ = 0;
  bool terminal_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point printed_ = {};
};

}  // namespace idbench
