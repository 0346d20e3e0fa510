/* Motions of SMPL bodies in archives and arrays of numpy, which are made here byte by byte; and what they are not. */
#include "parse_helpers.h"
#include "clip_helpers.h"

#include "clip/clip.h"

enum { FRAMES = 20, MOST = 1 << 20 };

static char data[MOST];
static size_t size;

static void put(const void *bytes, size_t count) {
    assert_true(size + count <= sizeof data);
    memcpy(data + size, bytes, count);
    size += count;
}

static void put_number(uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        const char byte = (char)(i < 8 ? value >> (8 * i) : 0);
        put(&byte, 1);
    }
}

/* An array of numpy: rows of width numbers, of 4 or 8 bytes; width 0: one number. */
static size_t make_array(char *to, int rows, int width, const double *value, int bytes) {
    char head[128];
    const size_t count = (size_t)rows * (size_t)(width > 0 ? width : 1);
    char shape[64];
    snprintf(shape, sizeof shape, width > 0 ? "(%d, %d)" : "()", rows, width);
    int length =
        snprintf(head, sizeof head, "{'descr': '<f%d', 'fortran_order': False, 'shape': %s, }", bytes, shape);
    while ((10 + length + 1) % 64 != 0)
        head[length++] = ' ';
    head[length++] = '\n';
    memcpy(to, "\x93NUMPY\1\0", 8);
    to[8] = (char)length, to[9] = (char)(length >> 8);
    memcpy(to + 10, head, (size_t)length);
    char *at = to + 10 + length;
    for (size_t i = 0; i < count; i++, at += bytes) {
        const float single = (float)value[i];
        memcpy(at, bytes == 4 ? (const void *)&single : (const void *)&value[i], (size_t)bytes);
    }
    return (size_t)(at - to);
}

struct part {
    const char *name;
    size_t at, length, packed;
    int method;
};
static struct part part[8];
static int nparts;

/* method 8: in blocks that are stored, which is deflate as well. */
static void add_part(const char *name, const char *bytes, size_t length, int method) {
    struct part *p = &part[nparts++];
    *p = (struct part){name, size, length, length, method};
    if (method == 8) p->packed = length + 5 * ((length + 65534) / 65535);
    put("PK\3\4", 4), put_number(20, 2), put_number(0, 2), put_number((uint64_t)method, 2);
    put_number(0, 8), put_number(p->packed, 4), put_number(length, 4);
    put_number(strlen(name), 2), put_number(0, 2), put(name, strlen(name));
    if (method == 0) put(bytes, length);
    for (size_t at = 0; method == 8 && at < length; at += 65535) {
        const size_t block = length - at < 65535 ? length - at : 65535;
        put_number(at + block == length, 1), put_number(block, 2), put_number(~block & 0xffff, 2),
            put(bytes + at, block);
    }
}

static void end_archive(void) {
    const size_t directory = size;
    for (int i = 0; i < nparts; i++) {
        put("PK\1\2", 4), put_number(20, 2), put_number(20, 2), put_number(0, 2),
            put_number((uint64_t)part[i].method, 2);
        put_number(0, 8), put_number(part[i].packed, 4), put_number(part[i].length, 4);
        put_number(strlen(part[i].name), 2), put_number(0, 12), put_number(part[i].at, 4);
        put(part[i].name, strlen(part[i].name));
    }
    const size_t length = size - directory;
    put("PK\5\6", 4), put_number(0, 4), put_number((uint64_t)nparts, 2), put_number((uint64_t)nparts, 2);
    put_number(length, 4), put_number(directory, 4), put_number(0, 2);
}

static double poses[FRAMES][156], trans[FRAMES][3];
static char array[MOST];

/* Somebody who stands and turns the left knee; Z up: the root stands by a quarter about X. */
static void pose_all(bool y_up) {
    memset(poses, 0, sizeof poses);
    for (int k = 0; k < FRAMES; k++) {
        if (!y_up) poses[k][0] = M_PI / 2;
        poses[k][3 * 4] = 0.05 * k; /* the left knee, about the axis to the left */
        trans[k][0] = 0.1 * k, trans[k][y_up ? 1 : 2] = 0.93;
    }
}

static void make_archive(bool y_up, int method, bool newer) {
    const double rate = 50;
    pose_all(y_up);
    size = 0, nparts = 0;
    if (newer) {
        static double root[FRAMES][3], body[FRAMES][63];
        for (int k = 0; k < FRAMES; k++)
            memcpy(root[k], poses[k], sizeof root[k]), memcpy(body[k], poses[k] + 3, sizeof body[k]);
        add_part("root_orient.npy", array, make_array(array, FRAMES, 3, root[0], 8), method);
        add_part("pose_body.npy", array, make_array(array, FRAMES, 63, body[0], 4), method);
        add_part("mocap_frame_rate.npy", array, make_array(array, 1, 0, &rate, 8), method);
    } else {
        add_part("poses.npy", array, make_array(array, FRAMES, 156, poses[0], 8), method);
        add_part("mocap_framerate.npy", array, make_array(array, 1, 0, &rate, 8), method);
    }
    add_part("trans.npy", array, make_array(array, FRAMES, 3, trans[0], 8), method);
    end_archive();
}

static sn_clip *parse(void) {
    sn_error error;
    sn_clip *clip = clip_from(data, size, "motion.npz", NULL, &error);
    if (!clip) fail_msg("%s", error.message);
    return clip;
}

