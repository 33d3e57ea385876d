#pragma once

// Included only by the files of one instruction set, <…>_<instruction set>.cc. See kernel.h.

#include <cstddef>

#include "robots/dynamics/kernel/gram_impl.h"
#include "robots/dynamics/kernel/kernel.h"
#include "robots/dynamics/kernel/pack.h"
#include "robots/dynamics/kernel/vector_impl.h"

namespace idbench {

/// Dynamics on numbers of type P, each of which holds P::kWidth samples. P needs +, −, ·, Fma,
/// Fnma, SinCos, Fill, Load and Store.
template <class P>
struct KernelImpl {
  static constexpr int kCoefficients = 10;

  using V3 = Vector3<P>;
  using M3 = Matrix3<P>;

  /// Motion of one body, in its own axes.
  struct BodyState {
    P sine, cosine;  // of φ, unless z_axis is kOther
    V3 p;            // p_PL_P, if the joint moves the origin
    V3 w;            // angular velocity
    V3 alpha;        // angular acceleration
    V3 a;            // acceleration of the origin, minus gravity
    M3 B;       // [α]× + ω ωᵀ − |ω|²·1: a point r of the body accelerates by a + B·r
    V3 cross;   // ωy·ωz, ωx·ωz, ωx·ωy
    V3 spread;  // ωy² − ωz², ωz² − ωx², ωx² − ωy²
    M3 R;       // R_PL, if z_axis is kOther
  };
  struct Twist {
    V3 z, v;  // of one row, at a link's origin, in its axes
  };

  static V3 Const(const double* c) { return {P::Fill(c[0]), P::Fill(c[1]), P::Fill(c[2])}; }
  static V3 Zero() { return {P::Fill(0.0), P::Fill(0.0), P::Fill(0.0)}; }
  static M3 ZeroMatrix() { return {{Zero(), Zero(), Zero()}}; }

  static P Affine(double constant, double by_sine, double by_cosine, const P& s, const P& c) {
    return Fma(by_cosine, c, Fma(by_sine, s, P::Fill(constant)));
  }

  using AnyTurn = idbench::AnyTurn<P>;
  template <int K, bool kOpposite>
  using AxisTurn = idbench::AxisTurn<P, K, kOpposite>;

  /// Calls use(R_PL) with the kind of rotation above that the link has.
  template <class Use>
  static auto WithTurn(const KernelLink& link, const BodyState& body, const Use& use) {
    const P s = body.sine;
    const P c = body.cosine;
    switch (link.z_axis) {
      case ZAxis::kX:
        return use(AxisTurn<0, false>{s, c});
      case ZAxis::kY:
        return use(AxisTurn<1, false>{s, c});
      case ZAxis::kZ:
        return use(AxisTurn<2, false>{s, c});
      case ZAxis::kMinusX:
        return use(AxisTurn<0, true>{s, c});
      case ZAxis::kMinusY:
        return use(AxisTurn<1, true>{s, c});
      case ZAxis::kMinusZ:
        return use(AxisTurn<2, true>{s, c});
      case ZAxis::kOther:
        break;
    }
    return use(AnyTurn{body.R});
  }

  static V3 Origin(const KernelLink& link, const BodyState& body) {
    return link.moves_origin ? body.p : Const(link.p_const);
  }

  /// Computes R_PL and p_PL_P.
  static void SetPose(const KernelLink& link, const P& q, BodyState& body) {
    P s = Fma(link.sense, q, P::Fill(link.offset));
    P c = P::Fill(0.0);
    if (!link.prismatic) SinCos(P(s), P::Fill(link.quarter_turns), s, c);
    body.sine = s;
    body.cosine = c;
    if (link.moves_origin) {
      body.p = {Affine(link.p_const[0], link.p_sin[0], link.p_cos[0], s, c),
                Affine(link.p_const[1], link.p_sin[1], link.p_cos[1], s, c),
                Affine(link.p_const[2], link.p_sin[2], link.p_cos[2], s, c)};
    }
    if (link.z_axis != ZAxis::kOther) return;
    for (int i = 0; i < 3; ++i) {
      const int k = 3 * i;
      body.R.row[i] = {Affine(link.R_const[k], link.R_sin[k], link.R_cos[k], s, c),
                       Affine(link.R_const[k + 1], link.R_sin[k + 1], link.R_cos[k + 1], s, c),
                       Affine(link.R_const[k + 2], link.R_sin[k + 2], link.R_cos[k + 2], s, c)};
    }
  }

