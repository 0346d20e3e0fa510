/* Ground of MJCF scenes that comes from files: height fields as pictures and as MuJoCo's own files, meshes fixed to the world.
 * The pictures are written here, in every kind that PNG has, without libpng, and heights are asked for by rays. */
#include "parse_helpers.h"
#include "room.h"
#include "scene_helpers.h"

#include "record/channel.h"

#if SN__HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

static char file[2][120];

static int make_folder(void **state) {
    if (make_room(state) != 0) return -1;
    snprintf(file[0], sizeof file[0], "%s/field.png", room);
    snprintf(file[1], sizeof file[1], "%s/scene.xml", room);
    return 0;
}

static int remove_folder(void **state) {
    remove(file[0]), remove(file[1]);
    return leave_room(state);
}

/* -------------------------------------------------------------------------------------------------- writing PNG */

static uint8_t png[4096];
static size_t png_size;

static void put_bytes(const void *data, size_t size) {
    if (size > 0) memcpy(png + png_size, data, size);
    png_size += size;
}

static void put_number(uint32_t x) {
    const uint8_t bytes[4] = {(uint8_t)(x >> 24), (uint8_t)(x >> 16), (uint8_t)(x >> 8), (uint8_t)x};
    put_bytes(bytes, 4);
}

static void put_chunk(const char *name, const void *data, size_t size) {
    put_number((uint32_t)size);
    const size_t from = png_size;
    put_bytes(name, 4);
    put_bytes(data, size);
    put_number(sn__channel_checksum(png + from, png_size - from));
}

enum { GREY = 0, COLOURS = 2, PALETTE = 3, GREY_AND_ALPHA = 4, COLOURS_AND_ALPHA = 6 };

/* Rows as PNG has them, each with its filter before it, in one block that is stored as it is. */
static void write_png(int columns, int rows, int depth, int kind, bool interlaced, const uint8_t *data,
                      size_t size) {
    uint8_t head[13] = {
        0, 0, 0, (uint8_t)columns, 0, 0, 0, (uint8_t)rows, (uint8_t)depth, (uint8_t)kind, 0, 0, interlaced};
    static const uint8_t colour[] = {0, 1, 2, 100, 3, 4, 200, 5, 6}, clear[] = {9, 9};
    uint8_t packed[512] = {0x78, 1, 1, (uint8_t)size, 0, (uint8_t)~size, 255};
    uint32_t low = 1, high = 0; /* Adler-32 */
    for (size_t i = 0; i < size; i++)
        low = (low + data[i]) % 65521, high = (high + low) % 65521;
    memcpy(packed + 7, data, size);
    for (int i = 0; i < 4; i++)
        packed[7 + size + (size_t)i] = (uint8_t)((high << 16 | low) >> (24 - 8 * i));
    png_size = 0;
    put_bytes("\x89PNG\r\n\x1a\n", 8);
    put_chunk("IHDR", head, sizeof head);
    put_chunk("gAMA", "\0\0\x27\x10", 4); /* heights are not colours: it must not count */
    if (kind == PALETTE) put_chunk("PLTE", colour, sizeof colour), put_chunk("tRNS", clear, sizeof clear);
    put_chunk("IDAT", packed, size + 11);
    put_chunk("IEND", NULL, 0);
    write_whole(file[0], png, png_size);
}

/* ------------------------------------------------------------------------------------------------- height fields */

enum { ROWS = 3, COLUMNS = 4 };

#define FIELD(name)                                                                                          \
    "<mujoco><asset><hfield " name "file='field.png' size='3 1 2 .1'/></asset><worldbody>"                   \
    "<geom type='hfield' hfield='field'/></worldbody></mujoco>"

static sn_world *load_field(const char *text) {
    sn_load_def options = options_with(&told);
    write_whole(file[1], text, strlen(text));
    return sn_world_load(file[1], NULL, &options, &error);
}

/* What a ray from above meets near each point: value 0 ... 255 of row 0, which is at +y, first. */
static void read_back(sn_world *world, double value[ROWS][COLUMNS]) {
    const double way[3] = {0, 0, -10}, inside = 1e-7;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            const double from[3] = {(1 - inside) * (-3 + 2.0 * c), (1 - inside) * (1 - r), 5};
            sn_hit hit;
            assert_true(sn_world_cast_ray(world, 0, from, way, UINT32_MAX, &hit));
            value[r][c] = hit.pos[2] / 2 * 255;
        }
}

