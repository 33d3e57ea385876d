#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hw/log/log.h"
#include "hw/ros2/ros2_messages.h"

namespace idbench {

/// Collects the messages of a topic and makes a table of them.
///
/// Its columns are "<topic>/<joint>/<column of the type>", joints in the order in which they first
/// appear; of a type without joints "<topic>/<column>".
class MessageTable {
 public:
  /// @param type  must outlive the table.
  MessageTable(std::string topic, const MessageType& type)
      : topic_(std::move(topic)), type_(type) {}

  /// Appends a message, which is the next one in the table's order.
  /// @throws MessageError if a joint has no name, one that is not UTF-8, or that of another one.
  void Add(const MessageRow& row, std::int64_t stamp_ns);

  std::int64_t size() const { return static_cast<std::int64_t>(stamps_ns_.size()); }
  /// True if no message has a stamp other than 0.
  bool stamps_are_zero() const;

  /// Returns all columns that hold a number in some row, and all rows that hold one.
  /// @param wanted  only rows with a number in one of these columns; empty: in any.
  LogTable Finish(const std::vector<std::string>& wanted) const;
  /// Returns the columns that hold no number in any row.
  std::vector<std::string> EmptyColumns() const;

 private:
  std::size_t IndexOf(std::string_view joint, std::size_t position);
  std::vector<std::string> AllColumns() const;
  /// Calls function(message, column, number), both counted from 0, for each number that is there.
  template <class Function>
  void ForEachNumber(const Function& function) const;

  std::string topic_;
  const MessageType& type_;
  std::vector<std::string> joints_;
  std::unordered_map<std::string, std::size_t> index_of_joint_;
  std::vector<std::size_t> last_message_;  ///< Of each joint, counted from 1.
  std::vector<bool> holds_number_;         ///< Of each column.
  // Message by message: its joints, and their numbers.
  std::vector<std::int64_t> stamps_ns_;
  std::vector<std::size_t> joint_counts_;
  std::vector<std::size_t> joint_indices_;
  std::vector<double> values_;
};

}  // namespace idbench
