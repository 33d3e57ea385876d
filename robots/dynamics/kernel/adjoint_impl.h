#pragma once

// Included only by the gradient_<instruction set>.cc files. See kernel.h.

#include <cstddef>

#include "robots/dynamics/kernel/kernel.h"
#include "robots/dynamics/kernel/kernel_impl.h"
#include "robots/dynamics/kernel/vector_impl.h"

namespace idbench {

/// Derivatives of f = Σ g·(entry of the regressor) in q, q̇ and q̈, on numbers of type P.
///
/// A row is a twist (z, v) that every body behind it shares, and with the factors g of a body for
/// its parameters (m, h, I) that body adds z·N + v·F to f, with F = m·a + B·h its force, N =
/// vex(B·Σ)
/// + h × a its moment and Σ = ½·tr(I)·1 − I. One pass over the bodies behind a row, and back, gives
/// what f depends on the twist by; one pass back over the recursion of motion gives the rest. A bar
/// stands for ∂f/∂: with (z, v0) the joint's twist and primes for what a body has from its parent,
///
///   ∂f/∂q̈ = z·ᾱ + v0·ā
///   ∂f/∂q̇ = z·ω̄ + (ω' × z)·ᾱ + 2·(q̇·z × v0 + ω' × v0)·ā
///   ∂f/∂q = −z·(Σ (z_i × N_i + v_i × F_i) + ω' × ω̄' + α' × ᾱ' + a' × ā')
///           + v0·(Σ F_i × z_i + (R_PLᵀ·B_P·R_PL)ᵀ·ā'),
///
/// with sums over the rows i that the joint moves, and N, F of all bodies behind it. Source of the
/// recursions: as of KernelImpl; the adjoint is ours.
template <class P>
struct AdjointImpl {
  using Dynamics = KernelImpl<P>;
  using V3 = typename Dynamics::V3;
  using M3 = typename Dynamics::M3;
  using BodyState = typename Dynamics::BodyState;
  using Twist = typename Dynamics::Twist;
  using Wrench = typename Dynamics::Wrench;

  /// ∂f/∂ the motion of one body, and what f gains where its frame turns or slides in its parent's.
  struct Adjoint {
    V3 w, alpha, a;
    M3 B;
    V3 turn;   // Σ z_i × N_i + v_i × F_i
    V3 slide;  // Σ F_i × z_i
  };

  /// Factors of one body's ten entries: from[k] + at, k = 0 … 9.
  struct Source {
    const double* const* from;
    std::ptrdiff_t at;

    P Load(int k) const { return P::Load(from[k] + at); }
  };

  /// Returns M·N's entry: row · column of a symmetric matrix.
  static V3 RowTimes(const V3& row, const M3& symmetric) {
    return {Dot(row, symmetric.row[0]), Dot(row, symmetric.row[1]), Dot(row, symmetric.row[2])};
  }

  /// Adds what a body adds to f in a row to its adjoint.
  /// @return its wrench (F, N).
  static Wrench AddBody(const BodyState& body, const Twist& twist, const Source& g,
                        Adjoint& adjoint) {
    const P m = g.Load(0);
    const V3 h = {g.Load(1), g.Load(2), g.Load(3)};
    const P xx = g.Load(4), xy = g.Load(5), yy = g.Load(6);
    const P xz = g.Load(7), yz = g.Load(8), zz = g.Load(9);
    const P zero = P::Fill(0.0);
    const P half = 0.5 * (xx + yy + zz);
    const M3 S = {{{half - xx, zero - xy, zero - xz},
                   {zero - xy, half - yy, zero - yz},
                   {zero - xz, zero - yz, half - zz}}};
    const V3 x = RowTimes(body.B.row[0], S);  // of B·Σ
    const V3 y = RowTimes(body.B.row[1], S);
    const V3 z = RowTimes(body.B.row[2], S);
    const Wrench wrench = {AddRotated(body.B, h, Scale(m, body.a)),
                           AddCross(h, body.a, V3{z.y - y.z, x.z - z.x, y.x - x.y})};
    adjoint.a = AddCross(twist.z, h, AddScaled(m, twist.v, adjoint.a));
    // v·hᵀ + [z]×·Σ
    V3* const B = adjoint.B.row;
    B[0] = AddScaled(twist.v.x, h, Add(B[0], Turned(twist.z.y, S.row[2], twist.z.z, S.row[1])));
    B[1] = AddScaled(twist.v.y, h, Add(B[1], Turned(twist.z.z, S.row[0], twist.z.x, S.row[2])));
    B[2] = AddScaled(twist.v.z, h, Add(B[2], Turned(twist.z.x, S.row[1], twist.z.y, S.row[0])));
    return wrench;
  }