#if SN__HAVE_MUJOCO
static void compare_with_mujoco(double value[ROWS][COLUMNS], const char *what) {
    char reason[1000] = "";
    mjModel *m = mj_loadXML(file[1], NULL, reason, sizeof reason);
    if (!m) fail_msg("%s: %s", what, reason);
    assert_int_equal(m->hfield_nrow[0], ROWS);
    assert_int_equal(m->hfield_ncol[0], COLUMNS);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            const double theirs = 255 * (double)m->hfield_data[(ROWS - 1 - r) * COLUMNS + c];
            if (fabs(theirs - value[r][c]) > 1e-3)
                fail_msg("%s: row %d, column %d is %g, MuJoCo's %g", what, r, c, value[r][c], theirs);
        }
    mj_deleteModel(m);
}
#else
static void compare_with_mujoco(double value[ROWS][COLUMNS], const char *what) {
    (void)value, (void)what;
}
#endif

/* Fails unless the heights are these, brought to 0 ... 255. */
static void expect(const char *what, const int want[ROWS][COLUMNS]) {
    double value[ROWS][COLUMNS];
    sn_world *world = load_field(FIELD("name='field' "));
    if (!world) fail_msg("%s: %s", what, error.message);
#if SN__HAVE_PNG
    assert_int_equal(told.count, 0);
    read_back(world, value);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            if (fabs(value[r][c] - want[r][c]) > 1e-3)
                fail_msg("%s: row %d, column %d is %g, not %d", what, r, c, value[r][c], want[r][c]);
    compare_with_mujoco(value, what);
#else
    (void)want, (void)value, (void)read_back, (void)compare_with_mujoco;
    assert_has_warning(&told, "libpng was not there");
#endif
    sn_world_free(world);
}

static const int shades[ROWS][COLUMNS] = {{0, 10, 20, 30}, {40, 50, 60, 70}, {80, 90, 100, 255}};

TEST(pictures_of_every_kind_are_heights_as_in_mujoco) {
    uint8_t data[256];
    size_t n = 0;
    for (int r = 0; r < ROWS; r++) {
        data[n++] = 0;
        for (int c = 0; c < COLUMNS; c++)
            data[n++] = (uint8_t)shades[r][c];
    }
    write_png(COLUMNS, ROWS, 8, GREY, false, data, n);
    expect("grey", shades);
    n = 0;
    for (int r = 0; r < ROWS; r++) {
        data[n++] = 0;
        for (int c = 0; c < COLUMNS; c++)
            data[n++] = (uint8_t)shades[r][c], data[n++] = 77; /* the lower half does not count */
    }
    write_png(COLUMNS, ROWS, 16, GREY, false, data, n);
    expect("grey of 16 bits", shades);
    write_png(COLUMNS, ROWS, 8, GREY_AND_ALPHA, false, data, n);
    expect("grey and alpha", shades);
    for (int kind = COLOURS; kind <= COLOURS_AND_ALPHA; kind += 4) {
        n = 0;
        for (int r = 0; r < ROWS; r++) {
            data[n++] = 0;
            for (int c = 0; c < COLUMNS; c++) {
                data[n++] = (uint8_t)shades[r][c], data[n++] = 7, data[n++] = 201;
                if (kind == COLOURS_AND_ALPHA) data[n++] = (uint8_t)(3 * c);
            }
        }
        write_png(COLUMNS, ROWS, 8, kind, false, data, n);
        expect(kind == COLOURS ? "colours" : "colours and alpha", shades);
    }
}

