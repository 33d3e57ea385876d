#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/options/json_fwd.h"

/// What decided the records of a run, as its manifest.json tells it: `scenario`, `seed`, `trials`
/// and `shard`; `inputs`, the SHA-256 of all files, by the JSON pointer that names them and their
/// name; `versions`, `build` (type, flags), `commit` and `program` (SHA-256 of the program file);
/// and the floating-point `fingerprint`.
namespace idbench {

/// File that two runs do not have in common.
struct InputDifference {
  std::string role;    ///< JSON pointer of the scenario that names it.
  std::string name;    ///< Its name; "" for a role that only one of the runs has.
  std::string first;   ///< "sha256:" and its beginning in the first run, or "nothing".
  std::string second;  ///< Likewise in the second.

  /// Returns "arm.urdf of /robot/model".
  std::string Label() const;
};

/// Returns the inputs in which two manifests differ; none if one of them does not tell its inputs.
///
/// Contents count, and not where they lie: a file that goes by another name in the second run is
/// the same one if its SHA-256 is. A name that both runs have stands for the same content in both.
std::vector<InputDifference> DifferentInputs(const Json& first, const Json& second);

/// First difference between two manifests that keeps their records from being one run's.
struct IdentityDifference {
  std::string what;    ///< "another scenario".
  std::string where;   ///< JSON pointer in the manifest, or the label of an input.
  std::string first;   ///< What the first manifest has there.
  std::string second;  ///< Likewise the second.
  std::string cure_of_shards;
  std::string cure_of_resume;
};

/// Returns the first of: format, scenario, seed, trials, inputs, versions, build, commit, program,
/// fingerprint, estimators, metrics; nothing if all are equal. The shard is not compared.
///
/// Program files may differ if both are builds of one commit without changes (not "-dirty"): with
/// equal versions, compiler and flags, which are compared as well, they compute the same, though
/// folders of the build are written into their bytes. Where the commit is unknown or files were
/// changed, only equal program files prove it. A key that neither manifest has (of an older
/// idbench) is no difference.
std::optional<IdentityDifference> FindIdentityDifference(const Json& first, const Json& second);

/// Returns, as sentences, what a reader has to know of two runs that are compared: which programs
/// computed them, if these differ, and which of them does not tell its inputs.
/// @param a_name, b_name  what the sentences call the runs, e.g. "the baseline" and "the run".
std::vector<std::string> ProgramDifferences(const Json& a, const std::string& a_name, const Json& b,
                                            const std::string& b_name);

}  // namespace idbench
