// CMake needs one source that uses a target's precompiled headers before others can share them.
