#include "robots/dynamics/model.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

namespace idbench {
namespace {

/// Force and moment.
constexpr int kWrenchRows = 6;

void CheckLinks(const std::string& model, const std::string& base_name,
                const std::vector<Link>& links) {
  std::set<std::string> names = {base_name};
  std::set<std::string> joints;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    if (!names.insert(link.name).second) {
      throw std::invalid_argument("RobotModel " + model + ": link name '" + link.name +
                                  "' occurs twice");
    }
    const std::string where = "RobotModel " + model + ": link '" + link.name + "'";
    if (link.parent < -1 || link.parent >= static_cast<int>(i)) {
      throw std::invalid_argument(where + ": its parent must stand before it");
    }
    // Depth-first: walking up from the link before must meet this link's parent.
    int ancestor = static_cast<int>(i) - 1;
    while (ancestor != link.parent && ancestor >= 0) {
      ancestor = links[static_cast<std::size_t>(ancestor)].parent;
    }
    if (ancestor != link.parent) {
      throw std::invalid_argument(where + ": links must be in depth-first order");
    }
    if (std::abs(link.axis.norm() - 1.0) > 1e-9) {
      throw std::invalid_argument(where + ": joint axis must be a unit vector");
    }
    if (!joints.insert(link.joint).second) {
      throw std::invalid_argument(where + ": joint name '" + link.joint + "' occurs twice");
    }
  }
}

void CheckSpheres(const std::string& model, int links,
                  const std::vector<CollisionSphere>& spheres) {
  std::set<std::string> names;
  for (const CollisionSphere& sphere : spheres) {
    const std::string where =
        "RobotModel " + model + ": the collision sphere '" + sphere.name + "'";
    if (sphere.link < -1 || sphere.link >= links) {
      throw std::invalid_argument(where + " is on link " + std::to_string(sphere.link) +
                                  ", there are links 0 to " + std::to_string(links - 1) +
                                  " and the base, -1");
    }
    if (sphere.name.empty()) throw std::invalid_argument(where + " has no name");
    if (!names.insert(sphere.name).second) throw std::invalid_argument(where + " occurs twice");
    if (!sphere.p_LC_L.allFinite()) {
      throw std::invalid_argument(where + ": its centre is not finite");
    }
    if (!(sphere.radius_m > 0.0) || !std::isfinite(sphere.radius_m)) {
      throw std::invalid_argument(where + ": its radius must be positive and finite, got " +
                                  std::to_string(sphere.radius_m));
    }
  }
}

}  // namespace

RobotModel::RobotModel(std::string name, std::string base_name, std::vector<Link> links,
                       const Eigen::Vector3d& gravity, JointLimits limits)
    : name_(std::move(name)),
      base_name_(std::move(base_name)),
      links_(std::move(links)),
      subtree_sizes_(links_.size(), 1),
      gravity_(gravity),
      limits_(std::move(limits)) {
  CheckLinks(name_, base_name_, links_);
  end_effector_.link = dofs() - 1;
  actuation_ = {joint_names(), Eigen::MatrixXd::Identity(dofs(), dofs()),
                Eigen::VectorXd::Zero(dofs())};
  for (std::size_t i = links_.size(); i-- > 0;) {
    if (links_[i].parent >= 0) {
      subtree_sizes_[static_cast<std::size_t>(links_[i].parent)] += subtree_sizes_[i];
    }
  }
  for (const Eigen::VectorXd* limit : {&limits_.lower, &limits_.upper, &limits_.velocity,
                                       &limits_.acceleration, &limits_.effort}) {
    if (limit->size() != dofs()) {
      throw std::invalid_argument(
          "RobotModel " + name_ + ": a limit has " + std::to_string(limit->size()) +
          " entries, expected one for each of " + std::to_string(dofs()) + " joints");
    }
  }
}

void RobotModel::CheckLink(int link, const char* what) const {
  if (link >= 0 && link < dofs()) return;
  throw std::invalid_argument("RobotModel " + name_ + ": " + what + " is on link " +
                              std::to_string(link) + ", there are links 0 to " +
                              std::to_string(dofs() - 1));
}

void RobotModel::SetEndEffector(const EndEffector& end_effector) {
  CheckLink(end_effector.link, "the end effector");
  end_effector_ = end_effector;
}

