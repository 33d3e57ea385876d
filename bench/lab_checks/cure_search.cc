#include "bench/lab_checks/cure_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "bench/lab_checks/common_cures.h"
#include "bench/lab_checks/friction_power.h"

namespace idbench {
namespace {

/// Part of the gain that has to be on adequate columns.
constexpr double kAdequateShare = 0.5;
/// Mistakes that a log has at once; more of them are another robot's log.
constexpr int kMostCures = 5;
/// How many of all cures are compared on all samples.
constexpr std::size_t kShortlist = 16;
constexpr int kOfEachCheck = 2;

struct Tried {
  Cure cure;
  FitScore structure, file;
  Gain gain, file_gain;
};

/// What is compared with: the data as they are.
struct Before {
  FitScore structure, file;
  std::vector<int> torque_of;  ///< See DataChange.
};

Before ScoreOf(const DataChange& change, LabFit& fit) {
  return {fit.Structure(change), fit.File(change), change.torque_of};
}

Tried Try(Cure cure, LabFit& fit, const Before& before) {
  Tried tried;
  tried.cure = std::move(cure);
  tried.structure = fit.Structure(tried.cure.change);
  tried.file = fit.File(tried.cure.change);
  tried.gain = GainOf(tried.structure, before.structure);
  tried.file_gain = GainOf(tried.file, before.file);
  return tried;
}

double GainOnColumn(const Tried& tried, const Before& before, Eigen::Index column) {
  return std::log(before.structure.rms[column] / std::max(tried.structure.rms[column], 1e-300));
}

/// Whether most of what the joints that it changes have of torques, in squares, is explained then;
/// of a change of all joints the gain decides.
bool ExplainsItsOwn(const Tried& tried) {
  const FitScore& score = tried.structure;
  const std::vector<int>& columns = tried.cure.columns;
  if (columns.empty() || std::ssize(columns) == score.rms.size()) return true;
  double all = 0.0, explained = 0.0;
  for (const int d : columns) {
    const double torque = score.rms[d] / std::max(score.relative[d], 1e-300);
    all += torque * torque;
    if (score.Explains(d)) explained += torque * torque;
  }
  return explained > 0.5 * all;
}

/// Whether each joint gains, in its own torques, of which an order of some exchanges the positions
/// alone: those of joints that move alike can be exchanged at little cost, and improve one that
/// fits badly.
bool EachMovedGains(const Tried& tried, const Before& before) {
  // Log of rms over rms. True exchanges of simulated arms gain 2.5 and more; of the KUKA LWR4,
  // whose joints move alike, 0.2 and more, and a false one 0.1.
  constexpr double kLeastOwnGain = 0.15;
  const std::vector<int>& moved = tried.cure.columns;
  const bool positions_alone =
      tried.cure.check == "joint_order" && tried.cure.change.torque_of == before.torque_of;
  if (!positions_alone || std::ssize(moved) == tried.structure.rms.size()) return true;
  return std::ranges::all_of(
      moved, [&](int d) { return GainOnColumn(tried, before, d) >= kLeastOwnGain; });
}

/// Whether most of the gain is where the model is adequate then, less what is lost anywhere: what
/// is true makes no column worse.
bool Solves(const Tried& tried, const Before& before) {
  if (!ExplainsItsOwn(tried) || !EachMovedGains(tried, before)) return false;
  double gain = 0.0, adequate = 0.0;
  for (Eigen::Index d = 0; d < tried.structure.rms.size(); ++d) {
    const double of_column = GainOnColumn(tried, before, d);
    gain += std::max(of_column, 0.0);
    if (tried.structure.Explains(d) || of_column < 0.0) adequate += of_column;
  }
  return adequate >= tried.cure.least_gain && adequate >= kAdequateShare * gain;
}

/// Whether it turns a sign so that friction would create power, which it did not.
bool Powers(const Tried& tried, const Before& before) {
  return tried.cure.check == "sign" && std::ranges::any_of(tried.cure.columns, [&](int d) {
           return CreatesPower(tried.structure, d) && !CreatesPower(before.structure, d);
         });
}

bool Asks(const Tried& tried, const Before& before, double critical) {
  if (Powers(tried, before)) return false;
  return tried.gain.mean >= tried.cure.least_gain && tried.gain.t >= critical &&
         Solves(tried, before) && !(tried.file_gain.mean < 0.0 && tried.file_gain.t < -kToldApart);
}

/// The cures that are worth all samples: those of least loss on few, each refined.
std::vector<Cure> Shortlist(LabFit& coarse, LabFit& fit, std::span<const CuresOf> kinds,
                            const DataChange& now, std::size_t& hypotheses) {
  std::vector<std::pair<double, Cure>> all;
  for (const CuresOf kind : kinds) {
    for (Cure& cure : kind(now, coarse)) {
      const double loss = coarse.SearchLoss(cure.change);
      all.emplace_back(loss, std::move(cure));
    }
  }
  hypotheses = all.size();
  std::ranges::stable_sort(all, {}, [](const auto& each) { return each.first; });
  std::map<std::string_view, int> of_check;  // what gains little is not crowded out by others
  std::vector<std::pair<double, Cure>> chosen;
  for (auto& each : all) {
    if (chosen.size() < kShortlist || of_check[each.second.check] < kOfEachCheck) {
      ++of_check[each.second.check];
      chosen.push_back(std::move(each));
    }
  }
  std::vector<Cure> best;
  for (auto& [loss, cure] : chosen)
    best.push_back(cure.refine ? cure.refine(fit) : std::move(cure));
  return best;
}

/// "t = 7.1"; where all blocks gain as much as counts, "t over 99".
std::string StudentT(double t) {
  constexpr double kMost = 99.0;
  return t > kMost ? fmt::format("t over {:.0f}", kMost) : fmt::format("t = {:.1f}", t);
}

/// @param whose  bodies, of which the structure is compared.
std::string EvidenceOf(const Tried& tried, const Before& before, const RobotModel& model,
                       std::size_t hypotheses, std::string_view whose = "rigid bodies") {
  Eigen::Index most = 0;
  for (Eigen::Index d = 1; d < tried.structure.rms.size(); ++d) {
    if (GainOnColumn(tried, before, d) > GainOnColumn(tried, before, most)) most = d;
  }
  return fmt::format(
      "{}, {} with friction leave {} of the torques of {} unexplained instead of {} "
      "(held-out parts of the log; {} over {} parts, best of {} changes tried)",
      tried.cure.does, whose, Percent(tried.structure.relative[most]),
      model.link(static_cast<int>(most)).joint,
      Percent(tried.structure.relative[most] * std::exp(GainOnColumn(tried, before, most))),
      StudentT(tried.gain.t), LabRows::kBlocks, hypotheses);
}

/// Losses of cures over the columns of torques that one of them explains: what none does, any
/// change improves or worsens by chance.
std::vector<double> LossesWhereExplained(const std::vector<Tried>& asked) {
  std::vector<double> losses(asked.size(), 0.0);
  const Eigen::Index columns = asked.empty() ? 0 : asked.front().structure.rms.size();
  for (Eigen::Index d = 0; d < columns; ++d) {
    if (std::ranges::none_of(asked,
                             [d](const Tried& each) { return each.structure.Explains(d); })) {
      continue;
    }
    for (std::size_t k = 0; k < asked.size(); ++k) {
      losses[k] += std::log(std::max(asked[k].structure.rms[d], 1e-300));
    }
  }
  return losses;
}

/// Index of the cure that the data prefer: of those that the best one does not beat clearly, the
/// best of the simplest.
std::size_t Preferred(const std::vector<Tried>& asked) {
  const std::vector<double> losses = LossesWhereExplained(asked);
  const auto best = static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
  std::size_t preferred = best;
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const auto rank = [&](std::size_t of) { return std::pair(asked[of].cure.numbers, losses[of]); };
    if (rank(k) >= rank(preferred)) continue;
    if (GainOf(asked[best].structure, asked[k].structure).t < kToldApart) preferred = k;
  }
  return preferred;
}

/// One round: the cure that the data prefer, if there is one.
bool FindNext(LabFit& coarse, LabFit& fit, std::span<const CuresOf> kinds, CureSearch& search,
              const CureTrace& trace) {
  std::size_t hypotheses = 0;
  std::vector<Cure> shortlist = Shortlist(coarse, fit, kinds, search.change, hypotheses);
  if (shortlist.empty()) return false;
  const Before before = ScoreOf(search.change, fit);
  const double critical = CriticalT(static_cast<double>(hypotheses));
  std::vector<Tried> asked;
  for (Cure& cure : shortlist) {
    Tried tried = Try(std::move(cure), fit, before);
    const bool asks = Asks(tried, before, critical);
    if (trace) {
      trace(fmt::format("{} loss {:7.3f} gain {:6.3f} t {:6.2f} file {:6.3f} t {:6.2f} {}",
                        asks ? "*" : (Solves(tried, before) ? "+" : " "),
                        tried.structure.Loss() - before.structure.Loss(), tried.gain.mean,
                        tried.gain.t, tried.file_gain.mean, tried.file_gain.t, tried.cure.does));
    }
    if (asks) asked.push_back(std::move(tried));
  }
  if (asked.empty()) return false;
  const Tried* const best = &asked[Preferred(asked)];
  FoundCure found{.cure = best->cure, .evidence = {}, .rivals = {}, .gain = best->gain.mean};
  found.evidence = EvidenceOf(*best, before, fit.robot().model, hypotheses);
  for (const Tried& each : asked) {
    // Signs of two joints are no more numbers than signs of one.
    const bool signs = each.cure.check == "sign" && best->cure.check == "sign";
    if (&each == best || (each.cure.numbers > best->cure.numbers && !signs)) continue;
    if (GainOf(best->structure, each.structure).t < kToldApart) found.rivals.push_back(each.cure);
  }
  search.change = best->cure.change;
  search.score = best->structure;
  search.found.push_back(std::move(found));
  return true;
}

bool IsClock(const FoundCure& found) { return found.cure.check == "clock"; }

/// Several steps that lead to one cure are told as one: joints that were reordered, clocks and
/// mountings, and factors and offsets of one joint.
void Merge(CureSearch& search, const RobotModel& model) {
  std::vector<FoundCure> merged;
  for (FoundCure& found : search.found) {
    const bool order = found.cure.check == "joint_order";
    auto same = std::ranges::find_if(merged, [&](const FoundCure& each) {
      return each.cure.check == found.cure.check &&
             (order || (each.cure.columns == found.cure.columns && found.cure.refine));
    });
    if (same == merged.end()) {
      merged.push_back(std::move(found));
      continue;
    }
    same->evidence += "; then, " + found.evidence;
    same->by_file = same->by_file && found.by_file;
    Cure whole = std::move(found.cure);
    if (order)
      whole.does = DoesReorder(model, DataChange::None(model), search.change, whole.columns);
    if (whole.count) whole.count(whole, same->cure);
    same->cure = std::move(whole);
  }
  search.found = std::move(merged);
}

/// Finds numbers anew, each with all others, which what was found behind them puts right; keeps a
/// number if the new one does not lessen the loss.
void FindNumbersAnew(LabFit& fit, CureSearch& search) {
  constexpr int kPasses = 2;
  constexpr double kDiffers = 0.005;
  if (search.found.size() < 2) return;
  std::vector<double> first;
  for (const FoundCure& found : search.found) first.push_back(found.cure.value);
  for (int pass = 0; pass < kPasses; ++pass) {
    for (FoundCure& found : search.found) {
      if (!found.cure.anew) continue;
      Cure cure = found.cure.anew(search.change, fit);
      if (fit.SearchLoss(cure.change) >= fit.SearchLoss(search.change)) continue;
      if (cure.count) cure.count(cure, found.cure);
      search.change = cure.change;
      found.cure = std::move(cure);
    }
  }
  for (std::size_t k = 0; k < first.size(); ++k) {
    FoundCure& found = search.found[k];
    if (std::abs(found.cure.value - first[k]) <= kDiffers * std::abs(first[k])) continue;
    found.evidence += fmt::format("; with all changes that are told here, {}", found.cure.does);
  }
  search.score = fit.Structure(search.change);
}

/// Takes the clock that the file's inertias ask for, if with it they explain most of the torques,
/// and the structure does not speak against it.
bool TakeClockOfFile(LabFit& coarse, LabFit& fit, CureSearch& search, const CureTrace& trace) {
  constexpr std::size_t kClocks = 30;  // that are tried
  constexpr double kLeastError = 0.5;  // inertias that are wrong by twice are √2 of a clock
  const std::optional<Cure> found = ClockOfFile(search.change, coarse, kLeastError);
  if (!found) return false;
  const Before before = ScoreOf(search.change, fit);
  const Tried tried = Try(found->refine(fit), fit, before);
  if (trace) {
    trace(fmt::format("file: gain {:6.3f} t {:6.2f} structure {:6.3f} t {:6.2f} {}",
                      tried.file_gain.mean, tried.file_gain.t, tried.gain.mean, tried.gain.t,
                      tried.cure.does));
  }
  if (tried.gain.mean < 0.0 && tried.gain.t < -kToldApart) return false;
  // The same questions, asked of bodies near the file's.
  const Tried near_file{tried.cure, tried.file, tried.structure, tried.file_gain, tried.gain};
  const Before before_near_file{before.file, before.structure, before.torque_of};
  const double critical = CriticalT(static_cast<double>(kClocks));
  if (near_file.gain.t < critical || !Solves(near_file, before_near_file)) return false;
  std::string evidence =
      EvidenceOf(near_file, before_near_file, fit.robot().model, kClocks,
                 "bodies near the file's") +
      "; only the file's own inertias tell it, and no better than they are known";
  search.found.push_back({tried.cure, std::move(evidence), {}, tried.file_gain.mean, true});
  search.change = tried.cure.change;
  search.score = tried.structure;
  return true;
}

}  // namespace

CureSearch SearchCures(LabFit& coarse, LabFit& fit, std::span<const CuresOf> kinds,
                       const CureTrace& trace) {
  CureSearch search;
  search.change = DataChange::None(fit.robot().model);
  const double far = FarScale(fit, search.change);
  search.change.torque_scale /= far;
  search.score = fit.Structure(search.change);
  const auto find_all = [&](CureSearch& from) {
    while (std::ssize(from.found) < kMostCures && FindNext(coarse, fit, kinds, from, trace)) {
    }
  };
  CureSearch hurried = search;
  find_all(search);
  if (std::ranges::none_of(search.found, &IsClock)) {
    if (TakeClockOfFile(coarse, fit, hurried, trace)) {
      find_all(hurried);
      const Gain gain = GainOf(fit.File(hurried.change), fit.File(search.change));
      if (search.found.empty() || gain.t > kToldApart) search = std::move(hurried);
    } else if (!search.found.empty() && TakeClockOfFile(coarse, fit, search, trace)) {
      find_all(search);
    }
  }
  Merge(search, fit.robot().model);
  FindNumbersAnew(fit, search);
  AddSignsByFriction(fit, search);
  FindCommonCures(fit, search, far);
  return search;
}

}  // namespace idbench
