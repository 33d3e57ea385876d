#include "reports/tables/latex.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>

namespace idbench {
namespace {

constexpr std::size_t kTablesAtOnce = 8;
constexpr std::uint32_t kDotAbove = 0x0307;
constexpr std::uint32_t kTwoDotsAbove = 0x0308;
constexpr std::uint32_t kCircumflex = 0x0302;

/// The code points of UTF-8. What breaks off becomes U+FFFD.
std::vector<std::uint32_t> DecodeUtf8(std::string_view text) {
  std::vector<std::uint32_t> points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (i + length > text.size()) {
      points.push_back(0xFFFD);
      break;
    }
    std::uint32_t point = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    }
    points.push_back(point);
    i += length;
  }
  return points;
}

/// Symbols of mathematics, by their commands; letters with accents, as text.
const std::map<std::uint32_t, const char*>& Symbols() {
  static const std::map<std::uint32_t, const char*> kSymbols = {
      {U'α', "\\alpha"},   {U'β', "\\beta"},    {U'γ', "\\gamma"},  {U'δ', "\\delta"},
      {U'ε', "\\epsilon"}, {U'ζ', "\\zeta"},    {U'η', "\\eta"},    {U'θ', "\\theta"},
      {U'κ', "\\kappa"},   {U'λ', "\\lambda"},  {U'μ', "\\mu"},     {U'µ', "\\mu"},
      {U'ν', "\\nu"},      {U'ξ', "\\xi"},      {U'π', "\\pi"},     {U'ρ', "\\rho"},
      {U'σ', "\\sigma"},   {U'τ', "\\tau"},     {U'φ', "\\varphi"}, {U'χ', "\\chi"},
      {U'ψ', "\\psi"},     {U'ω', "\\omega"},   {U'Γ', "\\Gamma"},  {U'Δ', "\\Delta"},
      {U'Θ', "\\Theta"},   {U'Λ', "\\Lambda"},  {U'Π', "\\Pi"},     {U'Σ', "\\Sigma"},
      {U'Φ', "\\Phi"},     {U'Ψ', "\\Psi"},     {U'Ω', "\\Omega"},  {U'·', "\\cdot"},
      {U'×', "\\times"},   {U'±', "\\pm"},      {U'−', "-"},        {U'≤', "\\le"},
      {U'≥', "\\ge"},      {U'≠', "\\ne"},      {U'≈', "\\approx"}, {U'∞', "\\infty"},
      {U'√', "\\surd"},    {U'∂', "\\partial"}, {U'‖', "\\|"},      {U'°', "^\\circ"},
      {U'²', "^2"},        {U'³', "^3"},        {U'¹', "^1"},       {U'⁰', "^0"},
      {U'⁻', "^-"},        {U'₀', "_0"},        {U'₁', "_1"},       {U'₂', "_2"},
      {U'₃', "_3"},        {U'ᵀ', "^\\top"},    {U'→', "\\to"},     {U'←', "\\leftarrow"},
      {U'∈', "\\in"},      {U'∑', "\\sum"},     {U'½', "\\frac12"}, {U'‰', "^0\\!/\\!_{00}"},
      {U'⊕', "\\oplus"},   {U'∝', "\\propto"},  {U'ℓ', "\\ell"},    {U'∇', "\\nabla"}};
  return kSymbols;
}