  /// Sets ω, α and the quantities that follow from them.
  static void SetRates(const V3 w, const V3 alpha, BodyState& body) {
    const P xx = w.x * w.x;
    const P yy = w.y * w.y;
    const P zz = w.z * w.z;
    const V3 c = {w.y * w.z, w.x * w.z, w.x * w.y};
    const P zero = P::Fill(0.0);
    body.w = w;
    body.alpha = alpha;
    body.cross = c;
    body.spread = {yy - zz, zz - xx, xx - yy};
    body.B.row[0] = {zero - (yy + zz), c.z - alpha.z, c.y + alpha.y};
    body.B.row[1] = {c.z + alpha.z, zero - (xx + zz), c.x - alpha.x};
    body.B.row[2] = {c.y - alpha.y, c.x + alpha.x, zero - (xx + yy)};
  }

  /// Runs the forward recursion over all links. bodies[0] is the base, bodies[i + 1] link i.
  /// The base does not rotate; its zero rates are stored only if its own coefficients or
  /// wrench are needed.
  static void Forward(const KernelModel& model, const KernelSamples& samples, bool base_too,
                      BodyState* bodies) {
    BodyState& base = bodies[0];
    base.a = {P::Fill(-model.gravity[0]), P::Fill(-model.gravity[1]), P::Fill(-model.gravity[2])};
    if (base_too) {
      base.alpha = base.cross = base.spread = Zero();
      base.B = ZeroMatrix();
    }
    for (int i = 0; i < model.dofs; ++i) {
      SetPose(model.links[i], P::Load(samples.q + i * samples.stride), bodies[i + 1]);
    }
    for (int i = 0; i < model.dofs; ++i) {
      const KernelLink& link = model.links[i];
      const std::ptrdiff_t at = i * samples.stride;
      SetMotion(link, i, bodies[link.parent + 1], P::Load(samples.qd + at),
                P::Load(samples.qdd + at), bodies[i + 1]);
    }
  }

  struct Carried {
    V3 w, alpha, a;  // of the parent, at the link's origin in the link's axes
  };

  static Carried Carry(const KernelLink& link, int i, const BodyState& parent,
                       const BodyState& body) {
    V3 a = parent.a;
    if (link.parent < 0) {
      a = WithTurn(link, body, [&](const auto& turn) { return turn.Back(a); });
      return {Zero(), Zero(), a};
    }
    if (link.origin == i) a = AddRotated(parent.B, Origin(link, body), a);
    return WithTurn(link, body, [&](const auto& turn) -> Carried {
      return {turn.Back(parent.w), turn.Back(parent.alpha), turn.Back(a)};
    });
  }

  /// Computes the motion of link i from its parent's.
  [[gnu::always_inline]] static void SetMotion(const KernelLink& link, int i,
                                               const BodyState& parent, const P qd, const P qdd,
                                               BodyState& body) {
    Carried carried = Carry(link, i, parent, body);
    const V3& w = carried.w;
    const V3& alpha = carried.alpha;
    if (link.turns_about_z) {
      // ω × z·q̇ = (ωy, −ωx, 0)·q̇
      const P rate = link.z[2] * qd;
      body.a = carried.a;
      SetRates({w.x, w.y, w.z + rate},
               {Fma(rate, w.y, alpha.x), Fnma(rate, w.x, alpha.y), Fma(link.z[2], qdd, alpha.z)},
               body);
      return;
    }
    const V3 z = Const(link.z);
    if (link.moves_origin) {
      // + v0·q̈ + (z × v0)·q̇² + 2 ω × v0·q̇, ω the parent's
      const V3 v0 = Const(link.v0);
      const V3 v = Scale(qd, v0);
      carried.a = AddScaled(qdd, v0, carried.a);
      carried.a = AddCross(Scale(qd, z), v, AddCross(Add(w, w), v, carried.a));
    }
    body.a = carried.a;
    SetRates(AddScaled(qd, z, w), AddScaled(qdd, z, AddScaled(qd, Cross(w, z), alpha)), body);
  }

  /// Destination of a body's coefficients: to[k] + at, k = 0 … 9.
  struct Target {
    double* const* to;
    std::ptrdiff_t at;

    void Store(int k, const P& value) const { value.Store(to[k] + at); }
  };

