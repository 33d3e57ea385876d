#include "bench/identify/lab_column.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <span>
#include <utility>

#include "robots/recording/channels.h"

namespace idbench {
namespace {

struct WordKind {
  std::string_view word;
  ColumnKind kind;
};
constexpr auto kKindWords = std::to_array<WordKind>({
    {"time", ColumnKind::kClock},
    {"t", ColumnKind::kClock},
    {"stamp", ColumnKind::kClock},
    {"timestamp", ColumnKind::kClock},
    {"clock", ColumnKind::kClock},
    {"q", ColumnKind::kPosition},
    {"pos", ColumnKind::kPosition},
    {"position", ColumnKind::kPosition},
    {"positions", ColumnKind::kPosition},
    {"angle", ColumnKind::kPosition},
    {"angles", ColumnKind::kPosition},
    {"theta", ColumnKind::kPosition},
    {"qpos", ColumnKind::kPosition},
    {"jpos", ColumnKind::kPosition},
    {"qd", ColumnKind::kVelocity},
    {"dq", ColumnKind::kVelocity},
    {"qdot", ColumnKind::kVelocity},
    {"vel", ColumnKind::kVelocity},
    {"velocity", ColumnKind::kVelocity},
    {"velocities", ColumnKind::kVelocity},
    {"speed", ColumnKind::kVelocity},
    {"speeds", ColumnKind::kVelocity},
    {"qvel", ColumnKind::kVelocity},
    {"omega", ColumnKind::kVelocity},
    {"dtheta", ColumnKind::kVelocity},
    {"qdd", ColumnKind::kAcceleration},
    {"ddq", ColumnKind::kAcceleration},
    {"qddot", ColumnKind::kAcceleration},
    {"acc", ColumnKind::kAcceleration},
    {"accel", ColumnKind::kAcceleration},
    {"acceleration", ColumnKind::kAcceleration},
    {"qacc", ColumnKind::kAcceleration},
    {"accelerations", ColumnKind::kAcceleration},
    {"ddtheta", ColumnKind::kAcceleration},
    {"tau", ColumnKind::kTorque},
    {"torque", ColumnKind::kTorque},
    {"torques", ColumnKind::kTorque},
    {"trq", ColumnKind::kTorque},
    {"effort", ColumnKind::kTorque},
    {"efforts", ColumnKind::kTorque},
    {"moment", ColumnKind::kTorque},
    {"moments", ColumnKind::kTorque},
    {"current", ColumnKind::kCurrent},
    {"currents", ColumnKind::kCurrent},
    {"curr", ColumnKind::kCurrent},
    {"cur", ColumnKind::kCurrent},
    {"amp", ColumnKind::kCurrent},
    {"amps", ColumnKind::kCurrent},
    {"i", ColumnKind::kCurrent},
    {"zeit", ColumnKind::kClock},
    {"temps", ColumnKind::kClock},
    {"winkel", ColumnKind::kPosition},
    {"istwinkel", ColumnKind::kPosition},
    {"istposition", ColumnKind::kPosition},
    {"gelenkwinkel", ColumnKind::kPosition},
    {"drehmoment", ColumnKind::kTorque},
    {"istmoment", ColumnKind::kTorque},
    {"couple", ColumnKind::kTorque},
    {"couples", ColumnKind::kTorque},
    {"strom", ColumnKind::kCurrent},
    {"motorstrom", ColumnKind::kCurrent},
    {"iststrom", ColumnKind::kCurrent},
    {"courant", ColumnKind::kCurrent},
    {"vitesse", ColumnKind::kVelocity},
    {"geschwindigkeit", ColumnKind::kVelocity},
});

/// Words of clocks that say their unit.
constexpr auto kClockUnits = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"sec", "s"},
    {"secs", "s"},
    {"seconds", "s"},
    {"sekunden", "s"},
    {"secondes", "s"},
    {"nsec", "ns"},
    {"nsecs", "ns"},
    {"nanosec", "ns"},
    {"nanosecs", "ns"},
    {"nanoseconds", "ns"},
});

struct WordSource {
  std::string_view word;
  ColumnSource source;
};
constexpr auto kSourceWords = std::to_array<WordSource>({
    {"actual", ColumnSource::kMeasured},   {"act", ColumnSource::kMeasured},
    {"measured", ColumnSource::kMeasured}, {"meas", ColumnSource::kMeasured},
    {"msr", ColumnSource::kMeasured},      {"feedback", ColumnSource::kMeasured},
    {"read", ColumnSource::kMeasured},     {"real", ColumnSource::kMeasured},
    {"desired", ColumnSource::kCommanded}, {"des", ColumnSource::kCommanded},
    {"d", ColumnSource::kCommanded},       {"commanded", ColumnSource::kCommanded},
    {"command", ColumnSource::kCommanded}, {"cmd", ColumnSource::kCommanded},
    {"target", ColumnSource::kCommanded},  {"reference", ColumnSource::kCommanded},
    {"ref", ColumnSource::kCommanded},     {"setpoint", ColumnSource::kCommanded},
    {"goal", ColumnSource::kCommanded},    {"output", ColumnSource::kCommanded},
    {"ist", ColumnSource::kMeasured},      {"soll", ColumnSource::kCommanded},
});

