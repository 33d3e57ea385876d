#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/tables/table.h"

namespace idbench {

/// Returns a text as LaTeX for pdflatex without special fonts or input encodings: escapes special
/// characters, and turns characters that are not ASCII into commands (σ → \ensuremath{\sigma}, q̇ →
/// \ensuremath{\dot q}, é → \'e). An unknown character becomes its code, [U+65E5].
std::string LatexEscape(std::string_view text);

/// Returns a floating `table` with rules of booktabs only. It needs the packages booktabs and
/// graphicx, and is scaled down if it is wider than the line.
///
/// The best of each row is bold (see TableEntry::best), a published column is in italics. The
/// caption holds all notes of the table: trials, failures, the source of published numbers.
/// @return "" for a table without columns.
std::string RenderLatex(const Table& table);

/// Returns a document that holds these files: \input of tables, \includegraphics of figures. It
/// compiles with pdflatex.
std::string RenderLatexDocument(const std::string& title, const std::vector<std::string>& tables,
                                const std::vector<std::string>& figures);

}  // namespace idbench
