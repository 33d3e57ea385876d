#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "reports/files/line_reader.h"
#include "reports/run/run_manifest.h"

namespace idbench {

/// Reader of the records of a file (`records.jsonl` or a block), trial by trial.
class TrialStream {
 public:
  /// @param manifest  must outlive this object.
  /// @throws ConfigError if the file cannot be read. Next() throws it for a damaged line, for
  ///         trials that are not in the order of cell and trial, and for a trial without the
  ///         records of all estimators in their order.
  TrialStream(const std::filesystem::path& file, const RunManifest& manifest);

  /// Goes on to the next trial. Returns false at the end.
  bool Next();

  std::size_t cell() const { return std::get<0>(key_); }
  std::int64_t trial() const { return static_cast<std::int64_t>(std::get<1>(key_)); }
  /// Returns the records of the trial, one line per estimator, without the newline.
  const std::vector<std::string>& lines() const { return lines_; }
  /// Returns the number of estimates that failed in this trial.
  std::size_t failures() const { return failures_; }

 private:
  [[noreturn]] void Refuse(const std::string& what) const;

  const RunManifest& manifest_;
  LineReader reader_;
  std::tuple<std::size_t, std::size_t> key_;  ///< Cell and trial.
  bool begun_ = false;
  std::vector<std::string> lines_;
  std::size_t failures_ = 0;
};

}  // namespace idbench
