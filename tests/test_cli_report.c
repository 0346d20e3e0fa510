/* sinew report, render and plot from outside. The page is a small one made here, and so is the browser: the real ones are
 * tested by tests/web. */
#include "cli_helpers.h"

static void expect(const char *arguments, int code, const char *said) {
    struct output o = run(arguments);
    if (o.code != code || !strstr(code ? o.err : o.out, said))
        print_error("sinew %s: %d\n%s%s\n", arguments, o.code, o.out, o.err);
    assert_int_equal(o.code, code);
    assert_non_null(strstr(code ? o.err : o.out, said));
    release(&o);
}

static void write_file(const char *name, const char *text, int mode) {
    write_text(name, text);
    chmod(in_room(name), (mode_t)mode);
}

static int exists(const char *name) {
    return access(in_room(name), F_OK) == 0;
}

static const char page[] = "<html><body>before\n<!-- recording -->\nafter</body></html>\n";

/* -------------------------------------------------------------------------------------------------------- report */

/* Between its marks the page holds the recording, letter by letter, except for '<'. */
TEST(a_report_is_the_page_with_the_recording) {
    static const char start[] = "<html><body>before\n<script type=\"application/json\" id=\"recording\">";
    static const char end[] = "</script>\nafter</body></html>\n";
    expect("convert humanoid a<script>.json", 0, "");
    expect("track a<script>.json walk --duration 0.1 --record r.json --report one.html", 0, "one.html");
    expect("report r.json two.html", 0, "7 frames");
    char *one = read_all(fopen(in_room("one.html"), "rb")), *two = read_all(fopen(in_room("two.html"), "rb"));
    assert_int_equal(strncmp(one, start, strlen(start)), 0);
    assert_string_equal(one + strlen(one) - strlen(end), end);
    char *body = one + strlen(start);
    body[strlen(body) - strlen(end)] = '\0';
    assert_null(strchr(body, '<'));
    assert_non_null(strstr(body, "a\\u003cscript>.json"));
    assert_int_equal(strncmp(two + strlen(start), body, strlen(body)), 0);
    free(one);
    free(two);
}

TEST(a_report_needs_no_recording_beside_it) {
    const int before = count_files(room);
    expect("track humanoid walk --duration 0.1 --no-record --report only.html", 0, "only.html");
    assert_true(exists("only.html") && count_files(room) == before + 1);
    expect("track humanoid walk --duration 0.1 --no-record --report no/such/folder/x.html", 1,
           "no/such/folder");
}

TEST(what_cannot_be_written_leaves_nothing_behind) {
    expect("track humanoid walk --duration 0.1 --record kept.json --report no/such/x.html", 1, "no/such");
    assert_false(exists("kept.json") || count_partial(room) > 0);
}

/* Copied somewhere else, the command finds no page; a page without its mark is not used. */
TEST(without_its_page_a_report_says_how_to_build_it) {
    char copy[512];
    snprintf(copy, sizeof copy, "mkdir -p %s/far/away && cp '%s' %s/far/away/sinew", room, command, room);
    assert_int_equal(system(copy), 0);
    char *own = command;
    char *far = strdup(in_room("far/away/sinew"));
    unsetenv("SINEW_SHARE");
    command = far;
    expect("track humanoid walk --duration 0.1 --no-record --report x.html", 1, "scripts/web.sh report");
    assert_false(exists("x.html"));
    /* Installed: bin/sinew and share/sinew/report.html. */
    snprintf(copy, sizeof copy, "mkdir -p %s/far/share/sinew && cp %s/report.html %s/far/share/sinew", room,
             room, room);
    assert_int_equal(system(copy), 0);
    expect("track humanoid walk --duration 0.1 --no-record --report x.html", 0, "x.html");
    command = own;
    free(far);
    mkdir(in_room("bad"), 0777);
    write_file("bad/report.html", "<html></html>", 0644);
    setenv("SINEW_SHARE", in_room("bad"), 1);
    expect("report r.json x2.html", 1, "Build it again");
    setenv("SINEW_SHARE", room, 1);
}

