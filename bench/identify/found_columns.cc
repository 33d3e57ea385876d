#include "bench/identify/found_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <list>
#include <optional>
#include <utility>

#include "bench/identify/column_groups.h"
#include "bench/identify/column_units.h"
#include "bench/identify/found_time.h"
#include "bench/identify/nameless_columns.h"
#include "hw/units.h"
#include "robots/robot_file.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/name_pattern.h"

namespace idbench {
namespace {

/// What identification needs, and what it uses if it is there. Of a line with several, one will do.
constexpr auto kPositions = std::to_array<std::string_view>({kJointPosition, kMotorPosition});
constexpr auto kTorques = std::to_array<std::string_view>({kJointTorque, kMotorTorque});

/// Cure where columns of several files have the same names.
constexpr std::string_view kTellingNames =
    "positions and torques in files of their own need names that tell which is which, as "
    "position.csv and torque.csv";

/// "joint_position: 'q1, q2 … q7' of /joint_states", for lists.
std::string Line(const ColumnGroup& group) {
  return fmt::format("{}: {} ({} columns{})", group.channel, group.Describe(), group.columns.size(),
                     group.table->name.empty() ? "" : " of " + group.table->name);
}

/// Order in which groups of one channel are preferred, the least first: by the joints that they
/// lack, by source, by words that were not understood.
std::array<std::size_t, 3> Rank(const ColumnGroup& group, std::size_t dofs) {
  constexpr auto kOfSource = std::to_array<std::size_t>({1, 0, 2});  // plain, measured, commanded
  const std::size_t count = group.columns.size();
  return {count < dofs ? dofs - count : count - dofs,
          kOfSource.at(static_cast<std::size_t>(group.source)), group.rest.empty() ? 0U : 1U};
}

constexpr std::string_view kFactorOption = "--factor";

class ColumnFinder {
 public:
  ColumnFinder(const std::vector<Log>& logs, const std::vector<std::string>& stems,
               const Robot& whole, const LogColumns& told)
      : logs_(logs), stems_(stems), whole_(whole), told_(told), joints_(whole.model.joint_names()) {
    groups_ = GroupColumns(logs, stems, joints_);
    if (std::optional<NamelessColumns> nameless = ReadNameless(logs, dofs())) {
      groups_ = std::move(nameless->groups);
      found_.sentences = std::move(nameless->sentences);
    }
    for (const Log& log : logs_) SayUnknownNames(log);
    CheckUnits();
    if (HasOwnColumns()) TakeOwn();
  }

  FoundColumns Find() && {
    const ColumnGroup& position = Choose(kPositions);
    position_log_ = position.log;
    if (std::ranges::all_of(position.columns,
                            [](const LabColumn& each) { return each.name == each.joint; })) {
      found_.sentences.push_back(
          fmt::format("{} are the joints' names alone: taken for positions", position.Describe()));
    }
    TakeJoints(position);
    const ColumnGroup& torque = Choose(kTorques);
    RefuseShared(position, torque);
    Take(position, units_.OfPositions(position, whole_.model, found_.joints));
    Take(torque, units_.OfTorques(torque));
    TakeVelocity(position);
    TakeTime(position);
    TakeNumbers(told_.factors, kFactorOption, found_.factors);
    TakeNumbers(told_.offsets, "--offset", found_.offsets);
    return std::move(found_);
  }

 private:
  std::size_t dofs() const { return joints_.size(); }

  /// Says which names in columns of text are no joints of the robot, if none is.
  void SayUnknownNames(const Log& log) {
    for (const LogTable& table : log.tables) {
      std::vector<std::string> names;
      for (const ColumnText& each : table.texts) {
        const LabColumn column = ReadLabColumn(table.columns[each.column], joints_);
        const bool names_one = column.number && each.other_place == 0 && !each.text.empty();
        if (names_one) names.push_back(each.text);
      }
      const auto is_joint = [this](const std::string& name) {
        return std::ranges::find(joints_, name) != joints_.end();
      };
      if (names.size() < 2 || std::ranges::any_of(names, is_joint)) continue;
      found_.sentences.push_back(
          fmt::format("columns of text name {}, which are no joints of the robot ({}): other "
                      "columns are taken by their numbers",
                      ListSome(names), ListSome(joints_)));
    }
  }

