#include "robots/part_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "robots/mjspec.h"
#include "scenarios/options/name_pattern.h"

namespace idbench {
namespace {

/// Bodies and joints of a parsed model in the order that compiling gives them.
struct Outline {
  struct Body {
    mjsBody* body;
    std::size_t parent;  ///< 0 for the world, also of the world itself.
    std::size_t end;     ///< One behind the last body that it carries.
    std::string name;
  };
  struct Joint {
    mjsElement* element;
    std::size_t body;
    std::string name;

    mjtJoint type() const { return mjs_asJoint(element)->type; }
    bool can_move() const { return type() == mjJNT_HINGE || type() == mjJNT_SLIDE; }
  };

  explicit Outline(const mjSpec* spec) { Add(mjs_findBody(spec, "world"), 0); }

  /// Whether body `i` is `above` or hangs on it.
  bool Carries(std::size_t above, std::size_t i) const {
    return above <= i && i < bodies[above].end;
  }

  std::vector<Body> bodies;
  std::vector<Joint> joints;

 private:
  void Add(mjsBody* body, std::size_t parent) {
    const std::size_t own = bodies.size();
    const auto name = [](mjsElement* element, const char* kind, std::size_t id) {
      std::string given = mjs_getString(mjs_getName(element));
      return given.empty() ? fmt::format("{}{}", kind, id) : given;
    };
    bodies.push_back({body, parent, 0, name(body->element, "body", own)});
    for (mjsElement* joint = mjs_firstChild(body, mjOBJ_JOINT, 0); joint != nullptr;
         joint = mjs_nextChild(body, joint, 0)) {
      joints.push_back({joint, own, name(joint, "joint", joints.size())});
    }
    for (mjsElement* child = mjs_firstChild(body, mjOBJ_BODY, 0); child != nullptr;
         child = mjs_nextChild(body, child, 0)) {
      Add(mjs_asBody(child), own);
    }
    bodies[own].end = bodies.size();
  }
};

const char* KindOf(mjtJoint type) { return type == mjJNT_FREE ? "a free joint" : "a ball joint"; }

std::vector<std::string> JointNames(const std::vector<Outline::Joint>& joints) {
  std::vector<std::string> names;
  for (const Outline::Joint& joint : joints) names.push_back(joint.name);
  return names;
}

/// Collects a PartPlan.
class Planner {
 public:
  Planner(mjSpec* spec, const RobotPart& part, ModelExtent extent,
          const std::filesystem::path& file)
      : spec_(spec),
        part_(part),
        extent_(extent),
        file_(file),
        outline_(spec),
        stays_(outline_.bodies.size(), true),
        moves_(outline_.joints.size(), false),
        named_(extent == ModelExtent::kPart && !part.joints.patterns.empty()) {}

  PartPlan Run() {
    FindRoot();
    if (named_) {
      MoveNamed();
    } else {
      for (std::size_t j = 0; j < moves_.size(); ++j) moves_[j] = CanMove(j);
    }
    if (!issues_.empty()) throw PartError(file_, issues_);
    LeaveOutBodies();
    HoldJoints();
    if (!issues_.empty()) throw PartError(file_, issues_);
    for (std::size_t j = 0; j < moves_.size(); ++j) {
      if (moves_[j]) plan_.moving.push_back(outline_.joints[j].element);
    }
    if (!plan_.changes_nothing()) NameAll();
    return std::move(plan_);
  }

 private:
  const Outline::Body& BodyOf(const Outline::Joint& joint) const {
    return outline_.bodies[joint.body];
  }
  /// Whether a joint lies between the root and what hangs on it.
  bool IsBeyondRoot(const Outline::Joint& joint) const {
    return root_ == 0 || (joint.body != root_ && outline_.Carries(root_, joint.body));
  }
  bool CanMove(std::size_t j) const {
    return outline_.joints[j].can_move() && IsBeyondRoot(outline_.joints[j]);
  }
  bool AnyMoves(std::size_t above) const {
    for (std::size_t j = 0; j < moves_.size(); ++j) {
      if (moves_[j] && outline_.Carries(above, outline_.joints[j].body)) return true;
    }
    return false;
  }

  void FindRoot() {
    if (extent_ != ModelExtent::kPart || part_.root.empty()) return;
    std::vector<std::string> names;
    for (std::size_t i = 1; i < outline_.bodies.size(); ++i) {
      names.push_back(outline_.bodies[i].name);
      if (names.back() == part_.root) root_ = i;
    }
    if (root_ > 0) {
      plan_.root = outline_.bodies[root_].body;
    } else {
      issues_.push_back({"/root", fmt::format("the model has no body \"{}\"", part_.root),
                         AcceptedNames(part_.root, names)});
    }
  }

