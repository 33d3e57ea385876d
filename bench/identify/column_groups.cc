#include "bench/identify/column_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "hw/log/split_stamps.h"
#include "hw/units.h"
#include "robots/recording/channels.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

bool IsSame(const ColumnGroup& group, const LabColumn& column, std::string_view channel) {
  return group.channel == channel && group.source == column.source && group.rest == column.rest;
}

/// Sorts the columns as the model's joints or by number. False if they are not one for each.
bool PutInOrder(ColumnGroup& group, const std::vector<std::string>& joints) {
  auto& columns = group.columns;
  if (std::ranges::none_of(columns, [](const LabColumn& column) { return column.joint.empty(); })) {
    group.by_joint = true;
    const auto place = [&joints](const LabColumn& column) {
      return std::ranges::find(joints, column.joint) - joints.begin();
    };
    std::ranges::sort(columns, {}, place);
    return std::ranges::adjacent_find(columns, {}, place) == columns.end();
  }
  const auto number = [](const LabColumn& column) { return column.number.value_or(-1); };
  std::ranges::stable_sort(columns, {}, number);
  const int first = number(columns.front());
  if (first != 0 && first != 1) return columns.size() == 1 && first < 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (number(columns[k]) != first + static_cast<int>(k)) return false;
  }
  return true;
}

/// Channel of a column: that which its name says or, if it says nothing, the file's name, or its
/// unit. What is called as a joint, and nothing else, is its position.
std::string_view ChannelIn(const LabColumn& column, const LabColumn& stem) {
  const bool says_nothing = column.kind == ColumnKind::kOther && column.rest.empty() &&
                            (column.number || !column.joint.empty());
  if (!says_nothing) return ChannelOf(column);
  if (const std::string_view of_file = ChannelOf(stem); !of_file.empty()) return of_file;
  if (column.unit) {
    for (const std::string_view channel : {kJointPosition, kJointTorque, kMotorCurrent}) {
      const std::vector<std::string> units = UnitsOfChannel(channel);
      if (std::ranges::find(units, column.unit->suffix) != units.end()) return channel;
    }
    return "";
  }
  return column.name == column.joint ? kJointPosition : "";
}

/// The name without the letters at its end.
std::string_view WithoutLastWord(std::string_view name) {
  while (!name.empty() && std::isalpha(static_cast<unsigned char>(name.back())) != 0) {
    name.remove_suffix(1);
  }
  return name;
}

/// True if they are the seconds and the nanoseconds of one stamp.
bool AreOneStamp(const ColumnGroup& seconds, const ColumnGroup& nanoseconds) {
  for (const ColumnGroup* group : {&seconds, &nanoseconds}) {
    if (group->channel != kTime || group->columns.size() != 1) return false;
  }
  const LabColumn &s = seconds.columns.front(), &ns = nanoseconds.columns.front();
  return s.unit && ns.unit && s.unit->suffix == "s" && ns.unit->suffix == "ns" &&
         WithoutLastWord(s.name) == WithoutLastWord(ns.name) &&
         AreSplitStamps(*seconds.table, s.name, ns.name);
}

/// Puts the two parts of each stamp into one group, of a single table's groups.
void JoinSplitStamps(std::vector<ColumnGroup>& groups) {
  for (ColumnGroup& seconds : groups) {
    const auto nanoseconds = std::ranges::find_if(
        groups, [&seconds](const ColumnGroup& other) { return AreOneStamp(seconds, other); });
    if (nanoseconds == groups.end()) continue;
    seconds.columns.push_back(std::move(nanoseconds->columns.front()));
    nanoseconds->columns.clear();
  }
  std::erase_if(groups, [](const ColumnGroup& group) { return group.columns.empty(); });
}

/// What stands below a name, without blanks and brackets around it.
std::string_view Bare(std::string_view text) {
  constexpr std::string_view kAround = " \t[]()<>";
  text.remove_prefix(std::min(text.find_first_not_of(kAround), text.size()));
  return text.substr(0, text.find_last_not_of(kAround) + 1);
}

/// Whether units stand below the names of a table: one that idbench knows does.
bool HasUnitsBelow(const LogTable& table) {
  return std::ranges::any_of(table.below_names, [](const std::string& text) {
    return UnitBySpelling(Bare(text)).has_value();
  });
}

