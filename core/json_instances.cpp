#include "core/json_instances.hpp"

SORTLAB_JSON(template)
