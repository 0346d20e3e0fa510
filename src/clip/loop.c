/* Loops that go on, and turn.
 *
 * A round takes the first pose to the last: T(p) = R(a) (p - p0) + p1, with a the heading that was gained. T turns about a
 * centre c with T(c) = c, so that n rounds are
 *
 *     T^n(p) = c + R(n a) (p - c),    (I - R(a)) c = p1 - R(a) p0
 *
 * The height does not change: a character that loops does not climb. */
#include "clip/keys.h"

#include "base/angle.h"
#include "base/elementary.h"
#include "base/quat.h"

static const double straight = 3 * M_PI / 180; /* errors of a capture do not count as a turn */
static const double tilted = 40 * M_PI / 180;  /* a root that ends upside down has no heading */

static double heading_gained(const double first[4], const double last[4]) {
    double back[4], by[4];
    dquat_conjugate(first, back);
    dquat_multiply(last, back, by);
    const double angle = 2 * sn__atan2(by[3], by[0]), twist[3] = {0, 0, angle};
    dquat_exp(twist, back);
    dquat_conjugate(back, back);
    dquat_multiply(by, back, by);
    const double rest = 2 * sn__atan2(dvec_length(by + 1), fabs(by[0]));
    const double turn = angle - 2 * M_PI * floor(angle / (2 * M_PI) + 0.5);
    return rest < tilted && fabs(turn) >= straight ? turn : 0;
}

struct round_gain sn__round_gain(const double first[3], const double first_turn[4], const double last[3],
                                 const double last_turn[4]) {
    struct round_gain g = {.way = {last[0] - first[0], last[1] - first[1]},
                           .angle = heading_gained(first_turn, last_turn)};
    if (g.angle == 0) return g;
    /* (I - R) c = d: the inverse of I - R is (I - R^T) / (2 - 2 cos a) */
    const double c = sn__cos(g.angle), s = sn__sin(g.angle), scale = 1 / (2 - 2 * c);
    const double d[2] = {last[0] - (c * first[0] - s * first[1]), last[1] - (s * first[0] + c * first[1])};
    g.centre[0] = scale * ((1 - c) * d[0] - s * d[1]);
    g.centre[1] = scale * (s * d[0] + (1 - c) * d[1]);
    return g;
}

static void turn_flat(double angle, const double centre[2], double v[2]) {
    const double x = v[0] - centre[0], y = v[1] - centre[1];
    double c, s;
    sn__cos_sinc(fabs(angle), &c, &s); /* the same bits everywhere: steps of worlds come here */
    s *= angle;
    v[0] = centre[0] + c * x - s * y;
    v[1] = centre[1] + s * x + c * y;
}

void sn__round_apply(const struct round_gain *g, double rounds, double place[3], double turn[4],
                     double velocity[3]) {
    const double origin[2] = {0}, about[3] = {0, 0, fmod(rounds * g->angle, 2 * M_PI)};
    if (rounds == 0) return;
    if (g->angle == 0) {
        for (int k = 0; k < 3 && place; k++)
            place[k] += rounds * g->way[k];
        return;
    }
    if (place) turn_flat(about[2], g->centre, place);
    if (velocity) turn_flat(about[2], origin, velocity);
    if (!turn) return;
    double by[4];
    dquat_exp(about, by);
    dquat_multiply(by, turn, turn);
}