  /// Returns s·a − t·b.
  static V3 Turned(const P& s, const V3& a, const P& t, const V3& b) {
    return {Fnma(t, b.x, s * a.x), Fnma(t, b.y, s * a.y), Fnma(t, b.z, s * a.z)};
  }

  /// Buffers of all bodies, the base first.
  struct Buffers {
    BodyState* bodies;
    Adjoint* adjoints;
    Twist* twists;
    Wrench* wrenches;
  };
  static Buffers In(double* scratch, int dofs) {
    Buffers buffers{};
    buffers.bodies = reinterpret_cast<BodyState*>(scratch);
    buffers.adjoints = reinterpret_cast<Adjoint*>(buffers.bodies + dofs + 1);
    buffers.twists = reinterpret_cast<Twist*>(buffers.adjoints + dofs + 1);
    buffers.wrenches = reinterpret_cast<Wrench*>(buffers.twists + dofs + 1);
    return buffers;
  }

  /// Adds one row, of links first … last − 1, whose twist at link first − 1 is in `twists`. What
  /// the body of that twist itself adds is in `wrenches`.
  static void AddLinksBehind(const KernelModel& model, const Buffers& at, int first, int last,
                             Source g) {
    for (int i = first; i < last; ++i) {
      const KernelLink& link = model.links[i];
      const Twist twist = Dynamics::Shift(link, i, at.bodies[i + 1], at.twists[link.parent + 1]);
      at.twists[i + 1] = twist;
      at.wrenches[i + 1] = AddBody(at.bodies[i + 1], twist, g, at.adjoints[i + 1]);
      g.from += Dynamics::kCoefficients;
    }
    for (int i = last - 1; i >= first; --i) {
      const KernelLink& link = model.links[i];
      const BodyState& body = at.bodies[i + 1];
      const Twist twist = at.twists[i + 1];
      const Wrench own = at.wrenches[i + 1];
      Adjoint& adjoint = at.adjoints[i + 1];
      adjoint.turn = AddCross(twist.z, own.moment, AddCross(twist.v, own.force, adjoint.turn));
      if (link.moves_origin) adjoint.slide = AddCross(own.force, twist.z, adjoint.slide);
      const Wrench out = Dynamics::WithTurn(link, body, [&](const auto& turn) -> Wrench {
        return {turn.Out(own.force), turn.Out(own.moment)};
      });
      Wrench parent = at.wrenches[link.parent + 1];
      parent.force = Add(parent.force, out.force);
      parent.moment = Add(parent.moment, out.moment);
      if (link.origin == i) {
        parent.moment = AddCross(Dynamics::Origin(link, body), out.force, parent.moment);
      }
      at.wrenches[link.parent + 1] = parent;
    }
  }

  static void AddRows(const KernelModel& model, const KernelCuts& cuts, const Buffers& at,
                      const Source& first) {
    Source g = first;
    for (int row = 0; row < model.dofs; ++row) {
      const KernelLink& own = model.links[row];
      const Twist twist = {Dynamics::Const(own.z), Dynamics::Const(own.v0)};
      at.twists[row + 1] = twist;
      at.wrenches[row + 1] = AddBody(at.bodies[row + 1], twist, g, at.adjoints[row + 1]);
      g.from += Dynamics::kCoefficients;
      AddLinksBehind(model, at, row + 1, row + own.subtree_size, g);
      g.from += Dynamics::kCoefficients * (own.subtree_size - 1);
    }
    for (int k = 0; k < cuts.count; ++k) {
      const KernelCut& cut = cuts.cuts[k];
      const int behind = cut.link + 1;
      const int last = cut.link < 0 ? model.dofs : cut.link + model.links[cut.link].subtree_size;
      g = {first.from + cut.first, first.at};
      for (int row = 0; row < 6; ++row) {
        const Twist twist = {Dynamics::Const(cut.z[row]), Dynamics::Const(cut.v[row])};
        at.twists[behind] = twist;
        at.wrenches[behind] = AddBody(at.bodies[behind], twist, g, at.adjoints[behind]);
        g.from += Dynamics::kCoefficients;
        AddLinksBehind(model, at, behind, last, g);
        g.from += Dynamics::kCoefficients * (last - behind);
      }
    }
  }

