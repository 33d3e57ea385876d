#include "reports/tables/estimate_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace idbench {
namespace {

/// Of what estimates note, what a reader of a table must know, in this order.
struct NoteSubject {
  const char* about;  ///< Key among the notes of an estimate.
  const char* words;  ///< Before its text.
};
constexpr auto kSubjects =
    std::to_array<NoteSubject>({{"health", ""},
                                {"training", ""},
                                {kPriorNote, "the prior of some unknowns is "},
                                {"sigma", "σ is "},
                                {"residuals", "residuals "},
                                {"innovations", "innovations: "},
                                {"swings", ""},
                                {"weights", "weighed: "},
                                {"solver", "solved by "}});
/// Texts about one subject that are told, those of most estimates first.
constexpr std::size_t kMostTold = 3;
/// Unknowns of a note that are told, those of most estimates first.
constexpr std::size_t kMostNamed = 4;

/// "; most often joint2.fc (20), joint1.fv (12) and 3 more".
std::string MostOften(const std::map<std::string, std::size_t>& named) {
  std::vector<std::pair<std::string, std::size_t>> sorted(named.begin(), named.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& each) { return each.second; });
  std::vector<std::string> texts;
  for (const auto& [name, estimates] : sorted) {
    if (texts.size() == kMostNamed) break;
    texts.push_back(fmt::format("{} ({})", name, estimates));
  }
  const std::size_t more = sorted.size() - texts.size();
  return fmt::format("; most often {}{}", fmt::join(texts, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

/// Estimates of one estimator.
struct Share {
  std::string label;
  std::size_t noted = 0, all = 0;
};

/// A note with all that have it.
struct SharedNote {
  std::string head, rest;
  std::vector<Share> shares;
  std::map<std::string, std::size_t> named = {};  ///< See NoteTally.

  std::size_t noted() const {
    std::size_t sum = 0;
    for (const Share& share : shares) sum += share.noted;
    return sum;
  }

  /// "σ is that of …: ols 3 of 20, wls 20 of 20 estimates; the variance of …", without numbers
  /// where each estimator has a single estimate. Of unknowns that notes name, those of most
  /// estimates stand in place of the first note's.
  std::string Text(const NoteSubject& subject) const {
    std::vector<std::string> each;
    bool counted = false;
    for (const Share& share : shares) {
      counted = counted || share.all > 1;
      each.push_back(share.all > 1 ? fmt::format("{} {} of {}", share.label, share.noted, share.all)
                                   : share.label);
    }
    std::string text = fmt::format("{}{}: {}{}", subject.words, head, fmt::join(each, ", "),
                                   counted ? " estimates" : "");
    if (rest.empty()) return text;
    if (counted && !named.empty()) return text + MostOften(named);
    return text + (counted ? "; first: " : "; ") + rest;
  }
};

/// Notes about one subject, in the order of estimators.
class SubjectNotes {
 public:
  void Add(const std::string& label, const EstimateTally& tally, const std::string& about) {
    all_[label] += tally.trials;
    for (const auto& [key, note] : tally.notes) {
      if (key.first != about) continue;
      auto known = std::ranges::find(notes_, key.second, &SharedNote::head);
      if (known == notes_.end()) known = notes_.insert(known, {key.second, note.rest, {}});
      auto share = std::ranges::find(known->shares, label, &Share::label);
      if (share == known->shares.end()) share = known->shares.insert(share, {label});
      share->noted += note.estimates;
      for (const auto& [name, estimates] : note.named) known->named[name] += estimates;
    }
  }

  void Tell(const NoteSubject& subject, std::vector<std::string>& sentences) {
    std::ranges::stable_sort(notes_, std::greater(), &SharedNote::noted);
    for (std::size_t k = 0; k < std::min(kMostTold, notes_.size()); ++k) {
      for (Share& share : notes_[k].shares) share.all = all_[share.label];
      sentences.push_back(notes_[k].Text(subject));
    }
    if (notes_.size() > kMostTold) {
      const std::size_t more = notes_.size() - kMostTold;
      sentences.push_back(fmt::format("{} more {} on {}: see records.jsonl", more,
                                      more == 1 ? "note" : "notes", subject.about));
    }
  }

 private:
  std::map<std::string, std::size_t> all_;  ///< Estimates by label.
  std::vector<SharedNote> notes_;
};

}  // namespace

std::vector<std::string> EstimateNoteSentences(const std::vector<TableItem>& items) {
  std::vector<std::string> sentences;
  for (const NoteSubject& subject : kSubjects) {
    SubjectNotes notes;
    std::set<std::pair<const CellSummary*, const EstimatorSummary*>> seen;
    for (const TableItem& item : items) {
      if (item.is_bound || !seen.emplace(item.cell, item.estimator).second) continue;
      notes.Add(item.estimator->label, item.estimator->tally, subject.about);
    }
    notes.Tell(subject, sentences);
  }
  return sentences;
}

std::vector<std::string> HealthNotes(const std::map<std::string, std::string>& notes) {
  std::vector<std::string> sentences;
  for (const NoteSubject& subject : kSubjects) {
    const auto note = notes.find(subject.about);
    if (note != notes.end()) sentences.push_back(subject.words + note->second);
  }
  return sentences;
}

}  // namespace idbench
