#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/robot.h"

namespace idbench {

/// The text of the robot's own model file with the inertias of `pi` in place of those written
/// there; everything else stays: names, meshes, comments, defaults, layout of the text.
///
/// Of a link whose ten parameters are what the file says already, nothing is touched. Of another,
/// the whole goes to the body that has the joint; bodies fused into it, which the estimate cannot
/// tell from it, become massless, and a comment beside them says so. In MJCF what lets geometry or
/// a total mass win over an <inertial> is taken out (then all bodies are written), and so are least
/// masses and inertias, which would give the massless ones some. The text may stand in any folder:
/// included files are written out where they are included, and relative paths of meshes and
/// textures become absolute.
/// @param[out] notes  what was done beside writing inertias, one sentence each, appended.
/// @throws ConfigError for MJCF whose bodies do not stand in the file one by one (<replicate>,
///         <attach>), or an included file that cannot be read.
std::string EditedModel(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        std::vector<std::string>& notes);

}  // namespace idbench