  /// Computes the ten coefficients of zᵀ·(moment) + vᵀ·(force) in a body's standard
  /// parameters. Takes the twist by value: stores might alias a reference, which would then be
  /// reloaded each time.
  static void Coefficients(const BodyState& body, const Twist twist, const Target& target) {
    target.Store(0, Dot(twist.v, body.a));
    // z·(h × a) + v·(B·h) = h·(a × z + Bᵀ·v)
    FirstMoments(AddCross(body.a, twist.z, RotateBack(body.B, twist.v)), target);
    Inertial(body, twist.z, target);
  }

  /// Computes Coefficients() for v = 0.
  static void CoefficientsAtAxis(const BodyState& body, const V3 z, const Target& target) {
    target.Store(0, P::Fill(0.0));
    FirstMoments(Cross(body.a, z), target);
    Inertial(body, z, target);
  }

  /// Computes Coefficients() for z = (0, 0, ±1), v = 0.
  static void CoefficientsAboutZ(const BodyState& body, double z, const Target& target) {
    const P minus = P::Fill(-z);
    target.Store(0, P::Fill(0.0));
    FirstMoments({z * body.a.y, minus * body.a.x, P::Fill(0.0)}, target);
    target.Store(4, minus * body.cross.z);
    target.Store(5, z * body.spread.z);
    target.Store(6, z * body.cross.z);
    target.Store(7, minus * body.B.row[1].z);
    target.Store(8, z * body.B.row[0].z);
    target.Store(9, z * body.alpha.z);
  }

  static void FirstMoments(const V3& h, const Target& target) {
    target.Store(1, h.x);
    target.Store(2, h.y);
    target.Store(3, h.z);
  }

  /// Computes the coefficients of z·(I·α + ω × I·ω) in (Ixx, Ixy, Iyy, Ixz, Iyz, Izz).
  static void Inertial(const BodyState& body, const V3 z, const Target& target) {
    const V3& alpha = body.alpha;
    const V3& c = body.cross;
    const V3* B = body.B.row;
    target.Store(4, Fma(z.x, alpha.x, Fnma(z.z, c.z, z.y * c.y)));
    target.Store(5, Fma(z.z, body.spread.z, Fnma(z.x, B[2].x, z.y * B[2].y)));
    target.Store(6, Fma(z.y, alpha.y, Fnma(z.x, c.x, z.z * c.z)));
    target.Store(7, Fma(z.y, body.spread.y, Fnma(z.z, B[1].z, z.x * B[1].x)));
    target.Store(8, Fma(z.x, body.spread.x, Fnma(z.y, B[0].y, z.z * B[0].z)));
    target.Store(9, Fma(z.z, alpha.z, Fnma(z.y, c.y, z.x * c.x)));
  }

  /// Returns the parent's twist at link i's origin, in link i's axes.
  static Twist Shift(const KernelLink& link, int i, const BodyState& body, const Twist& twist) {
    V3 v = twist.v;
    if (link.origin == i) v = AddCross(twist.z, Origin(link, body), v);
    return WithTurn(link, body, [&](const auto& turn) -> Twist {
      return {turn.Back(twist.z), turn.Back(v)};
    });
  }

  /// Computes the rows of P::kWidth samples.
  static void Rows(const KernelModel& model, const KernelSamples& samples, const KernelCuts& cuts,
                   double* scratch, double* const* const first_to, std::ptrdiff_t at) {
    BodyState* bodies = reinterpret_cast<BodyState*>(scratch);
    Twist* twists = reinterpret_cast<Twist*>(bodies + model.dofs + 1);
    bool base_too = false;
    for (int k = 0; k < cuts.count; ++k) base_too = base_too || cuts.cuts[k].link < 0;
    Forward(model, samples, base_too, bodies);
    double* const* to = first_to;
    for (int row = 0; row < model.dofs; ++row) {
      const KernelLink& own = model.links[row];
      const Twist twist = {Const(own.z), Const(own.v0)};
      if (own.branches) twists[row + 1] = twist;
      if (own.turns_about_z) {
        CoefficientsAboutZ(bodies[row + 1], own.z[2], {to, at});
      } else {
        Coefficients(bodies[row + 1], twist, {to, at});
      }
      to += kCoefficients;
      // An axis through the link's origin also passes through the next links' origins if
      // they coincide.
      const int origin = own.moves_origin ? -2 : row;
      LinksBehind(model, bodies, row + 1, row + own.subtree_size, origin, twist, twists, to, at);
      to += kCoefficients * (own.subtree_size - 1);
    }
    for (int k = 0; k < cuts.count; ++k) {
      CutRows(model, cuts.cuts[k], bodies, twists, first_to + cuts.cuts[k].first, at);
    }
  }

