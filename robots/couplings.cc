#include "robots/couplings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "robots/mjspec.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

using JointSet = std::set<const mjsElement*>;

std::string LabelOf(const mjsBody* body) { return mjs_getString(mjs_getName(body->element)); }
std::string LabelOf(mjsElement* element) { return mjs_getString(mjs_getName(element)); }

/// One end of a connect or weld constraint; the world where none is named.
mjsBody* EndOf(const mjSpec* spec, const mjsEquality& equality, const std::string& name) {
  if (equality.objtype != mjOBJ_SITE) {
    return mjs_findBody(spec, name.empty() ? "world" : name.c_str());
  }
  mjsElement* const site = mjs_findElement(spec, mjOBJ_SITE, name.c_str());
  return site == nullptr ? nullptr : mjs_getParent(site);
}

/// The joints or bodies that a tendon runs over.
void AddWrapped(const mjSpec* spec, const std::string& tendon, std::vector<mjsElement*>& joints,
                std::vector<mjsBody*>& bodies) {
  mjsElement* const element = mjs_findElement(spec, mjOBJ_TENDON, tendon.c_str());
  if (element == nullptr) return;
  const mjsTendon* const path = mjs_asTendon(element);
  for (int i = 0; i < mjs_getWrapNum(path); ++i) {
    const mjsWrap* const wrap = mjs_getWrap(path, i);
    mjsElement* const target = wrap == nullptr ? nullptr : mjs_getWrapTarget(wrap);
    if (target == nullptr) continue;
    if (wrap->type == mjWRAP_JOINT) {
      joints.push_back(target);
    } else if (mjsBody* const body = mjs_getParent(target)) {
      bodies.push_back(body);
    }
  }
}

/// What one constraint couples.
struct Coupling {
  std::string name;                  ///< Of the constraint; may be "".
  std::string kind;                  ///< "connect", "weld", "joint", "tendon"
  std::vector<std::string> members;  ///< Names of joints, bodies or tendons.
  std::vector<mjsElement*> joints;
  std::vector<mjsBody*> bodies;

  bool closes_loop() const { return kind == "connect" || kind == "weld"; }

  /// Whether a joint of these moves, or bodies relative to each other.
  bool Moves(const JointSet& moving) const {
    if (std::ranges::any_of(joints, [&](mjsElement* joint) { return moving.contains(joint); })) {
      return true;
    }
    return std::ranges::any_of(bodies, [&](mjsBody* body) {
      return Carrier(body, moving) != Carrier(bodies.front(), moving);
    });
  }
  /// How a note calls it.
  std::string text() const {
    return fmt::format("{} {}", kind, name.empty() ? fmt::format("{}", members.front()) : name);
  }
};

std::optional<Coupling> CouplingOf(const mjSpec* spec, mjsElement* element) {
  const mjsEquality& equality = *mjs_asEquality(element);
  Coupling coupling{LabelOf(element), "", {}, {}, {}};
  const std::string names[] = {mjs_getString(equality.name1), mjs_getString(equality.name2)};
  switch (equality.type) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      coupling.kind = equality.type == mjEQ_CONNECT ? "connect" : "weld";
      for (const std::string& name : names) {
        mjsBody* const body = EndOf(spec, equality, name);
        // A mocap body is a handle that pulls, not a part of the robot.
        if (body == nullptr || body->mocap) return std::nullopt;
        coupling.bodies.push_back(body);
        coupling.members.push_back(LabelOf(body));
      }
      return coupling;
    case mjEQ_JOINT:
    case mjEQ_TENDON:
      coupling.kind = equality.type == mjEQ_JOINT ? "joint" : "tendon";
      for (const std::string& name : names) {
        if (name.empty()) continue;
        coupling.members.push_back(name);
        if (equality.type == mjEQ_TENDON) {
          AddWrapped(spec, name, coupling.joints, coupling.bodies);
        } else if (mjsElement* joint = mjs_findElement(spec, mjOBJ_JOINT, name.c_str())) {
          coupling.joints.push_back(joint);
        }
      }
      return coupling;
    default:
      return std::nullopt;  // of flexible bodies
  }
}

/// Why a coupling is refused.
Issue IssueWith(const Coupling& coupling, const JointSet& moving) {
  if (coupling.closes_loop()) {
    return {coupling.name,
            fmt::format("a closed loop: the constraint {} joins '{}' and '{}'", coupling.kind,
                        coupling.members[0], coupling.members[1]),
            {"accepted here: trees; leave out the constraint, and one joint of the loop moves what "
             "it moved",
             "or hold the joints between the two: name those that move without them"}};
  }
  std::vector<std::string> joints;
  for (mjsElement* joint : coupling.joints) {
    if (moving.contains(joint)) joints.push_back(LabelOf(joint));
  }
  const bool alone = coupling.members.size() < 2;
  return {coupling.name,
          fmt::format("a coupling: the constraint {} ties '{}' to {}", coupling.kind,
                      coupling.members[0],
                      alone ? "a constant" : fmt::format("'{}'", coupling.members[1])),
          {joints.empty() ? "hold the joints that it couples: name those that move without them"
                          : fmt::format("hold {}: name the joints that move without {}",
                                        ListSome(joints), joints.size() > 1 ? "them" : "it"),
           "or take the constraint out of the file, and each joint moves by itself"}};
}

}  // namespace

const mjsBody* Carrier(mjsBody* body, const std::set<const mjsElement*>& moving) {
  for (mjsBody* above = mjs_getParent(body->element); above != nullptr && above != body;
       above = mjs_getParent(body->element)) {
    for (mjsElement* joint = mjs_firstChild(body, mjOBJ_JOINT, 0); joint != nullptr;
         joint = mjs_nextChild(body, joint, 0)) {
      if (moving.contains(joint)) return body;
    }
    body = above;
  }
  return body;
}

void CheckCouplings(const mjSpec* spec, const PartPlan& plan, bool part,
                    const std::filesystem::path& file, std::vector<std::string>& notes) {
  const JointSet moving(plan.moving.begin(), plan.moving.end());
  JointSet all;  // of the part, held ones too
  for (const PartPlan::Hold& hold : plan.held) all.insert(hold.joint);
  all.insert(moving.begin(), moving.end());
  std::vector<Issue> issues;
  std::vector<std::string> followers, held;
  for (mjsElement* element : Elements(spec, mjOBJ_EQUALITY)) {
    if (!mjs_asEquality(element)->active) continue;
    const std::optional<Coupling> coupling = CouplingOf(spec, element);
    if (!coupling) continue;
    if (!coupling->Moves(moving)) {
      if (coupling->Moves(all)) held.push_back(coupling->text());
    } else if (part || coupling->closes_loop()) {
      issues.push_back(IssueWith(*coupling, moving));
    } else {
      followers.push_back(coupling->members.front());
    }
  }
  if (!issues.empty()) throw ConfigError(file.string(), issues);
  if (!followers.empty()) {
    notes.push_back("coupled joints (mimic, equality) move by themselves here: " +
                    ListSome(followers));
  }
  if (!held.empty()) {
    notes.push_back("left out, because no joint moves in them: the constraints " + ListSome(held));
  }
}

}  // namespace idbench