  /// Adds what the rates of a body make of B = [α]× + ω·ωᵀ − |ω|²·1.
  static void AddRates(const BodyState& body, Adjoint& adjoint) {
    const V3* const B = adjoint.B.row;
    const P xy = B[0].y + B[1].x, xz = B[0].z + B[2].x, yz = B[1].z + B[2].y;
    const P yy_zz = B[1].y + B[2].z, xx_zz = B[0].x + B[2].z, xx_yy = B[0].x + B[1].y;
    const V3& w = body.w;
    adjoint.w.x = Fma(xz, w.z, Fma(xy, w.y, Fnma(yy_zz + yy_zz, w.x, adjoint.w.x)));
    adjoint.w.y = Fma(yz, w.z, Fma(xy, w.x, Fnma(xx_zz + xx_zz, w.y, adjoint.w.y)));
    adjoint.w.z = Fma(yz, w.y, Fma(xz, w.x, Fnma(xx_yy + xx_yy, w.z, adjoint.w.z)));
    adjoint.alpha = Add(adjoint.alpha, V3{B[2].y - B[1].z, B[0].z - B[2].x, B[1].x - B[0].y});
  }

  /// Computes ∂f/∂(q, q̇, q̈) of link i, whose adjoint is whole, and adds to that of its parent.
  static void PassLink(const KernelModel& model, int i, const KernelSamples& samples,
                       const Buffers& at, double* gradient) {
    const KernelLink& link = model.links[i];
    const BodyState& body = at.bodies[i + 1];
    const BodyState& parent = at.bodies[link.parent + 1];
    Adjoint& adjoint = at.adjoints[i + 1];
    AddRates(body, adjoint);
    const auto carried = Dynamics::Carry(link, i, parent, body);
    const P qd = P::Load(samples.qd + i * samples.stride);
    const V3 z = Dynamics::Const(link.z);
    const V3& a = adjoint.a;
    const V3& alpha = adjoint.alpha;
    P by_qdd = Dot(z, alpha);
    P by_qd = Dot(z, adjoint.w) + Dot(Cross(carried.w, z), alpha);
    V3 w = AddCross(Scale(qd, z), alpha, adjoint.w);  // of what the parent turns by
    if (link.moves_origin) {
      const V3 v0 = Dynamics::Const(link.v0);
      by_qdd = by_qdd + Dot(v0, a);
      by_qd = by_qd + 2.0 * Dot(AddCross(carried.w, v0, Cross(Scale(qd, z), v0)), a);
      w = AddCross(Scale(2.0 * qd, v0), a, w);
    }
    P by_q = P::Fill(0.0) -
             Dot(z, AddCross(carried.w, w,
                             AddCross(carried.alpha, alpha, AddCross(carried.a, a, adjoint.turn))));
    if (link.parent >= 0) {
      const typename Dynamics::Carried out =
          Dynamics::WithTurn(link, body, [&](const auto& turn) -> typename Dynamics::Carried {
            return {turn.Out(w), turn.Out(alpha), turn.Out(a)};
          });
      Adjoint& to = at.adjoints[link.parent + 1];
      to.w = Add(to.w, out.w);
      to.alpha = Add(to.alpha, out.alpha);
      to.a = Add(to.a, out.a);
      if (link.origin == i) {
        const V3 origin = Dynamics::Origin(link, body);
        to.B.row[0] = AddScaled(out.a.x, origin, to.B.row[0]);
        to.B.row[1] = AddScaled(out.a.y, origin, to.B.row[1]);
        to.B.row[2] = AddScaled(out.a.z, origin, to.B.row[2]);
      }
      if (link.moves_origin) {
        const V3 pull = RotateBack(parent.B, out.a);
        const V3 own =
            Dynamics::WithTurn(link, body, [&](const auto& turn) { return turn.Back(pull); });
        by_q = by_q + Dot(Dynamics::Const(link.v0), own);
      }
    }
    if (link.moves_origin) by_q = by_q + Dot(Dynamics::Const(link.v0), adjoint.slide);
    by_q.Store(gradient + i * kLanes);
    by_qd.Store(gradient + (model.dofs + i) * kLanes);
    by_qdd.Store(gradient + (2 * model.dofs + i) * kLanes);
  }

  /// Computes the gradients of all samples, see Kernel::gradient.
  static void Gradient(const KernelModel& model, const KernelSamples& samples,
                       const KernelCuts& cuts, double* scratch, const double* const* from,
                       std::ptrdiff_t at, double* gradient) {
    const Buffers buffers = In(scratch, model.dofs);
    const V3 zero = Dynamics::Zero();
    for (int lane = 0; lane < samples.count; lane += P::kWidth) {
      const KernelSamples own = Dynamics::From(samples, lane);
      Dynamics::Forward(model, own, true, buffers.bodies);
      for (int body = 0; body <= model.dofs; ++body) {
        buffers.adjoints[body] = {zero, zero, zero, Dynamics::ZeroMatrix(), zero, zero};
      }
      AddRows(model, cuts, buffers, {from, at + lane});
      for (int i = model.dofs - 1; i >= 0; --i) PassLink(model, i, own, buffers, gradient + lane);
    }
  }

  static_assert(sizeof(Adjoint) == 24 * P::kWidth * sizeof(double));
};

}  // namespace idbench