  /// Computes the coefficients of the links first … last − 1 in the row whose twist at link
  /// first − 1 is `twist`, with v = 0 for links whose `origin` is at most `origin`.
  [[gnu::always_inline]] static void LinksBehind(const KernelModel& model, const BodyState* bodies,
                                                 int first, int last, int origin, Twist twist,
                                                 Twist* twists, double* const* to,
                                                 std::ptrdiff_t at) {
    for (int i = first; i < last; ++i) {
      const KernelLink& link = model.links[i];
      const BodyState& body = bodies[i + 1];
      if (link.parent != i - 1) twist = twists[link.parent + 1];
      if (link.origin <= origin) {
        twist.z = WithTurn(link, body, [&](const auto& turn) { return turn.Back(twist.z); });
        CoefficientsAtAxis(body, twist.z, {to, at});
      } else {
        twist = Shift(link, i, body, twist);
        Coefficients(body, twist, {to, at});
      }
      if (link.branches) twists[i + 1] = twist;
      to += kCoefficients;
    }
  }

  static void CutRows(const KernelModel& model, const KernelCut& cut, const BodyState* bodies,
                      Twist* twists, double* const* to, std::ptrdiff_t at) {
    const int behind = cut.link + 1;
    const int last = cut.link < 0 ? model.dofs : cut.link + model.links[cut.link].subtree_size;
    for (int row = 0; row < 6; ++row) {
      const Twist twist = {Const(cut.z[row]), Const(cut.v[row])};
      twists[behind] = twist;
      Coefficients(bodies[behind], twist, {to, at});
      to += kCoefficients;
      const bool at_origin = row >= 3 && cut.through_origin;
      LinksBehind(model, bodies, behind, last, at_origin ? cut.link : -2, twist, twists, to, at);
      to += kCoefficients * (last - behind);
    }
  }

  struct Wrench {
    V3 force, moment;
  };

  /// Returns F = m a + B·h,  N = I α + ω × I ω + h × a.
  static Wrench BodyWrench(const BodyState& body, const double* pi, const int* order) {
    const V3 h = {P::Fill(pi[order[1]]), P::Fill(pi[order[2]]), P::Fill(pi[order[3]])};
    const V3& alpha = body.alpha;
    const V3& c = body.cross;
    const V3* B = body.B.row;
    const double xx = pi[order[4]], xy = pi[order[5]], yy = pi[order[6]];
    const double xz = pi[order[7]], yz = pi[order[8]], zz = pi[order[9]];
    Wrench wrench;
    wrench.force = AddRotated(body.B, h, Scale(P::Fill(pi[0]), body.a));
    const V3 moment = {
        Fma(xx, alpha.x, Fma(zz - yy, c.x, Fma(-xy, B[2].x, Fma(xz, B[1].x, yz * body.spread.x)))),
        Fma(yy, alpha.y, Fma(xx - zz, c.y, Fma(xy, B[2].y, Fma(-yz, B[0].y, xz * body.spread.y)))),
        Fma(zz, alpha.z, Fma(yy - xx, c.z, Fma(yz, B[0].z, Fma(-xz, B[1].z, xy * body.spread.z))))};
    wrench.moment = AddCross(h, body.a, moment);
    return wrench;
  }

