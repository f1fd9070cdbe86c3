#include "gossamer/multiply.hpp"
