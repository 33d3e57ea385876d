#include "robots/dynamics/parameters/parametrisation.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

namespace idbench {
namespace {

/// Picks names or units by index.
std::vector<std::string> Pick(const std::vector<std::string>& all, const std::vector<int>& which) {
  std::vector<std::string> picked;
  for (const int k : which) picked.push_back(all[static_cast<std::size_t>(k)]);
  return picked;
}

AffineMap SelectionMap(Eigen::Index pi_size, const std::vector<int>& which) {
  AffineMap map{Eigen::VectorXd::Zero(pi_size),
                Eigen::MatrixXd::Zero(pi_size, static_cast<Eigen::Index>(which.size()))};
  for (std::size_t k = 0; k < which.size(); ++k) {
    map.A(which[k], static_cast<Eigen::Index>(k)) = 1.0;
  }
  return map;
}

/// Ten standard parameters of a unit principal moment along `axis`, about the centre of mass.
InertialParameters UnitMoment(const Eigen::Vector3d& axis) {
  CentralInertia unit;
  unit.I_com = axis * axis.transpose();
  return ToStandard(unit);
}

/// Ten standard parameters of a unit point mass at `com`.
InertialParameters UnitMass(const Eigen::Vector3d& com) {
  CentralInertia unit;
  unit.mass = 1.0;
  unit.com = com;
  return ToStandard(unit);
}

/// The row that reads the moment about `axis` through a known centre of mass from a body's ten
/// parameters: J = aᵀ (I_o − m·(|c|²·1 − c·cᵀ)) a.
Eigen::RowVectorXd MomentReader(const Eigen::Vector3d& axis, const Eigen::Vector3d& com) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(kInertialCount);
  row[0] = -(com.squaredNorm() - com.dot(axis) * com.dot(axis));
  row[4] = axis.x() * axis.x();
  row[5] = 2.0 * axis.x() * axis.y();
  row[6] = axis.y() * axis.y();
  row[7] = 2.0 * axis.x() * axis.z();
  row[8] = 2.0 * axis.y() * axis.z();
  row[9] = axis.z() * axis.z();
  return row;
}

/// One unknown of x: what a unit of it adds to π, and the row that reads it from π, both from index
/// `first` on; both empty for an unknown of a mapped body.
struct Unknown {
  int first;
  Eigen::VectorXd column;
  Eigen::RowVectorXd reader;
  std::string name, unit;
};

/// The unknowns as they are collected.
struct Unknowns {
  std::vector<Unknown> list;
  std::vector<MappedBody> bodies;
};

/// A body whose ten parameters begin at π's entry `first`.
struct Body {
  std::string name;
  int first;
  InertialParameters known;
};

void CheckMass(const std::string& type, const Body& body) {
  if (body.known[0] > 0.0) return;
  throw std::invalid_argument(type + ": " + body.name +
                              ".m is not positive in the known set, so its centre of mass is not "
                              "known; use the parametrisation 'standard' or 'base'");
}

Eigen::Matrix3d PrincipalAxes(const Body& body) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(FromStandard(body.known).I_com)
      .eigenvectors();
}

/// Mass and principal moments.
void AddMassAndMoments(const Body& body, Unknowns& unknowns) {
  CheckMass("masses_and_moments", body);
  const Eigen::Vector3d com = FromStandard(body.known).com;
  const Eigen::Matrix3d axes = PrincipalAxes(body);
  unknowns.list.push_back({body.first, UnitMass(com), Eigen::RowVectorXd::Unit(kInertialCount, 0),
                           body.name + ".m", "kg"});
  for (int k = 0; k < 3; ++k) {
    unknowns.list.push_back({body.first, UnitMoment(axes.col(k)), MomentReader(axes.col(k), com),
                             body.name + ".J" + std::to_string(k + 1), "kg·m²"});
  }
}

