#include "reports/run/trial_stream.h"

#include <fmt/format.h>

#include "reports/run/run_record.h"

namespace idbench {

TrialStream::TrialStream(const std::filesystem::path& file, const RunManifest& manifest)
    : manifest_(manifest),
      reader_(file, {"this is not the folder of a run that `idbench run` has finished"}) {}

void TrialStream::Refuse(const std::string& what) const {
  throw ConfigError(reader_.source(), reader_.Place(), what,
                    {"records are ordered by cell, trial, estimator, and each is there once"});
}

bool TrialStream::Next() {
  lines_.clear();
  failures_ = 0;
  while (lines_.size() < manifest_.estimators.size()) {
    if (!reader_.Next()) {
      if (lines_.empty()) return false;
      Refuse(fmt::format("ends within cell {}, trial {}", cell(), trial()));
    }
    if (!reader_.ended()) reader_.RefuseHalfLine();
    const RunRecord record =
        ParseRecord(reader_.text(), manifest_, reader_.source(), reader_.number());
    const std::tuple key(record.cell, record.trial);
    if (lines_.empty() && begun_ && !(key_ < key)) {
      Refuse(fmt::format("cell {}, trial {} stands behind cell {}, trial {}", record.cell,
                         record.trial, cell(), trial()));
    }
    if (record.estimator != lines_.size() || (!lines_.empty() && key != key_)) {
      Refuse(fmt::format("cell {}, trial {}, {} stands where a record of {} was expected",
                         record.cell, record.trial, manifest_.estimators[record.estimator],
                         manifest_.estimators[lines_.size()]));
    }
    key_ = key;
    begun_ = true;
    lines_.push_back(reader_.text());
    if (!record.ok()) ++failures_;
  }
  return true;
}

}  // namespace idbench