/// Words that make a column another quantity than the one it names.
constexpr auto kOtherWords = std::to_array<std::string_view>(
    {"error", "err", "temp", "temperature", "temperatures", "voltage", "ext", "external", "limit",
     "max", "min", "std", "sigma", "cov", "covariance", "gravity", "coriolis", "friction"});
constexpr auto kMotorWords = std::to_array<std::string_view>({"motor", "motors", "mot"});
constexpr auto kNeutralWords = std::to_array<std::string_view>(
    {"joint",  "joints", "j",   "axis", "axes", "achse", "gelenk", "axe",   "a",      "state",
     "states", "robot",  "arm", "link", "of",   "the",   "data",   "value", "values", "column"});

/// Spellings of units in brackets, by the suffix that they stand for.
constexpr auto kBracketUnits = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"rad", "rad"},
    {"deg", "deg"},
    {"°", "deg"},
    {"degrees", "deg"},
    {"degree", "deg"},
    {"deg.", "deg"},
    {"radians", "rad"},
    {"newton meters", "nm"},
    {"newton metres", "nm"},
    {"newton-meters", "nm"},
    {"newtonmeter", "nm"},
    {"m", "m"},
    {"mm", "mm"},
    {"rad/s", "rad_s"},
    {"deg/s", "deg_s"},
    {"°/s", "deg_s"},
    {"rpm", "rpm"},
    {"m/s", "m_s"},
    {"rad/s^2", "rad_s2"},
    {"rad/s2", "rad_s2"},
    {"rad/s²", "rad_s2"},
    {"deg/s^2", "deg_s2"},
    {"deg/s2", "deg_s2"},
    {"m/s^2", "m_s2"},
    {"nm", "nm"},
    {"n.m", "nm"},
    {"n*m", "nm"},
    {"n·m", "nm"},
    {"n m", "nm"},
    {"n", "n"},
    {"a", "a"},
    {"knm", "knm"},
    {"kn·m", "knm"},
    {"kn*m", "knm"},
    {"mnm", "mnm"},
    {"mn·m", "mnm"},
    {"mn*m", "mnm"},
    {"ncm", "ncm"},
    {"n·cm", "ncm"},
    {"n*cm", "ncm"},
    {"nmm", "nmm"},
    {"n·mm", "nmm"},
    {"n*mm", "nmm"},
    {"ma", "ma"},
    {"amps", "a"},
    {"s", "s"},
    {"sec", "s"},
    {"ms", "ms"},
    {"us", "us"},
    {"µs", "us"},
    {"ns", "ns"},
});

/// Units in brackets that idbench does not read: what they say must not be passed over.
constexpr auto kOtherUnits = std::to_array<std::string_view>(
    {"lb",         "lbf",    "lb·ft",  "lb-ft",   "lbft",   "lbf·ft", "lbf-ft",      "lbfft",
     "ft-lb",      "ft·lb",  "ftlb",   "in-lb",   "in·lb",  "inlb",   "lb-in",       "lbf-in",
     "oz-in",      "ozin",   "oz·in",  "kgf",     "kgf·m",  "kgfm",   "kg·cm",       "kg-cm",
     "kgcm",       "kgf·cm", "kgfcm",  "kg·m",    "kgm",    "kn",     "mn",          "%",
     "percent",    "pct",    "v",      "mv",      "rev",    "revs",   "revolutions", "turn",
     "turns",      "tick",   "ticks",  "count",   "counts", "cnt",    "inc",         "incs",
     "increments", "pulses", "sample", "samples", "cycles", "min",    "minutes",     "h",
     "hours",      "cm",     "in",     "inch",    "inches", "um",     "µm",          "mrad",
     "urad",       "gon",    "mdeg",   "raw",     "digits", "bit",    "bits"});

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return lower;
}

bool IsLetter(char letter) { return std::isalpha(static_cast<unsigned char>(letter)) != 0; }
bool IsDigit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }
bool IsCapital(char letter) { return std::isupper(static_cast<unsigned char>(letter)) != 0; }

/// Words in lower case: runs of letters, cut before a capital behind a small letter, and runs of
/// digits.
std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  char previous = ' ';
  for (const char letter : text) {
    const bool same =
        (IsLetter(letter) && IsLetter(previous) && !(IsCapital(letter) && !IsCapital(previous))) ||
        (IsDigit(letter) && IsDigit(previous));
    if (IsLetter(letter) || IsDigit(letter)) {
      if (!same) words.emplace_back();
      words.back() += Lower({&letter, 1});
    }
    previous = letter;
  }
  return words;
}

template <std::size_t N>
bool Contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