void RobotModel::SetActuation(Actuation actuation) {
  const auto motors = static_cast<Eigen::Index>(actuation.names.size());
  if (actuation.B.rows() != dofs() || actuation.B.cols() != motors) {
    throw std::invalid_argument(
        "RobotModel " + name_ + ": the actuation matrix is " + std::to_string(actuation.B.rows()) +
        " × " + std::to_string(actuation.B.cols()) + ", expected one row for each of " +
        std::to_string(dofs()) + " joints and one column for each of " + std::to_string(motors) +
        " motors");
  }
  if (!actuation.B.allFinite()) {
    throw std::invalid_argument("RobotModel " + name_ + ": the actuation matrix is not finite");
  }
  if (actuation.zero.size() == 0) actuation.zero = Eigen::VectorXd::Zero(dofs());
  if (actuation.zero.size() != dofs() || !actuation.zero.allFinite()) {
    throw std::invalid_argument("RobotModel " + name_ +
                                ": the zero of the motors needs a finite number for each joint");
  }
  std::set<std::string> names;
  for (const std::string& name : actuation.names) {
    if (names.insert(name).second) continue;
    throw std::invalid_argument("RobotModel " + name_ + ": motor name '" + name + "' occurs twice");
  }
  actuation_ = std::move(actuation);
}

void RobotModel::CheckInput(const Term& term, const std::string& where) const {
  if (term.argument != TermArgument::kInput) return;
  const bool at_cut = term.rows == TermRows::kCut;
  const int first = at_cut ? WrenchInput(term.cut) : 0;
  const int last = first + (at_cut ? kWrenchRows : dofs()) - 1;
  if (term.input >= first && term.input <= last) return;
  const std::string takes = where + " takes input " + std::to_string(term.input) + ", ";
  if (at_cut) {
    throw std::invalid_argument(takes + "those of its cut are " + std::to_string(first) + " to " +
                                std::to_string(last));
  }
  throw std::invalid_argument(takes + "there is one for each of " + std::to_string(dofs()) +
                              " joints");
}

int RobotModel::input_count() const {
  const bool calibrated = std::ranges::any_of(terms_, [](const Term& term) {
    return term.rows == TermRows::kCut && term.argument == TermArgument::kInput;
  });
  return calibrated ? WrenchInput(static_cast<int>(cuts_.size())) : dofs();
}

void RobotModel::SetTerms(std::vector<Term> terms) {
  std::set<std::string> names;
  for (const Term& term : terms) {
    const std::string where = "RobotModel " + name_ + ": term '" + term.name + "'";
    if (!names.insert(term.name).second) throw std::invalid_argument(where + " occurs twice");
    const bool at_cut = term.rows == TermRows::kCut;
    for (const Term::Share& share : term.shares) {
      const int count = at_cut ? kWrenchRows : dofs();
      if (share.joint >= 0 && share.joint < count && std::isfinite(share.factor)) continue;
      throw std::invalid_argument(where + (at_cut ? " acts on row " : " acts on joint ") +
                                  std::to_string(share.joint) + " by a factor of " +
                                  std::to_string(share.factor));
    }
    if (at_cut && (term.cut < 0 || term.cut >= static_cast<int>(cuts_.size()))) {
      throw std::invalid_argument(where + " acts at cut " + std::to_string(term.cut) +
                                  ", there are " + std::to_string(cuts_.size()));
    }
    CheckInput(term, where);
    if (term.shares.empty()) throw std::invalid_argument(where + " acts on no joint");
    if (term.argument == TermArgument::kAcceleration && term.shape != TermShape::kLinear) {
      throw std::invalid_argument(where + " is not linear in the acceleration");
    }
    if (!(term.stribeck_velocity > 0.0)) {
      throw std::invalid_argument(where + ": its velocity must be positive");
    }
  }
  terms_ = std::move(terms);
}

void RobotModel::SetCuts(std::vector<Cut> cuts) {
  std::set<std::string> names;
  for (const Cut& cut : cuts) {
    const std::string what = "the cut '" + cut.name + "'";
    const std::string where = "RobotModel " + name_ + ": " + what;
    CheckLink(cut.link, what.c_str());
    if (cut.name.empty()) throw std::invalid_argument(where + " has no name");
    if (!names.insert(cut.name).second) throw std::invalid_argument(where + " occurs twice");
    if (!cut.R_LS.isUnitary(1e-9) || !(cut.R_LS.determinant() > 0.0)) {
      throw std::invalid_argument(where + ": its axes must be a rotation");
    }
    if (!cut.p_LS_L.allFinite()) throw std::invalid_argument(where + ": its point is not finite");
  }
  cuts_ = std::move(cuts);
}

int RobotModel::CutIndex(std::string_view name) const {
  const auto found = std::ranges::find(cuts_, name, &Cut::name);
  return found == cuts_.end() ? -1 : static_cast<int>(found - cuts_.begin());
}

const std::string& RobotModel::BodyName(int body) const {
  if (body < 0) return base_name_;
  return body < dofs() ? link(body).name : attached_[static_cast<std::size_t>(body - dofs())].name;
}

int RobotModel::CarrierOf(int body) const {
  return body < dofs() ? body : attached_[static_cast<std::size_t>(body - dofs())].link;
}

