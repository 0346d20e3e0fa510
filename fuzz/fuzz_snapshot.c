/* Snapshots of small worlds: raw blocks, and valid ones with edits under a right checksum, so that what lies behind
 * it is reached. What is accepted must be steppable; what is refused must say why and change nothing. */
#include "fuzz_helpers.h"

#include <sinew/studies.h>

#include <math.h>

#include "base/hash.h"
#include "scenes/parts.h"

enum { WORLDS = 4, NUMBER = 8, HEAD = 128 };

static struct {
    struct scene scene;
    uint8_t *block; /* a valid snapshot with contacts and constraints */
    size_t size;
    size_t at_size; /* where the block says how long it is; 0: nowhere */
    size_t sum;     /* where its checksum stands */
    bool moved;     /* the world is no longer where the block has it */
} known[WORLDS];

/* ------------------------------------------------------------------------------------------------- worlds */

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

static uint8_t *block_of(const sn_world *world, size_t *size) {
    *size = sn_world_snapshot(world, NULL, 0);
    uint8_t *block = malloc(*size);
    MUST(block && *size >= 2 * NUMBER && sn_world_snapshot(world, block, *size) == *size);
    return block;
}

/* Two limbs in each other, a ball over them, moving ground, a pin and a joint that follows a path. */
static void build(struct scene *s) {
    const double origin[3] = {0, 0, 0}, up[3] = {0.1, 0, 1}, rot[4] = {1, 0.1, 0, 0}, slow[3] = {0, 0.1, 0};
    const sn_shape_def ball = sphere_of(0.1, 1), box = box_of(1, 1, 0.05, 0);
    const int limb = scene_add_model(s, scene_chain_model(2, SN_JOINT_BALL, true, NULL));
    MUST(limb == 0 && scene_add_again(s, limb) == 1 && scene_add_body(s, &ball) == 2);
    scene_add_plane(s, origin, up, 1);
    MUST(sn_world_add_shape(s->world, &box, origin, rot, NULL) == 1);
    MUST(!sn_world_move(s->world, 1, NULL, NULL, slow, slow));
    for (int member = 0; member < 3; member++) {
        double q[SCENE_VALUES];
        sn_model_zero_pose(sn_world_model(s->world, member), q);
        q[0] += 0.02 * member, q[2] += member < 2 ? 0.42 : 0.6;
        MUST(!sn_world_set_state(s->world, member, q, NULL));
        scene_hold(s, member, 10, 1);
    }
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    d.body = 1, d.member2 = 2;
    MUST(sn_world_add_constraint(s->world, &d, NULL));
    d = sn_constraint_def_default(SN_CONSTRAINT_JOINT_PATH);
    d.body = 1, d.member = 1, d.target[0] = 1;
    MUST(sn_world_add_constraint(s->world, &d, NULL));
    d = sn_constraint_def_default(SN_CONSTRAINT_WELD);
    d.member = 1, d.member2 = 2, d.max_force = 20;
    MUST(sn_world_add_constraint(s->world, &d, NULL));
    d = sn_constraint_def_default(SN_CONSTRAINT_DIRECTION_IMPULSE);
    d.target[0] = 0.1;
    MUST(sn_world_add_constraint(s->world, &d, NULL));
    MUST(s->error.status == SN_OK);
}

static sn_world_def def_of(int which) {
    sn_world_def def = sn_world_def_default();
    def.max_contacts = 16;
    def.iterations = 30;
    def.self_contact = def.report_torque = true;
    def.contact = SN_CONTACT_ROWS;
    if (which == 1) def.contact = SN_CONTACT_IMPLICIT, def.precision = SN_PRECISION_FLOAT;
    if (which == 2)
        def.friction = SN_FRICTION_ONE_WAY,
        def.study = sn_study_find((sn_study_def){.row_solver = SN_ROW_SOLVER_LEMKE});
    if (which == 3) def.contact = SN_CONTACT_IMPLICIT, def.copies = 3, def.sleep = 0.1;
    return def;
}

/* SINEW_FUZZ_SEEDS=FOLDER writes the blocks there as seeds: for fuzz/corpus/snapshot, when the format has changed. */
static void keep_seed(int which) {
    const char *folder = getenv("SINEW_FUZZ_SEEDS");
    char path[1000];
    if (!folder) return;
    snprintf(path, sizeof path, "%s/block_%d", folder, which);
    FILE *file = fopen(path, "wb");
    MUST(file && fputc(0x80 | which, file) != EOF);
    MUST(fwrite(known[which].block, 1, known[which].size, file) == known[which].size && fclose(file) == 0);
}

