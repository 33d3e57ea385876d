#include "reports/tables/latex.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("Symbols become commands of LaTeX, and what is special is escaped") {
  CHECK(LatexEscape("50 % of a_b & {c} #1 $2") ==
        "50 \\% of a\\_\\allowbreak{}b \\& \\{c\\} \\#1 \\$2");
  CHECK(LatexEscape("σ [N·m²]") ==
        "\\ensuremath{\\sigma} {[}N\\ensuremath{\\cdot}m\\ensuremath{^2}]");
  CHECK(LatexEscape("‖τ − τ̂‖") ==
        "\\ensuremath{\\|}\\ensuremath{\\tau} \\ensuremath{-} \\ensuremath{\\hat{\\tau}}"
        "\\ensuremath{\\|}");
  CHECK(LatexEscape("q̇ q̈") == "\\ensuremath{\\dot{q}} \\ensuremath{\\ddot{q}}");
  CHECK(LatexEscape("Bézier – Löwner…") == "B\\'ezier -- L\\\"owner\\dots{}");
  CHECK(LatexEscape("a\\b~c^d<e>|\"") ==
        "a\\textbackslash{}b\\textasciitilde{}c\\textasciicircum{}d\\ensuremath{<}e\\ensuremath{>}"
        "\\ensuremath{\\vert}''");
  CHECK(LatexEscape("[s]*") == "{[}s]{*}");  // behind \\\\ they would be arguments
  CHECK(LatexEscape("日") == "[U+65E5]");
  CHECK(LatexEscape("\xC3") == "[U+FFFD]");  // a character that breaks off
}

TEST_CASE("A table has rules of booktabs, the best bold, and its notes in the caption") {
  Table table;
  table.caption = "Error in %";
  table.row_header = "joint";
  table.row_labels = {"joint_1", "failed"};
  table.columns = {
      {"ols",
       {{"-3.1e-09 [-4.0e-09, 2.0e-09]", -3.1e-9, ConfidenceInterval{-4e-9, 2e-9}, true},
        {"2", {}, {}}}},
      {"wls", {{"1.5 ≈[1.0, 2.0]", 1.5, ConfidenceInterval{1, 2, true}}, {"0", {}, {}}}},
      {"ols (published)", {{"0.30", 0.3, {}}, {"", {}, {}}}, TableColumn::Kind::kPublished}};
  table.last_row_counts_failures = true;
  table.notes = {"12 trials", "published: a & b"};
  CHECK(RenderLatex(table) ==
        "\\begin{table}[htbp]\n\\centering\n"
        "\\caption{Error in \\%. 12 trials; published: a \\& b.}\n\\small\n"
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
        "\\begin{tabular}{lrrr}\n\\toprule\n"
        "\\begin{tabular}[b]{@{}l@{}}joint\\end{tabular} & "
        "\\begin{tabular}[b]{@{}r@{}}ols\\end{tabular} & "
        "\\begin{tabular}[b]{@{}r@{}}wls\\end{tabular} & "
        "\\begin{tabular}[b]{@{}r@{}}ols\\\\(published)\\end{tabular} \\\\\n\\midrule\n"
        "joint\\_\\allowbreak{}1 & \\textbf{\\boldmath $-3.1\\times10^{-9}$}~{\\scriptsize["
        "$-4.0\\times10^{-9}$, $2.0\\times10^{-9}$]} & $1.5$~{\\scriptsize$\\approx$[$1.0$, "
        "$2.0$]} & \\textit{0.30} \\\\\n\\midrule\n"
        "failed & 2 & 0 &  \\\\\n\\bottomrule\n\\end{tabular}}\n\\end{table}\n");
}

TEST_CASE("A table without columns is nothing") { CHECK(RenderLatex({}).empty()); }

TEST_CASE("A document reads its tables and figures") {
  const std::string document = RenderLatexDocument("A & B", {"tables/01.tex"}, {"figures/a.pdf"});
  CHECK(document.find("\\title{A \\& B}") != std::string::npos);
  CHECK(document.find("\\input{tables/01.tex}\n") != std::string::npos);
  CHECK(document.find("{figures/a.pdf}\n") != std::string::npos);
  CHECK(document.ends_with("\\end{document}\n"));
}

}  // namespace
}  // namespace idbench