  /// Computes torques and the wrench at a cut of P::kWidth samples.
  static void NewtonEuler(const KernelModel& model, const double* pi, const KernelSamples& samples,
                          double* scratch, double* tau, std::ptrdiff_t tau_stride,
                          const KernelCut* cut, double* wrench) {
    BodyState* bodies = reinterpret_cast<BodyState*>(scratch);
    Wrench* wrenches = reinterpret_cast<Wrench*>(bodies + model.dofs + 1);
    Forward(model, samples, true, bodies);
    for (int i = 0; i <= model.dofs; ++i) {
      constexpr int kBaseOrder[kCoefficients] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
      const int* const order = i == 0 ? kBaseOrder : model.links[i - 1].order;
      const Wrench own = BodyWrench(bodies[i], pi + kCoefficients * i, order);
      wrenches[i] = own;
    }
    for (int i = model.dofs - 1; i >= 0; --i) {
      const KernelLink& link = model.links[i];
      const Wrench own = wrenches[i + 1];
      P torque = link.turns_about_z ? link.z[2] * own.moment.z : Dot(Const(link.z), own.moment);
      if (link.moves_origin) torque = torque + Dot(Const(link.v0), own.force);
      torque.Store(tau + i * tau_stride);
      const BodyState& body = bodies[i + 1];
      const Wrench shifted = WithTurn(link, body, [&](const auto& turn) -> Wrench {
        return {turn.Out(own.force), turn.Out(own.moment)};
      });
      Wrench parent = wrenches[link.parent + 1];
      parent.force = Add(parent.force, shifted.force);
      parent.moment = Add(parent.moment, shifted.moment);
      if (link.origin == i)
        parent.moment = AddCross(Origin(link, body), shifted.force, parent.moment);
      wrenches[link.parent + 1] = parent;
    }
    if (cut == nullptr) return;
    const Wrench& there = wrenches[cut->link + 1];
    if (cut->link < 0) {  // in its own axes: nothing to compute
      const V3* const rows[2] = {&there.force, &there.moment};
      for (int k = 0; k < 2; ++k) {
        rows[k]->x.Store(wrench + (3 * k) * kLanes);
        rows[k]->y.Store(wrench + (3 * k + 1) * kLanes);
        rows[k]->z.Store(wrench + (3 * k + 2) * kLanes);
      }
      return;
    }
    for (int k = 0; k < 6; ++k) {
      const P power = Dot(Const(cut->v[k]), there.force) + Dot(Const(cut->z[k]), there.moment);
      power.Store(wrench + k * kLanes);
    }
  }

  static KernelSamples From(const KernelSamples& samples, int lane) {
    return {samples.q + lane, samples.qd + lane, samples.qdd + lane, samples.stride,
            samples.count - lane};
  }

  static void Regressor(const KernelModel& model, const KernelSamples& samples,
                        const KernelCuts& cuts, double* scratch, double* const* to,
                        std::ptrdiff_t at) {
    for (int lane = 0; lane < samples.count; lane += P::kWidth) {
      Rows(model, From(samples, lane), cuts, scratch, to, at + lane);
    }
  }

  static void InverseDynamics(const KernelModel& model, const double* pi,
                              const KernelSamples& samples, double* scratch, double* tau,
                              std::ptrdiff_t tau_stride, const KernelCut* cut, double* wrench) {
    for (int lane = 0; lane < samples.count; lane += P::kWidth) {
      NewtonEuler(model, pi, From(samples, lane), scratch, tau + lane, tau_stride, cut,
                  cut == nullptr ? nullptr : wrench + lane);
    }
  }

  static_assert(kLanes % P::kWidth == 0);
  static_assert(sizeof(BodyState) == 38 * P::kWidth * sizeof(double));
  static_assert(sizeof(Twist) == 6 * P::kWidth * sizeof(double));
  static_assert(sizeof(Wrench) == sizeof(Twist));
};

/// Dynamics by Wide or, for at most kFewLanes samples, by Few on shorter registers, which takes
/// less time. Both give the same result in each lane.
template <class Wide, class Few>
struct KernelOfEitherWidth {
  static void Regressor(const KernelModel& model, const KernelSamples& samples,
                        const KernelCuts& cuts, double* scratch, double* const* to,
                        std::ptrdiff_t at) {
    const bool few = samples.count <= kFewLanes;
    (few ? &Few::Regressor : &Wide::Regressor)(model, samples, cuts, scratch, to, at);
  }

  static void InverseDynamics(const KernelModel& model, const double* pi,
                              const KernelSamples& samples, double* scratch, double* tau,
                              std::ptrdiff_t tau_stride, const KernelCut* cut, double* wrench) {
    const bool few = samples.count <= kFewLanes;
    (few ? &Few::InverseDynamics : &Wide::InverseDynamics)(model, pi, samples, scratch, tau,
                                                           tau_stride, cut, wrench);
  }
};

/// Makes the table of one instruction set; Gram tiles have A rows.
template <class Arch, class Few, int A>
constexpr Kernel MakeKernel(const char* name, KernelGradient* gradient) {
  using Dynamics = KernelOfEitherWidth<KernelImpl<Pack<Arch>>, Few>;
  return {name, &Dynamics::InverseDynamics, &Dynamics::Regressor, gradient,
          &GramImpl<Arch, A>::Gram};
}

}  // namespace idbench