/* Steps until there are contacts, and finds its way in the block. */
static void prepare(int which) {
    struct scene *s = &known[which].scene;
    const sn_world_def def = def_of(which);
    sn_error error;
    int contacts = 0;
    s->world = sn_world_create(&def, &error);
    MUST(s->world);
    build(s);
    for (int i = 0; i < 40; i++)
        MUST(!sn_world_step(s->world));
    sn_world_contacts(s->world, 0, &contacts);
    MUST(contacts > 1);
    uint8_t *block = known[which].block = block_of(s->world, &known[which].size);
    const size_t size = known[which].size;
    for (size_t at = NUMBER; at < HEAD && !known[which].at_size; at += NUMBER)
        if (get(block + at) == size) known[which].at_size = at;
    for (size_t at = size - NUMBER; at >= HEAD && !known[which].sum; at -= NUMBER)
        if (get(block + at) == sn__hash(block, at, 0)) known[which].sum = at;
    MUST(known[which].sum); /* else no edit would get past the checksum */
    keep_seed(which);
}

/* ------------------------------------------------------------------------------------------------- edits */

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

/* A block while it is edited. */
struct edited {
    uint8_t *block;
    size_t size; /* checksum included */
};

/* Up to 32 numbers come twice, or not at all: lists grow and shrink. Their counts may still lie. */
static void resize(struct edited *e, size_t at, size_t numbers, bool more) {
    const size_t bytes = NUMBER * numbers, end = e->size - NUMBER;
    if (at < HEAD / 2 || at + bytes > end) return;
    if (more) {
        e->block = realloc(e->block, e->size + bytes);
        MUST(e->block);
        memmove(e->block + at + bytes, e->block + at, end - at);
        e->size += bytes;
    } else {
        memmove(e->block + at, e->block + at + bytes, end - at - bytes);
        e->size -= bytes;
    }
}

/* Edits of four bytes: where, how, with what; some take eight more. */
static struct edited edit(int which, const uint8_t *data, size_t n) {
    const size_t most = known[which].size + 32 * 64 * NUMBER;
    struct edited e = {malloc(known[which].size), known[which].sum + NUMBER};
    MUST(e.block);
    memcpy(e.block, known[which].block, known[which].size);
    const size_t tail =
        known[which].size - e.size; /* behind the checksum there may be room that is not used */
    while (n >= 4) {
        const size_t count = e.size / NUMBER, at = NUMBER * ((data[0] | (size_t)data[1] << 8) % count);
        const uint8_t how = data[2] % 7, with = data[3];
        data += 4, n -= 4;
        if (how == 0) put(e.block + at, special(with));
        if (how == 1) e.block[at + with % NUMBER] ^= (uint8_t)(1 << with / 32);
        if (how == 2) put(e.block + at, get(e.block + at) + (uint64_t)(int64_t)(int8_t)with);
        if (how == 3 && n >= NUMBER) {
            put(e.block + at, get(data));
            data += NUMBER, n -= NUMBER;
        }
        if (how == 4) put(e.block + at, get(e.block + NUMBER * (with % count)));
        if (how == 5 && e.size < most) resize(&e, at, 1 + with % 32, true);
        if (how == 6 && e.size > 2 * HEAD) resize(&e, at, 1 + with % 32, false);
    }
    if (known[which].at_size && !(n & 1)) put(e.block + known[which].at_size, e.size + tail);
    put(e.block + e.size - NUMBER, sn__hash(e.block, e.size - NUMBER, 0));
    e.block = realloc(e.block, e.size + tail + 1);
    MUST(e.block);
    memset(e.block + e.size, 0, tail);
    e.size += tail;
    return e;
}

/* ------------------------------------------------------------------------------------------------- checks */

static void try_block(int which, const uint8_t *block, size_t size) {
    sn_world *world = known[which].scene.world;
    sn_error error = {0};
    size_t there, again;
    if (known[which].moved) MUST(!sn_world_restore(world, known[which].block, known[which].size, NULL));
    known[which].moved = false;
    const sn_status status = sn_world_restore(world, block, size, &error);
    uint8_t *after = block_of(world, &there);
    if (status) {
        MUST(status == SN_ERROR_FORMAT && error.status == status && strlen(error.message) > 8);
        MUST(there == known[which].size && !memcmp(after, known[which].block, there));
        free(after);
        return;
    }
    known[which].moved = true;
    /* what was accepted is what is there */
    MUST(!sn_world_restore(world, after, there, NULL));
    uint8_t *once_more = block_of(world, &again);
    MUST(again == there && !memcmp(once_more, after, there));
    free(after);
    free(once_more);
    for (int i = 0; i < 2; i++) {
        const sn_status step = sn_world_step(world);
        MUST(step == SN_OK || step == SN_ERROR_NOT_FINITE);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!known[0].scene.world)
        for (int i = 0; i < WORLDS; i++)
            prepare(i);
    if (size < 1) return 0;
    const int which = data[0] % WORLDS;
    if (data[0] & 0x80) {
        try_block(which, data + 1, size - 1);
        return 0;
    }
    struct edited e = edit(which, data + 1, size - 1);
    try_block(which, e.block, e.size);
    free(e.block);
    return 0;
}
