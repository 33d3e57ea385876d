#include "bench/notes/observer_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/trial/labelled_observers.h"
#include "scenarios/carried_payloads.h"

namespace idbench {
namespace {

/// A force that acts no further from the end effector [m] is taken to act there.
constexpr double kAtEndEffector = 0.005;

/// The experiments of a trial, with what acts on the robot in each.
class Acting {
 public:
  Acting(const Robot& robot, const Scenario& scenario, const TrialData& first)
      : robot_(robot),
        scenario_(scenario),
        first_(first),
        loads_(CarriedBy(scenario, robot).applied) {}

  bool IsTouched(const std::string& label) const { return !TouchesIn(label).empty(); }
  /// @param body  on which forces are sought; "": at the end effector.
  bool IsTouchedElsewhere(const std::string& label, const std::string& body) const {
    const EndEffector& E = robot_.model.end_effector();
    const int link = body.empty() ? E.link : CarrierOf(body);
    const auto elsewhere = [&](const auto& contact) {
      if (contact.link != link) return true;
      return body.empty() && (contact.p_LT_L - E.p_LE_L).norm() > kAtEndEffector;
    };
    return std::ranges::any_of(TouchesIn(label), elsewhere) ||
           std::ranges::any_of(WallsOf(label), elsewhere);
  }
  /// "5 of 7 in contact" of touches that are no more than what counts as contact; "" if none is.
  std::string TooLight(const std::string& label, const Scenario& scenario) const {
    const std::vector<Touch> touches = TouchesIn(label);
    if (touches.empty()) return "";
    const double from_n = std::ranges::find(scenario.experiments, label,
                                            &Labelled<ExperimentOptions>::value_type::first)
                              ->second.environment->contact_from_n;
    const auto light = std::ranges::count_if(
        touches, [from_n](const Touch& touch) { return touch.force.norm() <= from_n; });
    return light == 0 ? "" : fmt::format("{} of {} in {}", light, touches.size(), label);
  }
  bool IsLoaded(const std::string& label) const {
    return std::ranges::find(loads_, label, &Labelled<std::string>::value_type::first) !=
           loads_.end();
  }

 private:
  /// Places of the points that press against walls, also in stages, which have no data yet.
  std::vector<Wall> WallsOf(const std::string& label) const {
    const ExperimentOptions& options =
        std::ranges::find(scenario_.experiments, label,
                          &Labelled<ExperimentOptions>::value_type::first)
            ->second;
    if (!options.environment) return {};
    const int configuration = robot_.model.ConfigurationIndex(options.configuration);
    return MakeEnvironment({.walls = options.environment->walls}, robot_, configuration, {}, 0.0)
        .walls;
  }
  /// Index of the link that carries a body, −1 of none.
  int CarrierOf(const std::string& name) const {
    for (int body = 0; body < robot_.model.body_end(); ++body) {
      if (robot_.model.BodyName(body) == name) return robot_.model.CarrierOf(body);
    }
    return -1;
  }
  std::vector<Touch> TouchesIn(const std::string& label) const {
    for (std::size_t k = 0; k < first_.environments.size(); ++k) {
      if (first_.environments[k] == nullptr || first_.datasets[k].label() != label) continue;
      return first_.environments[k]->touches;
    }
    return {};
  }

  const Robot& robot_;
  const Scenario& scenario_;
  const TrialData& first_;
  Labelled<std::string> loads_;  ///< That the models do not have.
};

}  // namespace

std::vector<std::string> ObserverMarks(const Robot& robot, const Scenario& scenario,
                                       const TrialData& first) {
  const std::vector<LabelledObserver> observers = MakeObservers(scenario);
  std::vector<std::string> marks;
  if (observers.empty()) return marks;
  if (LooksAhead(scenario.processing)) {
    marks.emplace_back(
        "processing looks ahead: at each instant observers are given what no one can know there, "
        "and delays of detections are too short; /processing/causal gives what can be had");
  }
  std::vector<std::string> ahead;
  for (const LabelledObserver& each : observers) {
    if (!each.observer->causal()) ahead.push_back(each.label);
  }
  if (!ahead.empty()) {
    marks.push_back(
        "observers that look ahead, by a low-pass of zero phase: no one can know at an instant "
        "what "
        "they say, and delays of their detections are too short: " +
        ListSome(ahead));
  }
  if (!scenario.simulated()) {
    marks.emplace_back(
        "what observers found in a recording is judged by nobody: it is in "
        "series/observations.jsonl and in the page's charts");
    return marks;
  }
  const Acting acting(robot, scenario, first);
  std::vector<std::string> elsewhere, off_body, touched, loaded, light;
  for (const LabelledObserver& each : observers) {
    const std::vector<std::string_view> gives = each.observer->gives();
    const Detects detects = each.observer->detects();
    const std::string body = each.observer->touched_body();
    for (const std::string& label : each.watched) {
      const std::string here = fmt::format("{} in {}", each.label, label);
      const bool tells_force = std::ranges::find(gives, kExternalForce) != gives.end();
      if (tells_force && acting.IsTouchedElsewhere(label, body)) {
        (body.empty() ? elsewhere : off_body).push_back(here);
      }
      if (detects == Detects::kPayload && acting.IsTouched(label)) touched.push_back(here);
      if (detects != Detects::kPayload && acting.IsLoaded(label)) loaded.push_back(here);
      if (detects != Detects::kContact) continue;
      if (std::string some = acting.TooLight(label, scenario);
          !some.empty() && std::ranges::find(light, some) == light.end()) {
        light.push_back(std::move(some));
      }
    }
  }
  if (!elsewhere.empty()) {
    marks.push_back(fmt::format(
        "forces are sought at the end effector, a point of {}; the robot is touched elsewhere, "
        "which their errors include: {}",
        robot.model.link(robot.model.end_effector().link).name, ListSome(elsewhere)));
  }
  if (!off_body.empty()) {
    marks.push_back(
        "places of touches are sought on one body; the robot is touched elsewhere, which the "
        "errors "
        "of forces include: " +
        ListSome(off_body));
  }
  if (!touched.empty()) {
    marks.push_back("a touch counts as no change of the load, and its detection as false: " +
                    ListSome(touched));
  }
  if (!loaded.empty()) {
    marks.push_back("a load counts as no force and no contact, and its detection as false: " +
                    ListSome(loaded));
  }
  if (!light.empty()) {
    marks.push_back(fmt::format(
        "touches of no more than contact_from_n count as no contact (in the first trial: {})",
        ListSome(light)));
  }
  return marks;
}

}  // namespace idbench
