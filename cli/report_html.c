#include "report_html.h"

#include "platform.h"
#include "terminal.h"
#include "whole_file.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "<!-- recording -->";

char *report_template(void) {
    char folder[LONGEST_PATH], path[LONGEST_PATH + 32];
    const char *share = getenv("SINEW_SHARE");
    own_folder(folder);
    const char *const under[] = {share, folder, folder, folder};
    static const char *const name[] = {"report.html", "../../web/report.html", "../web/report.html",
                                       "../share/sinew/report.html"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        if (!under[i] || !*under[i]) continue;
        snprintf(path, sizeof path, "%s/%s", under[i], name[i]);
        if (!can_read(path)) continue;
        char *page = whole_file_read(path, NULL);
        if (!page || strstr(page, mark)) return page;
        complain(EXIT_FAILED, "%s is not the page of the report. Build it again with 'scripts/web.sh report'",
                 path);
        free(page);
        return NULL;
    }
    complain(EXIT_FAILED,
             "the report's page is not there: build it with 'scripts/web.sh report' (make web), or "
             "name the folder that holds report.html in SINEW_SHARE");
    return NULL;
}

/* In JSON '<' stands only in strings, where it may as well be written as an escape. Then nothing in a name can end the
   element. */
static void write_safely(FILE *file, const char *json) {
    for (const char *rest; (rest = strchr(json, '<')); json = rest + 1) {
        fwrite(json, 1, (size_t)(rest - json), file);
        fputs("\\u003c", file);
    }
    fputs(json, file);
}

void report_fill(FILE *file, const char *page, const char *recording) {
    const char *at = strstr(page, mark);
    fwrite(page, 1, (size_t)(at - page), file);
    fputs("<script type=\"application/json\" id=\"recording\">", file);
    write_safely(file, recording);
    fputs("</script>", file);
    fputs(at + strlen(mark), file);
}