void RobotModel::SetAttached(std::vector<AttachedBody> attached,
                             std::vector<Configuration> configurations) {
  std::set<std::string> names = {base_name_};
  for (const Link& link : links_) names.insert(link.name);
  for (const AttachedBody& body : attached) {
    const std::string what = "the attached body '" + body.name + "'";
    const std::string where = "RobotModel " + name_ + ": " + what;
    CheckLink(body.link, what.c_str());
    if (body.name.empty()) throw std::invalid_argument(where + " has no name");
    if (!names.insert(body.name).second) {
      throw std::invalid_argument(where + " has the name of another body");
    }
    if (!body.R_LA.isUnitary(1e-9) || !(body.R_LA.determinant() > 0.0)) {
      throw std::invalid_argument(where + ": its axes must be a rotation");
    }
    if (!body.p_LA_L.allFinite()) throw std::invalid_argument(where + ": its place is not finite");
  }
  if (configurations.empty()) {
    throw std::invalid_argument("RobotModel " + name_ + ": there is no configuration");
  }
  std::set<std::string> labels;
  for (const Configuration& each : configurations) {
    const std::string where = "RobotModel " + name_ + ": configuration '" + each.name + "'";
    if (!labels.insert(each.name).second) throw std::invalid_argument(where + " occurs twice");
    int last = -1;
    for (const int body : each.attached) {
      if (body <= last || body >= static_cast<int>(attached.size())) {
        throw std::invalid_argument(where + " attaches body " + std::to_string(body) + " of " +
                                    std::to_string(attached.size()) +
                                    "; bodies must be there, and in increasing order");
      }
      last = body;
    }
    if (each.touched < -1 || each.touched >= dofs() + static_cast<int>(attached.size())) {
      throw std::invalid_argument(where + " is touched at body " + std::to_string(each.touched) +
                                  ", which is not there");
    }
  }
  attached_ = std::move(attached);
  configurations_ = std::move(configurations);
}

int RobotModel::ConfigurationIndex(std::string_view name) const {
  const auto found = std::ranges::find(configurations_, name, &Configuration::name);
  return found == configurations_.end() ? -1 : static_cast<int>(found - configurations_.begin());
}

std::vector<int> RobotModel::AbsentTerms(int configuration) const {
  std::set<int> absent;
  for (int k = 0; k < static_cast<int>(configurations_.size()); ++k) {
    for (const auto& [shared, own] : configurations_[static_cast<std::size_t>(k)].own) {
      absent.insert(k == configuration ? shared : own);
    }
  }
  return {absent.begin(), absent.end()};
}

std::vector<int> RobotModel::IdentifiedConfigurations() const {
  std::vector<int> identified;
  for (std::size_t k = 0; k < configurations_.size(); ++k) {
    if (configurations_[k].identified) identified.push_back(static_cast<int>(k));
  }
  return identified;
}

bool RobotModel::IsBeyond(int body, const Cut& cut) const {
  const int carrier = CarrierOf(body);
  if (carrier == cut.link) return body != carrier || cut.link_beyond;
  return carrier > cut.link && carrier < cut.link + subtree_size(cut.link);
}

void RobotModel::SetImu(const ImuMount& imu) {
  CheckLink(imu.link, "the IMU");
  imu_ = imu;
}

void RobotModel::SetDistanceMeter(const DistanceMeter& meter) {
  CheckLink(meter.link, "the distance meter");
  if (!(std::abs(meter.axis_L.norm() - 1.0) <= 1e-9)) {
    throw std::invalid_argument("RobotModel " + name_ +
                                ": the distance meter's optical axis must be a unit vector");
  }
  distance_meter_ = meter;
}

void RobotModel::SetCollision(CollisionModel collision) {
  CheckSpheres(name_, dofs(), collision.spheres);
  const int count = static_cast<int>(collision.spheres.size());
  const auto check = [&](int sphere, const char* where) {
    if (sphere >= 0 && sphere < count) return;
    throw std::invalid_argument("RobotModel " + name_ + ": " + where + " collision sphere " +
                                std::to_string(sphere) + ", there are " + std::to_string(count));
  };
  for (const auto& [one, other] : collision.pairs) {
    check(one, "a pair is of");
    check(other, "a pair is of");
    if (one != other) continue;
    throw std::invalid_argument("RobotModel " + name_ + ": a pair is of the collision sphere '" +
                                collision.spheres[static_cast<std::size_t>(one)].name +
                                "' with itself");
  }
  for (const int sphere : collision.above_floor) check(sphere, "above the floor must stay");
  collision_ = std::move(collision);
}

int RobotModel::JointIndex(const std::string& name) const {
  for (int i = 0; i < dofs(); ++i) {
    if (link(i).joint == name) return i;
  }
  return -1;
}

std::vector<std::string> RobotModel::joint_names() const {
  std::vector<std::string> names;
  for (const Link& link : links_) names.push_back(link.joint);
  return names;
}

}  // namespace idbench
