#include "bench/identify/identify_scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "robots/term_options.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Part of a log, by fractions of its time.
struct Part {
  std::string kind;
  Role role;
  double from, until;
};

std::vector<Part> PartsOf(const LabLogs& logs, bool choosing) {
  const double until = FittedUntil(logs);
  const double tuned_from = (1.0 - kTuningPart) * until;
  std::vector<Part> parts = {
      {"identification", Role::kIdentification, 0.0, tuned_from},
      {"tuning", choosing ? Role::kTuning : Role::kIdentification, tuned_from, until}};
  if (until < 1.0 && !choosing) parts.push_back({"validation", Role::kValidation, until, 1.0});
  return parts;
}

Json FileJson(const RecordingFiles& files) {
  Json json;
  Binding<RecordingFiles>::Write(files, json);
  return json;
}

Json WindowJson(const Part& part) {
  Json window = Json::object();
  if (part.from > 0.0) window["from_fraction"] = part.from;
  if (part.until < 1.0) window["until_fraction"] = part.until;
  return window;
}

Json ExperimentsJson(const LabLogs& logs, bool choosing) {
  Json experiments = Json::object();
  const std::size_t count = logs.identification.size();
  for (const Part& part : PartsOf(logs, choosing)) {
    const std::vector<std::string> labels = LabelsOf(part.kind, count);
    for (std::size_t k = 0; k < count; ++k) {
      experiments[labels[k]] = {{"role", ToString(part.role)},
                                {"file", FileJson(logs.identification[k])},
                                {"window", WindowJson(part)}};
    }
  }
  if (choosing) return experiments;
  const std::vector<std::string> labels = LabelsOf("validation", logs.validation.size());
  for (std::size_t k = 0; k < labels.size(); ++k) {
    experiments[labels[k]] = {{"role", ToString(Role::kValidation)},
                              {"file", FileJson(logs.validation[k])}};
  }
  return experiments;
}

/// Takes out of an object what is as in another one, and what is then empty.
void Strip(Json& json, const Json& defaults) {
  for (auto each = json.begin(); each != json.end();) {
    const auto other = defaults.find(each.key());
    const bool there = other != defaults.end();
    const bool choice = each.value().is_object() && each.value().contains("type");
    if (there && each.value().is_object() && other->is_object() && !choice) {
      Strip(each.value(), *other);
    }
    const bool empty = each.value().is_object() && each.value().empty();
    if (empty || (there && each.value() == *other)) {
      each = json.erase(each);
    } else {
      ++each;
    }
  }
}

/// The recording without what it leaves to its defaults.
Json RecordingJson(const LabLogs& logs) {
  RecordingOptions options = logs.recording;
  RecordingOptions fresh;
  Json json = WriteFields(Visit(options));
  Strip(json, WriteFields(Visit(fresh)));
  return json;
}

Json ProcessingJson(const LabLogs& logs, const MotionFacts& facts, const Preparation& preparation) {
  Json json = Json::object();
  if (!facts.uniform || preparation.held_torque) json["resample_rate_hz"] = facts.rate_hz;
  for (const std::string_view torque : {kJointTorque, kMotorTorque}) {
    if (!preparation.held_torque || !logs.recording.columns[torque]) continue;
    json["shift_s"][std::string(torque)] = 0.5 / facts.rate_hz;
  }
  json["lowpass"] = {{"cutoff_hz", preparation.cutoff_hz}, {"channels", {kJointPosition}}};
  json["differentiate"] = {kJointVelocity, kJointAcceleration};
  return json;
}

/// Whether the robot's own file declares terms of a kind.
bool HasOwn(const LabLogs& logs, TermKind kind) {
  const std::vector<TermOptions> own = OptionsOfTerms(logs.robot.model);
  return std::ranges::find(own, kind, &TermOptions::type) != own.end();
}

/// Terms of the robot's own, and those that were chosen.
Json TermsJson(const LabLogs& logs, const MotionFacts& facts, const Preparation& preparation) {
  std::vector<TermOptions> terms = OptionsOfTerms(logs.robot.model);
  if (preparation.asymmetric) terms.emplace_back().type = TermKind::kAsymmetric;
  if (preparation.stribeck) {
    TermOptions& term = terms.emplace_back();
    term.type = TermKind::kStribeck;
    term.velocity_rad_s = facts.stribeck_velocity_rad_s;
  }
  Json json;
  Binding<std::vector<TermOptions>>::Write(terms, json);
  return json;
}