/* -------------------------------------------------------------------------------------------------------- render */

/* A picture of one pixel, and the browser that draws it as often as its address asks. */
static const char pixel[] =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

static void write_browser(const char *line) {
    char script[2048];
    snprintf(script, sizeof script,
             "#!/bin/sh\nfor a in \"$@\"; do last=$a; done\necho \"$last\" >> '%s/asked'\n"
             "first=${last#*first=}; first=${first%%%%&*}; count=${last#*count=}; count=${count%%%%&*}\n"
             "echo '<html><body><pre>'\nfor i in $(seq $first $((first + count - 1))); do\n%s\ndone\n"
             "echo '</pre></body></html>'\n",
             room, line);
    write_file("browser", script, 0755);
    remove(in_room("asked"));
}

static void expect_picture(const char *name) {
    static const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    FILE *file = fopen(in_room(name), "rb");
    if (!file) print_error("%s is not there\n", name);
    assert_non_null(file);
    unsigned char bytes[256];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(size, 68); /* what the text above stands for */
    assert_memory_equal(bytes, head, sizeof head);
    assert_memory_equal(bytes + size - 8, "IEND\xae\x42\x60\x82", 8);
}

TEST(pictures_come_from_the_browser) {
    char line[256];
    snprintf(line, sizeof line, "echo \"frame $i data:image/png;base64,%s\"", pixel);
    write_browser(line);
    expect("track humanoid walk --duration 3 --record long.json", 0, "long.json");
    expect("render long.json still.png --time 1.5 --theme dark --forces", 0, "at 1.500 s");
    expect_picture("still.png");
    char *asked = read_all(fopen(in_room("asked"), "r"));
    assert_int_equal(strncmp(asked, "file:///", 8), 0);
    assert_non_null(strstr(asked, "from=1.5&"));
    assert_non_null(strstr(asked, "theme=dark"));
    assert_non_null(strstr(asked, "&forces"));
    assert_null(strstr(asked, "&torques"));
    /* The page it was shown is gone. */
    asked[strcspn(asked, "#")] = '\0';
    assert_int_not_equal(access(asked + strlen("file://"), F_OK), 0);
    free(asked);
    /* 3 s of 25 per second are 76 frames: two starts of the browser. */
    expect("render long.json pictures/ --fps 25 --width 64 --height 64", 0, "76 frames");
    expect_picture("pictures/00000.png");
    expect_picture("pictures/00075.png");
    assert_false(exists("pictures/00076.png"));
}

TEST(a_browser_that_fails_is_told_of) {
    write_browser("echo failure no drawing here");
    expect("render long.json x.png", 1, "could not draw: no drawing here");
    write_browser(":");
    expect("render long.json x.png", 1, "drew nothing");
    write_browser("echo 'frame 0 data:image/png;base64,AAAA'");
    expect("render long.json x.png", 1, "no picture");
    write_browser("exit 3");
    expect("render long.json x.png", 1, "did not run");
    setenv("SINEW_CHROMIUM", in_room("nothing"), 1);
    expect("render long.json x.png", 1, "SINEW_CHROMIUM");
    setenv("SINEW_CHROMIUM", in_room("browser"), 1);
    assert_false(exists("x.png") || count_partial(room) > 0);
}

/* A film-maker that counts the frames it is given and says what it was asked. */
static void write_ffmpeg(const char *line) {
    char script[1024];
    snprintf(script, sizeof script,
             "#!/bin/sh\nprev=\nfor a in \"$@\"; do [ \"$prev\" = -i ] && frames=${a%%/*}; prev=$a; last=$a; "
             "done\n"
             "echo \"$@\" > '%s/filmed'\nls \"$frames\" | wc -l > '%s/counted'\n%s\n",
             room, room, line);
    write_file("ffmpeg", script, 0755);
    setenv("SINEW_FFMPEG", in_room("ffmpeg"), 1);
}

