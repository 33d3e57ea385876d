#include "sim/truth/payload.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <limits>
#include <map>

#include "robots/pose_options.h"

namespace idbench {
namespace {

constexpr double kSameEventTime = 1e-9;  // [s]
/// Of a body's trace of inertia about the link's origin.
constexpr double kLeastExtent = 1e-13;

Eigen::Matrix3d InertiaOf(const AttachOptions& options) {
  if (options.size_m) {
    // A uniform box: Ixx = m/12·(b² + c²) …
    const Eigen::Array3d squares =
        Eigen::Map<const Eigen::Array3d>(options.size_m->data()).square();
    return Eigen::Vector3d((options.mass_kg / 12.0) * (squares.sum() - squares)).asDiagonal();
  }
  if (!options.inertia_kgm2) return Eigen::Matrix3d::Zero();
  return InertiaOfEntries(*options.inertia_kgm2);
}

void CheckAttach(const AttachOptions& options, std::vector<Issue>& issues) {
  if (options.com_m.size() != 3) {
    issues.push_back({"/com_m",
                      fmt::format("got a list of {}", options.com_m.size()),
                      {"accepted here: x, y, z"}});
  }
  if (options.size_m && options.size_m->size() != 3) {
    issues.push_back({"/size_m",
                      fmt::format("got a list of {}", options.size_m->size()),
                      {"accepted here: the edges along x, y, z"}});
  }
  if (options.inertia_kgm2) CheckInertia(*options.inertia_kgm2, "/inertia_kgm2", issues);
  if (options.size_m && options.inertia_kgm2) {
    issues.push_back({"/inertia_kgm2", "is given together with size_m", {"give only one of them"}});
  }
}

/// The body that a payload is fixed to, of a robot that has it.
LinkBody PlaceOf(const AttachOptions& options, const Robot& robot) {
  if (!options.link.empty()) return *FindBody(robot, options.link);
  return {
      .link = robot.model.dofs() - 1, .body = -1, .name = "", .carries_frame = true, .inertia = {}};
}

/// About the centre of mass, in the frame of the link.
CentralInertia InertiaAt(const LinkBody& place, const AttachOptions& options) {
  const Eigen::Matrix3d I = InertiaOf(options);
  return {options.mass_kg, place.InLink(Eigen::Vector3d(options.com_m.data())),
          place.carries_frame ? I : place.R_LB * I * place.R_LB.transpose()};
}

/// What an event does to which payload from when to when.
struct Effect {
  std::string payload;
  std::string key_of_begin;
  double begin_s, end_s;
};

Effect EffectOf(const AttachOptions& o) { return {o.payload, "/at_s", o.at_s, o.at_s}; }
Effect EffectOf(const DetachOptions& o) { return {o.payload, "/at_s", o.at_s, o.at_s}; }
Effect EffectOf(const RampOptions& o) { return {o.payload, "/from_s", o.from_s, o.to_s}; }

}  // namespace

FieldTable Visit(AttachOptions& options) {
  FieldTable table;
  table
      .Add("at_s", options.at_s,
           {.doc = "Time at which the payload is attached",
            .unit = "s",
            .lower = 0,
            .required = true})
      .Add("payload", options.payload, {.doc = "Name of the payload, for later events"})
      .Add("link", options.link,
           {.doc = "Body of the model file that carries the payload; empty: the last link"})
      .Add("mass_kg", options.mass_kg,
           {.doc = "Mass of the payload",
            .unit = "kg",
            .lower = 0,
            .lower_open = true,
            .required = true})
      .Add("com_m", options.com_m, {.doc = "Centre of mass in that body's frame", .unit = "m"})
      .Add("size_m", options.size_m,
           {.doc = "Edges of a uniform box along that body's axes; null: see inertia_kgm2",
            .unit = "m",
            .lower = 0})
      .Add("inertia_kgm2", options.inertia_kgm2,
           {.doc = "Ixx, Iyy, Izz, or these and Ixy, Ixz, Iyz, about the centre of mass, in that "
                   "body's axes; null: that of the box, or of a point if size_m is null too",
            .unit = "kg·m²"})
      .Check([&options](std::vector<Issue>& issues) { CheckAttach(options, issues); });
  return table;
}

FieldTable Visit(DetachOptions& options) {
  FieldTable table;
  table
      .Add("at_s", options.at_s,
           {.doc = "Time at which the payload is detached",
            .unit = "s",
            .lower = 0,
            .required = true})
      .Add("payload", options.payload, {.doc = "Name of the payload to detach"});
  return table;
}

FieldTable Visit(RampOptions& options) {
  FieldTable table;
  table
      .Add("from_s", options.from_s,
           {.doc = "Time at which the mass begins to change",
            .unit = "s",
            .lower = 0,
            .required = true})
      .Add("to_s", options.to_s,
           {.doc = "Time at which the mass has its new value",
            .unit = "s",
            .lower = 0,
            .required = true})
      .Add("mass_kg", options.mass_kg,
           {.doc = "New mass; the inertia changes in proportion",
            .unit = "kg",
            .lower = 0,
            .required = true})
      .Add("payload", options.payload, {.doc = "Name of the payload that changes"})
      .Check([&options](std::vector<Issue>& issues) {
        if (options.to_s > options.from_s) return;
        issues.push_back({"/to_s", fmt::format("is {} s, not after from_s", options.to_s), {}});
      });
  return table;
}

double Payload::PartAt(double t) const {
  const auto next =
      std::ranges::upper_bound(parts, t + kSameEventTime, {}, &std::pair<double, double>::first);
  if (next == parts.begin()) return 0.0;
  const auto& [from, part] = *std::prev(next);
  if (next == parts.end()) return part;
  const double share = std::clamp((t - from) / (next->first - from), 0.0, 1.0);
  return part + share * (next->second - part);
}

std::vector<Issue> CheckPayloadEvents(const std::vector<PayloadEventOptions>& events,
                                      const std::string& where, const Robot& robot) {
  struct State {
    bool attached = false;
    double busy_until_s = 0.0;
  };
  std::map<std::string, State> states;
  std::vector<Issue> issues;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::string at = PointerTo(where, std::to_string(i));
    const auto* attach = std::get_if<AttachOptions>(&events[i]);
    if (attach != nullptr && !attach->link.empty()) {
      PlaceOf(attach->link, robot, at + "/link", issues);
    }
    const Effect effect = std::visit([](const auto& event) { return EffectOf(event); }, events[i]);
    State& state = states[effect.payload];
    if (effect.begin_s < state.busy_until_s) {
      issues.push_back({at + effect.key_of_begin,
                        fmt::format("{} s is before the last event of '{}' has ended, at {} s",
                                    effect.begin_s, effect.payload, state.busy_until_s),
                        {"list the events of a payload in the order of their times"}});
    }
    if (state.attached == (attach != nullptr)) {
      issues.push_back({at + "/payload",
                        fmt::format("'{}' is {} at that time", effect.payload,
                                    state.attached ? "already attached" : "not attached"),
                        {state.attached ? "detach it first, or give this one another name"
                                        : "attach it first"}});
    }
    state.attached = !std::holds_alternative<DetachOptions>(events[i]);
    state.busy_until_s = effect.end_s;
  }
  return issues;
}