/// Reads the name of a column of a table and, as if it stood behind it, the unit below it.
LabColumn ReadColumnOf(const LogTable& table, std::size_t at, bool units_below,
                       const std::vector<std::string>& joints) {
  std::string name = table.columns[at];
  if (name.starts_with(table.name)) name = name.substr(table.name.size());  // a topic
  const std::string_view below = units_below ? Bare(table.below_names[at]) : "";
  const std::optional<ColumnUnit> unit = UnitBySpelling(below);
  LabColumn column = ReadLabColumn(name, joints);
  const bool contradicts = unit && column.unit && unit->suffix != column.unit->suffix;
  if (unit && !column.unit) column = ReadLabColumn(fmt::format("{} [{}]", name, below), joints);
  column.name = table.columns[at];
  if (contradicts || (!unit && !below.empty())) {
    column.unit.reset();
    column.unknown_unit = contradicts ? fmt::format("{} below its name", below) : below;
  }
  return column;
}

/// Joints by the numbers of columns: where field.name0 holds a joint's name in all rows,
/// field.position0 is that joint's. Empty where no columns, or several sets of them, name joints.
/// @throws ConfigError (source: the log) if the names of joints change.
std::map<int, std::string> JointsByNumber(const Log& log, const LogTable& table,
                                          const std::vector<std::string>& joints) {
  const auto is_joint = [&joints](const std::string& text) {
    return std::ranges::find(joints, text) != joints.end();
  };
  std::map<std::string, std::map<int, std::string>> sets;  // by what else their names say
  for (const ColumnText& each : table.texts) {
    const LabColumn column = ReadLabColumn(table.columns[each.column], joints);
    if (!column.number) continue;
    if (each.other_place != 0 && (is_joint(each.text) || is_joint(each.other))) {
      throw ConfigError(
          log.source,
          fmt::format("line {}, column '{}'", each.other_place, table.columns[each.column]),
          fmt::format("names '{}', and '{}' above: rows of several devices, or joints in several "
                      "orders",
                      each.other, each.text),
          {"keep the rows of one device with its joints in one order: one file for each"});
    }
    if (each.other_place == 0) sets[column.rest][*column.number] = each.text;
  }
  std::erase_if(sets, [&joints](const auto& set) {
    return std::ranges::none_of(set.second, [&joints](const auto& each) {
      return std::ranges::find(joints, each.second) != joints.end();
    });
  });
  return sets.size() == 1 ? sets.begin()->second : std::map<int, std::string>();
}

}  // namespace

std::string ColumnGroup::Describe() const {
  if (columns.size() == 1) return columns.front().name;
  if (columns.size() == 2) return fmt::format("{}, {}", columns[0].name, columns[1].name);
  return fmt::format("{}, {} … {}", columns[0].name, columns[1].name, columns.back().name);
}

Eigen::MatrixXd ColumnGroup::values() const {
  Eigen::MatrixXd values(table->values.rows(), std::ssize(columns));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    values.col(static_cast<Eigen::Index>(k)) = table->values.col(table->Find(columns[k].name));
  }
  return values;
}

std::vector<ColumnGroup> GroupColumns(const std::vector<Log>& logs,
                                      const std::vector<std::string>& stems,
                                      const std::vector<std::string>& joints) {
  std::vector<ColumnGroup> all;
  for (std::size_t k = 0; k < logs.size(); ++k) {
    const LabColumn stem = ReadLabColumn(stems[k], joints);
    for (const LogTable& table : logs[k].tables) {
      std::vector<ColumnGroup> groups;
      const bool units_below = HasUnitsBelow(table);
      const std::map<int, std::string> named = JointsByNumber(logs[k], table, joints);
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        LabColumn column = ReadColumnOf(table, c, units_below, joints);
        const std::string_view channel = ChannelIn(column, stem);
        if (channel.empty()) continue;
        const bool alone = channel == kTime;
        if (!named.empty() && !alone && column.number && column.joint.empty()) {
          const auto joint = named.find(*column.number);
          if (joint == named.end() || std::ranges::find(joints, joint->second) == joints.end()) {
            continue;  // of another robot, or of a hand
          }
          column.joint = joint->second;
        }
        auto group = std::ranges::find_if(groups, [&](const ColumnGroup& each) {
          return !alone && IsSame(each, column, channel);
        });
        if (group == groups.end()) {
          group = groups.insert(group, {k, &table, channel, column.source, column.rest, {}, false});
        }
        group->columns.push_back(std::move(column));
      }
      std::erase_if(groups, [&joints](ColumnGroup& group) { return !PutInOrder(group, joints); });
      JoinSplitStamps(groups);
      std::ranges::move(groups, std::back_inserter(all));
    }
  }
  return all;
}

}  // namespace idbench
