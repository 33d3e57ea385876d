#include "reports/page/html_sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reports/charts/chart.h"
#include "reports/page/html_text.h"
#include "reports/tables/shared_notes.h"
#include "reports/tables/table_selection.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// "3,200"
std::string Thousands(std::size_t count) {
  std::string text = fmt::format("{}", count);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string Counted(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", Thousands(count), noun, count == 1 ? "" : "s");
}

struct Totals {
  std::size_t estimates = 0;
  std::size_t failed = 0;
  std::size_t observations = 0;
  std::size_t failed_observations = 0;
  std::size_t rollouts = 0;
};

Totals TotalsOf(const Summary& summary) {
  Totals totals;
  for (const CellSummary& cell : summary.cells) {
    totals.rollouts += cell.rollouts;
    for (const EstimatorSummary& estimator : cell.estimators) {
      if (estimator.subject == MetricSubject::kMotion) continue;
      const bool observed = estimator.subject == MetricSubject::kObserver;
      (observed ? totals.observations : totals.estimates) += estimator.tally.trials;
      (observed ? totals.failed_observations : totals.failed) += estimator.tally.failed;
    }
  }
  return totals;
}

/// "ols: 3 of 200 estimates failed (diverged 2, rank_deficient 1)", one for each that failed.
std::vector<std::string> FailureSentences(const Summary& summary, const RunManifest& manifest) {
  std::vector<std::string> sentences;
  for (std::size_t e = 0; e < manifest.estimators.size(); ++e) {
    EstimateTally sum;
    for (const CellSummary& cell : summary.cells) {
      const EstimateTally& tally = cell.estimators[e].tally;
      sum.trials += tally.trials;
      sum.failed += tally.failed;
      for (const auto& [outcome, count] : tally.reasons) sum.reasons[outcome] += count;
    }
    if (sum.failed == 0) continue;
    std::vector<std::string> reasons;
    for (const auto& [outcome, count] : sum.reasons) {
      reasons.push_back(fmt::format("{} {}", outcome, Thousands(count)));
    }
    sentences.push_back(fmt::format(
        "{}: {} of {} failed ({})", manifest.estimators[e], Thousands(sum.failed),
        Counted(sum.trials, RecordNoun(manifest.SubjectAt(e))), fmt::join(reasons, ", ")));
  }
  return sentences;
}

/// Why metrics are absent, and which for that reason: "a, b".
Labelled<std::string> AbsentByReason(const RunManifest& manifest) {
  Labelled<std::string> reasons;
  for (const auto& [metric, reason] : manifest.absent_metrics) {
    const auto known = std::ranges::find(reasons, reason, &Facts::value_type::first);
    if (known == reasons.end()) {
      reasons.emplace_back(reason, metric);
    } else {
      known->second += ", " + metric;
    }
  }
  return reasons;
}

/// A text of the expanded scenario, "" if there is none at this place.
std::string ScalarTextAt(const Json& json, const char* pointer) {
  const Json::json_pointer place(pointer);
  if (!json.contains(place)) return "";
  const Json& value = json[place];
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() || value.is_structured() ? std::string() : value.dump();
}

/// The keys of an object of the expanded scenario with what `pointer` says of each: "run1 (file)".
std::string Named(const Json& scenario, const char* key, const std::vector<const char*>& pointers) {
  if (!scenario.contains(key) || !scenario[key].is_object()) return "";
  std::string text;
  for (const auto& [name, value] : scenario[key].items()) {
    std::vector<std::string> details;
    for (const char* pointer : pointers) {
      const std::string detail = ScalarTextAt(value, pointer);
      if (!detail.empty() && detail != name) details.push_back(detail);
    }
    text += fmt::format("{}{}", text.empty() ? "" : " · ", HtmlEscape(name));
    if (!details.empty()) {
      text += fmt::format(" <span class=\"unit\">({})</span>",
                          HtmlEscape(fmt::format("{}", fmt::join(details, ", "))));
    }
  }
  return text;
}

/// What the scenario is, in a few lines.
Facts ScenarioFacts(const RunManifest& manifest) {
  const Json& scenario = *manifest.scenario;
  Facts facts;
  const auto add = [&](const char* name, const std::string& html) {
    if (!html.empty()) facts.emplace_back(name, html);
  };
  add("Robot", HtmlEscape(ScalarTextAt(scenario, "/robot/model")));
  const std::string source = ScalarTextAt(scenario, "/recording/source");
  const std::string plant = ScalarTextAt(scenario, "/plant/type");
  if (!source.empty()) {
    add("Data", "recorded: " + HtmlEscape(source));
  } else if (!plant.empty()) {
    add("Data", "simulated with " + HtmlEscape(plant));
  }
  add("Experiments", Named(scenario, "experiments", {"/role", "/motion/type", "/file"}));
  add("Parameters", HtmlEscape(ScalarTextAt(scenario, "/problem/parametrisation/type")));
  add("Estimators", Named(scenario, "estimators", {"/type"}));
  add("Observers", Named(scenario, "observers", {"/type"}));
  std::string axes;
  for (const RunAxis& axis : VocabularyOf(manifest).axes) {
    axes += fmt::format("{}{}: {}", axes.empty() ? "" : "<br>", HtmlEscape(axis.name),
                        HtmlEscape(fmt::format("{}", fmt::join(axis.values, ", "))));
  }
  add("Swept", axes);
  std::vector<std::string> marks;
  for (const std::string& mark : manifest.marks) marks.push_back(HtmlEscape(mark));
  add("To know", fmt::format("{}", fmt::join(marks, "<br>")));
  return facts;
}

/// The text of an entry with its interval set apart.
std::string EntryHtml(const TableEntry& entry) {
  const std::size_t space = entry.interval ? entry.text.find(' ') : std::string::npos;
  std::string html = HtmlEscape(entry.text.substr(0, space));
  if (entry.best) html = fmt::format("<span class=\"best\">{}</span>", html);
  if (space == std::string::npos) return html + entry.FewerText();
  return html + fmt::format(" <span class=\"interval\">{}</span>",
                            HtmlEscape(entry.text.substr(space + 1) + entry.FewerText()));
}

/// Failed trials: how many, in red where there are any.
HtmlCell FailureCell(const TableEntry& entry) {
  const bool none = entry.text == "0" || entry.text.empty();
  return {HtmlEscape(entry.text), entry.text.empty() ? std::nullopt : NumberOf(entry.text),
          none ? "" : "failures"};
}

const char* ClassOf(const TableColumn& column) {
  return column.kind == TableColumn::Kind::kPublished ? "published" : "";
}

HtmlCell Cell(const TableColumn& column, const TableEntry& entry) {
  if (column.kind == TableColumn::Kind::kCountsFailures) return FailureCell(entry);
  if (!entry.value) {
    const bool failed = !entry.text.empty() && entry.text != kEmptyEntry;
    return {HtmlEscape(entry.text), {}, failed ? "failures" : "absent"};
  }
  return {EntryHtml(entry), entry.value, ClassOf(column)};
}

std::string ItemsOf(const Json& object) {
  std::string text;
  for (const auto& [name, value] : object.items()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " · ", HtmlEscape(name),
                        HtmlEscape(value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return text;
}

}  // namespace

std::string HtmlMessages(const Summary& summary, const RunManifest& manifest) {
  std::string items;
  const auto add = [&](const char* css_class, const std::string& html) {
    items += fmt::format("<li class=\"{}\">{}</li>\n", css_class, html);
  };
  const Totals totals = TotalsOf(summary);
  const std::size_t planned =
      summary.cells.size() * manifest.EstimatorCount() * static_cast<std::size_t>(manifest.trials);
  if (manifest.shard) {
    add("bad", fmt::format("<strong>A part of a run:</strong> shard {} of {}, some trials of each "
                           "cell; <code>idbench merge</code> makes the whole of all shards",
                           manifest.shard->index, manifest.shard->count));
  } else if (totals.estimates < planned) {
    add("bad", fmt::format("<strong>Incomplete:</strong> {} of {} were made",
                           Thousands(totals.estimates), Counted(planned, "estimate")));
  }
  for (const std::string& alarm : AlarmsOf(summary)) add("bad", HtmlEscape(alarm));
  for (const std::string& failure : FailureSentences(summary, manifest))
    add("bad", HtmlEscape(failure));
  for (const auto& [reason, metrics] : AbsentByReason(manifest)) {
    add("warn",
        fmt::format("<strong>Absent:</strong> {}: {}", HtmlEscape(metrics), HtmlEscape(reason)));
  }
  if (manifest.commit.ends_with("-dirty")) {
    add("warn",
        "idbench was built from a tree with uncommitted changes: its commit alone does not "
        "tell what ran");
  }
  const Json& build = *manifest.build;
  if (build.value("assertions", Json(false)) == true ||
      build.value("optimised", Json(true)) == false) {
    add("warn",
        "idbench was built without optimisation or with assertions: its durations are not those of "
        "a release");
  }
  return items.empty() ? "" : fmt::format("<ul class=\"messages\">\n{}</ul>\n", items);
}

std::string HtmlOverview(const Summary& summary, const RunManifest& manifest) {
  const Totals totals = TotalsOf(summary);
  std::string text = "<dl class=\"figures-of-run\">\n";
  const auto add = [&](const char* name, std::size_t count, const char* css_class = "") {
    text += fmt::format("<div class=\"{}\"><dt>{}</dt><dd>{}</dd></div>\n", css_class, name,
                        Thousands(count));
  };
  add("cells", summary.cells.size());
  add("trials in each", static_cast<std::size_t>(manifest.trials));
  add("estimators", manifest.EstimatorCount());
  if (!manifest.observers.empty()) add("observers", manifest.observers.size());
  add("roll-outs", totals.rollouts);
  add("estimates", totals.estimates);
  add("failed", totals.failed, totals.failed > 0 ? "bad" : "");
  if (!manifest.observers.empty()) {
    add("observations", totals.observations);
    add("failed observations", totals.failed_observations,
        totals.failed_observations > 0 ? "bad" : "");
  }
  return text + "</dl>\n" + HtmlFacts(ScenarioFacts(manifest));
}

std::string HtmlFigure(const Table& table, std::size_t number) {
  // A caption with a number of its own, that of a paper's table, needs none of ours.
  const bool numbered = table.caption.starts_with("Table") || table.caption.starts_with("Figure");
  std::string text =
      fmt::format("<figure id=\"table-{}\">\n<figcaption>{}<b>{}</b></figcaption>\n", number,
                  numbered ? "" : fmt::format("<span class=\"number\">Table {}</span>", number),
                  HtmlEscape(table.caption));
  if (!table.columns.empty()) {
    HtmlTable html;
    html.columns.push_back({HtmlEscape(table.row_header), "text"});
    for (const TableColumn& column : table.columns) {
      html.columns.push_back({HtmlEscape(column.header), ClassOf(column)});
    }
    for (std::size_t row = 0; row < table.row_labels.size(); ++row) {
      const bool counts = table.last_row_counts_failures && row + 1 == table.row_labels.size();
      const std::string& label = table.row_labels[row];
      std::vector<HtmlCell> cells = {{HtmlEscape(label), NumberOf(label)}};
      for (const TableColumn& column : table.columns) {
        cells.push_back(counts ? FailureCell(column.entries[row])
                               : Cell(column, column.entries[row]));
      }
      if (counts) {
        html.footer = std::move(cells);
      } else {
        html.rows.push_back(std::move(cells));
      }
    }
    text += html.Render();
  }
  return text + HtmlNotes(table.notes) + "</figure>\n";
}

std::string HtmlTables(std::vector<Table> tables) {
  const std::vector<std::string> shared = TakeSharedNotes(tables);
  std::string text;
  bool told = shared.empty();
  const auto tell = [&] {
    if (!told) {
      text += fmt::format("<div class=\"shared-notes\">\n<p>{}</p>\n{}</div>\n",
                          kSharedNotesHeading, HtmlNotes(shared));
    }
    told = true;
  };
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!tables[i].of_metrics) tell();
    text += HtmlFigure(tables[i], i + 1);
  }
  tell();
  return text;
}

std::string HtmlProvenance(const RunManifest& manifest) {
  Facts facts;
  const auto add = [&](const char* name, const std::string& html) {
    if (!html.empty()) facts.emplace_back(name, html);
  };
  add("Scenario", HtmlEscape(manifest.Name()));
  add("Seed", fmt::format("{}", manifest.seed));
  add("Commit", HtmlEscape(manifest.commit));
  add("Versions", ItemsOf(*manifest.versions));
  add("Build", ItemsOf(*manifest.build));
  add("Machine", ItemsOf(*manifest.machine));
  add("Floating-point fingerprint", HtmlEscape(manifest.fingerprint));
  const std::string file = FileStem(manifest.Name(), "scenario") + ".json";
  add("Run again", fmt::format("<code>idbench run {0}</code>, where {0} is the expanded scenario "
                               "below: it gives every record again, bit for bit on a machine with "
                               "this fingerprint, also after defaults have changed",
                               HtmlEscape(file)));
  return HtmlFacts(facts) +
         fmt::format(
             "<details><summary>The expanded scenario, all defaults spelled out</summary>"
             "<pre>{}</pre></details>\n",
             HtmlEscape(manifest.scenario->dump(2)));
}

}  // namespace idbench
