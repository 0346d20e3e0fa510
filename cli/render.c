/* sinew render: pictures of a recording, drawn by the report's own page in a Chromium without a window.
 *
 * The page is asked, in the part of its address after '#', for frames from one time on; it draws them while it loads
 * and writes each as a line "frame N data:image/png;base64,..." into the document, which Chromium prints. */
#include "base64.h"
#include "browser.h"
#include "commands.h"
#include "film.h"
#include "options.h"
#include "plot.h"
#include "progress.h"
#include "recording.h"
#include "report_html.h"
#include "platform.h"
#include "terminal.h"
#include "whole_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {
    .help = "--time S  the moment a single picture shows (default: the middle)\n"
            "--from S  frames: the first moment (default 0)\n"
            "--to S  frames: the last moment (default: the end)\n"
            "--fps N  frames per second (default 30; for a GIF 20)\n"
            "--width N  pixels (default 1280)\n"
            "--height N  pixels (default 720)\n"
            "--theme T  light (default) or dark\n"
            "--azimuth DEG  where the camera stands, from ahead to its left (default -50)\n"
            "--elevation DEG  ... and how high (default 12)\n"
            "--ghost G  overlay (default), beside, off\n"
            "--forces  draw contact forces\n"
            "--torques  draw joint torques\n"};

void help_render(void) {
    printf(
        "usage: sinew render RECORDING OUT.png [OPTIONS]\n"
        "       sinew render RECORDING OUT.mp4 [OPTIONS]\n"
        "       sinew render RECORDING FOLDER/ [OPTIONS]\n\n"
        "Draws a moment of a recording ('sinew track ... --record') as a picture, all of it as a film (.mp4\n"
        "or .gif), or as frames FOLDER/00000.png, ... '-' in place of OUT.png is standard output.\n"
        "Needs Chromium, and for films ffmpeg.\n\noptions\n");
    options_print(&options);
}

struct scene {
    double from, to; /* s */
    long fps, width, height;
    double azimuth, elevation; /* degrees */
    const char *theme, *ghost;
    bool single;
    bool quiet; /* the frames are on their way to a film */
};

enum { BATCH = 60 }; /* frames a browser is started for: their text is held in memory */

static int read_real(const char *name, double lower, double upper, double *value) {
    const char *text = option_text(&options, name, NULL);
    char *end;
    if (!text) return EXIT_DONE;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && *value >= lower && *value <= upper) return EXIT_DONE;
    return complain(EXIT_USAGE, "%s needs a number from %g to %g, not '%s'", name, lower, upper, text);
}

static int read_word(const char *name, const char *kind, const char *const *choices, const char **word) {
    *word = option_text(&options, name, choices[0]);
    for (int i = 0; choices[i]; i++)
        if (strcmp(*word, choices[i]) == 0) return EXIT_DONE;
    return complain_unknown(kind, *word, choices);
}

static int read_scene(struct scene *s, const struct recording_facts *facts, bool single, long fps) {
    static const char *const themes[] = {"light", "dark", NULL};
    static const char *const ghosts[] = {"overlay", "beside", "off", NULL};
    const double end = facts->seconds;
    double time = 0.5 * end;
    *s = (struct scene){0, end, fps, 1280, 720, -50, 12, NULL, NULL, single, false};
    int code = read_real("--time", 0, end, &time);
    if (!code) code = read_real("--from", 0, end, &s->from);
    if (!code) code = read_real("--to", s->from, end, &s->to);
    if (!code) code = option_number(&options, "--fps", 1, 240, &s->fps);
    if (!code) code = option_number(&options, "--width", 16, 8192, &s->width);
    if (!code) code = option_number(&options, "--height", 16, 8192, &s->height);
    if (!code) code = read_real("--azimuth", -360, 360, &s->azimuth);
    if (!code) code = read_real("--elevation", -10, 89, &s->elevation);
    if (!code) code = read_word("--theme", "theme", themes, &s->theme);
    if (!code) code = read_word("--ghost", "ghost", ghosts, &s->ghost);
    if (single) s->from = s->to = time;
    return code;
}

/* ----------------------------------------------------------------------------------------- pictures from text */

static bool write_picture(const char *path, const char *text, size_t length) {
    struct whole_file out;
    size_t fill = 0;
    while (fill < 2 && fill < length && text[length - 1 - fill] == '=')
        fill++;
    const size_t size = length / 4 * 3 - fill;
    uint8_t *bytes = base64_decode(text, length, size);
    if (!bytes || size < 8 || memcmp(bytes, "\x89PNG", 4) != 0) {
        free(bytes);
        return complain(EXIT_FAILED, "the browser gave no picture") == EXIT_DONE;
    }
    bool good = whole_file_open(&out, path);
    if (good) {
        fwrite(bytes, 1, size, out.file);
        good = whole_file_close(&out);
    }
    free(bytes);
    return good;
}

/* What the page says instead of pictures when it cannot draw. */
static void tell_failure(const char *document) {
    const char *said = strstr(document, "\nfailure ");
    if (said)
        complain(EXIT_FAILED, "the page could not draw: %.*s", (int)strcspn(said + 9, "\n<"), said + 9);
    else
        complain(EXIT_FAILED, "the browser drew nothing");
}

