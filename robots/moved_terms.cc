#include "robots/moved_terms.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "robots/dynamics/calibration.h"
#include "robots/reduced_robot.h"

namespace idbench {
namespace {

/// Index of a motor by its name; −1 if there is none.
int MotorIndex(const RobotModel& model, const std::string& name) {
  const std::vector<std::string>& names = model.actuation().names;
  const auto at = std::ranges::find(names, name);
  return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

/// Name of the motor that the term is of; "" if it is of joints. As OptionsOfTerms() has it, what
/// acts on one joint alone and has its name is of that joint.
std::string MotorOf(const Term& term, const RobotModel& model) {
  if (term.rows == TermRows::kDrives) {
    return model.actuation().names[static_cast<std::size_t>(term.input)];
  }
  std::string place = term.name.substr(0, term.name.rfind('.'));
  const int joint = model.JointIndex(place);
  if (joint >= 0 && term.shares == std::vector<Term::Share>{{.joint = joint}}) return "";
  const int motor = MotorIndex(model, place);
  if (motor < 0 || SharesOf(model.actuation().B.col(motor)) != term.shares) return "";
  return place;
}

/// Moves a term of a motor.
std::optional<Term> OnMotor(const RobotModel& to, const std::string& name, Term term) {
  const int motor = MotorIndex(to, name);
  if (motor < 0) return std::nullopt;
  const bool of_drive = term.rows == TermRows::kDrives;
  term.shares = SharesOf(to.actuation().B.col(motor));
  for (Term::Share& share : term.shares) share.factor = of_drive ? -share.factor : share.factor;
  if (term.argument == TermArgument::kInput) term.input = motor;
  return term;
}

/// Moves a term of joints.
std::optional<Term> OnJoints(const RobotModel& to, const RobotModel& from, Term term) {
  std::vector<Term::Share> shares;
  for (const auto& [joint, factor] : term.shares) {
    const int there = to.JointIndex(from.link(joint).joint);
    if (there >= 0) shares.push_back({there, factor});
  }
  if (shares.empty()) return std::nullopt;
  term.shares = std::move(shares);
  return term;
}

}  // namespace

std::optional<Cut> CutInPart(const Cut& cut, const Robot& whole, const Robot& part) {
  const std::map<int, LinkBody> places = PlacesInPart(whole, part);
  const auto at = places.find(cut.link);
  if (at == places.end() || at->second.link < 0) return std::nullopt;
  const LinkBody& place = at->second;
  const auto is_beyond = [&](int link) {
    if (link == cut.link) return cut.link_beyond;
    return link > cut.link && link < cut.link + whole.model.subtree_size(cut.link);
  };
  int own = 0, own_beyond = 0;  // links of the whole that the part's link is made of
  for (const auto& [i, other] : places) {
    if (other.link < place.link) continue;
    if (other.link >= place.link + part.model.subtree_size(place.link)) continue;
    if (other.link == place.link) {
      ++own;
      own_beyond += is_beyond(i) ? 1 : 0;
    } else if (!is_beyond(i)) {
      return std::nullopt;
    }
  }
  const bool link_beyond = own_beyond > 0;
  if (link_beyond && own_beyond < own) return std::nullopt;
  return Cut{cut.name, place.link, place.R_LB * cut.R_LS, place.p_LB_L + place.R_LB * cut.p_LS_L,
             link_beyond};
}

std::optional<Cut> CutInWhole(const Cut& cut, const Robot& part, const Robot& whole) {
  std::vector<std::pair<int, LinkBody>> places;
  for (const auto& [i, place] : PlacesInPart(whole, part)) {
    if (place.link == cut.link) places.emplace_back(i, place);
  }
  // The body that has the link's frame comes first: the sensor keeps its numbers there.
  std::ranges::stable_partition(places, [](const auto& each) { return each.second.carries_frame; });
  for (const auto& [i, place] : places) {
    Cut there{cut.name, i, place.R_LB.transpose() * cut.R_LS,
              place.R_LB.transpose() * (cut.p_LS_L - place.p_LB_L), cut.link_beyond};
    const std::optional<Cut> again = CutInPart(there, whole, part);
    if (again && again->link == cut.link && again->link_beyond == cut.link_beyond) return there;
  }
  return std::nullopt;
}

std::optional<Term> TermIn(const RobotModel& to, const RobotModel& from, const Term& term) {
  if (term.rows == TermRows::kCut) {
    Term moved = term;
    moved.cut = to.CutIndex(from.cuts()[static_cast<std::size_t>(term.cut)].name);
    if (IsCalibration(term)) {
      moved.input = to.WrenchInput(moved.cut) + term.input - from.WrenchInput(term.cut);
    }
    return moved.cut < 0 ? std::nullopt : std::optional(std::move(moved));
  }
  const std::string motor = MotorOf(term, from);
  return motor.empty() ? OnJoints(to, from, term) : OnMotor(to, motor, term);
}

}  // namespace idbench