TEST(films_are_made_of_frames_where_ffmpeg_is_there) {
    static const char *const name[] = {"run.mp4", "run.gif"}, *const word[] = {"libx264", "palettegen"};
    char line[256];
    snprintf(line, sizeof line, "echo \"frame $i data:image/png;base64,%s\"", pixel);
    write_browser(line);
    write_ffmpeg("echo film > \"$last\"");
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "render long.json %s --from 1 --to 2 --width 64 --height 64", name[i]);
        expect(line, 0, i ? "20 frames per second" : "30 frames per second");
        assert_true(exists(name[i]));
        char *asked = read_all(fopen(in_room("filmed"), "r")),
             *count = read_all(fopen(in_room("counted"), "r"));
        assert_non_null(strstr(asked, word[i]));
        assert_int_equal(atoi(count), i ? 21 : 31);
        free(asked), free(count);
    }
    write_ffmpeg("exit 1");
    expect("render long.json bad.mp4 --to .1", 1, "could not make bad.mp4");
    assert_false(exists("bad.mp4") || exists("bad.mp4.part.mp4"));
    setenv("SINEW_FFMPEG", in_room("nothing"), 1);
    expect("render long.json bad.mp4 --to .1", 1, "SINEW_FFMPEG names");
    unsetenv("SINEW_FFMPEG");
    const char *path = getenv("PATH");
    char *kept = strdup(path ? path : ""), from[256];
    snprintf(from, sizeof from, "%s", in_room("ffmpeg"));
    rename(from, in_room("other"));
    setenv("PATH", room, 1); /* there is none here under its own name */
    expect("render long.json bad.gif --to .1", 1, "a film needs ffmpeg");
    setenv("PATH", kept, 1);
    free(kept);
}

/* The real one, where it is installed: of pictures of 35 by 19 points it makes a GIF of that size, and for players, which want
   even ones, a film of 34 by 18. */
TEST(films_by_ffmpeg_itself_are_films) {
    static const char picture[] =
        "iVBORw0KGgoAAAANSUhEUgAAACMAAAATCAAAAAA/yOsoAAAAD0lEQVR42mNgGAWjYGgAAAKsAAFQ9Kk8AAAAAElFTkSuQmCC";
    if (system("timeout 60 ffmpeg -version >/dev/null 2>&1") != 0) {
        print_message("skipped: there is no ffmpeg\n");
        skip();
    }
    char line[512];
    snprintf(line, sizeof line, "echo \"frame $i data:image/png;base64,%s\"", picture);
    write_browser(line);
    expect("render long.json real.gif --to .5", 0, "20 frames per second");
    expect("render long.json real.mp4 --to .5", 0, "30 frames per second");
    size_t size[2];
    unsigned char film[2][4096];
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(in_room(i ? "real.mp4" : "real.gif"), "rb");
        assert_non_null(file);
        size[i] = fread(film[i], 1, sizeof film[i], file);
        fclose(file);
        assert_true(size[i] > 100);
    }
    assert_memory_equal(film[0], "GIF89a", 6);
    assert_int_equal(film[0][6] | film[0][7] << 8, 35);
    assert_int_equal(film[0][8] | film[0][9] << 8, 19);
    assert_memory_equal(film[1] + 4, "ftyp", 4);
    const unsigned char *track = NULL; /* the entry of H.264 has the size at 28 and 30 */
    for (size_t i = 0; i + 32 < size[1] && !track; i++)
        if (memcmp(film[1] + i, "avc1", 4) == 0 && film[1][i + 4] == 0) track = film[1] + i;
    assert_non_null(track);
    assert_int_equal(track[28] << 8 | track[29], 34);
    assert_int_equal(track[30] << 8 | track[31], 18);
}

