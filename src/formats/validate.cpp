#include "gossamer/validate.hpp"
