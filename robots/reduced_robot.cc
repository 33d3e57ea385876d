#include "robots/reduced_robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "robots/dynamics/actuation.h"
#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "robots/moved_terms.h"

namespace idbench {
namespace {

InertialParameters InertiaOf(const Eigen::VectorXd& pi, Eigen::Index at) {
  return pi.segment<kInertialCount>(at);
}

/// What a whole robot has, and where its part has it.
class Reduction {
 public:
  Reduction(const Robot& whole, Robot part)
      : whole_(whole), part_(std::move(part)), places_(PlacesInPart(whole, part_)) {
    for (int i = 0; i < part_.model.dofs(); ++i) {
      joint_in_part_[whole_.model.JointIndex(part_.model.link(i).joint)] = i;
    }
  }

  Robot Run() {
    part_.name = whole_.name;
    part_.title = whole_.title;
    SetLimits();
    SetActuation();
    SetCuts();
    SetCollision();
    const std::vector<int> terms = SetTerms();
    SetSets(terms);
    return std::move(part_);
  }

 private:
  void SetLimits() {
    JointLimits limits = part_.model.limits();
    for (const auto& [in_whole, i] : joint_in_part_) {
      limits.velocity[i] = whole_.model.limits().velocity[in_whole];
      limits.acceleration[i] = whole_.model.limits().acceleration[in_whole];
    }
    const RobotModel& read = part_.model;
    RobotModel limited(whole_.name, read.base_name(), read.links(), read.gravity(),
                       std::move(limits));
    limited.SetCollision(read.collision());
    part_.model = std::move(limited);
  }

  /// What robot.json says of spheres counts, as far as they are on bodies of the part.
  void SetCollision() {
    if (whole_.collision_origin != CollisionOrigin::kRobotFile) return;
    const CollisionModel& all = whole_.model.collision();
    CollisionModel own;
    std::map<int, int> index;  // from spheres of the whole
    for (std::size_t k = 0; k < all.spheres.size(); ++k) {
      CollisionSphere sphere = all.spheres[k];
      const auto place = places_.find(sphere.link);
      if (place == places_.end()) continue;
      sphere.link = place->second.link;
      sphere.p_LC_L = place->second.InLink(sphere.p_LC_L);
      index[static_cast<int>(k)] = static_cast<int>(own.spheres.size());
      own.spheres.push_back(std::move(sphere));
    }
    for (const auto& [one, other] : all.pairs) {
      const auto a = index.find(one), b = index.find(other);
      if (a == index.end() || b == index.end()) continue;
      const auto link = [&](int k) { return own.spheres[static_cast<std::size_t>(k)].link; };
      // What is fixed to each other neither meets nor parts.
      if (link(a->second) != link(b->second)) own.pairs.emplace_back(a->second, b->second);
    }
    for (const int sphere : all.above_floor) {
      const auto at = index.find(sphere);
      if (at != index.end()) own.above_floor.push_back(at->second);
    }
    part_.model.SetCollision(std::move(own));
    part_.collision_origin = CollisionOrigin::kRobotFile;
    part_.collision_geoms = 0;
  }

  /// Position of a joint of the whole that does not move in the part.
  double HeldAt(int in_whole) const {
    const std::string& name = whole_.model.link(in_whole).joint;
    const auto held = std::ranges::find(part_.held, name, &HeldJoint::name);
    return held == part_.held.end() ? 0.0 : held->position;
  }

  /// Motors' positions are Bᵀ(q − q₀) = B_Rᵀ(q_R − z) with B_Rᵀ z = B_Rᵀ q₀_R − B_Hᵀ(q_H − q₀_H).
  void SetActuation() {
    if (HasMotorOnEachJoint(whole_.model)) return;
    const Actuation& all = whole_.model.actuation();
    const int n = part_.model.dofs();
    Actuation own{{}, Eigen::MatrixXd(n, 0), Eigen::VectorXd::Zero(n)};
    std::vector<double> shift;
    std::vector<std::string> without_joint;
    for (Eigen::Index k = 0; k < all.B.cols(); ++k) {
      Eigen::VectorXd column = Eigen::VectorXd::Zero(n);
      double held = 0.0;
      for (int j = 0; j < whole_.model.dofs(); ++j) {
        const auto at = joint_in_part_.find(j);
        if (at == joint_in_part_.end()) {
          held += all.B(j, k) * (HeldAt(j) - all.zero[j]);
        } else {
          column[at->second] = all.B(j, k);
          own.zero[at->second] = all.zero[j];
        }
      }
      const std::string& name = all.names[static_cast<std::size_t>(k)];
      if (column.isZero(0.0)) {
        without_joint.push_back(name);
        continue;
      }
      own.names.push_back(name);
      own.B.conservativeResize(Eigen::NoChange, own.B.cols() + 1);
      own.B.rightCols<1>() = column;
      shift.push_back(held);
    }
    if (!without_joint.empty()) {
      part_.notes.push_back("motors that drive no joint that moves are left out: " +
                            ListSome(without_joint));
    }
    try {
      const Eigen::MatrixXd left_inverse = MotorsOfJointTorque(own);
      own.zero -= left_inverse.transpose() *
                  Eigen::Map<const Eigen::VectorXd>(shift.data(), std::ssize(shift));
    } catch (const std::invalid_argument&) {
      throw PartError(
          part_.file,
          {{"/joints",
            own.names.empty() ? "no motor of robot.json drives a joint that moves"
                              : fmt::format("the motors {} drive the joints that move as fewer "
                                            "would, now that others are held",
                                            ListSome(own.names)),
            {"let all joints that a motor drives move, or hold all of them"}}});
    }
    part_.model.SetActuation(std::move(own));
  }

