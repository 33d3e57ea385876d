#include "estimators/registry.h"

#include <algorithm>
#include <array>

#include "estimators/active/dino.h"
#include "estimators/active/frequency_line.h"
#include "estimators/active/static_torque.h"
#include "estimators/active/swing_count.h"
#include "estimators/active/swing_damped_sines.h"
#include "estimators/active/swing_output_error.h"
#include "estimators/active/swing_weak_form.h"
#include "estimators/batch/consistent_wls.h"
#include "estimators/batch/irls.h"
#include "estimators/batch/map.h"
#include "estimators/batch/ols.h"
#include "estimators/batch/prior_only.h"
#include "estimators/batch/ridge.h"
#include "estimators/batch/wls.h"
#include "estimators/interface/active_estimator.h"
#include "estimators/motors/drive_nls.h"
#include "estimators/motors/pls.h"
#include "estimators/motors/prior_offsets.h"
#include "estimators/motors/two_stage.h"
#include "estimators/online/ekf.h"
#include "estimators/online/entropic_filter.h"
#include "estimators/online/log_cholesky_ekf.h"
#include "estimators/online/rls.h"
#include "estimators/online/scaled_kf.h"
#include "estimators/online/sigmoid_ekf.h"
#include "estimators/walkers/hekf.h"
#include "estimators/walkers/iv.h"
#include "estimators/walkers/mle.h"
#include "estimators/walkers/rls_fcd.h"
#include "estimators/walkers/weak_form.h"
#include "estimators/walkers/wls_fcd.h"
#include "estimators/walkers/zd_ml.h"