/// What `map` has for unknowns.
template <class Map>
void AddMapped(const Body& body, const Map& map, Unknowns& unknowns) {
  unknowns.bodies.push_back({body.first, static_cast<int>(unknowns.list.size()), map});
  for (std::size_t k = 0; k < Map::kSize; ++k) {
    unknowns.list.push_back({body.first,
                             {},
                             {},
                             body.name + "." + std::string(Map::kNames[k]),
                             std::string(Map::kUnits[k])});
  }
}

void CheckWholeBodies(const std::string& type, const RobotModel& model,
                      const std::vector<int>& considered) {
  for (int body = -1; body < model.body_end(); ++body) {
    const int first = ParameterLayout(model).Body(body);
    const auto count = std::ranges::count_if(
        considered, [first](int k) { return k >= first && k < first + kInertialCount; });
    if (count == 0 || count == kInertialCount) continue;
    throw std::invalid_argument(type +
                                ": of a body all ten parameters must be considered, or none; " +
                                model.BodyName(body) + " has " + std::to_string(count));
  }
}

Parametrisation Assemble(std::string type, int pi_size, Unknowns unknowns) {
  const auto size = static_cast<Eigen::Index>(unknowns.list.size());
  AffineMap map{Eigen::VectorXd::Zero(pi_size), Eigen::MatrixXd::Zero(pi_size, size)};
  Eigen::MatrixXd to_x = Eigen::MatrixXd::Zero(size, pi_size);
  std::vector<std::string> names, units;
  for (Eigen::Index k = 0; k < size; ++k) {
    const Unknown& unknown = unknowns.list[static_cast<std::size_t>(k)];
    map.A.col(k).segment(unknown.first, unknown.column.size()) = unknown.column;
    to_x.row(k).segment(unknown.first, unknown.reader.size()) = unknown.reader;
    names.push_back(unknown.name);
    units.push_back(unknown.unit);
  }
  return {std::move(type),  std::move(map),   std::move(to_x),
          std::move(names), std::move(units), std::move(unknowns.bodies)};
}

/// Unknowns of each considered body by `add_body`, then the joint parameters as they are.
Parametrisation BodyByBody(const std::string& type, const RobotModel& model,
                           const std::vector<int>& considered,
                           const Eigen::Ref<const Eigen::VectorXd>& pi_known,
                           const std::function<void(const Body&, Unknowns&)>& add_body) {
  CheckWholeBodies(type, model, considered);
  const ParameterLayout layout(model);
  Unknowns unknowns;
  for (const int body : WholeBodies(model, considered)) {
    const int first = layout.Body(body);
    add_body({model.BodyName(body), first, pi_known.segment<kInertialCount>(first)}, unknowns);
  }
  const std::vector<std::string> all_names = ParameterNames(model);
  const std::vector<std::string> all_units = ParameterUnits(model);
  for (const int index : considered) {
    if (index < layout.inertial_size()) continue;
    unknowns.list.push_back({index, Eigen::VectorXd::Ones(1), Eigen::RowVectorXd::Ones(1),
                             all_names[static_cast<std::size_t>(index)],
                             all_units[static_cast<std::size_t>(index)]});
  }
  return Assemble(type, layout.size(), std::move(unknowns));
}

/// Calls visitor(map, its unknowns as a fixed-size vector).
template <class Visitor>
void VisitMap(const MappedBody& body, const Eigen::Ref<const Eigen::VectorXd>& x, Visitor visitor) {
  std::visit(
      [&](const auto& map) {
        using Map = std::decay_t<decltype(map)>;
        const typename Map::Unknowns own = x.template segment<Map::kSize>(body.first_x);
        visitor(map, own);
      },
      body.map);
}

}  // namespace

