#include "hw/ros2/message_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// Those of `all` whose flag is `value`.
std::vector<std::string> Selected(std::vector<std::string> all, const std::vector<bool>& flags,
                                  bool value) {
  std::vector<std::string> selected;
  for (std::size_t j = 0; j < all.size(); ++j) {
    if (flags[j] == value) selected.push_back(std::move(all[j]));
  }
  return selected;
}

}  // namespace

std::size_t MessageTable::IndexOf(std::string_view joint, std::size_t position) {
  // Most messages have the joints of the one before.
  const std::size_t previous = joint_counts_.empty() ? 0 : joint_counts_.back();
  if (position < previous) {
    const std::size_t begin = joint_indices_.size() - position - previous;
    const std::size_t index = joint_indices_[begin + position];
    if (joints_[index] == joint) return index;
  }
  const auto [found, is_new] = index_of_joint_.try_emplace(std::string(joint), joints_.size());
  if (!is_new) return found->second;
  if (joint.empty() && type_.of_joints) throw MessageError("a joint has no name");
  if (!IsUtf8(joint)) {
    throw MessageError(
        fmt::format("the name of a joint is not UTF-8: '{}'", ReplaceIllFormed(joint)));
  }
  joints_.emplace_back(joint);
  last_message_.push_back(0);
  holds_number_.resize(joints_.size() * type_.columns.size(), false);
  return found->second;
}

void MessageTable::Add(const MessageRow& row, std::int64_t stamp_ns) {
  const std::size_t columns = type_.columns.size();
  const std::size_t number = stamps_ns_.size() + 1;
  for (std::size_t i = 0; i < row.joints.size(); ++i) {
    const std::size_t index = IndexOf(row.joints[i], i);
    if (std::exchange(last_message_[index], number) == number) {
      throw MessageError(fmt::format("the name of joint '{}' stands in it twice", row.joints[i]));
    }
    joint_indices_.push_back(index);
    for (std::size_t k = 0; k < columns; ++k) {
      if (!std::isnan(row.values[columns * i + k])) holds_number_[columns * index + k] = true;
    }
  }
  values_.insert(values_.end(), row.values.begin(), row.values.end());
  joint_counts_.push_back(row.joints.size());
  stamps_ns_.push_back(stamp_ns);
}

bool MessageTable::stamps_are_zero() const {
  return std::ranges::all_of(stamps_ns_, [](std::int64_t stamp) { return stamp == 0; });
}

std::vector<std::string> MessageTable::AllColumns() const {
  std::vector<std::string> names;
  for (const std::string& joint : joints_) {
    const std::string prefix = type_.of_joints ? fmt::format("{}/{}", topic_, joint) : topic_;
    for (const std::string_view column : type_.columns) {
      names.push_back(fmt::format("{}/{}", prefix, column));
    }
  }
  return names;
}

std::vector<std::string> MessageTable::EmptyColumns() const {
  return Selected(AllColumns(), holds_number_, false);
}

template <class Function>
void MessageTable::ForEachNumber(const Function& function) const {
  const std::size_t columns = type_.columns.size();
  auto joint = joint_indices_.begin();
  auto value = values_.begin();
  for (std::size_t message = 0; message < joint_counts_.size(); ++message) {
    for (std::size_t i = 0; i < joint_counts_[message]; ++i, ++joint) {
      for (std::size_t k = 0; k < columns; ++k, ++value) {
        if (!std::isnan(*value)) function(message, columns * *joint + k, *value);
      }
    }
  }
}

LogTable MessageTable::Finish(const std::vector<std::string>& wanted) const {
  LogTable table{topic_, Selected(AllColumns(), holds_number_, true), {}, {}, "message", {}};
  std::vector<Eigen::Index> column_of(holds_number_.size(), 0);
  std::vector<bool> is_wanted(holds_number_.size(), false);
  for (std::size_t j = 0, next = 0; j < holds_number_.size(); ++j) {
    if (!holds_number_[j]) continue;
    is_wanted[j] = wanted.empty() || std::ranges::find(wanted, table.columns[next]) != wanted.end();
    column_of[j] = static_cast<Eigen::Index>(next++);
  }

  std::vector<bool> keep(stamps_ns_.size(), false);
  ForEachNumber([&](std::size_t message, std::size_t column, double) {
    if (is_wanted[column]) keep[message] = true;
  });
  std::vector<Eigen::Index> row_of(keep.size(), 0);
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (!keep[i]) continue;
    row_of[i] = static_cast<Eigen::Index>(table.places.size());
    table.stamps_ns.push_back(stamps_ns_[i]);
    table.places.push_back(static_cast<std::int64_t>(i) + 1);
  }

  table.values.setConstant(static_cast<Eigen::Index>(table.places.size()),
                           static_cast<Eigen::Index>(table.columns.size()),
                           std::numeric_limits<double>::quiet_NaN());
  ForEachNumber([&](std::size_t message, std::size_t column, double value) {
    if (keep[message]) table.values(row_of[message], column_of[column]) = value;
  });
  return table;
}

}  // namespace idbench
