#include "reports/charts/figures.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "reports/charts/render_figures.h"
#include "reports/files/atomic_file.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

constexpr int kWidth = 420;  ///< [px], which print as 1/96 inch.
constexpr const char* kPython = "/usr/bin/python3";

/// The name of a view's files: the chart, and the labels that tell the view from its siblings.
std::string NameOf(const Chart& chart, const ChartView& view) {
  std::string name = chart.name;
  for (std::size_t i = 0; i < chart.choices.size(); ++i) {
    if (LabelsOf(chart, i).size() > 1) name += "_" + FileStem(view.labels[i], "x");
  }
  return name;
}

/// The environment of this process, with the folder of vl_convert before what Python searches.
std::vector<std::string> EnvironmentWithRenderer() {
  std::vector<std::string> variables;
  std::string path = ChartFolder().string();
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (text.starts_with("PYTHONPATH=")) {
      path += ":" + text.substr(std::strlen("PYTHONPATH="));
    } else {
      variables.push_back(text);
    }
  }
  variables.push_back("PYTHONPATH=" + path);
  return variables;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Runs a program to its end. @returns its exit code, -1 if it cannot be started or is killed.
int Run(std::vector<std::string> arguments, const std::filesystem::path& errors) {
  std::vector<std::string> environment = EnvironmentWithRenderer();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0].c_str(), &actions, nullptr,
                                 Pointers(arguments).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// The last line of a file, which is what a Python error says.
std::string LastLine(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string last;
  for (std::string line; std::getline(stream, line);) last = line;
  return last;
}

}  // namespace

std::vector<std::filesystem::path> RenderFigures(const std::vector<Chart>& charts,
                                                 const std::filesystem::path& directory,
                                                 const std::set<std::string>& suffixes) {
  const Json config = ChartConfig(ChartColours::kPaper);
  std::vector<std::filesystem::path> figures;
  std::vector<std::string> arguments = {kPython, "-c", kRenderFigures,
                                        fmt::format("{}", fmt::join(suffixes, " "))};
  for (const Chart& chart : charts) {
    for (const ChartView& view : chart.views) {
      Json spec = WithWidth(Specification(chart, view), kWidth);
      spec["config"] = config;
      const std::filesystem::path file = directory / NameOf(chart, view);
      arguments.push_back(file.string() + ".vl.json");
      WriteAtomically(arguments.back(), JsonText(spec, 1) + '\n');
      for (const std::string& suffix : suffixes) figures.emplace_back(file.string() + "." + suffix);
    }
  }
  if (figures.empty()) return figures;
  const std::filesystem::path errors = directory / "errors.txt";
  if (Run(std::move(arguments), errors) != 0) {
    throw std::runtime_error(fmt::format(
        "figures: {} with vl_convert of {} failed: {}\n  ./setup.sh fetches vl_convert; "
        "IDBENCH_CHARTS names the folder that it is in",
        kPython, ChartFolder().string(), LastLine(errors)));
  }
  std::filesystem::remove(errors);
  return figures;
}

}  // namespace idbench
