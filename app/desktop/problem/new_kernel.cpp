// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/new_kernel.h"

#include <QStringList>

namespace ridge::desktop {
namespace {

struct CudaType {
  const char* name;
  const char* header = "";
};

CudaType cudaType(DType dtype) {
  switch (dtype) {
    case DType::float64:
      return {"double"};
    case DType::float32:
      return {"float"};
    case DType::float16:
      return {"__half", "cuda_fp16.h"};
    case DType::bfloat16:
      return {"__nv_bfloat16", "cuda_bf16.h"};
    case DType::float8_e4m3fn:
      return {"__nv_fp8_e4m3", "cuda_fp8.h"};
    case DType::float8_e5m2:
      return {"__nv_fp8_e5m2", "cuda_fp8.h"};
    case DType::int64:
      return {"long long"};
    case DType::int32:
      return {"int"};
    case DType::int16:
      return {"short"};
    case DType::int8:
      return {"signed char"};
    case DType::uint64:
      return {"unsigned long long"};
    case DType::uint32:
      return {"unsigned int"};
    case DType::uint16:
      return {"unsigned short"};
    case DType::uint8:
      return {"unsigned char"};
    case DType::boolean:
      return {"bool"};
  }
  return {"float"};
}

}  // namespace

QByteArray newKernel(const problem::Problem& problem) {
  QStringList parameters, headers;
  const auto add = [&](DType dtype, const char* form, const std::string& name) {
    const CudaType type = cudaType(dtype);
    parameters << QString::fromLatin1(form).arg(QLatin1String(type.name), QString::fromStdString(name));
    const QString header = QLatin1String(type.header);
    if (!header.isEmpty() && !headers.contains(header)) headers << header;
  };
  for (const problem::Tensor& input : problem.inputs) add(input.dtype, "const %1* %2", input.name);
  for (const problem::Tensor& output : problem.outputs) add(output.dtype, "%1* %2", output.name);
  for (const problem::Scalar& scalar : problem.scalars) add(scalar.dtype, "%1 %2", scalar.name);
  for (const problem::Axis& axis : problem.axes) add(DType::int32, "%1 %2", axis.name);

  QStringList elements;
  if (!problem.outputs.empty())
    for (const std::string& extent : problem.outputs.front().shape)
      elements << QStringLiteral("(%1)").arg(QString::fromStdString(extent));
  const QString grid = elements.isEmpty()
                           ? QStringLiteral("1")
                           : QStringLiteral("ceil_div(%1, 256)").arg(elements.join(QLatin1Char('*')));
  QString text = QStringLiteral("//@ problem: %1\n//@ grid: %2\n//@ block: 256\n\n")
                     .arg(QString::fromStdString(problem.name), grid);
  for (const QString& header : headers) text += QStringLiteral("#include <%1>\n").arg(header);
  if (!headers.isEmpty()) text += QLatin1Char('\n');
  text += QStringLiteral(
              "__global__ void %1_new(%2) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n}\n")
              .arg(QString::fromStdString(problem.name), parameters.join(QStringLiteral(", ")));
  return text.toUtf8();
}

}  // namespace ridge::desktop