TEST(pictures_of_few_bits_palettes_and_interlaced_ones_are_heights_as_in_mujoco) {
    static const uint8_t bits[] = {0, 0xa0, 0, 0x50, 0, 0xf0};
    write_png(COLUMNS, ROWS, 1, GREY, false, bits, sizeof bits);
    expect("one bit", (const int[ROWS][COLUMNS]){{255, 0, 255, 0}, {0, 255, 0, 255}, {255, 255, 255, 255}});
    static const uint8_t fours[] = {0, 0x01, 0x23, 0, 0x45, 0x67, 0, 0x89, 0xaf};
    write_png(COLUMNS, ROWS, 4, GREY, false, fours, sizeof fours);
    expect("four bits",
           (const int[ROWS][COLUMNS]){{0, 17, 34, 51}, {68, 85, 102, 119}, {136, 153, 170, 255}});
    static const uint8_t chosen[] = {0,    0x18, 0,
                                     0x90, 0,    0x06}; /* 0 1 2 0, 2 1 0 0, 0 0 1 2 of 0, 100, 200 */
    write_png(COLUMNS, ROWS, 2, PALETTE, false, chosen, sizeof chosen);
    double value[ROWS][COLUMNS];
    sn_world *world = load_field(FIELD("")); /* and named like its file */
    assert_non_null(world);
#if SN__HAVE_PNG
    static const double want[ROWS][COLUMNS] = {{0, .5, 1, 0}, {1, .5, 0, 0}, {0, 0, .5, 1}};
    read_back(world, value);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            assert_near(value[r][c] / 255, want[r][c], 1e-5);
    compare_with_mujoco(value, "palette");
#else
    (void)value;
#endif
    sn_world_free(world);
    /* the seven passes over 4 by 3 points */
    static const int pass[7][4] = {{0, 0, 8, 8}, {0, 4, 8, 8}, {4, 0, 8, 4}, {0, 2, 4, 4},
                                   {2, 0, 4, 2}, {0, 1, 2, 2}, {1, 0, 2, 1}};
    uint8_t data[64];
    size_t n = 0;
    for (int p = 0; p < 7; p++)
        for (int r = pass[p][0]; r < ROWS && pass[p][1] < COLUMNS; r += pass[p][2]) {
            data[n++] = 0;
            for (int c = pass[p][1]; c < COLUMNS; c += pass[p][3])
                data[n++] = (uint8_t)shades[r][c];
        }
    write_png(COLUMNS, ROWS, 8, GREY, true, data, n);
    expect("interlaced", shades);
}

/* Every shortened picture and every changed byte is read or refused with file and reason. */
TEST(damaged_pictures_are_refused) {
#if !SN__HAVE_PNG
    skip();
#endif
    uint8_t data[ROWS * (COLUMNS + 1)], whole[sizeof png];
    for (int i = 0; i < COUNT(data); i++)
        data[i] = (uint8_t)(i % (COLUMNS + 1) ? 9 * i : 0);
    write_png(COLUMNS, ROWS, 8, GREY, false, data, sizeof data);
    const size_t size = png_size;
    int refused = 0;
    memcpy(whole, png, size);
    for (size_t cut = 8; cut < size; cut += 3) {
        write_whole(file[0], whole, cut);
        sn_world *world = load_field(FIELD("name='field' "));
        if (!world) {
            refused++;
            assert_message_has(&error, "field.png");
            assert_message_has(&error, "not a picture that can be read: ");
        }
        sn_world_free(world);
    }
    assert_true(refused >= 25); /* without its end alone it is still a picture */
    for (size_t at = 8; at < size; at += 3) {
        memcpy(png, whole, size);
        png[at] ^= 0x55;
        write_whole(file[0], png, size);
        sn_world_free(load_field(FIELD("name='field' ")));
    }
    memcpy(png, whole, size); /* 2^30 points: refused before there is memory for them */
    memcpy(png + 16, "\0\0\x7f\xff\0\0\x7f\xff", 8);
    const uint32_t sum = sn__channel_checksum(png + 12, 17);
    for (int i = 0; i < 4; i++)
        png[29 + i] = (uint8_t)(sum >> (24 - 8 * i));
    write_whole(file[0], png, size);
    assert_null(load_field(FIELD("name='field' ")));
    assert_message_has(&error, "too large");
}

TEST(files_of_mujocos_own_are_heights) {
    struct {
        int32_t rows, columns;
        float height[ROWS * COLUMNS];
    } own = {.rows = ROWS, .columns = COLUMNS};
    double value[ROWS][COLUMNS];
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            own.height[(ROWS - 1 - r) * COLUMNS + c] = (float)shades[r][c] - 40;
    write_whole(file[0], &own, sizeof own);
    sn_world *world = load_field(FIELD("name='field' "));
    assert_non_null(world);
    read_back(world, value);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            assert_near(value[r][c], shades[r][c], 1e-3);
    sn_world_free(world);
    write_whole(file[0], &own, sizeof own - 1);
    assert_null(load_field(FIELD("name='field' ")));
    assert_message_has(&error, "is not a height field in MuJoCo's binary format");
}

/* ------------------------------------------------------------------------------------------------------- meshes */

#define BOX_MESH                                                                                             \
    "<asset><mesh name='box' vertex='-1 -.5 -.2 1 -.5 -.2 -1 .5 -.2 1 .5 -.2 -1 -.5 .2 1 -.5 .2 -1 .5 .2 1 " \
    ".5 .2'/></asset>"

