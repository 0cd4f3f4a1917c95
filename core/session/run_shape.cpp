// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_shape.h"

#include "hardware/units.h"

namespace ridge::session {
namespace {

constexpr std::int64_t kInt = std::numeric_limits<std::int32_t>::max();

Shape count() {
  return Shape::integer(0);
}
Shape small_count() {
  return Shape::integer(0, kInt);
}
Shape line() {
  return Shape::integer(1, kInt).or_null();
}
/// Coordinates or extents: x, y, z.
Shape triple() {
  return Shape::list(Shape::integer(0), 3);
}
Shape counters() {
  return Shape::map(Shape::quantity());
}

Shape diagnostic() {
  return Shape::record({{"severity", Shape::word({"error", "warning", "note"})},
                        {"file", Shape::text().or_null()},
                        {"line", line()},
                        {"column", line()},
                        {"code", Shape::text()},
                        {"message", Shape::text()},
                        {"hint", Shape::text().or_null()}});
}

// Words with a reader of their own (statuses, kinds, sources of ceilings) are texts here: it refuses those
// that it does not know.

Shape finding() {
  return Shape::record({{"status", Shape::text()},
                        {"message", Shape::text()},
                        {"file", Shape::text().or_null()},
                        {"line", line()},
                        {"block", triple().or_null()},
                        {"thread", triple().or_null()},
                        {"count", Shape::unsigned_integer()}});
}

Shape verdict() {
  const Shape writer = Shape::record({{"launch", small_count()},
                                      {"block", triple()},
                                      {"thread", triple()},
                                      {"warp", small_count()},
                                      {"lane", small_count()}})
                           .or_null();
  const Shape mismatch = Shape::record({{"tensor", Shape::text()},
                                        {"index", Shape::list(count())},
                                        {"expected", Shape::number()},
                                        {"got", Shape::number()},
                                        {"writer", writer}});
  const Shape error_map = Shape::record({{"tensor", Shape::text()},
                                         {"kind", Shape::text()},
                                         {"launch", small_count().or_null()},
                                         {"unknown", count().or_null()},
                                         {"rows", count()},
                                         {"columns", count()},
                                         {"grid_rows", small_count()},
                                         {"grid_columns", small_count()},
                                         {"wrong", Shape::list(count())}});
  const Shape tolerance = Shape::record({{"tensor", Shape::text()},
                                         {"atol", Shape::magnitude()},
                                         {"rtol", Shape::magnitude()},
                                         {"mse", Shape::magnitude().or_null()},
                                         {"derived", Shape::flag()},
                                         {"explanation", Shape::text()},
                                         {"margin", Shape::magnitude().or_null()}});
  return Shape::record({{"status", Shape::text()},
                        {"message", Shape::text()},
                        {"line", line()},
                        {"findings", Shape::list(finding())},
                        {"deterministic", Shape::flag().or_null()},
                        {"mse", Shape::magnitude().or_null()},
                        {"max_abs", Shape::magnitude().or_null()},
                        {"max_rel", Shape::magnitude().or_null()},
                        {"max_ulp", Shape::magnitude().or_null()},
                        {"mismatches", count().or_null()},
                        {"elements", count().or_null()},
                        {"first", Shape::list(mismatch)},
                        {"error_maps", Shape::list(error_map)},
                        {"tolerances", Shape::list(tolerance)},
                        {"warnings", Shape::list(Shape::text())},
                        {"launches", small_count()}});
}

Shape timing() {
  const Shape sampled = Shape::record({{"median_us", Shape::positive()},
                                       {"q1_us", Shape::positive()},
                                       {"q3_us", Shape::positive()},
                                       {"n", Shape::integer(1, kInt)},
                                       {"source", Shape::word({"activity", "event", "host"})},
                                       {"dropped", small_count()},
                                       {"flush", Shape::word({"read", "write", "none"}).or_null()},
                                       {"stopped_because", Shape::text()},
                                       {"samples_us", Shape::list(Shape::positive())},
                                       {"sm_mhz", Shape::list(Shape::quantity())}})
                            .or_null();
  return Shape::record({{"cold", sampled},
                        {"warm", sampled},
                        {"launch_inclusive", sampled},
                        {"protocol", Shape::integer(1, kInt)},
                        {"sm_mhz", Shape::quantity().or_null()},
                        {"memory_mhz", Shape::quantity().or_null()},
                        {"temperature_c", Shape::number().or_null()},
                        {"power_w", Shape::quantity().or_null()},
                        {"throttle_reasons", Shape::list(Shape::text())},
                        {"note", Shape::text()}})
      .or_null();
}

Shape::Members basis() {
  const Shape ceiling = Shape::record({{"name", Shape::text()},
                                       {"value", Shape::positive()},
                                       {"unit", Shape::word({"FLOP/s", "bytes/s"})},
                                       {"source", Shape::text()},
                                       {"note", Shape::text()},
                                       {"clock_mhz", Shape::positive().optional()}});
  return {{"t_sol_us", Shape::positive().or_null()},
          {"bound", Shape::word({"memory", "compute"}).or_null()},
          {"sol_percent", Shape::positive().or_null()},
          {"sol_score", Shape::positive().or_null()},
          {"ceilings", Shape::list(ceiling).required()}};
}

Shape model() {
  const Shape other_basis = Shape::record(basis()).or_null();
  return Shape::record({{"device", Shape::text().or_null()},
                        {"unit", Shape::word(hardware::unit_names()).or_null()},
                        {"flops", Shape::quantity()},
                        {"bytes", Shape::quantity()},
                        {"intensity", Shape::quantity().or_null()},
                        {"achieved_flops", Shape::quantity().or_null()},
                        {"achieved_bandwidth", Shape::quantity().or_null()},
                        {"suspect", Shape::text().or_null()},
                        {"bases", Shape::record({{"derived", other_basis}, {"measured", other_basis}})},
                        {"diagnostics", Shape::list(diagnostic())}})
      .plus(basis());
}

Shape resources() {
  return Shape::record({{"registers", small_count().or_null()},
                        {"shared_bytes", count().or_null()},
                        {"spill_bytes", count().or_null()},
                        {"occupancy", Shape::quantity().or_null()},
                        {"stack_bytes", count().optional()},
                        {"spill_store_bytes", count().optional()},
                        {"spill_load_bytes", count().optional()},
                        {"constant_bytes", count().optional()},
                        {"barriers", small_count().optional()},
                        {"max_threads", small_count().optional()}})
      .or_null();
}

Shape occupancy() {
  return Shape::record({{"fraction", Shape::quantity()},
                        {"blocks_per_sm", small_count()},
                        {"warps_per_sm", small_count()},
                        {"limiter", Shape::text()}})
      .or_null();
}

Shape device() {
  const Shape limits = Shape::record({{"max_grid", triple()},
                                      {"max_block", triple()},
                                      {"max_threads_per_block", count()},
                                      {"shared_bytes_per_block", count()},
                                      {"shared_bytes_per_block_optin", count()},
                                      {"shared_bytes_per_sm", count()},
                                      {"shared_bytes_reserved_per_block", count()},
                                      {"registers_per_block", count()},
                                      {"registers_per_sm", count()},
                                      {"max_registers_per_thread", count()},
                                      {"max_threads_per_sm", count()},
                                      {"max_blocks_per_sm", count()},
                                      {"max_cluster", count()},
                                      {"constant_bytes", count()}});
  return Shape::record({{"kind", Shape::text()},
                        {"id", Shape::text()},
                        {"name", Shape::text()},
                        {"model", Shape::text()},
                        {"arch", Shape::text()},
                        {"uuid", Shape::text()},
                        {"cc_major", small_count()},
                        {"cc_minor", small_count()},
                        {"sm_count", small_count()},
                        {"memory_bytes", count()},
                        {"memory_free", count()},
                        {"l2_bytes", count()},
                        {"limits", limits},
                        {"watchdog", Shape::flag()},
                        {"driver", Shape::text()},
                        {"counters", Shape::flag()},
                        {"counters_why_not", Shape::text()}});
}

Shape trace() {
  const Shape access = Shape::record({{"space", Shape::text()},
                                      {"store", Shape::flag()},
                                      {"atomic", Shape::flag()},
                                      {"bytes", small_count()},
                                      {"sectors", small_count()},
                                      {"wavefronts", small_count()},
                                      {"bank_conflicts", small_count()},
                                      {"lanes", Shape::list(Shape::unsigned_integer().or_null(), 32)}})
                           .or_null();
  const Shape value =
      Shape::record({{"name", Shape::text()}, {"type", Shape::text()}, {"value", Shape::text()}});
  const Shape step = Shape::record({{"file", Shape::text()},
                                    {"line", small_count().or_null()},
                                    {"ptx_line", small_count()},
                                    {"instruction", Shape::text()},
                                    {"active", Shape::integer(0, 0xFFFFFFFF)},
                                    {"values", Shape::list(value)},
                                    {"access", access}});
  return Shape::record({{"block", triple()},
                        {"thread", triple()},
                        {"most_steps", count()},
                        {"cut", Shape::flag()},
                        {"steps", Shape::list(step)}});
}

Shape source() {
  return Shape::record({{"file", Shape::text()},
                        {"text", Shape::text()},
                        {"text_base64", Shape::text()},
                        {"hash", Shape::text()}});
}

}  // namespace

const Shape& run_shape() {
  static const Shape shape = Shape::record(
      {{"problem", Shape::text()},
       {"workload", Shape::text()},
       {"axes", Shape::map(Shape::integer(0)).required()},
       {"seed", Shape::unsigned_integer()},
       {"kernel", Shape::text()},
       {"verdict", verdict()},
       {"timing", timing()},
       {"model", model()},
       {"counters", counters().or_null()},
       {"counter_source", Shape::word({"emulator", "cupti"}).or_null()},
       {"lines",
        Shape::list(Shape::record(
            {{"file", Shape::text()}, {"line", small_count().or_null()}, {"counters", counters()}}))},
       {"resources", resources()},
       {"environment", Shape::map(Shape::anything())},
       {"trace", trace()},
       {"occupancy", occupancy()},
       {"id", Shape::text()},
       {"time", Shape::text()},
       {"source", source()},
       {"defines", Shape::list(Shape::record({{"name", Shape::text()}, {"value", Shape::text()}}))},
       {"device", device()},
       {"ptx", Shape::text()},
       {"ptx_base64", Shape::text()},
       {"output", Shape::text()},
       {"output_base64", Shape::text()},
       {"baseline", Shape::flag()},
       {"notes", Shape::text()}});
  return shape;
}

}  // namespace ridge::session
