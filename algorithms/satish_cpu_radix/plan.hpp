// Plan of the sort, read by its model: that of the buffer radix sort, with which satish_records sorts its prefixes too.
#pragma once

#include "algorithms/common/host/buffer_radix/plan.hpp"
