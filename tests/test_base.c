/* Status, memory, hash, quaternions. */
#include "model_helpers.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quat.h"

TEST(statuses_have_names_and_texts) {
    assert_string_equal(sn_status_name(SN_OK), "SN_OK");
    assert_string_equal(sn_status_name(SN_ERROR_MODEL), "SN_ERROR_MODEL");
    assert_string_equal(sn_status_text(SN_ERROR_MODEL), "the model is not valid");
    assert_non_null(sn_status_name((sn_status)99));
    assert_non_null(sn_status_text((sn_status)99));
    assert_string_equal(sn_version(), "0.2.0");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_have_names_and_texts),
        cmocka_unit_test(a_message_that_is_too_long_is_cut),
        cmocka_unit_test(memory_is_zeroed_aligned_and_checked_for_overflow),
        cmocka_unit_test(hash_is_fnv_1a),
        cmocka_unit_test(quaternions_turn_as_their_matrices_do),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