namespace {

/// The body about its centre of mass. MuJoCo refuses moments that rounding makes impossible, those
/// of points, rods and plates: they get an extent that is round-off.
CentralInertia CentralOf(const Eigen::Matrix<double, kInertialCount, 1>& parameters) {
  CentralInertia inertia = FromStandard(parameters);
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> second_moments(
      Eigen::Matrix3d(0.5 * inertia.I_com.trace() * one - inertia.I_com));
  const double least = kLeastExtent * (parameters[4] + parameters[6] + parameters[9]);
  if (second_moments.eigenvalues()[0] >= least) return inertia;
  const Eigen::Matrix3d sigma = second_moments.eigenvectors() *
                                second_moments.eigenvalues().cwiseMax(least).asDiagonal() *
                                second_moments.eigenvectors().transpose();
  inertia.I_com = sigma.trace() * one - sigma;
  return inertia;
}

}  // namespace

std::vector<Payload> AttachedPayloads(const RobotModel& model, int configuration,
                                      const Eigen::Ref<const Eigen::VectorXd>& pi) {
  const ParameterLayout layout(model);
  std::vector<Payload> payloads;
  for (const int k : model.configurations()[static_cast<std::size_t>(configuration)].attached) {
    const AttachedBody& body = model.attached()[static_cast<std::size_t>(k)];
    const Eigen::Matrix<double, kInertialCount, 1> own =
        pi.segment<kInertialCount>(layout.Body(model.dofs() + k));
    if (own.isZero(0.0)) continue;
    payloads.push_back({body.link,
                        CentralOf(Transformed(own, body.R_LA, body.p_LA_L)),
                        {{-std::numeric_limits<double>::infinity(), 1.0}}});
  }
  return payloads;
}

std::vector<Payload> MakePayloads(const std::vector<PayloadEventOptions>& events,
                                  const Robot& robot) {
  std::vector<Payload> payloads;
  std::map<std::string, std::size_t> attached;  // by name: which of `payloads` it is
  for (const PayloadEventOptions& event : events) {
    if (const auto* attach = std::get_if<AttachOptions>(&event)) {
      attached[attach->payload] = payloads.size();
      const LinkBody place = PlaceOf(*attach, robot);
      payloads.push_back({place.link, InertiaAt(place, *attach), {{attach->at_s, 1.0}}});
      continue;
    }
    const Effect effect = std::visit([](const auto& each) { return EffectOf(each); }, event);
    Payload& payload = payloads[attached.at(effect.payload)];
    const auto* ramp = std::get_if<RampOptions>(&event);
    payload.parts.emplace_back(effect.begin_s, payload.parts.back().second);
    payload.parts.emplace_back(effect.end_s,
                               ramp == nullptr ? 0.0 : ramp->mass_kg / payload.inertia.mass);
  }
  return payloads;
}

}  // namespace idbench
