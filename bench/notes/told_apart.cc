#include "bench/notes/told_apart.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/QR>
#include <algorithm>

namespace idbench {
namespace {

/// Whether rows of an equation hold a body of a link.
/// @param body  index into RobotModel::attached(); −1 for the link itself.
bool Holds(const EquationRows& equation, const RobotModel& model, int link, int body) {
  if (equation.equation != Equation::kCut || body >= 0) return true;
  const Cut& cut = model.cuts()[static_cast<std::size_t>(equation.cut)];
  return cut.link != link || cut.link_beyond;
}

/// Which of a link's bodies are in the rows of each equation in each configuration: bodies × rows.
Eigen::MatrixXd Presence(const RobotModel& model, std::span<const EquationRows> equations, int link,
                         const std::vector<int>& bodies) {
  const std::vector<int> configurations = model.IdentifiedConfigurations();
  Eigen::MatrixXd presence =
      Eigen::MatrixXd::Zero(std::ssize(bodies), std::ssize(configurations) * std::ssize(equations));
  Eigen::Index column = 0;
  for (const int configuration : configurations) {
    const std::vector<int>& attached =
        model.configurations()[static_cast<std::size_t>(configuration)].attached;
    for (const EquationRows& equation : equations) {
      for (std::size_t k = 0; k < bodies.size(); ++k) {
        const bool there =
            bodies[k] < 0 || std::ranges::find(attached, bodies[k]) != attached.end();
        presence(static_cast<Eigen::Index>(k), column) =
            there && Holds(equation, model, link, bodies[k]) ? 1.0 : 0.0;
      }
      ++column;
    }
  }
  return presence;
}

Eigen::Index RankOf(const Eigen::MatrixXd& matrix) {
  return Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(matrix).rank();
}

}  // namespace

std::vector<std::string> NotToldApart(const RobotModel& model,
                                      std::span<const EquationRows> equations) {
  std::vector<std::string> groups;
  for (int link = 0; link < model.dofs(); ++link) {
    std::vector<int> bodies = {-1};
    for (std::size_t k = 0; k < model.attached().size(); ++k) {
      const AttachedBody& body = model.attached()[k];
      if (body.link == link && !body.known) bodies.push_back(static_cast<int>(k));
    }
    if (bodies.size() < 2) continue;
    const Eigen::MatrixXd presence = Presence(model, equations, link, bodies);
    const Eigen::Index rank = RankOf(presence);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      Eigen::MatrixXd others = presence;
      others.row(static_cast<Eigen::Index>(k)).setZero();
      if (RankOf(others) < rank) continue;
      names.push_back(model.BodyName(bodies[k] < 0 ? link : model.dofs() + bodies[k]));
    }
    if (!names.empty()) groups.push_back(fmt::format("{}", fmt::join(names, ", ")));
  }
  return groups;
}

}  // namespace idbench
