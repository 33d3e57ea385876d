#include "estimators/interface/sample.h"

#include "estimators/interface/aligned_equations.h"
#include "estimators/interface/estimate.h"

namespace idbench {

Sample::Sample(const Problem& problem)
    : q(Eigen::VectorXd::Zero(problem.model.dofs())),
      qd(q),
      qdd(q),
      y(Eigen::VectorXd::Zero(problem.row_count())),
      inputs(Eigen::VectorXd::Zero(problem.input_count())) {}

SampleReader::SampleReader(const Problem& problem, std::span<const Dataset> datasets)
    : problem_(problem) {
  for (const Dataset& dataset : datasets) {
    if (dataset.role() == Role::kIdentification) datasets_.push_back(&dataset);
  }
  if (datasets_.empty()) {
    Refuse("there is no dataset of role identification");
  }
  read_ = ReadColumns(problem, problem.rows);
  for (const EquationRows& rows : problem.rows) {
    chosen_.push_back(ChosenRows(rows.placed(), problem.model.dofs()));
  }
}

bool SampleReader::Next(double checkpoint_s, Sample& sample) {
  while (current_ < datasets_.size()) {
    const Dataset& dataset = *datasets_[current_];
    if (!view_) {
      if (!HasBegun(recorded_s_, checkpoint_s)) return false;
      view_ = AlignEquations(problem_, dataset, problem_.rows);
      time_ = RecordedTimeOf(dataset);
      configuration_ = ConfigurationOf(problem_, dataset);
    }
    if (next_ < view_->size()) {
      const double t_s = recorded_s_ + (view_->time_s()[next_] - time_.start_s);
      if (!IsRecorded(t_s, checkpoint_s)) return false;
      Fill(dataset, sample);
      sample.t_s = t_s;
      ++next_;
      ++count_;
      return true;
    }
    recorded_s_ += time_.duration_s;
    view_.reset();
    next_ = 0;
    ++current_;
  }
  return false;
}

void SampleReader::Fill(const Dataset& dataset, Sample& sample) const {
  const AlignedView& view = *view_;
  const std::size_t channels = 3 + problem_.rows.size();
  for (std::size_t k = 0; k < channels; ++k) CheckFinite(dataset, view, k, next_, read_[k]);
  sample.configuration = configuration_;
  sample.q = view[0].row(next_);
  sample.qd = view[1].row(next_);
  sample.qdd = view[2].row(next_);
  Eigen::Index row = 0;
  for (std::size_t k = 3; k < channels; ++k) {
    const EquationRows& rows = problem_.rows[k - 3];
    const int input = rows.first_input(problem_.model);
    if (input >= 0) sample.inputs.segment(input, view[k].cols()) = view[k].row(next_).transpose();
    if (rows.of_drives()) {
      row += rows.count(problem_.model);
    } else {
      for (const int column : chosen_[k - 3]) sample.y[row++] = view[k](next_, column);
    }
  }
}

}  // namespace idbench
