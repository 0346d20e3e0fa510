#include "paper_world.h"

sn_world_def paper_world_def(void) {
    sn_world_def def = sn_world_def_default();
    def.contact = SN_CONTACT_ROWS;
    def.products = SN_PRODUCTS_EXPLICIT;
    def.setting = SN_SETTING_EXACT;
    return def;
}

void put_paper_world(struct result *result) {
    add_settings(
        result, {"velocity_products", text("explicit: those of the start of the step, as in the paper")},
        {"solver", text("the library's exact setting: Gauss-Seidel to 1e-7 m/s, at most 1000 iterations")});
}
