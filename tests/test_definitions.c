/* Definitions as data: defaults, checks, hashes, JSON, and programs that were built with an older header. */
#include "model_helpers.h"

#include "base/definition.h"
#include "sinew/learn.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { ROOM = 4096 };

/* A structure of any definition, with its defaults. */
static void fill(const struct sn__definition *d, unsigned char own[ROOM]) {
    assert_true(d->size <= ROOM);
    memcpy(own, d->standard, d->size);
}

static bool put(unsigned char *at, const void *value, size_t size) {
    memcpy(at, value, size);
    return true;
}

/* Another value of the same type, within its range. */
static bool change(const struct sn__option *o, unsigned char *own) {
    unsigned char *at = own + o->offset;
    const double now = sn__option_number(o, own, 0);
    double real = isinf(now)                        ? 1
                  : o->bounded && o->high < DBL_MAX ? (now == o->high ? o->low : (now + o->high) / 2)
                                                    : now + 1;
    int whole = (int)now + (now + 1 <= o->high ? 1 : -1);
    const bool flag = now == 0;
    const uint32_t bits = (uint32_t)now + 1;
    if (o->type == SN__CHOICE) {
        const struct sn__enumeration *e = sn__option_choices(o);
        if (e->count < 2) return false;
        whole = e->choice[0].value == (int)now ? e->choice[1].value : e->choice[0].value;
    }
    switch (o->type) {
    case SN__INT:
    case SN__CHOICE:
        return put(at, &whole, sizeof whole);
    case SN__REAL:
        return put(at, &real, sizeof real);
    case SN__FLAG:
        return put(at, &flag, sizeof flag);
    case SN__BITS:
        return put(at, &bits, sizeof bits);
    default:
        return false;
    }
}

TEST(every_default_passes_its_check) {
    const struct sn__definition *d;
    unsigned char own[ROOM];
    int count = 0;
    for (; (d = sn__definition_get(count)); count++) {
        sn_error error = {0};
        fill(d, own);
        if (sn__definition_check(d->name, own, "", SN_ERROR_ARGUMENT, &error))
            fail_msg("%s: %s", d->name, error.message);
    }
    assert_true(count >= 5);
}

TEST(what_is_out_of_range_is_refused_with_a_sentence) {
    const struct sn__definition *d;
    unsigned char own[ROOM];
    int refused = 0;
    for (int i = 0; (d = sn__definition_get(i)); i++)
        for (int k = 0; k < d->count; k++) {
            const struct sn__option *o = &d->option[k];
            sn_error error = {0};
            fill(d, own);
            const double nan = NAN;
            const int none = 12345, low = o->bounded && o->low > -2e9 ? (int)o->low - 1 : 0;
            if (o->type == SN__REAL)
                memcpy(own + o->offset, &nan, sizeof nan);
            else if (o->type == SN__CHOICE)
                memcpy(own + o->offset, &none, sizeof none);
            else if (o->type == SN__INT && o->bounded)
                memcpy(own + o->offset, &low, sizeof low);
            else
                continue;
            assert_int_equal(sn__definition_check(d->name, own, "", SN_ERROR_MODEL, &error), SN_ERROR_MODEL);
            assert_memory_equal(error.message, o->name, strlen(o->name));
            assert_true(strstr(error.message, "Set it to ") || strstr(error.message, "Choose one of "));
            assert_int_equal(error.message[strlen(error.message) - 1], '.');
            refused++;
        }
    assert_true(refused > 60);
}

TEST(the_hash_knows_every_option_that_the_header_does_not_except) {
    const struct sn__definition *d = sn__definition_find("sn_world_def");
    unsigned char own[ROOM];
    fill(d, own);
    const uint64_t before = sn__definition_hash(d->name, own, 0);
    int hashed = 0;
    for (int k = 0; k < d->count; k++) {
        const struct sn__option *o = &d->option[k];
        fill(d, own);
        if (!change(o, own)) continue;
        const bool differs = sn__definition_hash(d->name, own, 0) != before;
        if (differs != o->hashed)
            fail_msg("%s: hashed %d, but the hash %s", o->name, o->hashed, differs ? "differs" : "stays");
        hashed += differs;
    }
    assert_true(hashed >= 15);
    assert_false(sn__definition_find("sn_world_def") == NULL);
}

TEST(definitions_go_through_json_and_back) {
    const struct sn__definition *d;
    for (int i = 0; (d = sn__definition_get(i)); i++) {
        unsigned char own[ROOM], back[ROOM];
        char text[8192];
        sn_error error;
        fill(d, own);
        fill(d, back);
        for (int k = 0; k < d->count; k++)
            change(&d->option[k], own);
        assert_true(sn_def_write(d->name, own, text, sizeof text) < sizeof text);
        if (sn_def_read(d->name, back, text, &error)) fail_msg("%s: %s", d->name, error.message);
        assert_true(sn__definition_hash(d->name, own, 0) == sn__definition_hash(d->name, back, 0));
    }
}

TEST(json_that_does_not_fit_changes_nothing) {
    static const char *const bad[] = {"{\"dt\": -1}",
                                      "{\"no_such\": 1}",
                                      "{\"form\": \"stiff\"}",
                                      "{\"copies\": 1.5}",
                                      "{\"gravity\": [0, 0]}",
                                      "{\"dt\": 0.01, \"joint_limits\": 7}",
                                      "[1]",
                                      "{"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sn_world_def def = sn_world_def_default();
        const sn_world_def before = def;
        sn_error error = {0};
        assert_int_not_equal(sn_def_read("sn_world_def", &def, bad[i], &error), SN_OK);
        assert_true(error.message[0]);
        assert_memory_equal(&def, &before, sizeof def);
    }
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_def_read("sn_world_def", &def,
                                 "{\"dt\": 0.01, \"form\": \"full\", \"gravity\": [0, 0, -1]}", NULL),
                     SN_OK);
    assert_true(def.dt == 0.01 && def.form == SN_FORM_FULL && def.gravity[2] == -1);
}

