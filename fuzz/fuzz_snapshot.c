/* Snapshots of small worlds: raw blocks, and valid ones with edits under a right checksum, so that what lies behind
 * it is reached. What is accepted must be steppable; what is refused must say why and change nothing. */
#include "fuzz_helpers.h"

#include <math.h>

#include "base/hash.h"

enum { WORLDS = 3, LONGEST = 1 << 16, NUMBER = 8, AT_SIZE = 24, AT_CONTACTS = 40, AT_TIES = 48 };

static struct {
    sn_world *world;
    uint8_t *block; /* a valid snapshot with contacts and constraints */
    size_t size, contact_size, tie_size;
    bool moved; /* the world is no longer where the block has it */
} known[WORLDS];

static uint8_t edited[LONGEST], before[LONGEST], after[LONGEST];

/* A body with a limb that is limited. */
static sn_model *make_limb(void) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_CAPSULE);
    shape.size[0] = 0.1, shape.size[1] = 0.1;
    body.name = "a";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "a", &shape);
    body.name = "b", body.parent = "a";
    body.pos[2] = 0.2;
    body.joint = sn_joint_def_default(SN_JOINT_BALL);
    body.joint.limited = true;
    body.joint.lower[0] = -0.5, body.joint.upper[0] = body.joint.upper[1] = 0.5;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "b", &shape);
    sn_model *model = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    MUST(model);
    return model;
}

static sn_model *make_ball(void) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    shape.size[0] = 0.1;
    body.name = "ball";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "ball", &shape);
    sn_model *model = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    MUST(model);
    return model;
}

static void add_member(sn_world *world, const sn_model *model, double x, double z) {
    sn_member_def def = sn_member_def_default();
    def.report_torque = def.self_collision = true;
    const int number = sn_world_add(world, model, &def, NULL);
    MUST(number >= 0);
    double q[16], kp[16], kd[16];
    sn_model_zero_pose(model, q);
    q[0] += x, q[2] += z;
    sn_gains_uniform(model, 0, 0, 10, 1, kp, kd);
    MUST(!sn_character_set_state(sn_world_character(world, number), q, NULL));
    MUST(!sn_character_set_gains(sn_world_character(world, number), kp, kd));
}

static sn_world *make_world(int which) {
    static sn_model *limb, *ball;
    if (!limb) limb = make_limb(), ball = make_ball();
    sn_world_def def = sn_world_def_default();
    def.max_contacts = 32;
    def.iterations = 30;
    if (which == 1) def.contact = SN_CONTACT_IMPLICIT, def.precision = SN_FLOAT;
    if (which == 2) def.friction = SN_FRICTION_ONE_WAY, def.row_solver = SN_ROWS_DIRECT;
    sn_world *world = sn_world_create(&def, NULL);
    MUST(world);
    const double origin[3] = {0, 0, 0}, up[3] = {0.1, 0, 1}, rot[4] = {1, 0.1, 0, 0}, slow[3] = {0, 0.1, 0};
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = box.size[1] = 1, box.size[2] = 0.05;
    MUST(sn_world_add_plane(world, origin, up, NULL, NULL) == 0);
    MUST(sn_world_add_shape(world, &box, origin, rot, NULL) == 1);
    MUST(!sn_world_move(world, 1, NULL, NULL, slow, slow));
    add_member(world, limb, 0, 0.25);
    add_member(world, limb, 0.15, 0.25);
    add_member(world, ball, 0, 0.65);
    return world;
}

/* Steps until there are contacts, and finds the sizes of parts from those of blocks. */
static void prepare(int which) {
    sn_world *world = make_world(which);
    const size_t empty = sn_world_snapshot_size(world);
    for (int i = 0; i < 40; i++)
        MUST(!sn_world_step(world));
    const int contacts = sn_world_contact_count(world);
    MUST(contacts > 1);
    known[which].contact_size = (sn_world_snapshot_size(world) - empty) / (size_t)contacts;
    sn_constraint_def d = sn_constraint_def_default(SN_PIN);
    d.body = 1, d.character2 = 2;
    MUST(sn_world_add_constraint(world, &d, NULL));
    d = sn_constraint_def_default(SN_JOINT_PATH);
    d.body = 1, d.character = 1, d.target[0] = 1;
    MUST(sn_world_add_constraint(world, &d, NULL));
    MUST(!sn_world_step(world));
    known[which].tie_size = (sn_world_snapshot_size(world) - empty -
                             known[which].contact_size * (size_t)sn_world_contact_count(world)) /
                            2;
    known[which].size = sn_world_snapshot_size(world);
    known[which].block = malloc(known[which].size);
    MUST(!sn_world_snapshot(world, known[which].block, known[which].size));
    known[which].world = world;
}

/* ------------------------------------------------------------------------------------------------- edits */

