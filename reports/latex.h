#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/table.h"

namespace idbench {

/// A text as LaTeX for pdflatex without a font or an input encoding of its own: what is special is
/// escaped, and what is not ASCII becomes a command (σ → \ensuremath{\sigma}, q̇ → \ensuremath{\dot
/// q}, é → \'e). A character that is not known here becomes its code, [U+65E5].
std::string LatexEscape(std::string_view text);

/// A floating `table` with rules of booktabs alone; it needs the packages booktabs and graphicx,
/// and is made smaller where it is wider than the line.
///
/// The best of each row is bold (see TableEntry::best), a published column is in italics. The
/// caption holds all notes of the table: trials, failures, the source of what was published.
/// @returns "" for a table without columns.
std::string RenderLatex(const Table& table);

/// A document that holds these files: \input of tables, \includegraphics of figures. It compiles as
/// it is, with pdflatex.
std::string RenderLatexDocument(const std::string& title, const std::vector<std::string>& tables,
                                const std::vector<std::string>& figures);

}  // namespace idbench