/* Where balls and a box that fall come to rest, or slide to. */
static void fall(const char *ground, bool mesh, double pose[3][7]) {
    char text[2048];
    sn_load_def options = options_with(&told);
    snprintf(text, sizeof text,
             "<mujoco><option timestep='.005'/>%s<worldbody>%s"
             "<body name='ball' pos='.4 .1 .6'><freejoint/><geom size='.1'/></body>"
             "<body name='rod' pos='-.1 0 .8' euler='0 80 0'><freejoint/><geom type='capsule' size='.05 "
             ".2'/></body>"
             "<body name='stone' pos='-.6 0 .6' euler='5 3 0'><freejoint/><geom type='box' size='.1 .12 "
             ".08'/></body>"
             "</worldbody></mujoco>",
             mesh ? BOX_MESH : "", ground);
    sn_world *world = world_from(text, strlen(text), "scene.xml", NULL, &options, &error);
    if (!world) fail_msg("%s: %s", ground, error.message);
    assert_int_equal(told.count, 0);
    assert_int_equal(sn_world_get_info(world).grounds, 1);
    run(world, 120);
    place_of(world, "ball", pose[0]), place_of(world, "rod", pose[1]), place_of(world, "stone", pose[2]);
    sn_world_free(world);
}

TEST(meshes_of_the_world_are_ground) {
    static const char *const ground[][2] = {
        {"<geom type='box' size='1 .5 .2' pos='0 0 .1'/>", "<geom type='mesh' mesh='box' pos='0 0 .1'/>"},
        {"<geom type='box' size='1 .5 .2' euler='0 10 0'/>", "<geom type='mesh' mesh='box' euler='0 10 0'/>"},
        {"<frame pos='.1 0 0'><geom type='box' size='1 .5 .2' euler='10 0 0'/></frame>",
         "<frame pos='.1 0 0'><geom type='mesh' mesh='box' euler='10 0 0'/></frame>"},
        {"<body euler='0 0 20'><geom type='box' size='1 .5 .2'/></body>",
         "<body euler='0 0 20'><geom type='mesh' mesh='box'/></body>"},
        {"<geom type='box' size='1 .5 .2'/>", "<geom type='box' mesh='box'/>"}, /* fitted to the mesh */
    };
    for (int i = 0; i < COUNT(ground); i++) {
        double a[3][7], b[3][7];
        fall(ground[i][0], false, a);
        fall(ground[i][1], true, b);
        for (int k = 0; k < 3; k++) {
            if (a[k][2] < -.5) fail_msg("%s: body %d has fallen past it", ground[i][0], k);
            for (int j = 0; j < 3; j++)
                if (fabs(a[k][j] - b[k][j]) > 5e-3)
                    fail_msg("%s: body %d is at %g %g %g, on a box at %g %g %g", ground[i][1], k, b[k][0],
                             b[k][1], b[k][2], a[k][0], a[k][1], a[k][2]);
        }
    }
}

TEST(meshes_of_the_world_take_part_in_pairs_and_are_left_out_where_they_are_to_be_seen) {
    static const char *const text =
        "<mujoco>" BOX_MESH "<worldbody><geom name='g' type='mesh' mesh='box' contype='%d' conaffinity='0'/>"
        "<body name='ball' pos='0 0 .4'><freejoint/><geom name='b' size='.1' contype='0' "
        "conaffinity='%d'/></body>"
        "</worldbody>%s</mujoco>";
    static const struct {
        int type, affinity;
        const char *pair;
        bool falls;
    } kind[] = {{1, 1, "", false},
                {1, 2, "", true},
                {0, 1, "", true},
                {1, 2, "<contact><pair geom1='g' geom2='b'/></contact>", false}};
    for (int i = 0; i < COUNT(kind); i++) {
        char whole[1024];
        snprintf(whole, sizeof whole, text, kind[i].type, kind[i].affinity, kind[i].pair);
        sn_world *world = parse(whole);
        run(world, 200);
        const double z = height_of(world, "ball");
        if ((z < 0) != kind[i].falls || (!kind[i].falls && fabs(z - .3) > 2e-3)) fail_msg("%d: at %g", i, z);
        sn_world_free(world);
    }
}

TEST(meshes_that_are_not_there_are_told) {
    sn_world *world =
        parse("<mujoco><asset><mesh name='m' file='none.stl'/></asset><worldbody>"
              "<geom type='mesh' mesh='m'/><geom type='plane' size='1 1 1'/></worldbody></mujoco>");
    assert_int_equal(told.count, 1);
    assert_has_warning(&told, "none.stl");
    assert_int_equal(sn_world_get_info(world).grounds, 1);
    sn_world_free(world);
    assert_null(
        parse_with("<mujoco><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>", NULL, NULL));
    assert_message_has(&error, "there is no mesh 'm'");
}

int main(void) {
    return run_all_between("mjcf ground", make_folder, remove_folder);
}
