#pragma once

// Included only by the kernel_<instruction set>.cc files. See kernel.h.

#include <cstddef>

#include "robots/dynamics/kernel/pack.h"

namespace idbench {

/// Gram matrix in tiles of A × kGramTile entries that stay in registers.
template <class Arch, int A>
struct GramImpl {
  using Batch = xsimd::batch<double, Arch>;
  static constexpr int kBatchLanes = static_cast<int>(Batch::size);
  static constexpr int kBatches = kLanes / kBatchLanes;
  static_assert(kGramTile == 4 && kGramTile % A == 0);

  static void Tile(const double* a, const double* b, int packs, std::ptrdiff_t stride, double* gram,
                   std::ptrdiff_t gram_stride) {
    Batch sums[A][kGramTile][kBatches];
    for (int part = 0; part < kBatches; ++part) {
      Batch sum[A][kGramTile];
      for (int i = 0; i < A; ++i) {
        for (int j = 0; j < kGramTile; ++j) sum[i][j] = Batch(0.0);
      }
      for (int k = 0; k < packs; ++k) {
        const int at = k * kLanes + part * kBatchLanes;
        Batch column_b[kGramTile];
        for (int j = 0; j < kGramTile; ++j) column_b[j] = Batch::load_aligned(b + j * stride + at);
        for (int i = 0; i < A; ++i) {
          const Batch column_a = Batch::load_aligned(a + i * stride + at);
          for (int j = 0; j < kGramTile; ++j) {
            sum[i][j] = Isa<Arch>::Fma(column_a, column_b[j], sum[i][j]);
          }
        }
      }
      for (int i = 0; i < A; ++i) {
        for (int j = 0; j < kGramTile; ++j) sums[i][j][part] = sum[i][j];
      }
    }
    for (int i = 0; i < A; ++i) Isa<Arch>::AddLaneSums(sums[i], gram + i * gram_stride);
  }

  static void Gram(const double* columns, int count, int packs, int packs_stride, double* gram) {
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(packs_stride) * kLanes;
    for (int i = 0; i < count; i += A) {
      for (int j = i / kGramTile * kGramTile; j < count; j += kGramTile) {
        Tile(columns + i * stride, columns + j * stride, packs, stride,
             gram + static_cast<std::ptrdiff_t>(i) * count + j, count);
      }
    }
  }
};

}  // namespace idbench
