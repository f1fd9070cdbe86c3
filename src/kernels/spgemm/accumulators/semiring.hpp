// Addition and multiplication of the accumulators.
#pragma once

#include "plan/with_semiring.hpp"
