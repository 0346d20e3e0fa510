#include "paper_world.h"

void put_paper_world(struct result *result) {
    add_settings(
        result, {"velocity_products", text("explicit: those of the start of the step, as in the paper")},
        {"solver", text("the library's exact setting: Gauss-Seidel to 1e-7 m/s, at most 1000 iterations")});
}