const std::map<std::uint32_t, const char*>& Letters() {
  static const std::map<std::uint32_t, const char*> kLetters = {
      {U'–', "--"},     {U'—', "---"},          {U'…', "\\dots{}"},  {U'‘', "`"},
      {U'’', "'"},      {U'“', "``"},           {U'”', "''"},        {0xA0, "~"},
      {U'ä', "\\\"a"},  {U'ö', "\\\"o"},        {U'ü', "\\\"u"},     {U'Ä', "\\\"A"},
      {U'Ö', "\\\"O"},  {U'Ü', "\\\"U"},        {U'ß', "\\ss{}"},    {U'é', "\\'e"},
      {U'è', "\\`e"},   {U'ê', "\\^e"},         {U'ë', "\\\"e"},     {U'á', "\\'a"},
      {U'à', "\\`a"},   {U'â', "\\^a"},         {U'ã', "\\~a"},      {U'å', "\\aa{}"},
      {U'ç', "\\c{c}"}, {U'ñ', "\\~n"},         {U'ó', "\\'o"},      {U'ò', "\\`o"},
      {U'ô', "\\^o"},   {U'õ', "\\~o"},         {U'ø', "\\o{}"},     {U'ú', "\\'u"},
      {U'ù', "\\`u"},   {U'í', "\\'{\\i}"},     {U'ï', "\\\"{\\i}"}, {U'É', "\\'E"},
      {U'Ø', "\\O{}"},  {U'Å', "\\AA{}"},       {U'š', "\\v{s}"},    {U'ž', "\\v{z}"},
      {U'č', "\\v{c}"}, {U'ć', "\\'c"},         {U'ł', "\\l{}"},     {U'Š', "\\v{S}"},
      {U'Ž', "\\v{Z}"}, {U'Č', "\\v{C}"},       {U'ř', "\\v{r}"},    {U'ý', "\\'y"},
      {U'§', "\\S{}"},  {U'©', "\\copyright{}"}};
  return kLetters;
}

std::string EscapeAscii(std::uint32_t point) {
  const char c = static_cast<char>(point);
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '<':
    case '>':
    case '|':
      return fmt::format("\\ensuremath{{{}}}", c == '|' ? "\\vert" : std::string(1, c));
    case '&':
    case '%':
    case '$':
    case '#':
    case '{':
    case '}':
      return std::string("\\") + c;
    case '_':
      return "\\_\\allowbreak{}";  // names are long, and TeX breaks no line at _
    case '[':  // behind a line's end LaTeX takes it, and a star, for an argument
    case '*':
      return fmt::format("{{{}}}", c);
    case '\n':
    case '\r':
    case '\t':
      return " ";
    case '"':
      return "''";
    default:
      return point < 0x20 ? "" : std::string(1, c);
  }
}

/// What stands above a letter of mathematics: "\dot"; nullptr for no such mark.
const char* Accent(std::uint32_t point) {
  if (point == kDotAbove) return "\\dot";
  if (point == kTwoDotsAbove) return "\\ddot";
  return point == kCircumflex ? "\\hat" : nullptr;
}

std::string Character(std::uint32_t point) {
  if (point < 0x80) return EscapeAscii(point);
  if (const auto symbol = Symbols().find(point); symbol != Symbols().end()) {
    return fmt::format("\\ensuremath{{{}}}", symbol->second);
  }
  if (const auto letter = Letters().find(point); letter != Letters().end()) return letter->second;
  return fmt::format("[U+{:04X}]", point);
}

/// A number as mathematics, so that a minus is one: "-3.1e-09" → "$-3.1\times10^{-9}$".
std::string MathNumber(std::string_view text) {
  const std::size_t exponent = text.find('e');
  if (exponent == std::string_view::npos) return fmt::format("${}$", text);
  const int power = std::stoi(std::string(text.substr(exponent + 1)));
  return fmt::format("${}\\times10^{{{}}}$", text.substr(0, exponent), power);
}

std::string Entry(const TableColumn& column, const TableEntry& entry) {
  if (!entry.value) return LatexEscape(entry.text);
  const std::size_t space = entry.interval ? entry.text.find(' ') : std::string::npos;
  std::string number = MathNumber(entry.text.substr(0, space));
  if (entry.best) number = fmt::format("\\textbf{{\\boldmath {}}}", number);
  if (column.kind == TableColumn::Kind::kPublished)
    number = fmt::format("\\textit{{{}}}", entry.text);
  if (space == std::string::npos) return number + entry.FewerText();
  const std::size_t begin = entry.text.find('[', space) + 1;
  const std::size_t comma = entry.text.find(", ", begin);
  return fmt::format(
      "{}~{{\\scriptsize{}[{}, {}]{}}}", number, entry.interval->approximate ? "$\\approx$" : "",
      MathNumber(entry.text.substr(begin, comma - begin)),
      MathNumber(entry.text.substr(comma + 2, entry.text.size() - comma - 3)), entry.FewerText());
}