TEST(wrong_wishes_are_refused) {
    expect_failures(
        "report => 2 report needs\n"
        "report r.json => 2 report needs\n"
        "render r.json => 2 render needs\n"
        "render r.json picture.jpg => 2 picture.jpg\n"
        "render r.json x.png --time 99 => 2 --time\n"
        "render r.json x.png --time nan => 2 --time\n"
        "render r.json x.png --width 0 => 2 --width\n"
        "render r.json x.png --theme drak => 2 did you mean 'dark'?\n"
        "render r.json x.png --ghost on => 2 'on'\n"
        "render nothing.json x.png => 1 nothing.json\n"
        "track humanoid run --ground --solver dense --no-record => 2 maba\n"
        "track humanoid run --limits --solver dense --no-record => 2 maba\n"
        "track humanoid run --contact rows --no-record => 2 --ground\n"
        "track humanoid run -n 2 --report x.html => 2 one character\n"
        "track humanoid run --ground --contact sticky --no-record => 2 'sticky'\n"
        "track humanoid run --scheme bdf2 --no-record => 2 --stepper position\n"
        "track humanoid run --stepper leap --no-record => 2 'leap'\n"
        "track humanoid run --stepper position --solver dense --no-record => 2 'dense'\n"
        "track humanoid run --stepper position --ground --contact rows --no-record => 2 implicit\n"
        "plot => 2 experiment\n"
        "plot no/such => 2 no/such\n");
    expect("track snake36 slither --stepper position --dt 1/10 --duration 1 --json --no-record", 0,
           "\"position\"");
    expect("track humanoid run --stepper position --scheme bdf2 --sweeps 3 --ground --duration 0.5 --json "
           "--no-record",
           0, "\"full\"");
    expect("crowd humanoid run -n 4 --stepper position --dt 1/60 --duration 0.2", 0, "humanoid");
    expect("help report", 0, "RECORDING");
    expect("help render", 0, "--fps");
    expect("help plot", 0, "--out");
}

/* ---------------------------------------------------------------------------------------------------------- plot */

static int occurrences(const char *text, const char *piece) {
    int count = 0;
    for (; (text = strstr(text, piece)); text += strlen(piece))
        count++;
    return count;
}

TEST(every_experiment_has_figures) {
    expect("plot kokkevis/trajectory maba/models --quick --out figures", 0,
           "kokkevis/trajectory: 1 figure in");
    assert_true(exists("figures/kokkevis-trajectory/kokkevis-trajectory.svg"));
    assert_false(exists("figures/kokkevis-trajectory/table1-rows.svg"));
    /* One without a figure of its own: a bar and the paper's mark for each of the five models. */
    char *svg = read_all(fopen(in_room("figures/maba-models/table1-n.svg"), "rb"));
    assert_int_equal(strncmp(svg, "<svg", 4), 0);
    assert_int_equal(occurrences(svg, "<rect"), 5);
    assert_int_equal(occurrences(svg, "stroke-width=\"3\""), 5 + 1); /* and one in the legend */
    assert_non_null(strstr(svg, "snake195"));
    free(svg);
    assert_false(exists("figures/maba-models/table1-paper-n.svg"));
    expect("plot maba/models --out report.html", 1, "report.html");
}

static int furnish_room(void **state) {
    if (make_room(state) != 0) return 1;
    write_file("report.html", page, 0644);
    setenv("SINEW_SHARE", room, 1);
    setenv("SINEW_CHROMIUM", in_room("browser"), 1);
    setenv("TMPDIR", room, 1); /* so that what is left behind is seen */
    return 0;
}

static int drop_room(void **state) {
    (void)state;
    char line[256];
    snprintf(line, sizeof line, "ls -d %s/sinew-render-* %s/sinew-chromium-* %s/sinew-film-* 2>/dev/null",
             room, room, room);
    const int left = system(line) == 0;
    return clear_room(state) != 0 || left;
}

int main(void) {
    return run_tests_in(room, "cli report", furnish_room, drop_room);
}