TEST(a_program_built_with_an_older_header_keeps_working) {
    union {
        sn_world_def def;
        unsigned char bytes[sizeof(sn_world_def) + 8];
    } old;
    const size_t size = offsetof(sn_world_def, max_contacts);
    memset(&old, 0xee, sizeof old);
    sn_def_default("sn_world_def", &old, size, 0);
    for (size_t i = size; i < sizeof old; i++)
        assert_int_equal(old.bytes[i], 0xee); /* nothing is written behind it */
    old.def.copies = 3;
    sn_error error;
    sn_world *world = sn_world_create(&old.def, &error);
    if (!world) fail_msg("%s", error.message);
    assert_int_equal(sn_world_get_info(world).copies, 3);
    assert_true(sn_world_get_info(world).dt == 1.0 / 240);
    sn_world_free(world);
}

TEST(a_shorter_definition_inside_another_one_is_understood) {
    const size_t joint = offsetof(sn_joint_def, torque_limit), lost = sizeof(sn_joint_def) - joint;
    const size_t body = sizeof(sn_body_def) - lost;
    unsigned char old[sizeof(sn_body_def) + 8];
    sn_body_def own;
    memset(old, 0xee, sizeof old);
    sn_def_default("sn_body_def", old, body, joint);
    assert_int_equal(old[body], 0xee);
    const double lift = 0.25, kp = 7;
    memcpy(old + offsetof(sn_body_def, lift) - lost, &lift, sizeof lift);
    memcpy(old + offsetof(sn_body_def, joint) + offsetof(sn_joint_def, kp), &kp, sizeof kp);
    assert_true(sn__definition_take("sn_body_def", old, &own, NULL));
    assert_true(own.lift == 0.25 && own.joint.kp == 7 && own.rot[0] == 1);
    assert_true(isinf(own.joint.torque_limit));
    assert_int_equal(own.struct_size, sizeof own);
    assert_int_equal(own.joint.struct_size, sizeof own.joint);
}

TEST(sizes_that_no_header_had_are_refused) {
    sn_world_def def = sn_world_def_default();
    sn_error error;
    def.struct_size += 8;
    assert_null(sn_world_create(&def, &error));
    assert_non_null(strstr(error.message, "newer version"));
    def.struct_size = 0;
    assert_null(sn_world_create(&def, &error));
    assert_non_null(strstr(error.message, "sn_world_def_default()"));
    sn_world *world = sn_world_create(NULL, &error); /* all defaults */
    assert_non_null(world);
    sn_world_free(world);
    assert_int_equal(sn_world_add_constraint(NULL, NULL, &error), 0);
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
}

/* A definition of which the last members are unknown to the program: what it has of them must not count. */
struct old_def {
    union {
        sn_trainer_def trainer;
        sn_environment_def environment;
        sn_imitation_def imitation;
        sn_search_def search;
        uint32_t size;
        unsigned char bytes[sizeof(sn_imitation_def) + 64];
    } as;
};

static void make_old(struct old_def *old, const char *name, size_t size) {
    memset(old, 0xee, sizeof *old);
    sn_def_default(name, &old->as, size, 0);
    for (size_t i = size; i < sizeof *old; i++)
        assert_int_equal(old->as.bytes[i], 0xee); /* nothing is written behind it */
    assert_int_equal(old->as.size, size);
}

TEST(older_definitions_of_learning_keep_working) {
    struct old_def imitation, environment, trainer, search;
    sn_error error = {0};
    sn_model *human = sn_builtin_create("humanoid", NULL);
    sn_motion *walk = sn_builtin_motion_create("walk", human, NULL);
    make_old(&imitation, "sn_imitation_def", offsetof(sn_imitation_def, terrain));
    make_old(&environment, "sn_environment_def", offsetof(sn_environment_def, autoreset));
    make_old(&trainer, "sn_trainer_def", offsetof(sn_trainer_def, last_layer));
    make_old(&search, "sn_search_def", offsetof(sn_search_def, divergence));
    imitation.as.imitation.model = human, imitation.as.imitation.motion = walk;
    environment.as.environment.copies = 16;
    trainer.as.trainer.minibatch = 64;
    search.as.search.n = 3;
    sn_task task;
    assert_int_equal(sn_imitation_task(&task, &imitation.as.imitation, &error), SN_OK);
    sn_environment *env = sn_environment_create(&task, &environment.as.environment, &error);
    if (!env) fail_msg("%s", error.message);
    sn_environment_info info;
    sn_environment_get_info(env, &info);
    assert_int_equal(info.definition.copies, 16);
    assert_int_equal(info.definition.autoreset, SN_AUTORESET_SAME_STEP); /* the default: it was not given */
    sn_trainer *learner = sn_trainer_create(env, &trainer.as.trainer, &error);
    if (!learner) fail_msg("%s", error.message);
    sn_search *searching = sn_search_create(&search.as.search, &error);
    if (!searching) fail_msg("%s", error.message);
    sn_search_free(searching);
    trainer.as.size = 7; /* no header ever had it */
    assert_null(sn_trainer_create(env, &trainer.as.trainer, &error));
    sn_trainer_free(learner);
    sn_environment_free(env);
    sn_motion_free(walk);
    sn_model_free(human);
}

int main(void) {
    return run_all("definitions");
}
