#include "bench/report_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "bench/run/exit_code.h"
#include "reports/report.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

int MakeReport(const po::variables_map& values) {
  if (!values.count("folder")) throw UsageError("report: which run folder?");
  std::set<ReportFormat> formats;
  if (values.count("format")) {
    std::istringstream names(values["format"].as<std::string>());
    for (std::string name; std::getline(names, name, ',');) {
      try {
        formats.insert(ParseReportFormat(name));
      } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
      }
    }
  } else {
    formats = kDefaultFormats;
  }
  const Report report = WriteReport(values["folder"].as<std::string>(), formats);
  fmt::print("{}\n", report.markdown);
  for (const std::filesystem::path& file : report.files) {
    fmt::print("written: {}\n", file.string());
  }
  return kExitFine;
}

}  // namespace

Subcommand ReportCommand() {
  Subcommand report{"report",
                    "DIR",
                    "make the statistics and tables of a run folder again",
                    po::options_description("options"),
                    {"folder"},
                    &MakeReport};
  report.options.add_options()("format", po::value<std::string>()->value_name("LIST"),
                               "write these formats, between commas: md, html, tex, csv, json, "
                               "junit, svg, pdf (figures) (default: md,html,csv,json)");
  return report;
}

}  // namespace idbench
