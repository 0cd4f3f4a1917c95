// SPDX-License-Identifier: GPL-3.0-or-later
// A real server whose service prints to standard output the way device printf and libraries do.
#include <unistd.h>

#include <cstdio>

#include "worker/service.h"

namespace {

using ridge::Json;
using ridge::Result;

class PrintingService final : public ridge::worker::Service {
 public:
  Result<Json> initialize(const Json&, const ridge::worker::Call&) override {
    std::printf("a library greets\n");
    return Json{{"protocol", 1}};
  }
  Result<Json> answer(const std::string& method, const Json& parameters,
                      const ridge::worker::Call& call) override {
    std::string text = ridge::read_string(parameters, "text");
    if (method == "write_base64") text = ridge::decode_base64(text).value_or("");
    const std::int64_t times = ridge::read_integer(parameters, "times", 1);
    for (std::int64_t i = 0; i < times; ++i) {
      if (method == "printf")
        std::printf("%s\n", text.c_str());
      else if (::write(STDOUT_FILENO, text.data(), text.size()) < 0)
        return Json();
    }
    return Json{{"output", call.take_output()}};
  }
};

}  // namespace

int main() {
  PrintingService service;
  return ridge::worker::serve(service, STDIN_FILENO, STDOUT_FILENO);
}
