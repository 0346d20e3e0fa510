/* Where the floor of a clip is: thirty clips of one skeleton, made here, whose floor is known. Its soles are not
 * joints: the heel is 7 cm below the ankle, and the ball of the foot 2 cm below the joint of the toes. */
#include "clip_helpers.h"

#include "clip/clip.h"

enum { FRAMES = 240, MOST = 24 };
static const double rate = 60;

enum kind { WALK, RUN, CRAWL, JUMP, LIE, GET_UP, BOX, HANDSTAND, TAIL, STAIRS, KINDS };

struct maker {
    enum kind kind;
    uint64_t seed;
    double floor;          /* of its soles */
    double stance[FRAMES]; /* lowest joints while something bears */
    int nstance;
    double heading, pace, size;
};

static double random_in(struct maker *m, double low, double high) {
    m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(m->seed >> 11) * 0x1p-53;
}

static const struct {
    const char *name;
    int parent;
    double offset[3];
} part[MOST] = {
    {"Hips", -1, {0, 0, 0}},
    {"LeftUpLeg", 0, {0, .09, -.05}},
    {"LeftLeg", 1, {0, 0, -.42}},
    {"LeftFoot", 2, {0, 0, -.42}},
    {"LeftToeBase", 3, {.13, 0, -.05}},
    {"LeftToe_end", 4, {.07, 0, -.01}},
    {"RightUpLeg", 0, {0, -.09, -.05}},
    {"RightLeg", 6, {0, 0, -.42}},
    {"RightFoot", 7, {0, 0, -.42}},
    {"RightToeBase", 8, {.13, 0, -.05}},
    {"RightToe_end", 9, {.07, 0, -.01}},
    {"Spine", 0, {0, 0, .2}},
    {"Neck", 11, {0, 0, .3}},
    {"Head", 12, {0, 0, .12}},
    {"Head_end", 13, {0, 0, .15}},
    {"LeftArm", 11, {0, .18, .25}},
    {"LeftForeArm", 15, {0, 0, -.28}},
    {"LeftHand", 16, {0, 0, -.26}},
    {"RightArm", 11, {0, -.18, .25}},
    {"RightForeArm", 18, {0, 0, -.28}},
    {"RightHand", 19, {0, 0, -.26}},
    {"Tail", 0, {-.1, 0, 0}},
    {"Tail1", 21, {-.5, 0, -.6}},
    {"Tail1_end", 22, {-.5, 0, -.6}},
};

/* Points of the flesh that bear, on joints. */
static const struct {
    int joint;
    double at[3];
} flesh[] = {{3, {-.04, 0, -.07}}, {4, {0, 0, -.02}},  {5, {0, 0, -.01}},   {8, {-.04, 0, -.07}},
             {9, {0, 0, -.02}},    {10, {0, 0, -.01}}, {2, {.05, 0, 0}},    {7, {.05, 0, 0}},
             {17, {0, 0, -.03}},   {20, {0, 0, -.03}}, {0, {-.1, 0, 0}},    {0, {.1, 0, 0}},
             {0, {0, .12, 0}},     {0, {0, -.12, 0}},  {11, {-.1, 0, .15}}, {11, {.1, 0, .15}},
             {14, {0, 0, -.05}},   {16, {0, 0, 0}},    {19, {0, 0, 0}}};

static int parts_of(const struct maker *m) {
    return m->kind == TAIL ? MOST : MOST - 3;
}

static void turn_by(double *q, int axis, double angle) {
    double v[3] = {0}, by[4];
    v[axis] = angle;
    dquat_exp(v, by);
    dquat_multiply(q, by, q);
}