Parametrisation::Parametrisation(std::string type, AffineMap map, Eigen::MatrixXd to_x,
                                 std::vector<std::string> the_names,
                                 std::vector<std::string> the_units, std::vector<MappedBody> bodies,
                                 std::optional<PlanarLagrangian> lagrangian)
    : names(std::move(the_names)),
      units(std::move(the_units)),
      lower(Eigen::VectorXd::Constant(size(), -std::numeric_limits<double>::infinity())),
      upper(-lower),
      type_(std::move(type)),
      map_(std::move(map)),
      to_x_(std::move(to_x)),
      bodies_(std::move(bodies)),
      lagrangian_(std::move(lagrangian)) {
  if (map_.A.cols() != size() || map_.A.rows() != pi_size() || to_x_.rows() != size() ||
      to_x_.cols() != pi_size() || units.size() != names.size()) {
    throw std::invalid_argument("Parametrisation " + type_ + ": sizes contradict each other");
  }
}

void Parametrisation::SetKnown(int first, const Eigen::Ref<const Eigen::VectorXd>& values) {
  if (first < 0 || first + values.size() > pi_size()) {
    throw std::invalid_argument("Parametrisation " + type_ + ": " + std::to_string(values.size()) +
                                " known parameters from " + std::to_string(first) +
                                " on leave π, which has " + std::to_string(pi_size()));
  }
  const bool moved =
      !map_.A.middleRows(first, values.size()).isZero(0.0) ||
      std::ranges::any_of(bodies_, [&](const MappedBody& body) {
        return first < body.first_pi + kInertialCount && body.first_pi < first + values.size();
      });
  if (moved) {
    throw std::invalid_argument("Parametrisation " + type_ +
                                ": what an unknown moves is not known");
  }
  map_.pi0.segment(first, values.size()) = values;
}

Eigen::VectorXd Parametrisation::Pi(const Eigen::Ref<const Eigen::VectorXd>& x) const {
  Eigen::VectorXd pi = map_.pi0 + map_.A * x;
  for (const MappedBody& body : bodies_) {
    VisitMap(body, x, [&](const auto& map, const auto& own) {
      pi.segment<kInertialCount>(body.first_pi) = map.Pi(own);
    });
  }
  return pi;
}

Eigen::MatrixXd Parametrisation::Jacobian(const Eigen::Ref<const Eigen::VectorXd>& x) const {
  Eigen::MatrixXd J = map_.A;
  for (const MappedBody& body : bodies_) {
    VisitMap(body, x, [&](const auto& map, const auto& own) {
      J.block<kInertialCount, std::decay_t<decltype(map)>::kSize>(body.first_pi, body.first_x) =
          map.Jacobian(own);
    });
  }
  return J;
}

std::vector<int> Parametrisation::UsedPi() const {
  std::vector<int> used;
  for (Eigen::Index k = 0; k < map_.pi0.size(); ++k) {
    const bool mapped = std::ranges::any_of(bodies_, [k](const MappedBody& body) {
      return k >= body.first_pi && k < body.first_pi + kInertialCount;
    });
    if (mapped || map_.pi0[k] != 0.0 || !map_.A.row(k).isZero(0.0)) {
      used.push_back(static_cast<int>(k));
    }
  }
  return used;
}

Linearisation Parametrisation::MakeLinearisation() const {
  // Every entry that a mapped body can have is stored, zeros too, so that Linearise() only writes.
  Eigen::MatrixXd pattern = map_.A;
  for (const MappedBody& body : bodies_) {
    std::visit(
        [&](const auto& map) {
          pattern
              .block<kInertialCount, std::decay_t<decltype(map)>::kSize>(body.first_pi,
                                                                         body.first_x)
              .setOnes();
        },
        body.map);
  }
  return {map_.pi0, pattern.sparseView()};
}

void Parametrisation::Linearise(const Eigen::Ref<const Eigen::VectorXd>& x,
                                Linearisation& at) const {
  for (const MappedBody& body : bodies_) {
    VisitMap(body, x, [&](const auto& map, const auto& own) {
      // Its columns stand one behind the other, ten entries each.
      Eigen::Map<Eigen::Matrix<double, kInertialCount, std::decay_t<decltype(map)>::kSize>>(
          at.J.valuePtr() + at.J.outerIndexPtr()[body.first_x]) = map.Jacobian(own);
    });
  }
  at.pi = map_.pi0;
  for (Eigen::Index k = 0; k < at.J.outerSize(); ++k) {
    for (Eigen::SparseMatrix<double>::InnerIterator a(at.J, k); a; ++a) {
      at.pi[a.index()] += a.value() * x[k];
    }
  }
  for (const MappedBody& body : bodies_) {
    VisitMap(body, x, [&](const auto& map, const auto& own) {
      at.pi.segment<kInertialCount>(body.first_pi) = map.Pi(own);
    });
  }
}

