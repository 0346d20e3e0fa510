/* Status, memory, hash, quaternions. */
#include "model_helpers.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quat.h"

TEST(statuses_have_texts) {
    assert_string_equal(sn_status_text(SN_OK), "success");
    assert_string_equal(sn_status_text(SN_ERROR_MODEL), "the model is not valid");
    assert_non_null(sn_status_text((sn_status)99));
    assert_string_equal(sn_version(), "0.3.0");
}

TEST(a_message_that_is_too_long_is_cut) {
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    sn_error error;
    assert_int_equal(sn__fail(&error, SN_ERROR_FILE, "%s", text), SN_ERROR_FILE);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(sn__fail(NULL, SN_ERROR_FILE, "%s", text), SN_ERROR_FILE);
}

TEST(memory_is_zeroed_aligned_and_checked_for_overflow) {
    assert_null(sn__alloc(SIZE_MAX / 2, 4));
    assert_null(sn__alloc_aligned(SIZE_MAX - 8));
    void *nothing = sn__alloc(0, 8);
    assert_non_null(nothing);
    unsigned char *aligned = sn__alloc_aligned(100);
    assert_int_equal((uintptr_t)aligned % 64, 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(aligned[i], 0);
    sn__free(aligned);
    sn__free(nothing);
    sn__free(NULL);
}

TEST(hash_is_fnv_1a) {
    assert_true(sn__hash("", 0, 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(sn__hash("a", 1, 0) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(sn__hash("foobar", 6, 0) == UINT64_C(0x85944171f73967e8));
    assert_true(sn__hash("a", 1, 0) != sn__hash("a", 1, 1));
}

TEST(quaternions_turn_as_their_matrices_do) {
    for (int trial = 0; trial < 100; trial++) {
        double a[4] = {noise(), noise(), noise(), noise()}, b[4] = {noise(), noise(), noise(), noise()},
               ab[4];
        double v[3] = {noise(), noise(), noise()}, once[3], twice[3], R[3][3], w[3], z[3] = {0, 0, 1}, q[4];
        dquat_normalise(a), dquat_normalise(b);
        dquat_multiply(a, b, ab);
        dquat_rotate(b, v, once);
        dquat_rotate(a, once, twice);
        dquat_to_matrix(ab, R);
        for (int i = 0; i < 3; i++)
            w[i] = dvec_dot(R[i], v);
        assert_near_n(twice, w, 3, 1e-14);
        dvec_normalise(v);
        dquat_from_z(v, q);
        dquat_rotate(q, z, w);
        assert_near_n(w, v, 3, 1e-14);
    }
}

/* exp(v/2) = (cos x, sin x v / |v|) and log q = 2 atan2(|u|, |w|) u / |u|, with libm. */
TEST(exp_and_log_of_quaternions_are_those_of_libm) {
    for (int trial = 0; trial < 20000; trial++) {
        const double size = trial % 4 == 0 ? 1e-6 : trial % 4 == 1 ? 0.1 : trial % 4 == 2 ? 4 : 100;
        double v[3] = {size * noise(), size * noise(), size * noise()}, q[4], w[3];
        const double angle = dvec_length(v), s = sin(0.5 * angle) / angle;
        const double expected[4] = {cos(0.5 * angle), s * v[0], s * v[1], s * v[2]};
        dquat_exp(v, q);
        assert_near_n(q, expected, 4, angle < 10 ? 5e-16 : 5e-14);
        double p[4] = {noise(), size * noise(), size * noise(), size * noise()};
        const double sine = dvec_length(p + 1), full = 2 * atan2(sine, fabs(p[0]));
        const double scale = (p[0] < 0 ? -full : full) / sine;
        const double turn[3] = {scale * p[1], scale * p[2], scale * p[3]};
        dquat_log(p, w);
        assert_near_n(w, turn, 3, 2e-15);
    }
    double nothing[4] = {0}, q[4], v[3] = {1, 1, 1};
    dquat_log(nothing, v);
    assert_true(v[0] == 0 && v[1] == 0 && v[2] == 0);
    dquat_exp(v, q);
    assert_true(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
}

/* As of every strict build, on every machine. */
TEST(exp_and_log_of_quaternions_have_the_same_bits_everywhere) {
    if (!sn_built_with("strict")) skip();
    uint64_t hash = 0;
    for (int i = 0; i < 4000; i++) {
        const double size = i % 3 ? 0.05 : 4, at = 0x1p-12 * i;
        double v[3] = {size * (at - 0.5), size * (0.7 - at * at), size * at * (1 - at)}, q[4];
        dquat_exp(v, q);
        hash = sn__hash(q, sizeof q, hash);
        dquat_log(q, v);
        hash = sn__hash(v, sizeof v, hash);
    }
    if (hash != UINT64_C(0x03961c75a00c4ec3)) fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
}

int main(void) {
    return run_all("base");
}
