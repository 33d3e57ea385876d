#pragma once

#include <boost/program_options.hpp>
#include <string>

#include "robots/robot_part.h"

namespace idbench {

/// Adds --root, --joints and --held-at to a command's options.
/// @param multitoken  whether the patterns of one --joints may follow each other.
void AddPartOptions(boost::program_options::options_description& options, bool multitoken);

/// Returns the part of the model file that a call asks for. @throws UsageError.
RobotPart PartOf(const boost::program_options::variables_map& values);

/// Returns what is wrong with the part, in the words of the call.
std::string PartRefusal(const PartError& error);

}  // namespace idbench
