#include "robots/export/identified_whole.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "robots/model_reader.h"
#include "robots/moved_terms.h"
#include "robots/reduced_robot.h"

namespace idbench {
namespace {

InertialParameters BodyIn(const Eigen::VectorXd& pi, Eigen::Index at) {
  return pi.segment<kInertialCount>(at);
}

/// Inertias of the links as the model file has them; the rest of π is 0.
Eigen::VectorXd InertiasOfFile(const Robot& robot) {
  const ParameterLayout layout(robot.model);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  for (const LinkBody& body : robot.bodies) {
    pi.segment<kInertialCount>(layout.Body(body.link)) +=
        Transformed(ToStandard(body.inertia), body.R_LB, body.p_LB_L);
  }
  return pi;
}

/// The body whose frame is that of the link; nullptr for a link without one.
const LinkBody* CarrierOfFrame(const Robot& robot, int link) {
  const auto at = std::ranges::find_if(robot.bodies, [link](const LinkBody& body) {
    return body.link == link && body.carries_frame;
  });
  return at == robot.bodies.end() ? nullptr : &*at;
}

/// Parameters of a whole robot, as those of a part are put into them.
class Whole {
 public:
  Whole(const Robot& part, LockedBodies locked)
      : part_(part), locked_(locked), result_{LoadWhole(part), {}, {}} {
    const Robot& robot = result_.robot;
    places_ = PlacesInPart(robot, part);
    const ParameterLayout layout(robot.model);
    result_.pi = InertiasOfFile(robot);
    result_.pi.tail(layout.term_count()) = robot.FindSet("")->pi.tail(layout.term_count());
  }

  IdentifiedWhole Run(const Eigen::VectorXd& pi) {
    const Eigen::VectorXd file = InertiasOfFile(part_);
    const ParameterLayout layout(part_.model);
    for (int link = -1; link < part_.model.dofs(); ++link) {
      const InertialParameters identified = BodyIn(pi, layout.Body(link));
      const InertialParameters written = BodyIn(file, layout.Body(link));
      if (!identified.isApprox(written, kSameReading)) PutLink(link, identified - written);
    }
    if (!issues_.empty()) throw ConfigError(part_.file.string(), issues_);
    PutJoints(pi);
    PutCuts();
    PutTerms(pi);
    NoteLocked();
    return std::move(result_);
  }

 private:
  /// @param change  of the link's parameters, in its frame.
  void PutLink(int link, const InertialParameters& change) {
    const LinkBody* const carrier = CarrierOfFrame(part_, link);
    const LinkBody* const there =
        carrier == nullptr ? nullptr : FindBody(result_.robot, NameInFile(*carrier));
    if (there == nullptr) return;  // a base without a body
    if (!there->carries_frame) {
      issues_.push_back({carrier->name,
                         fmt::format("the file fixes it to {}, and only the inertia of both can be "
                                     "written",
                                     result_.robot.model.BodyName(there->link)),
                         {"name that body as the root of the part"}});
      return;
    }
    const ParameterLayout layout(result_.robot.model);
    auto own = result_.pi.segment<kInertialCount>(layout.Body(there->link));
    own += change;
    std::vector<std::string> locked;
    for (const auto& [i, place] : places_) {
      if (i == there->link || place.link != link) continue;
      locked.push_back(result_.robot.model.BodyName(i));
      if (locked_ == LockedBodies::kAsWritten) continue;
      auto moved = result_.pi.segment<kInertialCount>(layout.Body(i));
      own += Transformed(moved, place.R_LB, place.p_LB_L);
      moved.setZero();
    }
    if (locked.empty()) return;
    locked_names_.insert(locked_names_.end(), locked.begin(), locked.end());
    if (locked_ == LockedBodies::kMerged) return;
    if (ConsistencyOf(FromStandard(own)) == Consistency::kConsistent) return;
    issues_.push_back(
        {result_.robot.model.BodyName(there->link),
         fmt::format("what is left of its identified inertia, without that of {} as written, is no "
                     "body: {}",
                     ListSome(locked),
                     WhyUnphysical(FromStandard(own)).value_or("on the boundary")),
         {"--merge-locked gives it all of that inertia, and makes them massless"}});
  }

  void PutJoints(const Eigen::VectorXd& pi) {
    const ParameterLayout from(part_.model), to(result_.robot.model);
    for (int i = 0; i < part_.model.dofs(); ++i) {
      const int joint = result_.robot.model.JointIndex(part_.model.link(i).joint);
      result_.pi.segment<kJointParameterCount>(to.Joint(joint, JointParameter::kViscous)) =
          pi.segment<kJointParameterCount>(from.Joint(i, JointParameter::kViscous));
    }
  }

  /// Sensors that only the part has.
  void PutCuts() {
    RobotModel& model = result_.robot.model;
    std::vector<Cut> cuts = model.cuts();
    std::vector<std::string> left_out;
    for (const Cut& cut : part_.model.cuts()) {
      if (model.CutIndex(cut.name) >= 0) continue;
      if (std::optional<Cut> there = CutInWhole(cut, part_, result_.robot)) {
        cuts.push_back(*std::move(there));
      } else {
        left_out.push_back(cut.name);
      }
    }
    model.SetCuts(std::move(cuts));
    if (left_out.empty()) return;
    result_.notes.push_back(
        "force/torque sensors are left out, with their offsets, because no cut of the whole has "
        "the same links beyond it: " +
        ListSome(left_out));
  }

  /// Values of the whole's own terms, and the terms that only the part has.
  void PutTerms(const Eigen::VectorXd& pi) {
    RobotModel& model = result_.robot.model;
    std::vector<Term> terms = model.terms();
    Eigen::Index first = result_.pi.size() - std::ssize(terms);
    Eigen::Index value = pi.size() - std::ssize(part_.model.terms());
    for (const Term& term : part_.model.terms()) {
      const double own = pi[value++];
      const auto at = std::ranges::find(terms, term.name, &Term::name);
      if (at != terms.end()) {
        result_.pi[first + (at - terms.begin())] = own;
      } else if (std::optional<Term> there = TermIn(model, part_.model, term)) {
        terms.push_back(*std::move(there));
        result_.pi.conservativeResize(result_.pi.size() + 1);
        result_.pi[result_.pi.size() - 1] = own;
      }
    }
    model.SetTerms(std::move(terms));
  }

  void NoteLocked() {
    if (locked_names_.empty()) return;
    const std::string names = ListSome(locked_names_);
    result_.notes.push_back(
        locked_ == LockedBodies::kMerged
            ? "made massless, because the links that they are locked to have all inertia, so the "
              "file serves with those joints locked: " +
                  names
            : "as written, so that the links that they are locked to have the rest: " + names);
  }

  const Robot& part_;
  LockedBodies locked_;
  IdentifiedWhole result_;
  std::map<int, LinkBody> places_;
  std::vector<std::string> locked_names_;
  std::vector<Issue> issues_;
};

}  // namespace

bool IsReduced(const Robot& robot) {
  return !robot.part.whole() || !robot.held.empty() || !robot.left_out.empty();
}

IdentifiedWhole IntoWhole(const Robot& part, const Eigen::Ref<const Eigen::VectorXd>& pi,
                          LockedBodies locked) {
  return Whole(part, locked).Run(pi);
}

}  // namespace idbench
