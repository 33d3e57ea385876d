#include "scenarios/motion/trajectory/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace idbench {

SequenceMotion::SequenceMotion(std::vector<std::unique_ptr<Motion>> parts, double blend_s, int dofs)
    : parts_(std::move(parts)), blend_s_(blend_s) {
  if (parts_.size() < 2 || !(blend_s_ > 0.0)) {
    throw std::invalid_argument(
        fmt::format("SequenceMotion: {} parts, blends of {} s: expected at least two, and positive",
                    parts_.size(), blend_s_));
  }
  JointState from = JointState::Zero(dofs);
  JointState to = JointState::Zero(dofs);
  begins_.push_back(0.0);
  for (std::size_t k = 0; k + 1 < parts_.size(); ++k) {
    parts_[k]->Evaluate(parts_[k]->duration_s(), from);
    parts_[k + 1]->Evaluate(0.0, to);
    blends_.emplace_back(from, to, blend_s_);
    begins_.push_back(BlendBegin(k) + blend_s_);
  }
}

double SequenceMotion::duration_s() const { return begins_.back() + parts_.back()->duration_s(); }

void SequenceMotion::Evaluate(double t, JointState& desired) const {
  const auto next = std::upper_bound(begins_.begin() + 1, begins_.end(), t);
  const auto k = static_cast<std::size_t>(next - begins_.begin() - 1);
  if (k < blends_.size() && t >= BlendBegin(k))
    return blends_[k].Evaluate(t - BlendBegin(k), desired);
  parts_[k]->Evaluate(t - begins_[k], desired);
}

void SequenceMotion::Describe(CanonicalText& text) const {
  text.Add("kind", "sequence").Add("blend_s", blend_s_);
  for (const std::unique_ptr<Motion>& part : parts_) {
    CanonicalText of_part;
    part->Describe(of_part);
    text.Add("part", of_part);
  }
}

}  // namespace idbench
