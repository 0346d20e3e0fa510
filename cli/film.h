/* Films of frames, by ffmpeg. */
#ifndef SINEW_CLI_FILM_H
#define SINEW_CLI_FILM_H

/* The program: what SINEW_FFMPEG names, or ffmpeg in PATH; to be freed. NULL after a complaint that says what to do. */
char *film_program(void);
/* FOLDER/00000.png and so on, at so many per second, into a file by its ending: .mp4 or .gif. Returns an exit code. */
int film_make(const char *program, const char *folder, long fps, const char *out);

#endif
