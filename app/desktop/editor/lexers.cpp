// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/lexers.h"

#include <Qsci/qsciscintilla.h>

#include <array>
#include <cctype>

namespace ridge::desktop {
namespace {

QFont bold(QFont font) {
  font.setBold(true);
  return font;
}

}  // namespace

const char* CudaLexer::keywords(int set) const {
  switch (set) {
    case 2:
      return "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ "
             "__launch_bounds__ "
             "__cluster_dims__ __grid_constant__ __noinline__ __forceinline__ __maxnreg__ threadIdx blockIdx "
             "blockDim "
             "gridDim warpSize __syncthreads __syncthreads_count __syncthreads_and __syncthreads_or "
             "__syncwarp "
             "__threadfence __threadfence_block __threadfence_system __shfl_sync __shfl_up_sync "
             "__shfl_down_sync "
             "__shfl_xor_sync __ballot_sync __all_sync __any_sync __activemask __match_any_sync "
             "__match_all_sync "
             "__reduce_add_sync __reduce_max_sync __reduce_min_sync __ldg __ldcs __ldca __stcs __stwt __trap "
             "assert "
             "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd "
             "atomicOr "
             "atomicXor __fmaf_rn __fdividef __expf __logf __sinf __cosf __powf __popc __clz __ffs __brev "
             "printf clock64";
    case 4:
      return "dim3 float2 float3 float4 double2 int2 int3 int4 uint2 uint3 uint4 char4 uchar4 short2 "
             "longlong2 half half2 "
             "__half __half2 __nv_bfloat16 __nv_bfloat162 __nv_fp8_e4m3 __nv_fp8_e5m2 int8_t int16_t int32_t "
             "int64_t "
             "uint8_t uint16_t uint32_t uint64_t size_t";
    default:
      return QsciLexerCPP::keywords(set);
  }
}

void CudaLexer::applyTheme(const Theme& theme) {
  const QFont font = Theme::codeFont();
  // The order matters: all styles first, then the few that differ; Scintilla's own defaults are for white
  // paper.
  setDefaultPaper(theme(Role::base));
  setDefaultColor(theme(Role::text));
  setDefaultFont(font);
  setPaper(theme(Role::base));
  setColor(theme(Role::text));
  setFont(font);
  for (const int style :
       {Comment, CommentLine, CommentDoc, CommentLineDoc, CommentDocKeyword, CommentDocKeywordError})
    setColor(theme(Role::comment), style);
  for (const int style : {Keyword, KeywordSet2, GlobalClass}) setFont(bold(font), style);
  setColor(theme(Role::keyword), Keyword);
  setColor(theme(Role::cudaKeyword), KeywordSet2);
  setColor(theme(Role::type), GlobalClass);
  setColor(theme(Role::number), Number);
  setColor(theme(Role::number), UserLiteral);
  for (const int style : {DoubleQuotedString, SingleQuotedString, RawString, UnclosedString, VerbatimString})
    setColor(theme(Role::string), style);
  setColor(theme(Role::preprocessor), PreProcessor);
  setColor(theme(Role::comment), PreProcessorComment);
  // Branches that the preprocessor leaves out: as faint as comments.
  for (int style = InactiveDefault; style <= InactivePreProcessorComment; ++style)
    setColor(theme(Role::comment), style);
}

QString AssemblyLexer::description(int style) const {
  static const std::array<const char*, 8> names{"plain",    "comment", "directive", "label",
                                                "register", "opcode",  "number",    "string"};
  return style >= 0 && style < static_cast<int>(names.size())
             ? QLatin1String(names[static_cast<std::size_t>(style)])
             : QString();
}

void AssemblyLexer::styleText(int start, int end) {
  QsciScintilla* view = editor();
  if (!view || end <= start) return;
  const int first = static_cast<int>(view->SendScintilla(
      QsciScintilla::SCI_POSITIONFROMLINE, view->SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, start)));
  const char* text =
      static_cast<const char*>(view->SendScintillaPtrResult(QsciScintilla::SCI_GETCHARACTERPOINTER));
  startStyling(first);
  const auto word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
  };
  bool head = true;  // before the first word of a statement
  int i = first;
  while (i < end) {
    const char c = text[i];
    int from = i;
    Style style = plain;
    if (c == '/' && i + 1 < end && text[i + 1] == '/') {
      while (i < end && text[i] != '\n') ++i;
      style = comment;
    } else if (c == '/' && i + 1 < end && text[i + 1] == '*') {  // SASS: addresses and encodings, on one line
      i += 2;
      while (i < end && text[i] != '\n' && !(text[i - 1] == '*' && text[i] == '/')) ++i;
      if (i < end && text[i] == '/') ++i;
      style = comment;
    } else if (c == '"') {
      ++i;
      while (i < end && text[i] != '"' && text[i] != '\n') ++i;
      if (i < end && text[i] == '"') ++i;
      style = string;
    } else if (c == '%') {
      ++i;
      while (i < end && word(text[i])) ++i;
      style = reg;
    } else if (word(c)) {
      while (i < end && word(text[i])) ++i;
      if (i < end && text[i] == ':')
        style = label;
      else if (c == '.')
        style = directive;
      else if (std::isdigit(static_cast<unsigned char>(c)))
        style = number;
      else if (head)
        style = opcode;
      head = style == label;
    } else {
      ++i;
      if (c == '\n' || c == ';' || c == '{' || c == '}') head = true;
    }
    setStyling(i - from, style);
  }
}

void AssemblyLexer::applyTheme(const Theme& theme) {
  const QFont font = Theme::codeFont();
  setDefaultPaper(theme(Role::base));
  setDefaultColor(theme(Role::text));
  setDefaultFont(font);
  constexpr std::array roles{Role::text, Role::comment, Role::preprocessor, Role::cudaKeyword,
                             Role::type, Role::keyword, Role::number,       Role::string};
  for (int style = plain; style <= string; ++style) {
    setPaper(theme(Role::base), style);
    setColor(theme(roles[static_cast<std::size_t>(style)]), style);
    setFont(font, style);
  }
}

}  // namespace ridge::desktop
