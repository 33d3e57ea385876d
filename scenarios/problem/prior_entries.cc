#include "scenarios/problem/prior_entries.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "robots/dynamics/parameters.h"
#include "robots/dynamics/parameters/body_metric.h"
#include "scenarios/options/name_pattern.h"
#include "scenarios/problem/parameter_kind.h"

namespace idbench {
namespace {

template <class T>
const T* Find(const Labelled<T>& entries, const std::string& key) {
  const auto found = std::ranges::find(entries, key, &std::pair<std::string, T>::first);
  return found == entries.end() ? nullptr : &found->second;
}

/// "ft.offset" of "ft.offset_fx"; "" without a group.
std::string GroupOf(const std::string& name) {
  const std::size_t end = name.rfind('_');
  const std::size_t dot = name.rfind('.');
  const bool in_kind = end != std::string::npos && (dot == std::string::npos || end > dot);
  return in_kind ? name.substr(0, end) : "";
}

template <class T>
const T* FindByName(const Labelled<T>& entries, const std::string& name) {
  for (const std::string& key : KeysOf(name)) {
    if (const T* const found = key.empty() ? nullptr : Find(entries, key)) return found;
  }
  return nullptr;
}

bool Counts(const PriorParameters& of, int k) { return of.counts[static_cast<std::size_t>(k)]; }

/// Columns of J that move a body; none if none of them counts.
std::vector<int> MovedBy(const PriorParameters& of, int body) {
  const auto rows = of.J.middleRows(ParameterLayout(of.model).Body(body), kInertialCount);
  std::vector<int> moved;
  for (int k = 0; k < of.J.cols(); ++k) {
    if (!rows.col(k).isZero(0.0)) moved.push_back(k);
  }
  const bool any = std::ranges::any_of(moved, [&of](int k) { return Counts(of, k); });
  return any ? moved : std::vector<int>();
}

/// Calls `visit` with each body of which an entry speaks, its number, its σ, and the columns that
/// move it.
void ForEveryStatedBody(
    const PriorOptions& options, const PriorParameters& of,
    const std::function<void(int, std::optional<double>, const std::vector<int>&)>& visit) {
  for (int body = -1; body < of.model.body_end(); ++body) {
    const std::optional<double>* const sigma = BodyEntryFor(options.std, of.model.BodyName(body));
    if (sigma == nullptr) continue;
    const std::vector<int> moved = MovedBy(of, body);
    if (!moved.empty()) visit(body, *sigma, moved);
  }
}

std::vector<std::string> Accepted(const std::string& key, const std::vector<std::string>& kinds,
                                  const std::vector<std::string>& names) {
  const bool one_name = key.find('.') != std::string::npos;
  return AcceptedNames(key, one_name ? names : kinds);
}

/// What is wrong with `std`, see CheckStd().
class StdCheck {
 public:
  StdCheck(const PriorOptions& options, const PriorParameters& of)
      : options_(options), of_(of), said_(of.names.size(), options.relative_std.has_value()) {
    for (std::size_t k = 0; k < of.names.size(); ++k) {
      if (!of.counts[k]) continue;
      names_.push_back(of.names[k]);
      if (EntryFor(options.std, of.names[k]) != nullptr) said_[k] = true;
      for (std::string& key : KeysOf(of.names[k])) spoken_of_.push_back(std::move(key));
    }
    kinds_ = KindsOf(names_);
  }

  void Body(int body) {
    std::vector<int> moved = MovedBy(of_, body);
    std::erase_if(moved, [this](int k) { return !Counts(of_, k); });
    if (moved.empty()) return;
    const std::string name = of_.model.BodyName(body);
    spoken_of_.insert(spoken_of_.end(), {name, kBodyKind});
    if (kinds_.front() != kBodyKind) kinds_.insert(kinds_.begin(), kBodyKind);
    const std::optional<double>* const sigma = BodyEntryFor(options_.std, name);
    if (sigma == nullptr) return;
    const std::string where =
        PointerTo("/problem/prior/std", Find(options_.std, name) != nullptr ? name : kBodyKind);
    const int first = ParameterLayout(of_.model).Body(body);
    if (*sigma &&
        PhysicalConsistency(of_.pi.segment<kInertialCount>(first)) != Consistency::kConsistent) {
      issues.push_back({where,
                        fmt::format("the prior of {} is not physically consistent, so that nothing "
                                    "is near to it",
                                    name),
                        {"give /problem/prior a set that bodies can have, or σ of each kind of "
                         "parameter"}});
    }
    const auto name_of = [this](int k) { return of_.names[static_cast<std::size_t>(k)]; };
    const auto own = std::ranges::find_if(
        moved, [&](int k) { return EntryFor(options_.std, name_of(k)) != nullptr; });
    if (own != moved.end()) {
      issues.push_back(
          {where,
           fmt::format("is σ of all that {} is, and {} has one of its own", name, name_of(*own)),
           {"give one of the two"}});
    }
    for (const int k : moved) said_[static_cast<std::size_t>(k)] = true;
  }

