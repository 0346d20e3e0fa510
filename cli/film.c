#include "film.h"

#include "browser.h"
#include "platform.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *film_program(void) {
    const char *wish = getenv("SINEW_FFMPEG");
    if (wish && *wish) {
        if (can_run(wish)) return copy_text(wish);
        complain(EXIT_FAILED, "SINEW_FFMPEG names '%s', which cannot be run", wish);
        return NULL;
    }
    char *path = program_find("ffmpeg");
    if (!path)
        complain(EXIT_FAILED,
                 "a film needs ffmpeg: install it (Debian: ffmpeg) or name it in SINEW_FFMPEG; a folder, as "
                 "'frames/', takes the frames without it");
    return path;
}

/* A film for every player: H.264 with the colours halved, sizes even; a GIF with colours of its own. */
static int run_ffmpeg(const char *program, const char *folder, long fps, const char *out) {
    char frames[4200], rate[32];
    const size_t length = strlen(out);
    const bool gif = length > 4 && strcmp(out + length - 4, ".gif") == 0;
    snprintf(frames, sizeof frames, "%s/%%05d.png", folder);
    snprintf(rate, sizeof rate, "%ld", fps);
    const char *const as_gif[] = {program,
                                  "-y",
                                  "-loglevel",
                                  "error",
                                  "-framerate",
                                  rate,
                                  "-i",
                                  frames,
                                  "-filter_complex",
                                  "[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse",
                                  "-f",
                                  "gif",
                                  out,
                                  NULL};
    const char *const as_mp4[] = {
        program,      "-y",      "-loglevel", "error",   "-framerate",
        rate,         "-i",      frames,      "-vf",     "crop=trunc(iw/2)*2:trunc(ih/2)*2",
        "-c:v",       "libx264", "-pix_fmt",  "yuv420p", "-movflags",
        "+faststart", "-f",      "mp4",       out,       NULL};
    return run_program(gif ? as_gif : as_mp4, false, NULL, NULL);
}

/* Writes into a file beside, which takes its place when it is whole. */
int film_make(const char *program, const char *folder, long fps, const char *out) {
    const char *dot = strrchr(out, '.');
    char part[4200];
    snprintf(part, sizeof part, "%s.part%s", out, dot ? dot : "");
    const int code = run_ffmpeg(program, folder, fps, part);
    if (code == 0 && !interrupted() && replace_file(part, out)) return EXIT_DONE;
    remove_file(part);
    if (interrupted()) return EXIT_INTERRUPTED;
    return complain(EXIT_FAILED, "%s could not make %s from the frames", program, out);
}
