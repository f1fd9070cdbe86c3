// The value types of gossamer/types.hpp once more, for explicit instantiations: X(T) for each. A
// template that is instantiated for all of them needs no other line when one is added.
#pragma once

#include "gossamer/types.hpp"

#define GOSSAMER_EACH_REAL(X) X(float) X(double)
#define GOSSAMER_EACH_COMPLEX(X) X(std::complex<float>) X(std::complex<double>)
#define GOSSAMER_EACH_VALUE(X) GOSSAMER_EACH_REAL(X) GOSSAMER_EACH_COMPLEX(X)
