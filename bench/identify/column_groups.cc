#include "bench/identify/column_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

/// Channel of a column: that which its name says or, if it says nothing, the file's name. What is
/// called as a joint, and nothing else, is its position.
std::string_view ChannelIn(const LabColumn& column, const LabColumn& stem) {
  const bool says_nothing = column.kind == ColumnKind::kOther && column.rest.empty() &&
                            (column.number || !column.joint.empty());
  if (!says_nothing) return ChannelOf(column);
  const std::string_view of_file = ChannelOf(stem);
  return of_file.empty() && column.name == column.joint ? kJointPosition : of_file;
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
      for (const std::string& name : table.columns) {
        const bool prefixed = name.starts_with(table.name);  // by a topic
        const LabColumn column =
            ReadLabColumn(prefixed ? name.substr(table.name.size()) : name, joints);
        const std::string_view channel = ChannelIn(column, stem);
        if (channel.empty()) continue;
        const bool alone = channel == kTime;
        auto group = std::ranges::find_if(groups, [&](const ColumnGroup& each) {
          return !alone && IsSame(each, column, channel);
        });
        if (group == groups.end()) {
          group = groups.insert(group, {k, &table, channel, column.source, column.rest, {}, false});
        }
        group->columns.push_back(column);
        group->columns.back().name = name;
      }
      std::erase_if(groups, [&joints](ColumnGroup& group) { return !PutInOrder(group, joints); });
      JoinSplitStamps(groups);
      std::ranges::move(groups, std::back_inserter(all));
    }
  }
  return all;
}

}  // namespace idbench
