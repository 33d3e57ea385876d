#include "bench/motion/design_sentences.h"

#include <fmt/format.h>

#include <algorithm>

namespace idbench {
namespace {

int AllEvaluations(const ExcitationHistory& history) {
  int evaluations = 0;
  for (const ExcitationStart& start : history.starts) evaluations += start.evaluations;
  return evaluations;
}

/// "1 start", "3 starts"
std::string Starts(std::size_t count) {
  return fmt::format("{} start{}", count, count == 1 ? "" : "s");
}

std::string StartsSentence(const ExcitationHistory& history) {
  const std::size_t good = history.starts.size();
  const auto failed = static_cast<std::size_t>(history.failed);
  std::string text = failed == 0
                         ? fmt::format("{} led to a motion", Starts(good))
                         : fmt::format("{} of {} led to a motion", good, Starts(good + failed));
  if (good > 1) {
    const auto [least, most] =
        std::ranges::minmax_element(history.starts, {}, &ExcitationStart::designed);
    text += fmt::format(", ends between {:.5g} and {:.5g}", least->designed, most->designed);
  }
  text += fmt::format("; {} evaluations", AllEvaluations(history));
  if (failed > 0) text += fmt::format("; the first that failed: {}", history.failure);
  return text;
}

void Tell(const DesignedPart& part, std::vector<std::string>& sentences) {
  const ExcitationHistory& history = part.history;
  const std::string where = part.part.empty() ? "" : part.part.substr(1) + ": ";
  if (!history.criterion || history.starts.empty()) {
    sentences.push_back(where + "random within the robot's limits: nothing was minimised");
    return;
  }
  const ExcitationStart& best = history.starts[history.best];
  sentences.push_back(
      fmt::format("{}designed by {}{}{}, the less the better: {:.5g} at the random start, "
                  "{:.5g} at the end{}",
                  where, ToString(*history.criterion),
                  history.weighed ? " of rows weighed by their errors" : "",
                  history.told ? " beside what is known before" : "", best.random, best.designed,
                  history.starts.size() > 1 ? ", of the best start" : ""));
  sentences.push_back(where + StartsSentence(history));
  if (!(best.designed < best.random)) {
    sentences.push_back(where +
                        "the optimiser found nothing better than the random start that "
                        "keeps the limits");
  }
  if (best.kept >= kMostlyKept) return;
  sentences.push_back(
      fmt::format("{}drawn back to keep limits: {:.0f} % of the last way of the optimiser is kept, "
                  "the rest went "
                  "beyond them; try more \"rounds\" or a heavier \"penalty\" in its \"optimiser\"",
                  where, 100.0 * best.kept));
}

}  // namespace

std::vector<std::string> DesignSentences(const std::vector<DesignedPart>& histories) {
  std::vector<std::string> sentences;
  for (const DesignedPart& part : histories) Tell(part, sentences);
  return sentences;
}

}  // namespace idbench