  /// Entries that speak of nothing.
  void Entries() {
    for (const auto& [key, sigma] : options_.std) {
      if (std::ranges::find(spoken_of_, key) != spoken_of_.end()) continue;
      const std::string known = KnownAs(key);
      if (!known.empty()) {
        issues.push_back(
            {PointerTo("/problem/prior/std", key),
             fmt::format("is σ of what /problem/prior/known declares known (\"{}\")", known),
             {"take it out of one of the two"}});
        continue;
      }
      issues.push_back({PointerTo("/problem/prior/std", key), "no unknown has this kind or name",
                        Accepted(key, kinds_, names_)});
    }
  }

  /// Parameters that nothing speaks of.
  void Unsaid() {
    std::vector<std::string> unsaid;
    for (std::size_t k = 0; k < of_.names.size(); ++k) {
      if (of_.counts[k] && !said_[k]) unsaid.push_back(of_.names[k]);
    }
    if (unsaid.empty()) return;
    issues.push_back({"/problem/prior/std",
                      fmt::format("says nothing of {}", ListSome(unsaid)),
                      {fmt::format("give σ of {}, each in its own unit, or /problem/prior/"
                                   "relative_std for the rest",
                                   ListSome(KindsOf(unsaid)))}});
  }

  std::vector<Issue> issues;

 private:
  /// The entry of `known` that speaks of all of which `key` does; "" if there is none.
  std::string KnownAs(const std::string& key) const {
    const auto is_body = [this](const std::string& name) {
      for (int body = -1; body < of_.model.body_end(); ++body) {
        if (of_.model.BodyName(body) == name) return true;
      }
      return false;
    };
    const std::size_t dot = key.rfind('.');  // of a parameter of a body, behind its name
    const std::string of = IsInertialKind(ParameterKind(key)) ? key.substr(0, dot) : key;
    for (const std::string& pattern : options_.known.patterns) {
      std::string unreadable;
      for (const std::string& entry : ExpandPattern(pattern, unreadable)) {
        const bool of_body = is_body(of) && (entry == of || entry == kBodyKind);
        if (of_body || std::ranges::count(KeysOf(key), entry) > 0) return entry;
      }
    }
    return "";
  }