Json ProblemJson(const LabLogs& logs, const MotionFacts& facts, const Preparation& preparation) {
  constexpr double kNoUpperBound = 1e6;
  Json bounds = Json::object();
  Json friction = Json::array();
  if (!preparation.asymmetric && !HasOwn(logs, TermKind::kAsymmetric)) {
    friction = {"viscous", "coulomb", "offset"};
    for (const char* kind : {"fv", "fc"}) bounds[kind] = {0.0, kNoUpperBound};
  }
  if (preparation.asymmetric) {
    for (const char* kind : {"fv+", "fv-", "fc+", "fc-"}) bounds[kind] = {0.0, kNoUpperBound};
  }
  Json width;
  Binding<PerJoint>::Write(preparation.coulomb_width_rad_s, width);
  if (preparation.rotor_inertia) bounds["ia"] = {0.0, kNoUpperBound};
  return {{"parametrisation",
           {{"type", "standard"},
            {"friction", friction},
            {"rotor_inertia", preparation.rotor_inertia},
            {"coulomb_width_rad_s", width},
            {"bounds", bounds}}},
          {"prior", Json::object()},
          {"terms", TermsJson(logs, facts, preparation)}};
}

Json EstimatorsJson(const Preparation& preparation, bool choosing) {
  const Json filter = {{"cutoff_hz", preparation.cutoff_hz}};
  const Json plain = {{"parallel_filter", filter}};
  // Weights that still change after so many differ by less than what is known of them.
  constexpr int kReweightings = 50;
  const Json weighted = {{"parallel_filter", filter}, {"reweightings", kReweightings}};
  if (choosing) return {{kChooser, weighted}};
  // Where residuals are smooth, a few rounds do not settle which rows count.
  constexpr int kRounds = 400;
  return {{"prior_only", Json::object()},
          {"ols", plain},
          {"wls", weighted},
          {"irls", {{"parallel_filter", filter}, {"bisquare_rounds", kRounds}}},
          {kExported, weighted}};
}

Json TablesJson(const LabLogs& logs) {
  Json tables = Json::array();
  tables.push_back({{"caption",
                     "Relative torque error in %, over all joints; validation was neither "
                     "fitted nor used to choose anything"},
                    {"rows", "experiment"},
                    {"columns", "estimator"},
                    {"metric", "joint_torque_relative_error"},
                    {"percent", true}});
  const std::size_t count =
      logs.validation.empty() ? logs.identification.size() : logs.validation.size();
  for (const std::string& label : LabelsOf("validation", count)) {
    tables.push_back({{"caption", fmt::format("Torque error on {} in N·m, joint by joint", label)},
                      {"rows", "joint"},
                      {"columns", "estimator"},
                      {"metric", "joint_torque_rmse_nm@" + label}});
    tables.push_back(
        {{"caption",
          fmt::format("Torque error on {} over the torque's standard deviation, joint by "
                      "joint",
                      label)},
         {"rows", "joint"},
         {"columns", "estimator"},
         {"metric", "joint_torque_nrmse@" + label}});
  }
  return tables;
}

Json RobotJson(const LabLogs& logs) {
  Json robot = {{"model", logs.robot_name}};
  const RobotPart& part = logs.robot.part;
  if (!part.root.empty()) robot["root"] = part.root;
  if (!logs.robot.held.empty()) robot["joints"] = logs.robot.model.joint_names();
  for (const auto& [joint, position] : part.held_at) robot["held_at"][joint] = position;
  return robot;
}

}  // namespace

Json IdentifyScenario(const LabLogs& logs, const MotionFacts& facts, const Preparation& preparation,
                      bool choosing) {
  Json json = {{"name", "identify_" + logs.robot.name},
               {"title", fmt::format("{} identified from a lab's logs", logs.robot.title)},
               {"robot", RobotJson(logs)},
               {"recording", RecordingJson(logs)},
               {"experiments", ExperimentsJson(logs, choosing)},
               {"processing", ProcessingJson(logs, facts, preparation)},
               {"scoring", {{"cutoff_hz", facts.score_cutoff_hz}}},
               {"problem", ProblemJson(logs, facts, preparation)},
               {"estimators", EstimatorsJson(preparation, choosing)}};
  if (choosing) {
    json["metrics"] = {kChoosingMetric};
    json["timing_trials"] = 0;
    json["keep_series"] = Json::array();
  } else {
    json["metrics"] = {"joint_torque_rmse_nm", "joint_torque_relative_error", "joint_torque_nrmse"};
    json["tables"] = TablesJson(logs);
  }
  return json;
}

std::vector<std::string> LabelsOf(const std::string& kind, std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t k = 1; k <= count; ++k) {
    labels.push_back(k == 1 ? kind : fmt::format("{}_{}", kind, k));
  }
  return labels;
}

}  // namespace idbench
