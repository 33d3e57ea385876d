#include "scenarios/laboratory_options.h"

namespace idbench {

FieldTable Visit(LaboratoryOptions& o) {
  FieldTable table;
  table
      .Add("rate_hz", o.rate_hz,
           {.doc = "Rate at which the plant takes commands and is read; must divide the plant's "
                   "step rate; null: that of the steps",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("longest_use_s", o.longest_use_s,
           {.doc = "Time for which an estimator may move the plant in a trial; then it fails, as "
                   "plant_failed",
            .unit = "s",
            .lower = 0.0,
            .lower_open = true});
  return table;
}

}  // namespace idbench