namespace idbench {
namespace {

template <class T>
std::unique_ptr<Estimator> Make() {
  return std::make_unique<T>();
}

constexpr std::string_view kFilteredAndFitted =
    "it filters signals with zero phase, and starts at the fit of all data";

}  // namespace

std::span<const EstimatorEntry> EstimatorRegistry() {
  static constexpr std::array kEntries = {
      EstimatorEntry{"prior_only", "Prior as it is, without any data", "", TakenAsExact::kNothing,
                     &Make<PriorOnly>},
      EstimatorEntry{"ols", "Ordinary least squares", "Atkeson, An & Hollerbach 1986",
                     TakenAsExact::kStates, &Make<Ols>},
      EstimatorEntry{"wls", "Least squares with one weight per equation row, from the residuals",
                     "Gautier & Poignet 2001", TakenAsExact::kStates, &Make<Wls>},
      EstimatorEntry{"irls", "Re-weighted least squares that outliers do not move",
                     "Huber 1964; Beaton & Tukey 1974", TakenAsExact::kStates, &Make<Irls>},
      EstimatorEntry{"ridge", "Least squares with a pull towards the prior", "Hoerl & Kennard 1970",
                     TakenAsExact::kStates, &Make<Ridge>},
      EstimatorEntry{"map", "Maximum a posteriori with the prior's covariance and the declared σ",
                     "van Trees 1968", TakenAsExact::kStates, &Make<Map>},
      EstimatorEntry{"ekf", "Kalman filter of the parameters", "Gautier & Poignet 2001",
                     TakenAsExact::kStates, &Make<Ekf>},
      EstimatorEntry{"sigmoid_ekf", "Extended Kalman filter that stays inside the bounds",
                     "Joukov, Bonnet, Venture & Kulić 2015", TakenAsExact::kStates,
                     &Make<SigmoidEkf>},
      EstimatorEntry{"scaled_kf", "Kalman filter with a prior in proportion to each body's inertia",
                     "Lee, Wensing & Park 2020 (metric)", TakenAsExact::kStates, &Make<ScaledKf>},
      EstimatorEntry{"entropic_filter", "Information filter over physically consistent bodies",
                     "Lee, Wensing & Park 2020 (divergence)", TakenAsExact::kStates,
                     &Make<EntropicFilter>},
      EstimatorEntry{"log_cholesky_ekf", "Extended Kalman filter over physically consistent bodies",
                     "Rucker & Wensing 2022 (state)", TakenAsExact::kStates, &Make<LogCholeskyEkf>},
      EstimatorEntry{"rls", "Recursive least squares in base parameters, with forgetting",
                     "Bierman 1977; Gautier 1991", TakenAsExact::kStates, &Make<Rls>},
      EstimatorEntry{"consistent_wls", "Weighted least squares over physically consistent bodies",
                     "Lee, Wensing & Park 2020", TakenAsExact::kStates, &Make<ConsistentWls>},
      EstimatorEntry{"pls", "Partial least squares: latent variables in place of full rank",
                     "Traversaro, Del Prete, Muradore, Natale & Nori 2013", TakenAsExact::kStates,
                     &Make<Pls>},
      EstimatorEntry{"prior_offsets", "Prior, with offsets of sensors from the data",
                     "Traversaro, Del Prete, Muradore, Natale & Nori 2013, table II",
                     TakenAsExact::kStates, &Make<PriorOffsets>},
      EstimatorEntry{"two_stage", "Drive gains: bodies from measured rows, then each motor's line",
                     "Chan 2001", TakenAsExact::kStates, &Make<TwoStage>},
      EstimatorEntry{"drive_nls", "Drive gains: nonlinear least squares in units of what is fed",
                     "", TakenAsExact::kStates, &Make<DriveNls>},
      EstimatorEntry{"wls_fcd", "Walkers: least squares on filtered central differences",
                     "Dolinský & Čelikovský 2018, (28)", TakenAsExact::kDrivenAngles,
                     &Make<WlsFcd>},
      EstimatorEntry{"rls_fcd", "Walkers: recursive least squares on filtered central differences",
                     "Dolinský & Čelikovský 2018, (64)-(67)", TakenAsExact::kDrivenAngles,
                     &Make<RlsFcd>, kFilteredAndFitted},
      EstimatorEntry{"mle", "Walkers: maximum likelihood with unknown absolute angles",
                     "Dolinský & Čelikovský 2018, (31)-(51)", TakenAsExact::kDrivenAngles,
                     &Make<Mle>},
      EstimatorEntry{"hekf", "Walkers: hybrid extended Kalman filter of state and parameters",
                     "Dolinský & Čelikovský 2018, (68)-(74)", TakenAsExact::kDrivenAngles,
                     &Make<Hekf>, kFilteredAndFitted},
      EstimatorEntry{"zd_ml", "Walkers: maximum likelihood on the zero dynamics", "",
                     TakenAsExact::kDrivenAngles, &Make<ZdMl>},
      EstimatorEntry{"weak_form", "Walkers: least squares in weak form, with test functions",
                     "Bortz, Messenger & Dukic 2023", TakenAsExact::kDrivenAngles, &Make<WeakForm>},
      EstimatorEntry{"iv", "Walkers: instrumental variables from the simulated zero dynamics",
                     "Janot, Vandanjon & Gautier 2014 (arms)", TakenAsExact::kDrivenAngles,
                     &Make<Iv>},
      EstimatorEntry{"dino", "Experiments: natural oscillation, gravity by the factor that falls",
                     "Jamisola & Dadios", TakenAsExact::kNothing, &Make<Dino>},
      EstimatorEntry{"swing_weak_form", "Experiments: least squares on free swings in weak form",
                     "Bortz, Messenger & Dukic 2023 (weak form)", TakenAsExact::kNothing,
                     &Make<SwingWeakForm>},
      EstimatorEntry{
          "swing_output_error", "Experiments: simulated against measured free swings, in segments",
          "Bock 1981 (multiple shooting)", TakenAsExact::kNothing, &Make<SwingOutputError>},
      EstimatorEntry{"swing_damped_sines",
                     "Experiments: line through frequencies of damped sines, one joint", "",
                     TakenAsExact::kNothing, &Make<SwingDampedSines>},
      EstimatorEntry{"frequency_line", "Experiments: line through squared frequencies, one joint",
                     "Jamisola & Dadios (swings)", TakenAsExact::kNothing, &Make<FrequencyLine>},
      EstimatorEntry{"swing_count", "Experiments: periods of one swing; estimates nothing",
                     "Jamisola & Dadios, tables I to III", TakenAsExact::kNothing,
                     &Make<SwingCount>},
      EstimatorEntry{"static_torque", "Experiments: gravity from torques at rest in some poses", "",
                     TakenAsExact::kNothing, &Make<StaticTorque>},
  };
  return kEntries;
}

std::vector<std::string> EstimatorTypes() {
  std::vector<std::string> types;
  for (const EstimatorEntry& entry : EstimatorRegistry()) types.emplace_back(entry.type);
  return types;
}

const EstimatorEntry* FindEstimator(std::string_view type) {
  const auto entries = EstimatorRegistry();
  const auto at = std::ranges::find(entries, type, &EstimatorEntry::type);
  return at == entries.end() ? nullptr : &*at;
}

bool IsActive(const EstimatorEntry& entry) {
  return dynamic_cast<const ActiveEstimator*>(entry.make().get()) != nullptr;
}

}  // namespace idbench
