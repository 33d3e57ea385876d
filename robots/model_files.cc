#include "robots/model_files.h"

#include <algorithm>
#include <pugixml.hpp>
#include <utility>

#include "robots/mjspec.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// Collects files, each once, in the order of their finding.
class FileCollector {
 public:
  /// Adds a model file and all that it names, by whatever way.
  void AddModel(const fs::path& model) { AddXml(model, model.parent_path()); }

  /// @return whether the file is there and new.
  bool Add(const fs::path& file) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return false;
    const auto same = [&file](const fs::path& known) {
      return known.lexically_normal() == file.lexically_normal();
    };
    if (std::ranges::any_of(files_, same)) return false;
    files_.push_back(file);
    return true;
  }

  std::vector<fs::path> Take() { return std::move(files_); }

 private:
  /// @param folder  of the model file, to which names are relative in what it includes, too.
  void AddXml(const fs::path& file, const fs::path& folder) {
    if (!Add(file)) return;
    pugi::xml_document document;
    if (document.load_file(file.c_str())) AddNamedIn(document, folder);
  }

  void AddNamedIn(const pugi::xml_node& document, const fs::path& folder) {
    for (const pugi::xpath_node& found : document.select_nodes("//include[@file]")) {
      AddXml(folder / found.node().attribute("file").value(), folder);
    }
    for (const pugi::xpath_node& found : document.select_nodes("//asset/model[@file]")) {
      AddModel(folder / found.node().attribute("file").value());
    }
  }

  std::vector<fs::path> files_;
};

}  // namespace

fs::path FileOfMesh(const mjsMesh& mesh) {
  fs::path file = mjs_getString(mesh.file);
  if (file.empty()) return {};
  if (mjs_getSpec(mesh.element)->strippath) file = file.filename();
  const fs::path folder = mjs_getString(mjs_getOriginSpec(mesh.element)->modelfiledir);
  return folder / mjs_getString(mjs_getCompiler(mesh.element)->meshdir) / file;
}

std::vector<fs::path> FilesOfModel(const fs::path& model, const mjSpec* spec) {
  FileCollector collector;
  collector.AddModel(model);
  for (mjsElement* element : Elements(spec, mjOBJ_MESH)) {
    collector.Add(FileOfMesh(*mjs_asMesh(element)));
  }
  return collector.Take();
}

}  // namespace idbench
