/* What stands on a lift: its weight, and no more than its weight, as fast as the lift may go and however it starts. */
#include "world_helpers.h"

struct ride {
    sn_precision precision;
    double hertz, speed;
};

/* A box of 6.5 kg on a lift that rises from rest at once; half a second later forces and depths count. */
static void take_lift(const sn_model *box, const struct ride *r, struct worst *force, struct worst *depth) {
    static const double low[3] = {0, 0, -0.1}, upright[4] = {1, 0, 0, 0};
    const double up[3] = {0, 0, r->speed};
    sn_world_def def = sn_world_def_default();
    def.precision = r->precision, def.dt = 1 / r->hertz;
    sn_world *world = world_of(&def);
    const sn_shape_def cabin = box_of(1, 1, 0.1, 1);
    const int lift = sn_world_add_shape(world, &cabin, low, upright, NULL);
    member_of(world, box);
    put_body(world, 0, (const double[3]){0.1, 0.2, 0.1}, NULL, NULL);
    const double weight = 9.81 * 6.5;
    for (int i = 0; i < 2 * r->hertz; i++) {
        if (i == (int)(r->hertz / 2))
            assert_int_equal(sn_world_move(world, lift, low, upright, up, NULL), SN_OK);
        step_world(world);
        int n;
        const sn_contact *c = contacts_of(world, &n);
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += c[k].force[2];
        if (i < r->hertz) continue;
        worst_add(depth, penetration(world), "%s, %g Hz, %g m/s, step %d", r->precision ? "float" : "double",
                  r->hertz, r->speed, i);
        worst_add(force, fabs(sum - weight) / weight, "%s, %g Hz, %g m/s, step %d",
                  r->precision ? "float" : "double", r->hertz, r->speed, i);
    }
    sn_world_free(world);
}

/* In float a box sank into every lift faster than 0.9 m/s by 200 mm, under six times its weight. */
TEST(a_lift_carries_a_box_with_its_weight_at_any_speed) {
    static const double hertz[] = {30, 60, 120, 240}, speed[] = {-1, 0.5, 0.9, 1, 2, 5};
    sn_model *box = body_of(box_of(0.15, 0.11, 0.1, 6.5));
    struct worst force = {0}, depth = {0};
    for (int p = 0; p < 2; p++)
        for (int h = 0; h < COUNT(hertz); h++)
            for (int v = 0; v < COUNT(speed); v++)
                take_lift(box, &(struct ride){(sn_precision)p, hertz[h], speed[v]}, &force, &depth);
    sn_model_free(box);
    assert_worst(&force, 0.01, "force of the lift beside the weight, relative");
    assert_worst(&depth, 1e-3, "depth, m");
}

int main(void) {
    return run_all("lift");
}