  /// Units that the user says, as idbench spells them.
  void CheckUnits() {
    for (auto& [channel, unit] : told_.units) {
      const std::vector<std::string> accepted = UnitsOfChannel(channel);
      const std::optional<ColumnUnit> known = UnitBySpelling(unit);
      if (!known || std::ranges::find(accepted, known->suffix) == accepted.end()) {
        throw ConfigError("--unit", channel, fmt::format("'{}' is no unit of it", unit),
                          {fmt::format("accepted here: {}", fmt::join(accepted, ", ")),
                           "other ones: --factor turns them into these"});
      }
      unit = known->suffix;
    }
  }

  /// True if the logs look as the robot's own ones do, and the user does not say how they look.
  bool HasOwnColumns() const {
    if (whole_.log.columns.empty() || !told_.columns.empty()) return false;
    return std::ranges::all_of(whole_.log.columns, [this](const auto& own) {
      std::string problem;
      const std::vector<std::string> names = ExpandPattern(own.second, problem);
      return std::ranges::all_of(names, [this](const std::string& name) {
        return std::ranges::any_of(
            logs_, [&name](const Log& log) { return log.TableOf(name) != nullptr; });
      });
    });
  }

  void TakeOwn() {
    told_by_ = kRobotFile;
    told_.columns = whole_.log.columns;
    for (const auto& [channel, unit] : whole_.log.units) {
      if (ValueOf(told_.units, channel) == nullptr) told_.units.emplace_back(channel, unit);
    }
    for (const auto& [channel, factors] : whole_.log.factors) {
      if (ValueOf(told_.factors, channel) == nullptr) told_.factors.emplace_back(channel, factors);
    }
    for (const auto& [channel, offsets] : whole_.log.offsets) {
      if (ValueOf(told_.offsets, channel) == nullptr) told_.offsets.emplace_back(channel, offsets);
    }
    own_rate_hz_ = whole_.log.rate_hz;
    found_.sentences.push_back(
        fmt::format("the columns are those of {}'s own logs: what they hold, and in which units, "
                    "says its {}",
                    whole_.name, kRobotFile));
  }

  void RefuseShared(const ColumnGroup& position, const ColumnGroup& torque) const {
    if (position.table != torque.table) return;
    for (const LabColumn& column : torque.columns) {
      const auto& others = position.columns;
      if (std::ranges::find(others, column.name, &LabColumn::name) == others.end()) continue;
      throw ConfigError(
          logs_[torque.log].source, fmt::format("column '{}'", column.name),
          fmt::format("is asked for as {} and as {}", position.channel, torque.channel),
          {"say other columns with --columns", std::string(kTellingNames)});
    }
  }

