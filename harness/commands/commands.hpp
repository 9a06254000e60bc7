// The subcommands of `sortlab`, one file each with its helpers. Each adds itself to the command line and sets the exit
// status.
#pragma once

#include <CLI/CLI.hpp>

namespace sortlab {

/// Exit statuses: 0 done, 1 a result that needs attention (a cell failed, a threshold was exceeded), 2 bad input;
/// those of a gate in `compare/gate.hpp`.
void add_list(CLI::App& app, int& exit_status);
void add_bench(CLI::App& app, int& exit_status);
void add_run(CLI::App& app, int& exit_status);
void add_worker(CLI::App& app, int& exit_status);  ///< hidden; started by run and bench
void add_count(CLI::App& app, int& exit_status);
void add_counted(CLI::App& app, int& exit_status);  ///< hidden; started by count under the profiler
void add_calibrate(CLI::App& app, int& exit_status);
void add_predict(CLI::App& app, int& exit_status);
void add_what_if(CLI::App& app, int& exit_status);
void add_validate(CLI::App& app, int& exit_status);
void add_compare(CLI::App& app, int& exit_status);
void add_tune(CLI::App& app, int& exit_status);
void add_machine(CLI::App& app);
void add_keys(CLI::App& app);
void add_recommend(CLI::App& app, int& exit_status);
void add_merge(CLI::App& app, int& exit_status);
void add_check_sort(CLI::App& app, int& exit_status);
void add_doctor(CLI::App& app, int& exit_status);
void add_loaded_libraries(CLI::App& app);  ///< hidden; started by doctor without LD_LIBRARY_PATH

}  // namespace sortlab
