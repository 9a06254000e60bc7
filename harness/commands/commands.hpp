// The subcommands of `sortlab`, one file each. Each adds itself to the command line and leaves its exit status.
#pragma once

#include <CLI/CLI.hpp>

namespace sortlab {

/// Exit statuses: 0 done, 1 a result the user must look at (a cell failed, a threshold passed), 2 bad input.
void add_list(CLI::App& app, int& exit_status);
void add_bench(CLI::App& app, int& exit_status);
void add_run(CLI::App& app, int& exit_status);
void add_worker(CLI::App& app, int& exit_status);  ///< hidden: what run and bench start
void add_count(CLI::App& app, int& exit_status);
void add_counted(CLI::App& app, int& exit_status);  ///< hidden: what count starts under the profiler
void add_calibrate(CLI::App& app, int& exit_status);
void add_predict(CLI::App& app, int& exit_status);
void add_what_if(CLI::App& app, int& exit_status);
void add_validate(CLI::App& app, int& exit_status);
void add_compare(CLI::App& app, int& exit_status);
void add_tune(CLI::App& app, int& exit_status);
void add_merge(CLI::App& app, int& exit_status);
void add_doctor(CLI::App& app, int& exit_status);

}  // namespace sortlab