  const PriorOptions& options_;
  const PriorParameters& of_;
  std::vector<bool> said_;
  std::vector<std::string> names_, kinds_, spoken_of_;  ///< Of what counts; keys.
};

}  // namespace

std::array<std::string, 4> KeysOf(const std::string& name) {
  const std::string kind = ParameterKind(name);
  return {name, GroupOf(name), kind, GroupOf(kind)};
}

std::vector<std::string> KindsOf(const std::vector<std::string>& names) {
  std::vector<std::string> kinds;
  for (const std::string& name : names) {
    const std::string kind = ParameterKind(name);
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

const double* EntryFor(const Labelled<double>& entries, const std::string& name) {
  return FindByName(entries, name);
}

const std::optional<double>* EntryFor(const SigmaEntries& entries, const std::string& name) {
  return FindByName(entries, name);
}

const std::optional<double>* BodyEntryFor(const SigmaEntries& entries, const std::string& body) {
  const std::optional<double>* const own = Find(entries, body);
  return own != nullptr ? own : Find(entries, kBodyKind);
}

Eigen::VectorXd BodySigma(const SigmaEntries& entries, const RobotModel& model) {
  Eigen::VectorXd sigma(model.body_end() + 1);
  for (int body = -1; body < model.body_end(); ++body) {
    const std::optional<double>* const entry = BodyEntryFor(entries, model.BodyName(body));
    sigma[body + 1] = entry != nullptr ? entry->value_or(std::nan("")) : std::nan("");
  }
  return sigma.array().isNaN().all() ? Eigen::VectorXd() : sigma;
}

bool IsFramed(const PriorOptions& options) {
  if (options.relative_std && Find(options.std, kBodyKind) == nullptr) return true;
  return std::ranges::any_of(options.std, [](const auto& entry) {
    if (!entry.second) return false;
    const std::string kind = ParameterKind(entry.first);
    return IsInertialKind(kind) && kind != "m";
  });
}

Eigen::MatrixXd BodyCovariance(const Eigen::Ref<const Eigen::VectorXd>& inertia,
                               const Eigen::Ref<const Eigen::MatrixXd>& J, double sigma) {
  const Eigen::MatrixXd H = BodyMetric(inertia, J);
  return sigma * sigma * H.llt().solve(Eigen::MatrixXd::Identity(H.rows(), H.cols()));
}

Eigen::MatrixXd CovarianceByEntries(const PriorOptions& options, const PriorParameters& of) {
  Eigen::VectorXd sigma = Eigen::VectorXd::Zero(of.values.size());
  if (options.relative_std) sigma = *options.relative_std * Magnitudes(of.values, of.names);
  for (Eigen::Index k = 0; k < sigma.size(); ++k) {
    const auto* const entry = EntryFor(options.std, of.names[static_cast<std::size_t>(k)]);
    if (entry != nullptr) sigma[k] = entry->value_or(0.0);
  }
  Eigen::MatrixXd covariance = sigma.array().square().matrix().asDiagonal();
  const ParameterLayout layout(of.model);
  ForEveryStatedBody(
      options, of, [&](int body, std::optional<double> of_body, const std::vector<int>& moved) {
        const int first = layout.Body(body);
        if (!of_body) {
          covariance(moved, moved).setZero();
          return;
        }
        covariance(moved, moved) =
            BodyCovariance(of.pi.segment<kInertialCount>(first),
                           of.J.middleRows(first, kInertialCount)(Eigen::all, moved), *of_body);
      });
  return covariance;
}

std::vector<int> UnknownByEntries(const PriorOptions& options, const PriorParameters& of) {
  std::vector<bool> unknown(of.names.size(), false);
  for (std::size_t k = 0; k < of.names.size(); ++k) {
    const auto* const entry = EntryFor(options.std, of.names[k]);
    unknown[k] = of.counts[k] && entry != nullptr && !*entry;
  }
  ForEveryStatedBody(options, of,
                     [&](int, std::optional<double> sigma, const std::vector<int>& moved) {
                       for (const int k : moved) {
                         if (!sigma) unknown[static_cast<std::size_t>(k)] = true;
                       }
                     });
  std::vector<int> indices;
  for (int k = 0; k < std::ssize(unknown); ++k) {
    if (unknown[static_cast<std::size_t>(k)]) indices.push_back(k);
  }
  return indices;
}

std::vector<Issue> CheckStd(const PriorOptions& options, const PriorParameters& of) {
  StdCheck check(options, of);
  for (int body = -1; body < of.model.body_end(); ++body) check.Body(body);
  check.Entries();
  check.Unsaid();
  return std::move(check.issues);
}

void SetMeans(const RobotModel& model, const Labelled<double>& mean, Eigen::VectorXd& pi) {
  if (mean.empty()) return;
  const std::vector<std::string> names = ParameterNames(model);
  for (Eigen::Index k = ParameterLayout(model).inertial_size(); k < pi.size(); ++k) {
    const double* const value = EntryFor(mean, names[static_cast<std::size_t>(k)]);
    if (value != nullptr) pi[k] = *value;
  }
}

std::vector<Issue> CheckMean(const RobotModel& model, const Labelled<double>& mean) {
  std::vector<std::string> names = ParameterNames(model);
  names.erase(names.begin(), names.begin() + ParameterLayout(model).inertial_size());
  std::vector<Issue> issues;
  for (const auto& [key, value] : mean) {
    const bool known = std::ranges::any_of(names, [&key](const std::string& name) {
      return std::ranges::count(KeysOf(name), key) > 0;
    });
    if (known) continue;
    issues.push_back({PointerTo("/problem/prior/mean", key),
                      "no friction, rotor inertia, offset or gain has this kind or name",
                      Accepted(key, KindsOf(names), names)});
    issues.back().details.emplace_back(
        "bodies are those of a set: see set, mass_scale and inertia_scale");
  }
  return issues;
}

}  // namespace idbench
