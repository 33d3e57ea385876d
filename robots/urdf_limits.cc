#include "robots/urdf_limits.h"

#include <algorithm>
#include <limits>
#include <pugixml.hpp>
#include <string_view>

#include "robots/recording/csv_fields.h"

namespace idbench {
namespace {

/// A number that is written alone, with blanks around it; NaN for anything else.
double NumberAlone(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  text = text.substr(0, text.find_last_not_of(kBlank) + 1);
  double value = 0.0;
  return ReadCsvNumber(text, CsvDecimal::kPoint, value) == CsvContent::kNumber
             ? value
             : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Eigen::VectorXd UrdfVelocityLimits(const std::filesystem::path& file,
                                   const std::vector<std::string>& joints) {
  Eigen::VectorXd limits =
      Eigen::VectorXd::Constant(std::ssize(joints), std::numeric_limits<double>::infinity());
  pugi::xml_document document;
  if (!document.load_file(file.c_str())) return limits;
  for (const pugi::xml_node& joint : document.child("robot").children("joint")) {
    const auto at = std::ranges::find(joints, std::string_view(joint.attribute("name").value()));
    const double stated = NumberAlone(joint.child("limit").attribute("velocity").value());
    if (at != joints.end() && stated > 0.0) limits[at - joints.begin()] = stated;
  }
  return limits;
}

}  // namespace idbench
