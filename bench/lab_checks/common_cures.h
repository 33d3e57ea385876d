#pragma once

#include <string>

#include "bench/lab_checks/cure_search.h"

namespace idbench {

/// Returns the factor of all torques where they are far from those of the file's inertias, as in
/// mN·m; else 1. Bodies are held near the file's, so that other changes would seem to help there.
double FarScale(const LabFit& fit, const DataChange& change);

/// Adds what no structure of equations can see: torques that all have the wrong sign or unit, with
/// which they fit as well as with the right ones.
/// @param far  FarScale(), over which all torques were divided before the search.
void FindCommonCures(LabFit& fit, CureSearch& search, double far);

/// "4.2 %": two digits; all digits from 99.5 % on, never "1e+02 %".
std::string Percent(double part);

}  // namespace idbench