static uint64_t get(const uint8_t *from) {
    uint64_t x = 0;
    for (int i = 0; i < NUMBER; i++)
        x |= (uint64_t)from[i] << (8 * i);
    return x;
}

static void put(uint8_t *to, uint64_t x) {
    for (int i = 0; i < NUMBER; i++)
        to[i] = (uint8_t)(x >> (8 * i));
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Numbers worth trying. */
static uint64_t special(uint8_t which) {
    const uint64_t value[] = {0,
                              1,
                              2,
                              3,
                              6,
                              7,
                              UINT32_MAX,
                              UINT64_MAX,
                              (uint64_t)1 << 31,
                              (uint64_t)INT32_MAX,
                              bits_of(NAN),
                              bits_of(INFINITY),
                              bits_of(-1),
                              bits_of(1),
                              bits_of(1e300),
                              bits_of(-1e300),
                              bits_of(1e30),
                              bits_of(1e-300),
                              bits_of(1e15),
                              bits_of(-1e9)};
    return value[which % (sizeof value / sizeof *value)];
}

/* More of the last constraint, or of the first contact: the block grows. Its counts may still lie. */
static size_t grow(int which, size_t size, uint8_t how) {
    const size_t tie = known[which].tie_size, contact = known[which].contact_size;
    const size_t ties = (size_t)get(edited + AT_TIES), contacts = (size_t)get(edited + AT_CONTACTS);
    if (ties > 1000 || contacts > 1000 || size + tie + contact > LONGEST) return size;
    const size_t end = size - NUMBER;
    if ((how & 1) && ties && end > tie) {
        memcpy(edited + end, edited + end - tie, tie);
        put(edited + AT_TIES, ties + 1);
        size += tie;
    } else if (!(how & 1) && contacts && end > ties * tie + contact) {
        uint8_t *last = edited + end - ties * tie;
        memmove(last + contact, last, ties * tie);
        memcpy(last, last - contact, contact);
        put(edited + AT_CONTACTS, contacts + 1);
        size += contact;
    }
    put(edited + AT_SIZE, size);
    return size;
}

/* Edits of four bytes: where, how, with what; some take eight more. */
static size_t edit(int which, const uint8_t *data, size_t n) {
    size_t size = known[which].size;
    memcpy(edited, known[which].block, size);
    while (n >= 4) {
        const size_t at = NUMBER * ((data[0] | (size_t)data[1] << 8) % (size / NUMBER));
        const uint8_t how = data[2] % 6, with = data[3];
        data += 4, n -= 4;
        if (how == 0) put(edited + at, special(with));
        if (how == 1) edited[at + with % NUMBER] ^= (uint8_t)(1 << with / 32);
        if (how == 2) put(edited + at, get(edited + at) + (uint64_t)(int64_t)(int8_t)with);
        if (how == 3 && n >= NUMBER) {
            put(edited + at, get(data));
            data += NUMBER, n -= NUMBER;
        }
        if (how == 4) size = grow(which, size, with);
        if (how == 5) put(edited + at, get(edited + NUMBER * (with % (size / NUMBER))));
    }
    put(edited + size - NUMBER, sn__hash(edited, size - NUMBER, 0));
    return size;
}

/* ------------------------------------------------------------------------------------------------- checks */

static void try_block(int which, const uint8_t *block, size_t size) {
    sn_world *world = known[which].world;
    sn_error error = {0};
    if (known[which].moved) MUST(!sn_world_restore(world, known[which].block, known[which].size, NULL));
    known[which].moved = false;
    const sn_status status = sn_world_restore(world, block, size, &error);
    if (status) {
        MUST(status == SN_ERROR_FORMAT && error.status == status && strlen(error.message) > 8);
        MUST(sn_world_snapshot_size(world) == known[which].size);
        MUST(!sn_world_snapshot(world, before, LONGEST));
        MUST(!memcmp(before, known[which].block, known[which].size));
        return;
    }
    known[which].moved = true;
    /* what was accepted is what is there */
    const size_t there = sn_world_snapshot_size(world);
    MUST(there <= LONGEST && !sn_world_snapshot(world, before, LONGEST));
    MUST(!sn_world_restore(world, before, there, NULL));
    MUST(!sn_world_snapshot(world, after, LONGEST) && !memcmp(before, after, there));
    for (int i = 0; i < 2; i++) {
        const sn_status step = sn_world_step(world);
        MUST(step == SN_OK || step == SN_ERROR_NOT_FINITE);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!known[0].world)
        for (int i = 0; i < WORLDS; i++)
            prepare(i);
    if (size < 1) return 0;
    const int which = data[0] % WORLDS;
    if (data[0] & 0x80) {
        try_block(which, data + 1, size - 1);
    } else {
        const size_t n = edit(which, data + 1, size - 1);
        try_block(which, edited, n);
    }
    return 0;
}
