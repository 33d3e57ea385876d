#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/lab_checks/data_change.h"
#include "bench/lab_checks/lab_fit.h"

namespace idbench {

/// A mistake that a log may hold, and the change that would undo it.
struct Cure {
  std::string_view check;    ///< Key of the check whose mistake it is.
  std::vector<int> columns;  ///< Joints whose columns it changes; empty: all of the log.
  DataChange change;         ///< It, and what was found before.
  std::string does = {};     ///< "with the positions of joint2 turned in sign"
  std::string advice = {};   ///< What to do if it is true.
  /// How many numbers were searched for it, of columns in another order how many of some moved less
  /// one: what has more is preferred only if it is clearly better.
  int numbers = 0;
  /// Searches anew, with another fit, from where the first search ended; empty without numbers.
  std::function<Cure(LabFit& fit)> refine = nullptr;
  /// Searches near its number, with `all` that was found beside it; empty where that cannot shift
  /// it.
  std::function<Cure(const DataChange& all, LabFit& fit)> anew = nullptr;
  double least_gain = 0.2;  ///< Σ over columns of log(rms before / rms after) that it must gain.
  double value = 0.0;       ///< The number: degrees, or a factor.
  /// Counts an earlier step of the same cure in `value` and words; null where these are of the
  /// whole change anyhow.
  std::function<void(Cure& cure, const Cure& earlier)> count = nullptr;
  bool turns_torques = false;  ///< It turns signs of torques, and changes nothing else.
};

/// Returns what a check would try after `now`. Searches over numbers use the fit.
using CuresOf = std::vector<Cure> (*)(const DataChange& now, LabFit& fit);

/// Returns x of least f(x) within start ± reach, to `tolerance`, where f has one minimum there.
double GoldenSection(const std::function<double(double)>& f, double start, double reach,
                     double tolerance);

/// Returns log a of the factor a of a column's torques with which the structure fits best: within
/// `start` ± 10·step in steps, then on finer grids, because the loss may have several minima.
double BestLogScale(const DataChange& now, LabFit& fit, int column, double start, double step);

/// "all joints", or "joint2, joint3".
std::string NamesOf(const RobotModel& model, const std::vector<int>& columns);

/// "with the torques of joint2 from the column of joint3, of joint3 from the column of joint2":
/// what a change reorders; `columns` get the joints that it does this to. "" if it does not.
std::string DoesReorder(const RobotModel& model, const DataChange& from, const DataChange& to,
                        std::vector<int>& columns);

std::vector<Cure> DegreesCures(const DataChange& now, LabFit& fit);
std::vector<Cure> JointOrderCures(const DataChange& now, LabFit& fit);
std::vector<Cure> SignCures(const DataChange& now, LabFit& fit);
/// The fit cannot see the offset of the last joint, which turns the last link's own parameters, nor
/// of a first joint whose axis is vertical.
std::vector<Cure> PositionOffsetCures(const DataChange& now, LabFit& fit);
std::vector<Cure> TorqueScaleCures(const DataChange& now, LabFit& fit);
std::vector<Cure> TorqueIsCurrentCures(const DataChange& now, LabFit& fit);
std::vector<Cure> GravityDirectionCures(const DataChange& now, LabFit& fit);
/// Gravity's torques do not depend on the clock, those of inertias on its square.
std::vector<Cure> ClockCures(const DataChange& now, LabFit& fit);
/// The clock with which the file's inertias fit best, where motions are too slow for the structure
/// to tell it; nothing near that of the log, or if the file's inertias are guesses.
/// @param least_error  of the clock, as a part of it, that is worth telling.
std::optional<Cure> ClockOfFile(const DataChange& now, LabFit& fit, double least_error);
/// Clocks that err by less are rounded rates; inertias of a file err by more.
inline constexpr double kLeastClockError = 0.1;
std::vector<Cure> TorqueDelayCures(const DataChange& now, LabFit& fit);

}  // namespace idbench
