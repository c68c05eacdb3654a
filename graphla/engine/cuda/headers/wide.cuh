// Values of 16 bytes, which are only moved.
#pragma once

struct Wide { long long low, high; };
