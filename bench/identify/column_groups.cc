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

/// The name of a column of a table and, in brackets, the unit that stands below it.
std::string NameWithUnit(const LogTable& table, std::size_t column) {
  std::string name = table.columns[column];
  if (name.starts_with(table.name)) name = name.substr(table.name.size());  // a topic
  if (table.below_names.empty()) return name;
  std::string_view below = table.below_names[column];
  constexpr std::string_view kAround = " \t[]()";
  below.remove_prefix(std::min(below.find_first_not_of(kAround), below.size()));
  below = below.substr(0, below.find_last_not_of(kAround) + 1);
  return UnitBySpelling(below) ? fmt::format("{} [{}]", name, below) : name;
}

/// Joints by the numbers of columns: where field.name0 holds a joint's name in all rows,
/// field.position0 is that joint's. Empty where no columns, or several sets of them, name joints.
std::map<int, std::string> JointsByNumber(const LogTable& table,
                                          const std::vector<std::string>& joints) {
  std::map<std::string, std::map<int, std::string>> sets;  // by what else their names say
  for (const auto& [at, text] : table.texts) {
    const LabColumn column = ReadLabColumn(table.columns[at], joints);
    if (column.number) sets[column.rest][*column.number] = text;
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
      const std::map<int, std::string> named = JointsByNumber(table, joints);
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        LabColumn column = ReadLabColumn(NameWithUnit(table, c), joints);
        column.name = table.columns[c];
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
