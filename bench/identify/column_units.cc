#include "bench/identify/column_units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>
#include <set>
#include <utility>

#include "hw/units.h"
#include "robots/recording/resample.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Rates of logs, by which stamps without a unit are read.
constexpr double kSlowestRateHz = 10.0, kFastestRateHz = 2e4;

/// Part of the samples that the joint limits allow, with values times `to_rad`.
double Allowed(const ColumnGroup& group, const RobotModel& model,
               const std::vector<std::string>& joints, double to_rad) {
  const Eigen::MatrixXd values = group.values();
  const JointLimits& limits = model.limits();
  Eigen::Index allowed = 0;
  for (Eigen::Index j = 0; j < values.cols(); ++j) {
    const int joint = model.JointIndex(joints[static_cast<std::size_t>(j)]);
    constexpr double kWide = 4.0 * std::numbers::pi;
    const double lower = std::max(limits.lower[joint], -kWide);
    const double upper = std::min(limits.upper[joint], kWide);
    const double margin = 0.05 * (upper - lower);
    const Eigen::ArrayXd q = to_rad * values.col(j).array();
    allowed += (q.isNaN() || (q >= lower - margin && q <= upper + margin)).count();
  }
  return static_cast<double>(allowed) /
         static_cast<double>(std::max<Eigen::Index>(values.size(), 1));
}

}  // namespace

/// Unit that the user or all names say, "" if none says one. Units that differ stay with the
/// names, which then have to end in them.
std::optional<std::string> ColumnUnits::SaidUnit(const ColumnGroup& group) const {
  if (const std::string* unit = ValueOf(told_.units, group.channel)) return *unit;
  for (const LabColumn& column : group.columns) {
    if (column.unknown_unit.empty()) continue;
    throw ConfigError(
        logs_[group.log].source, fmt::format("column '{}'", column.name),
        fmt::format("is in '{}', which is no unit that idbench reads there", column.unknown_unit),
        {fmt::format("say what it is by one of {} and a factor: --unit {}=UNIT --factor {}=K",
                     fmt::join(UnitsOfChannel(group.channel), ", "), group.channel,
                     group.channel)});
  }
  std::set<std::string> units;
  bool in_names = true;
  for (const LabColumn& column : group.columns) {
    units.insert(column.unit ? std::string(column.unit->suffix) : "");
    const std::optional<ColumnUnit> own = UnitOfColumn(column.name);
    in_names = in_names && own && column.unit && own->suffix == column.unit->suffix;
  }
  if (units.size() == 1) return *units.begin();
  if (in_names) return std::nullopt;
  throw ConfigError(logs_[group.log].source, "",
                    fmt::format("the columns of {} are in several units, or some say none: {}",
                                group.channel, group.Describe()),
                    {"say the one that all have (--unit CHANNEL=UNIT), or let each name end in its "
                     "own: q1_deg, d2_mm"});
}

std::optional<std::string> ColumnUnits::OfTorques(const ColumnGroup& group) const {
  std::optional<std::string> said = SaidUnit(group);
  constexpr std::string_view kAmperes = "a";
  if (said == kAmperes || std::ranges::any_of(group.columns, [](const LabColumn& column) {
        return column.kind == ColumnKind::kCurrent;
      })) {
    const bool scaled = ValueOf(told_.factors, group.channel) != nullptr;
    sentences_.push_back(
        scaled ? fmt::format("{} are currents by their names: torques with the factors told",
                             group.Describe())
               : fmt::format("{} are currents by their names: taken for torques of 1 N·m/A, which "
                             "they hardly are; say each joint's torque constant times its gear "
                             "ratio, --factor {}=K1,K2,…",
                             group.Describe(), group.channel));
    return "nm";
  }
  if (!said || !said->empty()) return said;
  sentences_.push_back(
      fmt::format("{} says no unit: taken for N·m (N of sliding joints)", group.Describe()));
  return "nm";
}

std::optional<std::string> ColumnUnits::OfPositions(const ColumnGroup& group,
                                                    const RobotModel& model,
                                                    const std::vector<std::string>& joints) const {
  std::optional<std::string> said = SaidUnit(group);
  if (!said || !said->empty()) {
    if (said && group.channel == kJointPosition) CheckKinds(group, *said, model, joints);
    return said;
  }
  if (group.channel == kMotorPosition) return "rad";
  constexpr double kNearlyAll = 0.99;
  const double as_rad = Allowed(group, model, joints, 1.0);
  const double as_deg = Allowed(group, model, joints, std::numbers::pi / 180.0);
  const bool degrees = as_rad < kNearlyAll && as_deg >= kNearlyAll;
  sentences_.push_back(
      degrees ? fmt::format("{} says no unit: taken for degrees, because {:.0f} % of the samples "
                            "leave the joint limits as radians and {:.0f} % do as degrees",
                            group.Describe(), 100.0 * (1.0 - as_rad), 100.0 * (1.0 - as_deg))
              : fmt::format("{} says no unit: taken for radians (metres of sliding joints)",
                            group.Describe()));
  return degrees ? "deg" : "rad";
}

void ColumnUnits::CheckKinds(const ColumnGroup& group, const std::string& unit,
                             const RobotModel& model,
                             const std::vector<std::string>& joints) const {
  const std::optional<ColumnUnit> known = UnitBySuffix(unit);
  if (!known || known->to_si == 1.0) return;  // SI units: rad, and m of what slides
  const bool length = known->si == "m";
  for (const std::string& joint : joints) {
    const bool slides = model.link(model.JointIndex(joint)).type == JointType::kPrismatic;
    if (slides == length) continue;
    throw ConfigError(logs_[group.log].source, "",
                      fmt::format("{} are in {}, and {} {}", group.Describe(), unit, joint,
                                  slides ? "slides" : "turns"),
                      {"say the unit that all have (--unit joint_position=rad: SI units), or let "
                       "each name end in its own: q1_deg, d2_mm"});
  }
}

std::optional<std::string> ColumnUnits::OfTimeIfAny(const ColumnGroup& group) const {
  std::string said = SaidUnit(group).value_or("");
  if (!said.empty()) return said;
  const Eigen::VectorXd stamps = group.values().col(0);
  const double rate = stamps.size() < 2 ? 0.0 : NominalRate(stamps);
  for (const auto& [unit, per_second] :
       {std::pair("s", 1.0), std::pair("ms", 1e3), std::pair("us", 1e6), std::pair("ns", 1e9)}) {
    if (rate * per_second < kSlowestRateHz || rate * per_second > kFastestRateHz) continue;
    sentences_.push_back(
        fmt::format("{} says no unit: taken for {}, which makes the rate {:.4g} Hz",
                    group.Describe(), unit, rate * per_second));
    return unit;
  }
  return std::nullopt;
}

std::string ColumnUnits::OfTime(const ColumnGroup& group) const {
  if (std::optional<std::string> unit = OfTimeIfAny(group)) return *unit;
  const Eigen::VectorXd stamps = group.values().col(0);
  throw ConfigError(
      logs_.front().source, fmt::format("column '{}'", group.columns.front().name),
      fmt::format("its steps are {:.3g} in the median, which makes no rate between "
                  "{} Hz and {} Hz in s, ms, µs or ns",
                  stamps.size() < 2 ? 0.0 : 1.0 / NominalRate(stamps), kSlowestRateHz,
                  kFastestRateHz),
      {"say its unit (--unit time=ms), or the rate of equally spaced rows (--rate HZ)"});
}

}  // namespace idbench
