// The standard streams: open from the start, and checked at the end.
#pragma once

#include <string_view>

namespace sortlab {

/// Opens each of the descriptors 0, 1 and 2 that is closed on the null device. Otherwise the next file to be opened
/// gets the number, and what is printed is written into it. A limit of the size of files becomes an error of writing,
/// and `stdout` waits for its reader. Called before anything else.
void open_standard_streams();

/// From now on a reader of standard output that goes away (`| head`) does not end this process: the loss is kept for
/// finish_standard_output. For commands whose records go to a file.
void outlive_readers();

/// True if a path leads to the pipe that is standard output, as /dev/stdout may.
bool is_piped_output(const char* path);

/// Descriptor that becomes readable once this process is asked to end; -1: none. From then on write_patiently() waits
/// for readers no longer than a second in all.
void stop_waiting_at(int wake);

/// Writes to a descriptor whose reader may be slow or stand still. Returns 0, or the reason why not all is written: an
/// errno, ETIMEDOUT for a reader that did not read although this process was to end.
int write_patiently(int file, std::string_view text);

/// Writes to standard output. Throws nothing: a failure is kept for finish_standard_output, so that what
/// is printed on the way does not end a run whose records go to a file.
void print_now(std::string_view text);

/// Flushes standard output before another program writes to it. A failure is kept, as by print_now.
void flush_standard_output();

/// Keeps the reason for which standard output could not be written; 0 if it is not known.
void keep_output_error(int error);

/// True if something that was printed is lost.
bool lost_output();

/// Flushes standard output. Returns `exit_status`, or, where anything that was printed is lost, a status other than 0
/// after one line on standard error.
int finish_standard_output(int exit_status);

}  // namespace sortlab