/* The pose of a frame, without its place. */
static void set_pose(struct maker *m, int frame, double rotation[MOST][4]) {
    const double t = frame / rate, p = m->pace * t;
    for (int i = 0; i < MOST; i++)
        dquat_identity(rotation[i]);
    turn_by(rotation[0], 2, m->heading);
    const bool up = m->kind == GET_UP && t > 2;
    const double lying = m->kind == LIE ? 1 : m->kind == GET_UP ? fmax(0, fmin(1, 2.2 - t)) : 0;
    if (m->kind == CRAWL) turn_by(rotation[0], 1, 1.4 + 0.05 * sin(p));
    if (lying > 0) turn_by(rotation[0], 1, -lying * M_PI / 2);
    if (m->kind == LIE) turn_by(rotation[0], 0, 0.1 * sin(t));
    if (m->kind == HANDSTAND) turn_by(rotation[0], 1, M_PI + 0.04 * sin(2 * t));
    for (int side = 0; side < 2; side++) {
        const double phase = p + side * M_PI;
        const int leg = side ? 6 : 1, arm = side ? 18 : 15;
        double thigh = 0, knee = 0.05, ankle = 0, shoulder = 0.2 * sin(phase);
        switch (m->kind) {
        case WALK:
        case TAIL:
        case STAIRS:
        case RUN:
            thigh = -m->size * sin(phase) - 0.1;
            knee = 0.15 + m->size * 1.2 * fmax(0, cos(phase));
            ankle = 0.25 * sin(phase + 0.6);
            break;
        case CRAWL:
            thigh = -1.4 - 0.2 * sin(phase), knee = 1.4 + 0.2 * sin(phase), ankle = 1.2,
            shoulder = -1.5 + 0.2 * sin(phase);
            break;
        case JUMP:
            thigh = -0.4 * fmax(0, sin(3 * t)), knee = 0.8 * fmax(0, sin(3 * t)),
            ankle = -0.4 * fmax(0, sin(3 * t));
            break;
        case BOX: /* on the balls of the feet, always in motion */
            thigh = -0.3 - 0.1 * sin(2 * p), knee = 0.6 + 0.2 * sin(2 * p), ankle = 0.35 + 0.1 * sin(2 * p),
            shoulder = -1 + 0.6 * sin(phase);
            break;
        case HANDSTAND:
            shoulder = M_PI + 0.05 * sin(phase);
            break;
        default:
            thigh = lying > 0 ? -0.1 + 0.05 * sin(t) : up ? 0.02 * sin(t) : 0;
            break;
        }
        turn_by(rotation[leg], 1, thigh);
        turn_by(rotation[leg + 1], 1, knee);
        turn_by(rotation[leg + 2], 1, ankle);
        turn_by(rotation[arm], 1, shoulder);
        turn_by(rotation[arm], 0, (side ? -1 : 1) * 0.15);
    }
    if (m->kind == TAIL) turn_by(rotation[21], 0, 0.2 * sin(t));
}

/* Where a point of the flesh is, for bodies at `place`, turned by `turn`. */
static void flesh_at(int f, const double *place, const double *turn, double x[3]) {
    dquat_rotate(turn + 4 * flesh[f].joint, flesh[f].at, x);
    for (int c = 0; c < 3; c++)
        x[c] += place[3 * flesh[f].joint + c];
}

static int lowest_flesh(const double *place, const double *turn, double *lowest) {
    int best = -1;
    *lowest = 1e9;
    for (int f = 0; f < COUNT(flesh); f++) {
        double x[3];
        flesh_at(f, place, turn, x);
        if (x[2] < *lowest) *lowest = x[2], best = f;
    }
    return best;
}

/* How high it is off the ground: a run flies for a third of each step. */
static double flight_at(const struct maker *m, double time) {
    const double cycle = fmod(m->pace * time, M_PI) / M_PI;
    if (m->kind == RUN && cycle < 0.35) return 0.1 * sin(M_PI * cycle / 0.35);
    if (m->kind == JUMP && fmod(time, 2) > 1.4) return 0.35 * sin(M_PI * (fmod(time, 2) - 1.4) / 0.6);
    return 0;
}