static void assert_stands(const sn_clip *clip, double duration) {
    const sn_clip_def *def = sn_clip_data(clip);
    double place[3 * 32], turn[4 * 32], knee[4];
    assert_int_equal(def->njoint, 22);
    assert_int_equal(def->nframe, FRAMES);
    assert_near(sn__clip_duration(clip), duration, 1e-9);
    sn__clip_globals(def, def->position, def->rotation, place, turn);
    const int head = joint_of(clip, "head"), toe = joint_of(clip, "left_toe"), pelvis = 0;
    assert_true(place[3 * head + 2] > 1.3);
    assert_near(place[3 * toe + 2], 0, 0.03);
    assert_true(place[3 * joint_of(clip, "left_wrist")] - place[3 * pelvis] > 0.5); /* looking along -y */
    const size_t last = (size_t)(FRAMES - 1) * (size_t)def->njoint + (size_t)joint_of(clip, "left_knee");
    memcpy(knee, def->rotation + 4 * last, sizeof knee);
    const double by[3] = {0, 0.05 * (FRAMES - 1), 0}; /* to the left is y here: knees bend about it */
    double want[4];
    dquat_exp(by, want);
    if (dvec_dot(knee + 1, want + 1) < 0)
        for (int i = 0; i < 4; i++)
            knee[i] = -knee[i];
    assert_near_n(knee, want, 4, 1e-6);
}

TEST(archives_of_amass_are_read_stored_and_packed) {
    for (int method = 0; method <= 8; method += 8)
        for (int newer = 0; newer < 2; newer++)
            for (int y_up = 0; y_up < 2; y_up++) {
                make_archive(y_up, method, newer);
                sn_error error;
                sn_clip *clip = clip_from(data, size, "motion.npz", NULL, &error);
                if (!clip && method == 8 && strstr(error.message, "zlib")) {
                    print_message("skipped: zlib was not there to build with\n");
                    continue;
                }
                if (!clip) fail_msg("%s", error.message);
                assert_stands(clip, (FRAMES - 1) / 50.0);
                sn_clip_free(clip);
            }
}

TEST(they_move_the_humanoid) {
    make_archive(false, 0, false);
    sn_clip *clip = parse();
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_error error;
    sn_motion *motion = sn_motion_create(clip, model, NULL, &error);
    if (!motion) fail_msg("%s", error.message);
    assert_true(sn_motion_get(motion)->apart < 0.12);
    double q[64], up[3] = {0, 0, 1};
    sn_motion_sample(motion, 0.2, q, NULL);
    dquat_rotate(q + 3, up, up);
    assert_true(up[2] > 0.99);
    sn_motion_free(motion);
    sn_model_free(model);
    sn_clip_free(clip);
}

TEST(an_array_alone_is_a_motion_of_30_frames_per_second) {
    pose_all(false);
    static double both[FRAMES][75];
    for (int k = 0; k < FRAMES; k++)
        memcpy(both[k], trans[k], sizeof trans[k]), memcpy(both[k] + 3, poses[k], 72 * sizeof(double));
    size = make_array(data, FRAMES, 75, both[0], 8);
    sn_clip *clip = parse();
    assert_stands(clip, (FRAMES - 1) / 30.0);
    sn_clip_free(clip);
}

static void refused_with(const char *part_of_it) {
    sn_error error = {0};
    assert_null(clip_from(data, size, "motion.npz", NULL, &error));
    assert_message_has(&error, "motion.npz");
    assert_message_has(&error, part_of_it);
}

TEST(broken_archives_are_refused_with_a_reason) {
    make_archive(false, 0, false);
    const size_t whole = size;
    size = whole - 30; /* the directory is lost */
    refused_with("zip archive");
    make_archive(false, 0, false);
    memcpy(data + part[0].at + 30 + 9, "garbage", 7);
    refused_with("not an array of numpy");
    make_archive(false, 0, false);
    data[part[2].at] = 'X';
    refused_with("not where the archive says");
    size = 0, nparts = 0;
    add_part("other.npy", array, make_array(array, FRAMES, 3, trans[0], 8), 0);
    end_archive();
    refused_with("no motion of an SMPL body");
    size = 0, nparts = 0;
    pose_all(false);
    add_part("poses.npy", array, make_array(array, FRAMES, 156, poses[0], 8), 0);
    add_part("trans.npy", array, make_array(array, FRAMES - 1, 3, trans[0], 8), 0);
    end_archive();
    refused_with("different lengths");
}

/* What people pass by mistake, and the message they get. */
TEST(files_that_cannot_be_read_are_named_as_what_they_are) {
    static const struct {
        const char *bytes;
        size_t length;
        const char *said;
    } file[] = {
#define FILE_OF(bytes, said) {bytes, sizeof bytes - 1, said}
        FILE_OF("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "git lfs pull"),
        FILE_OF("\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.", "pickle"),
        FILE_OF("Kaydara FBX Binary  \0\x1a\0", "FBX"),
        FILE_OF("; FBX 7.3.0 project file\n", "FBX"),
        FILE_OF("\x1f\x8b\x08\0\0\0", "gzip"),
        FILE_OF("glTF\2\0\0\0", "glTF"),
        FILE_OF("\x93NUMPY\1\0\x40\0{'descr': '|O', 'fortran_order': False, 'shape': (), }         \n",
                "pickle"),
    };
    for (int i = 0; i < COUNT(file); i++) {
        memcpy(data, file[i].bytes, file[i].length);
        size = file[i].length;
        refused_with(file[i].said);
        sn_error error;
        assert_null(model_from(data, size, "motion.npz", NULL, &error));
        assert_message_has(&error, file[i].said);
    }
    size = 0, nparts = 0;
    add_part("archive/data.pkl", "x", 1, 0);
    end_archive();
    refused_with("PyTorch");
    size = 0, nparts = 0;
    add_part("walk.bvh", "x", 1, 0);
    end_archive();
    refused_with("unpack it");
}

int main(void) {
    return run_all("smpl");
}