  void SetCuts() {
    std::vector<Cut> cuts;
    std::vector<std::string> left_out;
    for (const Cut& cut : whole_.model.cuts()) {
      std::optional<Cut> own = CutInPart(cut, whole_, part_);
      const bool anything_beyond =
          own && (own->link_beyond || part_.model.subtree_size(own->link) > 1);
      if (anything_beyond) {
        cuts.push_back(*std::move(own));
      } else {
        left_out.push_back(cut.name);
      }
    }
    part_.model.SetCuts(std::move(cuts));
    if (left_out.empty()) return;
    part_.notes.push_back(
        "force/torque sensors are left out, because no link of this part, or not all of it, lies "
        "beyond them: " +
        ListSome(left_out));
  }

  /// @return for each own term of the part its place among those of the whole.
  std::vector<int> SetTerms() {
    std::vector<Term> terms;
    std::vector<int> origins;
    int origin = 0;
    for (const Term& term : whole_.model.terms()) {
      if (std::optional<Term> own = TermIn(part_.model, whole_.model, term)) {
        terms.push_back(*std::move(own));
        origins.push_back(origin);
      }
      ++origin;
    }
    part_.model.SetTerms(std::move(terms));
    return origins;
  }

  void SetSets(const std::vector<int>& terms) {
    std::vector<ParameterSet> sets;
    for (const ParameterSet& set : whole_.sets) {
      sets.push_back({set.name, set.source, set.note, InPart(set.pi, terms)});
    }
    part_.sets = std::move(sets);
    part_.nominal_set = whole_.nominal_set;
  }

  Eigen::VectorXd InPart(const Eigen::VectorXd& pi, const std::vector<int>& terms) const {
    const ParameterLayout from(whole_.model), to(part_.model);
    Eigen::VectorXd own = Eigen::VectorXd::Zero(to.size());
    for (const auto& [i, place] : places_) {
      own.segment<kInertialCount>(to.Body(place.link)) +=
          Transformed(InertiaOf(pi, from.Body(i)), place.R_LB, place.p_LB_L);
    }
    for (const LinkBody& body : part_.bodies) {
      const LinkBody* const there = FindBody(whole_, NameInFile(body));
      if (there == nullptr || places_.contains(there->link)) continue;
      own.segment<kInertialCount>(to.Body(body.link)) +=
          Transformed(ToStandard(body.inertia), body.R_LB, body.p_LB_L);
    }
    for (const auto& [in_whole, i] : joint_in_part_) {
      own.segment<kJointParameterCount>(to.Joint(i, JointParameter::kViscous)) =
          pi.segment<kJointParameterCount>(from.Joint(in_whole, JointParameter::kViscous));
    }
    const Eigen::Index first = from.size() - std::ssize(whole_.model.terms());
    Eigen::Index k = to.size() - std::ssize(terms);
    for (const int term : terms) own[k++] = pi[first + term];
    return own;
  }

  const Robot& whole_;
  Robot part_;
  std::map<int, LinkBody> places_;
  std::map<int, int> joint_in_part_;  ///< From joints of the whole.
};

}  // namespace

std::map<int, LinkBody> PlacesInPart(const Robot& whole, const Robot& part) {
  std::map<int, LinkBody> places;
  for (const LinkBody& body : whole.bodies) {
    if (!body.carries_frame) continue;
    if (const LinkBody* const own = FindBody(part, NameInFile(body)))
      places.emplace(body.link, *own);
  }
  return places;
}

Robot ReducedRobot(const Robot& whole, Robot part) {
  return Reduction(whole, std::move(part)).Run();
}

}  // namespace idbench