/* Every "frame N data:..." line becomes a file; returns how many, or -1 after a complaint. */
static int write_pictures(const char *document, const char *out, bool single) {
    static const char start[] = "\nframe ", kind[] = " data:image/png;base64,";
    int count = 0;
    for (const char *at = document; (at = strstr(at, start)); count++) {
        char *end, path[4096];
        const long number = strtol(at + strlen(start), &end, 10);
        if (strncmp(end, kind, strlen(kind)) != 0)
            return complain(EXIT_FAILED, "the browser gave no picture"), -1;
        at = end + strlen(kind);
        if (single)
            snprintf(path, sizeof path, "%s", out);
        else
            snprintf(path, sizeof path, "%s/%05ld.png", out, number);
        if (!write_picture(path, at, strcspn(at, "\n<"))) return -1;
    }
    if (count == 0) return tell_failure(document), -1;
    return count;
}

/* ------------------------------------------------------------------------------------------------- the browser */

static int render(const struct scene *s, const char *program, const char *page, const char *out) {
    const long frames = s->single ? 1 : (long)floor((s->to - s->from) * (double)s->fps + 1e-6) + 1;
    int code = EXIT_DONE;
    progress_start("render", (int)frames);
    for (long first = 0; first < frames && code == EXIT_DONE; first += BATCH) {
        char address[8192];
        const long count = frames - first < BATCH ? frames - first : BATCH;
        size_t size = 0;
        progress_step("frames %ld to %ld of %ld", first + 1, first + count, frames);
        snprintf(
            address, sizeof address,
            "file://%s#render&first=%ld&count=%ld&from=%.9g&fps=%ld&width=%ld&height=%ld&theme=%s&ghost=%s"
            "&azimuth=%g&elevation=%g%s%s",
            page, first, count, s->from, s->fps, s->width, s->height, s->theme, s->ghost, s->azimuth,
            s->elevation, option_given(&options, "--forces") ? "&forces" : "",
            option_given(&options, "--torques") ? "&torques" : "");
        char *document = browser_dump(program, address, &size);
        if (interrupted())
            code = EXIT_INTERRUPTED;
        else if (!document || write_pictures(document, out, s->single) != count)
            code = EXIT_FAILED;
        free(document);
    }
    progress_end();
    if (code == EXIT_DONE && s->single)
        fprintf(beside_output(out), "%s: %ld x %ld, at %.3f s\n", out, s->width, s->height, s->from);
    if (code == EXIT_DONE && !s->single && !s->quiet)
        printf("%s: %ld frames of %ld x %ld, %ld per second\n", out, frames, s->width, s->height, s->fps);
    return code;
}

/* The report in a file of its own for the time of the work. */
static int render_page(const struct scene *s, const char *recording, const char *out) {
    char path[LONGEST_PATH] = "";
    char *program = browser_find(), *page = program ? report_template() : NULL;
    int code = page ? EXIT_DONE : EXIT_FAILED;
    const bool made = code == EXIT_DONE && temporary_file("sinew-render", ".html", path);
    FILE *file = made ? open_file(path, "wb") : NULL;
    if (code == EXIT_DONE && !file)
        code = complain(EXIT_FAILED, "%s cannot be written: %s", path, strerror(errno));
    if (file) {
        report_fill(file, page, recording);
        const bool bad = ferror(file);
        if (fclose(file) != 0 || bad) code = complain(EXIT_FAILED, "%s cannot be written", path);
        if (code == EXIT_DONE) code = render(s, program, path, out);
        remove_file(path);
    }
    free(page);
    free(program);
    return code;
}

static bool ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

/* Frames in a folder for the time of the work, and the film of them. */
static int render_film(struct scene *s, const char *recording, const char *out) {
    char folder[LONGEST_PATH];
    char *program = film_program(); /* before minutes of drawing are spent */
    if (!program) return EXIT_FAILED;
    int code = temporary_folder("sinew-film", folder)
                   ? EXIT_DONE
                   : complain(EXIT_FAILED, "a temporary folder cannot be made: %s", strerror(errno));
    if (code == EXIT_DONE) {
        s->quiet = true;
        code = render_page(s, recording, folder);
        if (code == EXIT_DONE) code = film_make(program, folder, s->fps, out);
        remove_folder(folder);
    }
    if (code == EXIT_DONE)
        printf("%s: %.3g s of %ld x %ld, %ld frames per second\n", out, s->to - s->from, s->width, s->height,
               s->fps);
    free(program);
    return code;
}

static int render_recording(const char *from, const char *to) {
    const size_t length = strlen(to);
    const bool film = ends_with(to, ".mp4") || ends_with(to, ".gif");
    const bool single = is_standard_output(to) || ends_with(to, ".png");
    struct recording_facts facts;
    struct scene scene;
    if (!single && !film && to[length - 1] != '/')
        return complain(EXIT_USAGE,
                        "'%s' is neither a picture (.png), nor a film (.mp4, .gif), nor a folder for frames "
                        "(ending in /)",
                        to);
    char *text = whole_file_read(from, NULL);
    int code = text && recording_check(text, from, &facts) ? EXIT_DONE : EXIT_FAILED;
    if (code == EXIT_DONE) code = read_scene(&scene, &facts, single, ends_with(to, ".gif") ? 20 : 30);
    char *out = copy_text(to);
    if (!single && !film && length > 1) out[length - 1] = '\0';
    if (code == EXIT_DONE && !single && !film && !plot_make_folder(out)) code = EXIT_FAILED;
    if (code == EXIT_DONE) code = film ? render_film(&scene, text, out) : render_page(&scene, text, out);
    free(out);
    free(text);
    return code;
}

int command_render(int argc, char **argv) {
    const int code = options_parse(&options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (options.nword != 2 || !options.word[1][0])
        return complain(EXIT_USAGE,
                        "render needs a recording and where to draw; 'sinew help render' tells more");
    return render_recording(options.word[0], options.word[1]);
}
