#pragma once

#include "bench/lab_checks/cure_search.h"

namespace idbench {

/// Returns Student's t over blocks that friction dissipates power: of all columns of torques, or of
/// all but one. Columns count alike, whatever their torques.
double DissipationT(const FitScore& score, Eigen::Index without = -1);

/// Whether friction of a column that rigid bodies explain clearly creates power where that of all
/// others clearly dissipates it, or the other way round: then the column, or its joint's positions,
/// have another sign than the others.
bool CreatesPower(const FitScore& score, Eigen::Index column);

/// Adds signs that friction alone tells: of joints that carry so little else that rigid bodies fit
/// as well with both.
void AddSignsByFriction(LabFit& fit, CureSearch& search);

}  // namespace idbench
