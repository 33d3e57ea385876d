#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/lab_checks/lab_context.h"
#include "bench/lab_checks/load_of_file.h"

namespace idbench {

std::vector<LabFinding> TellMissingTool(const LabContext& context) {
  if (context.search == nullptr || context.log.guessed || NothingFits(context)) return {};
  const DataChange& change = context.search->change;
  const LoadOfFile found = FindLoad(*context.fit, change);
  if (!found.IsClear()) return {};
  const auto rests_on_file = [](const FoundCure& each) { return each.by_file; };
  if (std::ranges::any_of(context.search->found, rests_on_file)) return {};  // as this one would
  // Inertia that grows with a load is what accelerations by another clock look like.
  const std::optional<Cure> clock = ClockOfFile(change, *context.fit, kLeastClockError);
  const bool may_be_clock = clock && !FindLoad(*context.fit, clock->change).IsClear();
  const Eigen::Vector3d com = found.load.segment<3>(1) / found.load[0];
  const int last = context.model().dofs() - 1;
  return {
      {.check = "missing_tool",
       .joint = "",
       .evidence = fmt::format(
           "a load of {:.2f} ± {:.2f} (σ) kg at {}, with its centre at ({:.2f}, {:.2f}, {:.2f}) m, "
           "explains the difference to the file's masses that errors of 30 % in all of them do "
           "not (χ² less by {:.0f}); it rests on the file's own masses{}",
           found.load[0], found.deviation, context.model().BodyName(last), com[0], com[1], com[2],
           found.explained,
           may_be_clock
               ? fmt::format(". The data cannot tell this from the following: {}", clock->does)
               : ""),
       .cure = fmt::format("if a tool was mounted: add it to the model file, or declare it in "
                           "/robot/attached; what is identified for the last link holds it "
                           "otherwise{}",
                           may_be_clock ? "; if none was: " + clock->advice : "")}};
}

}  // namespace idbench