std::optional<ColumnUnit> BracketUnit(std::string_view text) {
  const auto known =
      std::ranges::find(kBracketUnits, Lower(text), [](const auto& unit) { return unit.first; });
  return known == kBracketUnits.end() ? std::nullopt : UnitBySuffix(known->second);
}

/// Takes a unit in brackets at the end of a name off it: "q1 [deg]", "tau1(Nm)".
/// @param unknown  gets one that idbench does not read.
std::optional<ColumnUnit> TakeBracketUnit(std::string_view& name, std::string& unknown) {
  while (name.ends_with(' ')) name.remove_suffix(1);
  if (!name.ends_with(']') && !name.ends_with(')')) return std::nullopt;
  const std::size_t open = name.find_last_of("[(");
  if (open == std::string_view::npos) return std::nullopt;
  const std::string_view text = name.substr(open + 1, name.size() - open - 2);
  const std::optional<ColumnUnit> unit = BracketUnit(text);
  if (!unit && Contains(kOtherUnits, Lower(text))) unknown = text;
  if (unit || !unknown.empty()) name = name.substr(0, open);
  return unit;
}

/// Takes the words of the longest of the robot's joint names that is in `words` out of them.
std::string TakeJoint(std::vector<std::string>& words, const std::vector<std::string>& joints) {
  std::string longest;
  std::vector<std::string> its_words;
  for (const std::string& joint : joints) {
    std::vector<std::string> parts = WordsOf(joint);
    if (parts.size() < its_words.size() || parts.empty()) continue;
    if (std::ranges::search(words, parts).empty()) continue;
    longest = joint;
    its_words = std::move(parts);
  }
  if (longest.empty()) return longest;
  const auto found = std::ranges::search(words, its_words);
  words.erase(found.begin(), found.end());
  return longest;
}

void ReadWord(const std::string& word, bool& other, LabColumn& column) {
  const auto kind = std::ranges::find(kKindWords, word, &WordKind::word);
  const auto source = std::ranges::find(kSourceWords, word, &WordSource::word);
  const auto unit =
      std::ranges::find(kClockUnits, word, [](const auto& known) { return known.first; });
  if (IsDigit(word.front())) {
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc()) column.number = number;
  } else if (Contains(kOtherWords, word)) {
    other = true;
  } else if (source != kSourceWords.end()) {
    column.source = source->source;
  } else if (kind != kKindWords.end()) {
    column.kind = kind->kind;
  } else if (unit != kClockUnits.end()) {
    column.kind = ColumnKind::kClock;
    if (!column.unit) column.unit = UnitBySuffix(unit->second);
  } else if (Contains(kMotorWords, word)) {
    column.motor = true;
  } else if (!Contains(kNeutralWords, word)) {
    column.rest += (column.rest.empty() ? "" : " ") + word;
  }
}

}  // namespace

LabColumn ReadLabColumn(const std::string& name, const std::vector<std::string>& joints) {
  LabColumn column;
  column.name = name;
  std::string_view text = name;
  column.unit = TakeBracketUnit(text, column.unknown_unit);
  const bool in_brackets = column.unit.has_value();
  if (!column.unit && column.unknown_unit.empty()) {
    column.unit = UnitOfColumn(text);
    if (column.unit) text.remove_suffix(column.unit->suffix.size() + 1);
  }
  std::vector<std::string> words = WordsOf(text);
  column.joint = TakeJoint(words, joints);
  bool other = false;
  for (const std::string& word : words) ReadWord(word, other, column);
  if (other) column.kind = ColumnKind::kOther;
  if (in_brackets && column.unit->si == "A" && column.kind == ColumnKind::kTorque) {
    column.kind = ColumnKind::kCurrent;  // "Torque 1 [A]"
  }
  const std::string_view channel = ChannelOf(column);
  if (!column.unit || channel.empty()) return column;
  const std::vector<std::string> units = UnitsOfChannel(channel);
  if (std::ranges::find(units, column.unit->suffix) == units.end()) {
    // tau_m is no torque in metres, and q_a no position in amperes.
    if (column.unit->suffix == "m") column.motor = true;
    column.unit.reset();
  }
  return column;
}

std::optional<ColumnUnit> UnitBySpelling(std::string_view text) {
  const std::optional<ColumnUnit> by_suffix = UnitBySuffix(text);
  return by_suffix ? by_suffix : BracketUnit(text);
}

std::string_view ChannelOf(const LabColumn& column) {
  switch (column.kind) {
    case ColumnKind::kClock:
      return kTime;
    case ColumnKind::kPosition:
      return column.motor ? kMotorPosition : kJointPosition;
    case ColumnKind::kVelocity:
      return column.motor ? "" : kJointVelocity;
    case ColumnKind::kAcceleration:
      return column.motor ? "" : kJointAcceleration;
    case ColumnKind::kTorque:
      return column.motor ? kMotorTorque : kJointTorque;
    case ColumnKind::kCurrent:
      return kMotorCurrent;
    case ColumnKind::kOther:
      return "";
  }
  return "";
}

}  // namespace idbench