  std::string Everything() const {
    std::vector<std::string> names;
    for (const Log& log : logs_) {
      for (const std::string& name : log.columns()) names.push_back(name);
    }
    constexpr std::size_t kShown = 40;
    const std::size_t more = names.size() > kShown ? names.size() - kShown : 0;
    names.resize(names.size() - more);
    return fmt::format("{}{}", fmt::join(names, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
  }

  /// The group of one of the channels that is best, or that the user told.
  template <std::size_t N>
  const ColumnGroup& Choose(const std::array<std::string_view, N>& channels) {
    for (const std::string_view channel : channels) {
      if (const std::string* pattern = ValueOf(told_.columns, channel)) {
        const ColumnGroup& group = Told(channel, *pattern);
        CheckCount(group);
        return group;
      }
    }
    std::vector<const ColumnGroup*> candidates;
    for (const ColumnGroup& group : groups_) {
      if (std::ranges::find(channels, group.channel) == channels.end()) continue;
      if (const ColumnGroup* own = OfRecorded(group)) candidates.push_back(own);
    }
    std::ranges::stable_sort(candidates, {},
                             [this](const ColumnGroup* group) { return Rank(*group, dofs()); });
    if (candidates.size() > 1 && Rank(*candidates[0], dofs()) == Rank(*candidates[1], dofs())) {
      RefuseAmbiguous(channels.front(), candidates);
    }
    if (candidates.empty()) RefuseMissing(channels.front());
    return *candidates.front();
  }

  /// The group with the columns of the recorded joints alone; nullptr if it lacks one of them.
  /// Before it is known which are recorded, the group as it is, unless it cannot be of the robot's.
  const ColumnGroup* OfRecorded(const ColumnGroup& group) {
    const std::vector<std::string>& recorded = found_.joints;
    if (recorded.empty()) {
      return group.by_joint || group.columns.size() <= dofs() ? &group : nullptr;
    }
    if (!group.by_joint) return group.columns.size() == recorded.size() ? &group : nullptr;
    ColumnGroup own = group;
    own.columns.clear();
    for (const std::string& joint : recorded) {
      const auto column = std::ranges::find(group.columns, joint, &LabColumn::joint);
      if (column == group.columns.end()) return nullptr;
      own.columns.push_back(*column);
    }
    return &kept_.emplace_back(std::move(own));
  }

  /// Refuses columns that the user told if they are not as many as the joints that are recorded.
  void CheckCount(const ColumnGroup& group) const {
    const std::size_t most = found_.joints.empty() ? dofs() : found_.joints.size();
    const std::size_t count = group.columns.size();
    if (found_.joints.empty() ? count <= most : count == most) return;
    throw ConfigError(
        told_by_, std::string(group.channel),
        fmt::format("names {} columns, and {} {} joints", count,
                    found_.joints.empty() ? "the robot has" : "positions are of", most));
  }

  const ColumnGroup& Told(std::string_view channel, const std::string& pattern) {
    std::string problem;
    const std::vector<std::string> names = ExpandPattern(pattern, problem);
    if (!problem.empty()) throw ConfigError(told_by_, std::string(channel), problem);
    std::vector<ColumnGroup> found;
    for (std::size_t k = 0; k < logs_.size(); ++k) {
      const LogTable* table = logs_[k].TableOf(names.front());
      if (table == nullptr || (logs_.size() > 1 && HoldsOthers(k, channel))) continue;
      const auto lacks = [table](const std::string& name) { return table->Find(name) < 0; };
      if (std::ranges::any_of(names, lacks)) continue;
      ColumnGroup& group =
          found.emplace_back(ColumnGroup{k, table, channel, ColumnSource::kPlain, "", {}, false});
      for (const std::string& name : names) group.columns.push_back(ReadLabColumn(name, {}));
    }
    if (found.size() == 1) return kept_.emplace_back(std::move(found.front()));
    if (found.size() > 1) RefuseTwice(channel, names.front(), found);
    Log all{logs_.front().source, {}};
    for (const Log& log : logs_) {
      all.tables.insert(all.tables.end(), log.tables.begin(), log.tables.end());
    }
    CheckWanted(all, names);
    throw ConfigError(all.source, "",
                      fmt::format("the columns of {} are not in one table", channel));
  }

  [[noreturn]] void RefuseTwice(std::string_view channel, const std::string& name,
                                const std::vector<ColumnGroup>& found) const {
    std::vector<std::string> files;
    for (const ColumnGroup& group : found) files.push_back(logs_[group.log].source);
    throw ConfigError(
        files.front(), fmt::format("column '{}'", name),
        fmt::format("may be {} in several files: {}", channel, fmt::join(files, ", ")),
        {std::string(kTellingNames)});
  }

  /// True if a file of several holds others than the channel's columns: by what its columns or, if
  /// these tell nothing, its name say. Time stands beside positions.
  bool HoldsOthers(std::size_t log, std::string_view channel) const {
    if (channel == kTime) return log != position_log_;
    bool positions = false, torques = false;
    const auto read = [&](std::string_view said) {
      positions = positions || std::ranges::find(kPositions, said) != kPositions.end();
      torques =
          torques || said == kMotorCurrent || std::ranges::find(kTorques, said) != kTorques.end();
    };
    for (const ColumnGroup& group : groups_) {
      if (group.log == log) read(group.channel);
    }
    if (!positions && !torques) read(ChannelOf(ReadLabColumn(stems_[log], joints_)));
    const bool wants_torque = std::ranges::find(kTorques, channel) != kTorques.end();
    return wants_torque ? positions && !torques : torques && !positions;
  }

  /// "say which: --columns joint_torque='tau{1..6}'"
  std::string Example(std::string_view channel) const {
    const bool position = std::ranges::find(kPositions, channel) != kPositions.end();
    return fmt::format("say which: --columns {}='{}{{1..{}}}'", channel, position ? "q" : "tau",
                       dofs());
  }

  [[noreturn]] void RefuseAmbiguous(std::string_view channel,
                                    const std::vector<const ColumnGroup*>& candidates) const {
    std::vector<std::string> details;
    for (const ColumnGroup* group : candidates) details.push_back(Line(*group));
    details.push_back(Example(channel));
    throw ConfigError(logs_.front().source, "", fmt::format("several columns may be {}", channel),
                      std::move(details));
  }

  /// What the logs hold, for messages.
  std::vector<std::string> Contents() const {
    std::vector<std::string> lines = {fmt::format("the columns: {}", Everything())};
    for (const Log& log : logs_) {
      if (!log.others.empty()) lines.push_back(fmt::format("besides: {}", ListSome(log.others)));
    }
    return lines;
  }

  [[noreturn]] void RefuseMissing(std::string_view channel) const {
    std::vector<std::string> details = Contents();
    for (const ColumnGroup& group : groups_) {
      if (group.channel == channel) {
        details.push_back(fmt::format("{}, but the robot has {} joints: {}", Line(group), dofs(),
                                      ListSome(joints_)));
      }
      if (group.channel == kMotorCurrent && channel == kJointTorque) {
        details.push_back(fmt::format(
            "{} are currents: they are torques with each joint's gear ratio · torque constant, "
            "--columns joint_torque=… --factor joint_torque=K1,K2,…",
            group.Describe()));
      }
    }
    details.push_back(Example(channel));
    throw ConfigError(logs_.front().source, "", fmt::format("no columns of {} found", channel),
                      std::move(details));
  }

  void TakeJoints(const ColumnGroup& position) {
    if (position.by_joint) {
      for (const LabColumn& column : position.columns) found_.joints.push_back(column.joint);
      if (found_.joints.size() == dofs()) return;
      found_.sentences.push_back(
          fmt::format("{} of the robot's {} joints are recorded: {}; the others are held at 0",
                      found_.joints.size(), dofs(), ListSome(found_.joints)));
      return;
    }
    const std::size_t count = position.columns.size();
    if (count > dofs()) RefuseMissing(position.channel);
    if (count < dofs() && !IsChain(count)) {
      throw ConfigError(
          logs_[position.log].source, "",
          fmt::format("{} columns of {}, and the robot has {} joints: which ones are they?", count,
                      position.channel, dofs()),
          {fmt::format("the columns: {}", position.Describe()),
           fmt::format("the joints: {}", fmt::join(joints_, ", ")),
           "say which joints these are: --joints PATTERN (the columns are in the model's order, "
           "the others are held)"});
    }
    found_.joints.assign(joints_.begin(), joints_.begin() + static_cast<std::ptrdiff_t>(count));
    if (count == dofs()) return;
    const std::vector<std::string> others(joints_.begin() + static_cast<std::ptrdiff_t>(count),
                                          joints_.end());
    found_.sentences.push_back(
        fmt::format("{} columns of positions, and the robot has {} joints: taken for the first "
                    "ones of the model "
                    "({}); held at 0: {}",
                    count, dofs(), ListSome(found_.joints), ListSome(others)));
  }

  /// True if the first joints of the model carry one another.
  bool IsChain(std::size_t count) const {
    for (std::size_t k = 1; k < count; ++k) {
      const int i = static_cast<int>(k);
      if (whole_.model.link(i).parent != i - 1) return false;
    }
    return true;
  }

  void Take(const ColumnGroup& group, const std::optional<std::string>& unit) {
    ColumnNames names;
    for (const LabColumn& column : group.columns) names.list.push_back(column.name);
    found_.columns[group.channel] = names;
    found_.units[group.channel] = unit;
    found_.log_of.emplace_back(std::string(group.channel), group.log);
    found_.sentences.push_back(
        fmt::format("{}: {}{}, in {}{}", group.channel, group.Describe(),
                    group.table->name.empty() ? "" : fmt::format(" of {}", group.table->name),
                    unit ? *unit : std::string("the units that the names end in"),
                    group.source == ColumnSource::kCommanded
                        ? "; the name says that it was commanded, not measured"
                        : ""));
    if (group.channel == kJointTorque && group.source == ColumnSource::kCommanded) {
      found_.findings.push_back(
          {.check = "torque_is_commanded",
           .joint = "",
           .evidence = fmt::format("the names of {} say that they were commanded, not measured",
                                   group.Describe()),
           .cure = "take measured torques or currents (--columns joint_torque=NAME_*, --factor); "
                   "what a controller computes from its own model gives back that model"});
    }
  }

  /// Velocities of the same joints, measured as the positions are, that are all there.
  void TakeVelocity(const ColumnGroup& position) {
    if (logs_.size() > 1 || position.channel != kJointPosition) return;
    for (const ColumnGroup& group : groups_) {
      const bool beside = group.channel == kJointVelocity && group.table == position.table &&
                          group.source == position.source && group.rest == position.rest;
      const ColumnGroup* const own = beside ? OfRecorded(group) : nullptr;
      if (own == nullptr || own->by_joint != position.by_joint || !own->values().allFinite()) {
        continue;
      }
      std::string unit = found_.units[kJointPosition] == "deg" ? "deg_s" : "rad_s";
      const std::optional<ColumnUnit>& said = own->columns.front().unit;
      const bool alike = std::ranges::all_of(own->columns, [&said](const LabColumn& column) {
        return column.unknown_unit.empty() && column.unit.has_value() == said.has_value() &&
               (!said || column.unit->suffix == said->suffix);
      });
      if (!alike) return;
      if (said) unit = said->suffix;
      ColumnNames& names = found_.velocity.emplace();
      for (const LabColumn& column : own->columns) names.list.push_back(column.name);
      found_.velocity_unit = std::move(unit);
      return;
    }
  }

  /// Numbers of channels that are taken, one or as many as joints.
  void TakeNumbers(const Labelled<PerJoint>& told, std::string_view option,
                   PerChannel<std::optional<PerJoint>>& numbers) {
    for (const auto& [channel, values] : told) {
      const bool own = std::ranges::any_of(
          option == kFactorOption ? whole_.log.factors : whole_.log.offsets,
          [&](const auto& each) { return each.first == channel && each.second == values; });
      const std::string by = own ? std::string(kRobotFile) : std::string(option);
      if (channel == kTime || !found_.columns[channel]) {
        throw ConfigError(by, channel, "no columns of it are taken",
                          {fmt::format("taken: {}", fmt::join(TakenChannels(), ", "))});
      }
      const std::size_t count = values.values.size(), joints = found_.joints.size();
      if (count != 1 && count != joints) {
        throw ConfigError(by, channel, fmt::format("got {} numbers", count),
                          {fmt::format("accepted here: one number, or one of each of {} joints: {}",
                                       joints, ListSome(found_.joints))});
      }
      numbers[channel] = values;
      found_.sentences.push_back(fmt::format("{}: {} {:g}", channel,
                                             option == kFactorOption ? "times" : "plus",
                                             fmt::join(values.values, ", ")));
    }
  }

  std::vector<std::string> TakenChannels() const {
    std::vector<std::string> taken;
    for (const auto& [channel, log] : found_.log_of) taken.push_back(channel);
    return taken;
  }

  void TakeTime(const ColumnGroup& position) {
    const std::string* const pattern = ValueOf(told_.columns, kTime);
    const std::optional<FoundTime> time =
        FindTime({.groups = groups_,
                  .positions = *position.table,
                  .told = pattern != nullptr ? &Told(kTime, *pattern) : nullptr,
                  .told_hz = told_.rate_hz,
                  .own_hz = own_rate_hz_},
                 units_);
    if (!time) RefuseTimeless(*position.table);
    found_.rate_hz = time->rate_hz;
    if (!time->columns.empty()) {
      found_.columns[kTime].emplace().list = time->columns;
      found_.units[kTime] = time->unit;
      if (const std::string* told = ValueOf(told_.units, kTime)) found_.units[kTime] = *told;
    }
    std::ranges::copy(time->sentences, std::back_inserter(found_.sentences));
    std::ranges::copy(time->findings, std::back_inserter(found_.findings));
  }

  [[noreturn]] void RefuseTimeless(const LogTable& positions) const {
    std::vector<std::string> details = Contents();
    for (const ColumnGroup& group : groups_) {
      const Eigen::Index rows = group.table->values.rows();
      if (group.channel != kTime || rows == positions.values.rows()) continue;
      details.push_back(fmt::format("{} has {} rows, positions have {}: time needs as many",
                                    group.Describe(), rows, positions.values.rows()));
    }
    details.emplace_back(
        "say which: --columns time=NAME, or the rate of equally spaced rows: --rate HZ");
    throw ConfigError(logs_.front().source, "", "no column of time found", std::move(details));
  }

  const std::vector<Log>& logs_;
  const std::vector<std::string>& stems_;
  const Robot& whole_;
  LogColumns told_;  ///< By the user or, of the robot's own logs, by its robot.json.
  std::string told_by_ = "--columns";
  std::optional<double> own_rate_hz_;
  std::size_t position_log_ = 0;
  std::vector<std::string> joints_;
  std::vector<ColumnGroup> groups_;
  std::list<ColumnGroup> kept_;  ///< What was told, and parts of groups.
  FoundColumns found_;
  const ColumnUnits units_{logs_, told_, found_.sentences};
};

}  // namespace

FoundColumns FindColumns(const std::vector<Log>& logs, const std::vector<std::string>& stems,
                         const Robot& whole, const LogColumns& told) {
  return ColumnFinder(logs, stems, whole, told).Find();
}

}  // namespace idbench
