#pragma once

// Included only by the kernel_<instruction set>.cc files. See kernel.h.

#include <cstddef>
#include <xsimd/xsimd.hpp>

#include "robots/dynamics/kernel/kernel.h"

namespace idbench {

/// Operations that xsimd 8.1 lacks for some instruction sets; some kernel_<instruction set>.cc
/// specialise this.
template <class Arch>
struct Isa {
  using Batch = xsimd::batch<double, Arch>;

  /// Returns x·y + z, rounded once if the instruction set can.
  static Batch Fma(const Batch& x, const Batch& y, const Batch& z) { return xsimd::fma(x, y, z); }
  /// Returns z − x·y, rounded once if the instruction set can.
  static Batch Fnma(const Batch& x, const Batch& y, const Batch& z) { return xsimd::fnma(x, y, z); }

  /// Adds to four doubles the sums of the eight lanes of four packs, always in the same order: ((l0
  /// + l4) + (l2 + l6)) + ((l1 + l5) + (l3 + l7)).
  static void AddLaneSums(const Batch (&packs)[4][kLanes / Batch::size], double* to) {
    for (int i = 0; i < 4; ++i) {
      double l[kLanes];
      for (std::size_t k = 0; k < kLanes / Batch::size; ++k) {
        packs[i][k].store_unaligned(l + k * Batch::size);
      }
      to[i] += ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
    }
  }
};

/// Samples of a quantity, as many as fit into one register. No lane depends on its neighbours, so
/// their number does not matter.
template <class Arch>
struct Pack {
  using Batch = xsimd::batch<double, Arch>;
  static constexpr int kWidth = static_cast<int>(Batch::size);
  Batch b;

  static Pack Load(const double* from) { return {Batch::load_unaligned(from)}; }
  void Store(double* to) const { b.store_unaligned(to); }
  static Pack Fill(double value) { return {Batch(value)}; }

  friend Pack operator+(const Pack& x, const Pack& y) { return {x.b + y.b}; }
  friend Pack operator-(const Pack& x, const Pack& y) { return {x.b - y.b}; }
  friend Pack operator*(const Pack& x, const Pack& y) { return {x.b * y.b}; }
  friend Pack operator*(double x, const Pack& y) { return Fill(x) * y; }
  /// Returns x·y + z, rounded once if the instruction set can.
  friend Pack Fma(const Pack& x, const Pack& y, const Pack& z) {
    return {Isa<Arch>::Fma(x.b, y.b, z.b)};
  }
  friend Pack Fma(double x, const Pack& y, const Pack& z) { return Fma(Fill(x), y, z); }
  /// Returns z − x·y, rounded once if the instruction set can.
  friend Pack Fnma(const Pack& x, const Pack& y, const Pack& z) {
    return {Isa<Arch>::Fnma(x.b, y.b, z.b)};
  }
};

/// Computes sin φ and cos φ of φ = x + quarter_turns·π/2, each lane independently: xsimd's versions
/// choose their range reduction from all lanes, so that a sample's last bits would depend on its
/// neighbours. Accurate to 1.5 units in the last place for |x| < 1e6.
///
/// x = n·π/2 + r with |r| ≤ π/4; the parts of π/2 have 33 bits, so that n times the first two is
/// exact for n < 2²⁰. Polynomials: those of FreeBSD's msun, k_sin.c and k_cos.c.
template <class Arch>
inline void SinCos(const xsimd::batch<double, Arch>& x,
                   const xsimd::batch<double, Arch>& quarter_turns,
                   xsimd::batch<double, Arch>& sine, xsimd::batch<double, Arch>& cosine) {
  using Batch = xsimd::batch<double, Arch>;
  const auto fma = [](const Batch& a, const Batch& b, const Batch& c) {
    return Isa<Arch>::Fma(a, b, c);
  };
  // Adding and subtracting 1.5·2⁵² rounds to the nearest integer.
  const Batch round(6755399441055744.0);
  const Batch n = fma(x, Batch(6.36619772367581382433e-01), round) - round;
  Batch r = Isa<Arch>::Fnma(n, Batch(1.57079632673412561417e+00), x);
  r = Isa<Arch>::Fnma(n, Batch(6.07710050630396597660e-11), r);
  r = Isa<Arch>::Fnma(n, Batch(2.02226624879595063154e-21), r);

  const Batch z = r * r;
  Batch s = fma(z, Batch(1.58969099521155010221e-10), Batch(-2.50507602534068634195e-08));
  s = fma(z, s, Batch(2.75573137070700676789e-06));
  s = fma(z, s, Batch(-1.98412698298579493134e-04));
  s = fma(z, s, Batch(8.33333333332248946124e-03));
  s = fma(z, s, Batch(-1.66666666666666324348e-01));
  const Batch sin_r = fma(z * r, s, r);

  Batch c = fma(z, Batch(-1.13596475577881948265e-11), Batch(2.08757232129817482790e-09));
  c = fma(z, c, Batch(-2.75573143513906633035e-07));
  c = fma(z, c, Batch(2.48015872894767294178e-05));
  c = fma(z, c, Batch(-1.38888888888741095749e-03));
  c = fma(z, c, Batch(4.16666666666666019037e-02));
  const Batch half_z = Batch(0.5) * z;
  const Batch w = Batch(1.0) - half_z;
  const Batch cos_r = w + fma(z * z, c, (Batch(1.0) - w) - half_z);

  // The quarter turns modulo 4, as −2 … 2.
  const Batch turns = n + quarter_turns;
  const Batch quadrant = Isa<Arch>::Fnma(fma(turns, Batch(0.25), round) - round, Batch(4.0), turns);
  const Batch square = quadrant * quadrant;
  const auto odd = square == Batch(1.0);
  const auto opposite = square == Batch(4.0);
  sine = xsimd::select(odd, cos_r, sin_r);
  cosine = xsimd::select(odd, sin_r, cos_r);
  sine = xsimd::select(opposite || quadrant == Batch(-1.0), -sine, sine);
  cosine = xsimd::select(opposite || quadrant == Batch(1.0), -cosine, cosine);
}

template <class Arch>
inline void SinCos(const Pack<Arch>& x, const Pack<Arch>& quarter_turns, Pack<Arch>& sine,
                   Pack<Arch>& cosine) {
  SinCos(x.b, quarter_turns.b, sine.b, cosine.b);
}

}  // namespace idbench