  void MoveNamed() {
    for (std::size_t k = 0; k < part_.joints.patterns.size(); ++k) {
      const std::string where = fmt::format("/joints/{}", k);
      std::string problem;
      const std::vector<std::string> names = ExpandPattern(part_.joints.patterns[k], problem);
      if (!problem.empty()) issues_.push_back({where, problem, {}});
      for (const std::string& name : names) MoveOne(name, where);
    }
  }

  void MoveOne(const std::string& name, const std::string& where) {
    const auto at = std::ranges::find(outline_.joints, name, &Outline::Joint::name);
    if (at == outline_.joints.end()) {
      std::vector<Outline::Joint> accepted;
      for (std::size_t j = 0; j < moves_.size(); ++j) {
        if (CanMove(j)) accepted.push_back(outline_.joints[j]);
      }
      issues_.push_back({where, fmt::format("the model has no joint \"{}\"", name),
                         AcceptedNames(name, JointNames(accepted))});
    } else if (!at->can_move()) {
      issues_.push_back(
          {where,
           fmt::format("\"{}\" is {}, which can only be held", name, KindOf(at->type())),
           {"accepted here: hinge (revolute) and slide (prismatic) joints"}});
    } else if (!IsBeyondRoot(*at)) {
      issues_.push_back({where,
                         fmt::format("\"{}\" does not hang on the root \"{}\"", name, part_.root),
                         {"it is held, or left out with its bodies; name another root, or none"}});
    } else {
      std::vector<bool>::reference moves =
          moves_[static_cast<std::size_t>(at - outline_.joints.begin())];
      if (moves) issues_.push_back({where, fmt::format("\"{}\" is named twice", name), {}});
      moves = true;
    }
  }

  void LeaveOut(std::size_t top) {
    plan_.left_out.push_back(outline_.bodies[top].body);
    for (std::size_t i = top; i < outline_.bodies[top].end; ++i) {
      stays_[i] = false;
      plan_.left_out_names.push_back(outline_.bodies[i].name);
    }
  }

  void LeaveOutBodies() {
    if (root_ > 0) {
      for (std::size_t i = 1; i < outline_.bodies.size(); ++i) {
        const bool above = outline_.Carries(i, root_);
        if (stays_[i] && !above && !outline_.Carries(root_, i)) LeaveOut(i);
      }
      if (!plan_.left_out.empty()) {
        plan_.notes.push_back(fmt::format("left out, because they do not hang on {}: {}",
                                          part_.root, ListSome(plan_.left_out_names)));
      }
    } else if (extent_ != ModelExtent::kEverything) {
      LeaveOutObjects();
    }
    if (!plan_.left_out.empty() && spec_->compiler.settotalmass > 0.0) {
      throw ConfigError(file_.string(), "compiler",
                        "settotalmass counts bodies that are not part of the robot: " +
                            ListSome(plan_.left_out_names),
                        {"take it out of the file, or give each body its mass"});
    }
  }

  /// Bodies that float, and on which no joint moves.
  void LeaveOutObjects() {
    if (!AnyMoves(0)) return;  // which is refused
    std::vector<std::size_t> robots;
    bool others = false;  // joints move that hang on no such body
    std::vector<bool> floats(outline_.bodies.size(), false);
    for (const Outline::Joint& joint : outline_.joints) {
      if (joint.type() != mjJNT_FREE || floats[joint.body]) continue;
      for (std::size_t i = joint.body; i < BodyOf(joint).end; ++i) floats[i] = true;
      if (AnyMoves(joint.body)) {
        robots.push_back(joint.body);
      } else if (BodyOf(joint).parent == 0) {
        LeaveOut(joint.body);
      }
    }
    for (std::size_t j = 0; j < moves_.size(); ++j) {
      others = others || (moves_[j] && !floats[outline_.joints[j].body]);
    }
    if (!plan_.left_out.empty()) {
      plan_.notes.push_back("left out, because they move freely and no joint moves on them: " +
                            ListSome(plan_.left_out_names));
    }
    if (extent_ != ModelExtent::kPart || named_) return;
    if (robots.empty() || (robots.size() == 1 && !others)) return;
    std::vector<std::string> names;
    for (const std::size_t body : robots) names.push_back(outline_.bodies[body].name);
    throw ConfigError(
        file_.string(), "",
        fmt::format("bodies with joints float beside {}: {}",
                    others ? "a robot that stands" : "each other", ListSome(names)),
        {"say which is the robot: by its root, a body of it, or by the joints that move"});
  }