static sn_clip *make_clip(struct maker *m) {
    static sn_clip_joint joint[MOST];
    static double time[FRAMES], position[FRAMES][3], rotation[FRAMES][MOST][4], packed[FRAMES * MOST * 4];
    const int n = parts_of(m);
    m->heading = random_in(m, -3, 3), m->pace = random_in(m, 5, 8), m->size = random_in(m, 0.3, 0.55);
    m->floor = random_in(m, -0.6, 0.6);
    m->nstance = 0;
    for (int i = 0; i < n; i++) {
        joint[i].name = part[i].name, joint[i].parent = part[i].parent;
        memcpy(joint[i].offset, part[i].offset, sizeof joint[i].offset);
    }
    sn_clip_def def = {.struct_size = sizeof(sn_clip_def),
                       .njoint = n,
                       .nframe = FRAMES,
                       .joint = joint,
                       .time = time,
                       .position = position[0],
                       .rotation = packed};
    int bearer = -1;
    double was[3] = {0}, root[3] = {0}, level = m->floor;
    for (int k = 0; k < FRAMES; k++) {
        double place[MOST * 3], turn[MOST * 4], x[3], lowest, joints = 1e9;
        double *turns = packed + 4 * (size_t)k * (size_t)n;
        time[k] = k / rate;
        set_pose(m, k, rotation[k]);
        memcpy(turns, rotation[k], 4 * sizeof(double) * (size_t)n);
        root[2] = 0;
        sn__clip_globals(&def, root, turns, place, turn);
        const int best = lowest_flesh(place, turn, &lowest);
        for (int i = 0; i < n - (m->kind == TAIL ? 3 : 0); i++)
            joints = fmin(joints, place[3 * i + 2]);
        if (bearer >= 0) { /* what bears stays where it is */
            flesh_at(bearer, place, turn, x);
            for (int c = 0; c < 2; c++)
                root[c] += was[c] - x[c];
        }
        if (m->kind == STAIRS) level = m->floor + 0.17 * floor(m->pace * time[k] / M_PI);
        const double flight = flight_at(m, time[k]);
        root[2] = level - lowest + flight;
        if (flight == 0) m->stance[m->nstance++] = joints + root[2];
        for (int c = 0; c < 3; c++)
            position[k][c] = root[c] + random_in(m, -0.002, 0.002);
        if (k % 71 == 70) position[k][2] -= 0.3;         /* markers that were lost, */
        if (k >= 100 && k < 116) position[k][2] -= 0.12; /* and a body that sinks for a while */
        if (bearer >= 0) sn__clip_globals(&def, root, turns, place, turn); /* the root has moved since */
        flesh_at(best, place, turn, was);
        bearer = best;
    }
    sn_error error;
    sn_clip *clip = sn_clip_create(&def, &error);
    if (!clip) fail_msg("%s", error.message);
    return clip;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const char *const kind_name[] = {"walk",   "run", "crawl",     "jump", "lie",
                                        "get up", "box", "handstand", "tail", "stairs"};

TEST(the_floor_of_thirty_clips_is_where_they_stand) {
    double worst = 0;
    for (int i = 0; i < 30; i++) {
        static struct maker m;
        m = (struct maker){.kind = (enum kind)(i % KINDS), .seed = 11 + (uint64_t)i};
        sn_clip *clip = make_clip(&m);
        sn_floor floor;
        assert_int_equal(sn_clip_floor(clip, &floor), SN_OK);
        qsort(m.stance, (size_t)m.nstance, sizeof *m.stance, by_size);
        const double median = m.stance[m.nstance / 2], off = floor.height - median;
        print_message("%-10s %6.1f mm from the median of stance, feet %.1f %.1f %.1f cm, stance %.0f %%%s\n",
                      kind_name[m.kind], 1e3 * off, 100 * floor.feet[0], 100 * floor.feet[1],
                      100 * floor.feet[2], 100 * floor.stance, floor.level ? "" : ", no one floor");
        sn_clip_free(clip);
        if (m.kind == STAIRS) {
            assert_false(floor.level);
            continue;
        }
        assert_true(floor.level);
        worst = fmax(worst, fabs(off));
    }
    print_message("worst %.1f mm\n", 1e3 * worst);
    assert_true(worst < 0.02);
}

TEST(a_grounded_clip_stands_at_zero) {
    static struct maker m;
    m = (struct maker){.kind = WALK, .seed = 4};
    sn_clip *clip = make_clip(&m), *grounded = sn__clip_ground(clip, NULL);
    sn_floor floor;
    assert_int_equal(sn_clip_floor(grounded, &floor), SN_OK);
    assert_near(floor.height, 0, 1e-9);
    assert_int_equal(sn_clip_floor(NULL, &floor), SN_ERROR_ARGUMENT);
    sn_clip_free(grounded);
    sn_clip_free(clip);
}

int main(void) {
    return run_all("floor");
}
