#include "bench/part_options.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bench/run/exit_code.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

/// JOINT=VALUE as a position of a joint that is held.
std::pair<std::string, double> HeldAt(const std::string& text) {
  const std::size_t sign = text.rfind('=');
  double value = 0.0;
  const char* const end = text.data() + text.size();
  if (sign != std::string::npos && sign > 0) {
    const auto [stop, error] = std::from_chars(text.data() + sign + 1, end, value);
    if (error == std::errc() && stop == end) return {text.substr(0, sign), value};
  }
  throw UsageError(fmt::format(
      "--held-at: got '{}'\n  accepted here: JOINT=VALUE, in rad or m, as in elbow=-1.57", text));
}

}  // namespace

void AddPartOptions(po::options_description& options, bool multitoken) {
  const auto several = [multitoken](const char* name) {
    auto* const value = po::value<std::vector<std::string>>()->composing()->value_name(name);
    return multitoken ? value->multitoken() : value;
  };
  options.add_options()  //
      ("root", po::value<std::string>()->value_name("BODY"),
       "take only what hangs on this body of the file, which becomes the base")  //
      ("joints", several(multitoken ? "PATTERN…" : "PATTERN"),
       "take these joints as those that move, as in --joints 'joint{1..7}'; the others are held, "
       "and "
       "their bodies belong to the links that carry them")  //
      ("held-at", several(multitoken ? "JOINT=VALUE…" : "JOINT=VALUE"),
       "set positions of joints that are held, in rad or m (default: 0)");
}

RobotPart PartOf(const po::variables_map& values) {
  RobotPart part;
  if (values.count("root")) part.root = values["root"].as<std::string>();
  if (values.count("joints")) {
    part.joints.patterns = values["joints"].as<std::vector<std::string>>();
  }
  if (values.count("held-at")) {
    for (const std::string& text : values["held-at"].as<std::vector<std::string>>()) {
      part.held_at.push_back(HeldAt(text));
    }
  }
  return part;
}

std::string PartRefusal(const PartError& error) {
  std::string text;
  for (const Issue& issue : error.issues()) {
    std::string option = "--" + issue.where.substr(1, issue.where.find('/', 1) - 1);
    if (issue.where.starts_with("/held_at")) option = "--held-at" + issue.where.substr(8);
    if (option.starts_with("--held-at/")) option[9] = ' ';
    if (!text.empty()) text += "\n";
    text += option + ": " + issue.what;
    for (const std::string& detail : issue.details) text += "\n  " + detail;
  }
  return text;
}

}  // namespace idbench