  /// Whether a joint that does not move is held; others remain, and are refused.
  bool IsHeld(const Outline::Joint& joint) const {
    if (named_ || extent_ != ModelExtent::kPart || joint.can_move() || !IsBeyondRoot(joint)) {
      return true;
    }
    if (joint.type() != mjJNT_FREE) return false;
    // A free joint at the root of the tree.
    return std::ranges::none_of(outline_.joints, [&](const Outline::Joint& other) {
      const bool above = outline_.Carries(other.body, joint.body) && other.body != joint.body;
      return above && (other.type() == mjJNT_BALL || other.can_move()) && IsBeyondRoot(other);
    });
  }

  void HoldJoints() {
    std::vector<Outline::Joint> positioned;  // held ones that have a position
    std::vector<std::string> out_of_range;
    for (std::size_t j = 0; j < moves_.size(); ++j) {
      const Outline::Joint& joint = outline_.joints[j];
      if (moves_[j] || !stays_[joint.body] || !IsHeld(joint)) continue;
      double position = 0.0;
      for (const auto& [name, value] : part_.held_at) {
        if (extent_ == ModelExtent::kPart && name == joint.name) position = value;
      }
      plan_.held.push_back({joint.element, position});
      plan_.held_joints.push_back({joint.name, BodyOf(joint).name, position});
      if (joint.can_move()) {
        positioned.push_back(joint);
        NoteRange(joint, position, out_of_range);
      } else if (joint.type() == mjJNT_FREE) {
        plan_.notes.push_back(
            fmt::format("the free joint {} is held: {} is fixed where the file has it", joint.name,
                        BodyOf(joint).name));
      }
    }
    if (extent_ != ModelExtent::kPart) return;
    if (!out_of_range.empty()) {
      plan_.notes.push_back("held beyond its range: " + ListSome(out_of_range));
    }
    CheckPositions(positioned);
  }

  static void NoteRange(const Outline::Joint& joint, double position,
                        std::vector<std::string>& out_of_range) {
    const mjsJoint& spec = *mjs_asJoint(joint.element);
    if (spec.limited == mjLIMITED_FALSE || !(spec.range[0] < spec.range[1])) return;
    const double unit = JointUnit(spec);
    const double lower = unit * spec.range[0], upper = unit * spec.range[1];
    if (lower <= position && position <= upper) return;
    out_of_range.push_back(
        fmt::format("{} at {:.4g} ({:.4g} … {:.4g})", joint.name, position, lower, upper));
  }

  void CheckPositions(const std::vector<Outline::Joint>& positioned) {
    std::set<std::string> seen;
    for (const auto& [name, value] : part_.held_at) {
      const std::string where = PointerTo("/held_at", name);
      if (!seen.insert(name).second) issues_.push_back({where, "is given twice", {}});
      if (!std::isfinite(value)) issues_.push_back({where, "is no number", {}});
      if (std::ranges::find(positioned, name, &Outline::Joint::name) != positioned.end()) continue;
      const auto at = std::ranges::find(outline_.joints, name, &Outline::Joint::name);
      if (at == outline_.joints.end()) {
        issues_.push_back(
            {where, "the model has no such joint", AcceptedNames(name, JointNames(positioned))});
      } else if (!stays_[at->body]) {
        issues_.push_back({where, "is a joint that is left out", {"remove it"}});
      } else if (!at->can_move()) {
        issues_.push_back(
            {where,
             fmt::format("is {}, which is held as the file has it", KindOf(at->type())),
             {"remove it"}});
      } else {
        issues_.push_back({where,
                           "is a joint that moves",
                           {"remove it, or name the joints that move without it"}});
      }
    }
  }

  /// Names stay what they are by place when bodies and joints before them are gone.
  void NameAll() {
    for (std::size_t i = 1; i < outline_.bodies.size(); ++i) {
      mjs_setName(outline_.bodies[i].body->element, outline_.bodies[i].name.c_str());
    }
    for (const Outline::Joint& joint : outline_.joints) {
      mjs_setName(joint.element, joint.name.c_str());
    }
  }

  mjSpec* spec_;
  const RobotPart& part_;
  ModelExtent extent_;
  std::filesystem::path file_;
  Outline outline_;
  std::size_t root_ = 0;     ///< 0: the world, so that everything hangs on it.
  std::vector<bool> stays_;  ///< By body.
  std::vector<bool> moves_;  ///< By joint.
  bool named_;               ///< It is said which joints move.
  PartPlan plan_;
  std::vector<Issue> issues_;
};

}  // namespace

PartPlan PlanPart(mjSpec* spec, const RobotPart& part, ModelExtent extent,
                  const std::filesystem::path& file) {
  return Planner(spec, part, extent, file).Run();
}

}  // namespace idbench