/// A heading, broken into lines at spaces.
std::string BrokenHeading(const std::string& text, char alignment) {
  static constexpr std::size_t kLine = 14;
  std::string lines;
  std::size_t length = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.empty()) {
      const bool fits = length + word.size() < kLine;
      lines += fits ? " " : "\\\\";
      if (!fits) length = 0;
    }
    lines += LatexEscape(word);
    length += word.size() + 1;
    begin = end + 1;
  }
  return fmt::format("\\begin{{tabular}}[b]{{@{{}}{}@{{}}}}{}\\end{{tabular}}", alignment, lines);
}

std::string CaptionWithNotes(const Table& table) {
  std::string caption = LatexEscape(table.caption);
  std::string separator = caption.empty() ? "" : ". ";
  for (const std::string& note : table.notes) {
    caption += separator + LatexEscape(note);
    separator = "; ";
  }
  return caption + ".";
}

}  // namespace

std::string LatexEscape(std::string_view text) {
  std::string escaped;
  const std::vector<std::uint32_t> points = DecodeUtf8(text);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const char* accent = i + 1 < points.size() ? Accent(points[i + 1]) : nullptr;
    if (accent) {
      const auto symbol = Symbols().find(points[i]);
      const std::string letter = symbol == Symbols().end() ? Character(points[i]) : symbol->second;
      escaped += fmt::format("\\ensuremath{{{}{{{}}}}}", accent, letter);
      ++i;
    } else {
      escaped += Character(points[i]);
    }
  }
  return escaped;
}

std::string RenderLatex(const Table& table) {
  if (table.columns.empty()) return "";
  std::string text = fmt::format(
      "\\begin{{table}}[htbp]\n\\centering\n\\caption{{{}}}\n\\small\n"
      "\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n"
      "\\begin{{tabular}}{{l{}}}\n\\toprule\n",
      CaptionWithNotes(table), std::string(table.columns.size(), 'r'));
  text += BrokenHeading(table.row_header, 'l');
  for (const TableColumn& column : table.columns) text += " & " + BrokenHeading(column.header, 'r');
  text += " \\\\\n\\midrule\n";
  for (std::size_t row = 0; row < table.row_labels.size(); ++row) {
    if (table.last_row_counts_failures && row + 1 == table.row_labels.size()) text += "\\midrule\n";
    text += LatexEscape(table.row_labels[row]);
    for (const TableColumn& column : table.columns) {
      text += " & " + Entry(column, column.entries[row]);
    }
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}}\n\\end{table}\n";
}

std::string RenderLatexDocument(const std::string& title, const std::vector<std::string>& tables,
                                const std::vector<std::string>& figures) {
  std::string text = fmt::format(
      "\\documentclass[a4paper]{{article}}\n"
      "\\usepackage[margin=25mm]{{geometry}}\n"
      "\\usepackage{{booktabs,graphicx}}\n"
      "\\title{{{}}}\n\\date{{}}\n"
      "\\begin{{document}}\n\\maketitle\n",
      LatexEscape(title));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    // LaTeX keeps only so many tables that have not found their place.
    if (i > 0 && i % kTablesAtOnce == 0) text += "\\clearpage\n";
    text += fmt::format("\\input{{{}}}\n", tables[i]);
  }
  if (!figures.empty()) text += "\\clearpage\n";
  for (const std::string& figure : figures) {
    text += fmt::format(
        "\\begin{{center}}\n\\includegraphics[width=0.8\\linewidth]{{{}}}\n\\end{{center}}\n",
        figure);
  }
  return text + "\\end{document}\n";
}

}  // namespace idbench