Eigen::VectorXd Parametrisation::FromPi(const Eigen::Ref<const Eigen::VectorXd>& pi) const {
  Eigen::VectorXd x = to_x_ * (pi - map_.pi0);
  for (const MappedBody& body : bodies_) {
    std::visit(
        [&](const auto& map) {
          x.segment<std::decay_t<decltype(map)>::kSize>(body.first_x) =
              map.FromPi(pi.segment<kInertialCount>(body.first_pi));
        },
        body.map);
  }
  return x;
}

Parametrisation StandardParametrisation(const RobotModel& model,
                                        const std::vector<int>& considered) {
  AffineMap map = SelectionMap(ParameterLayout(model).size(), considered);
  Eigen::MatrixXd to_x = map.A.transpose();
  return {"standard", std::move(map), std::move(to_x), Pick(ParameterNames(model), considered),
          Pick(ParameterUnits(model), considered)};
}

Parametrisation BaseParametrisation(const RobotModel& model, const BaseParameters& base) {
  Parametrisation result("base", SelectionMap(base.B.cols(), base.independent), base.B, base.names,
                         Pick(ParameterUnits(model), base.independent));
  result.expressions = base.expressions;
  result.representative = true;
  return result;
}

Parametrisation MassesAndMoments(const RobotModel& model, const std::vector<int>& considered,
                                 const Eigen::Ref<const Eigen::VectorXd>& pi_known) {
  return BodyByBody("masses_and_moments", model, considered, pi_known, AddMassAndMoments);
}

Parametrisation MassesMomentsAndFirstMoments(const RobotModel& model,
                                             const std::vector<int>& considered,
                                             const Eigen::Ref<const Eigen::VectorXd>& pi_known) {
  const std::string type = "masses_moments_first_moments";
  return BodyByBody(type, model, considered, pi_known, [&type](const Body& body, Unknowns& all) {
    CheckMass(type, body);
    AddMapped(body, FirstMomentsMap{PrincipalAxes(body)}, all);
  });
}

Parametrisation PlanarLagrangianParametrisation(const RobotModel& model,
                                                PlanarLagrangian lagrangian) {
  const Eigen::Index pi_size = ParameterLayout(model).size();
  Eigen::MatrixXd to_x(lagrangian.size(), pi_size);
  for (Eigen::Index k = 0; k < pi_size; ++k) {
    to_x.col(k) = lagrangian.FromPi(Eigen::VectorXd::Unit(pi_size, k));
  }
  AffineMap none = {Eigen::VectorXd::Zero(pi_size),
                    Eigen::MatrixXd::Zero(pi_size, lagrangian.size())};
  std::vector<std::string> names = lagrangian.names(), units = lagrangian.units();
  Parametrisation result("planar_lagrangian", std::move(none), std::move(to_x), std::move(names),
                         std::move(units), {}, std::move(lagrangian));
  result.representative = true;
  return result;
}

Parametrisation LogCholesky(const RobotModel& model, const std::vector<int>& considered,
                            const Eigen::Ref<const Eigen::VectorXd>& pi_known) {
  return BodyByBody("log_cholesky", model, considered, pi_known,
                    [](const Body& body, Unknowns& all) {
                      if (PhysicalConsistency(body.known) != Consistency::kConsistent) {
                        throw std::invalid_argument(
                            "log_cholesky: " + body.name +
                            " is not physically consistent in the known set, so it has no "
                            "logarithm; use the parametrisation 'standard' or 'base'");
                      }
                      AddMapped(body, LogCholeskyMap{}, all);
                    });
}

}  // namespace idbench
