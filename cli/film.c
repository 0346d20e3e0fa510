#include "film.h"

#include "browser.h"
#include "terminal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char *film_program(void) {
    const char *wish = getenv("SINEW_FFMPEG");
    if (wish && *wish) {
        if (access(wish, X_OK) == 0) return copy_text(wish);
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

/* In the child. A film for every player: H.264 with the colours halved, sizes even; a GIF with colours of its own. */
static void become_ffmpeg(const char *program, const char *folder, long fps, const char *out) {
    char frames[4200], rate[32];
    const size_t length = strlen(out);
    const bool gif = length > 4 && strcmp(out + length - 4, ".gif") == 0;
    const int nowhere = open("/dev/null", O_RDWR);
    snprintf(frames, sizeof frames, "%s/%%05d.png", folder);
    snprintf(rate, sizeof rate, "%ld", fps);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    if (gif)
        execl(program, program, "-y", "-loglevel", "error", "-framerate", rate, "-i", frames,
              "-filter_complex", "[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse", "-f", "gif", out,
              (char *)NULL);
    else
        execl(program, program, "-y", "-loglevel", "error", "-framerate", rate, "-i", frames, "-vf",
              "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags",
              "+faststart", "-f", "mp4", out, (char *)NULL);
    _exit(127);
}

/* Into a file beside, which takes its place when it is whole. */
int film_make(const char *program, const char *folder, long fps, const char *out) {
    const char *dot = strrchr(out, '.');
    char part[4200];
    snprintf(part, sizeof part, "%s.part%s", out, dot ? dot : "");
    const pid_t child = fork();
    int status = -1;
    if (child == 0) become_ffmpeg(program, folder, fps, part);
    if (child < 0) return complain(EXIT_FAILED, "%s cannot be started: %s", program, strerror(errno));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (interrupted()) {
        unlink(part);
        return EXIT_INTERRUPTED;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || rename(part, out) != 0) {
        unlink(part);
        return complain(EXIT_FAILED, "%s could not make %s of the frames", program, out);
    }
    return EXIT_DONE;
}

void film_clean(const char *folder) {
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[4500];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (list) closedir(list);
    rmdir(folder);
}
