/* sinew view from outside: what it serves and what it keeps to itself. SINEW_COMMAND names the program. */
#include "cli_helpers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* A folder to serve, with a neighbour that is none of the browser's business. */
struct fixture {
    struct running running;
    int port;
    char token[33];
};

/* The command prints its address once it listens. */
static int wait_for_port(FILE *out, char token[33]) {
    char text[128] = "";
    for (int i = 0; i < 1000; i++, usleep(10000)) {
        int port = 0;
        const ssize_t n = pread(fileno(out), text, sizeof text - 1, 0);
        text[n > 0 ? n : 0] = '\0';
        if (strchr(text, '\n') && sscanf(text, "http://localhost:%d/%32[0-9a-f]/", &port, token) == 2)
            return strlen(token) == 32 ? port : 0;
    }
    return 0;
}

static int setup(void **state) {
    static struct fixture f;
    char arguments[160];
    assert_true(find_command());
    f = (struct fixture){0};
    assert_int_equal(make_room(state), 0);
    assert_int_equal(mkdir(in_room("web"), 0700), 0);
    assert_int_equal(mkdir(in_room("web/inner"), 0700), 0);
    assert_int_equal(mkdir(in_room("webber"), 0700), 0);
    write_text("web/index.html", "<p>page</p>");
    write_text("web/a b.wasm", "wasm");
    write_text("web/inner/index.html", "<p>inner</p>");
    write_text("webber/secret", "secret");
    write_text("secret", "secret");
    assert_int_equal(symlink("../secret", in_room("web/link")), 0);
    snprintf(arguments, sizeof arguments, "view --port 0 %s/web", room);
    f.running = start_command(command, NULL, arguments);
    f.port = wait_for_port(f.running.out, f.token);
    assert_true(f.port > 0);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    kill(f->running.child, SIGINT);
    struct output o = finish_command(f->running);
    const int code = o.code;
    release(&o);
    return clear_room(state) != 0 || code != 0; /* Ctrl-C is how it ends well */
}

static int connect_to(const struct fixture *f) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)f->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    const struct timeval patience = {.tv_sec = 20};
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(s, (struct sockaddr *)&address, sizeof address), 0);
    return s;
}

/* All that comes until the other side closes. */
static char *receive(int s) {
    static char answer[8192];
    size_t size = 0;
    for (ssize_t n;
         size < sizeof answer - 1 && (n = recv(s, answer + size, sizeof answer - 1 - size, 0)) > 0;)
        size += (size_t)n;
    answer[size] = '\0';
    close(s);
    return answer;
}

static char *ask(const struct fixture *f, const char *request) {
    const int s = connect_to(f);
    assert_int_equal(send(s, request, strlen(request), MSG_NOSIGNAL), strlen(request));
    return receive(s);
}

static const char *body(const char *answer) {
    const char *end = strstr(answer, "\r\n\r\n");
    assert_non_null(end);
    return end + 4;
}

/* method: "GET" or "HEAD"; headers: lines that end with "\r\n". */
static char *request(const struct fixture *f, const char *method, const char *target, const char *headers) {
    char text[512];
    snprintf(text, sizeof text, "%s /%s%s HTTP/1.1\r\n%s\r\n", method, f->token, target, headers);
    return ask(f, text);
}

static char *get(const struct fixture *f, const char *target) {
    return request(f, "GET", target, "Host: localhost\r\n");
}

TEST(serves_files_with_their_types) {
    const char *answer = get(*state, "/");
    assert_non_null(strstr(answer, "HTTP/1.1 200 OK\r\n"));
    assert_non_null(strstr(answer, "Content-Type: text/html"));
    assert_non_null(strstr(answer, "Content-Length: 11\r\n"));
    assert_string_equal(body(answer), "<p>page</p>");
    answer = get(*state, "/a%20b.wasm?version=1");
    assert_non_null(
        strstr(answer, "Content-Type: application/wasm\r\n")); /* or browsers refuse to stream it */
    assert_string_equal(body(answer), "wasm");
    assert_string_equal(body(get(*state, "/inner/")), "<p>inner</p>");
    answer = request(*state, "HEAD", "/index.html", "");
    assert_non_null(strstr(answer, "Content-Length: 11\r\n"));
    assert_string_equal(body(answer), "");
}

TEST(keeps_what_lies_elsewhere) {
    static const char *const targets[] = {"/../secret",
                                          "/%2e%2e/secret",
                                          "/inner/../../secret",
                                          "/..%2fsecret",
                                          "/..",
                                          "/link",
                                          "/../webber/secret",
                                          "//etc/passwd",
                                          "/%2e%2e%2f%2e%2e/etc/passwd",
                                          "/..\\secret",
                                          "/index.html%00.txt",
                                          "/%",
                                          "/inner/..%2f../secret",
                                          "../secret",
                                          "/missing",
                                          "/inner",
                                          "/index.html/"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        const char *answer = get(*state, targets[i]);
        if (!strstr(answer, "HTTP/1.1 40")) print_error("%s: %s\n", targets[i], answer);
        assert_non_null(strstr(answer, "HTTP/1.1 40"));
        assert_null(strstr(answer, "secret"));
        assert_null(strstr(answer, "root:"));
    }
}

TEST(asks_for_the_secret_and_refuses_pages_of_other_servers) {
    const struct fixture *f = *state;
    static const char *const targets[] = {"/", "/index.html", "/00000000000000000000000000000000/", "//"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char text[256];
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", targets[i]);
        const char *answer = ask(f, text);
        assert_non_null(strstr(answer, "HTTP/1.1 403"));
        assert_null(strstr(answer, "page"));
    }
    static const char *const foreign[] = {"Host: evil.example\r\n", "Host: localhost.evil.example:80\r\n",
                                          "Host: localhost\r\nOrigin: http://evil.example\r\n",
                                          "Host: localhost\r\norigin: null\r\n",
                                          "HOST: localhost\r\nORIGIN: https://localhost.evil\r\n"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_non_null(strstr(request(f, "GET", "/", foreign[i]), "HTTP/1.1 403"));
    static const char *const own[] = {"Host: localhost:8420\r\nOrigin: http://localhost:8420\r\n",
                                      "host: 127.0.0.1:1\r\n", ""};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_string_equal(body(request(f, "GET", "/", own[i])), "<p>page</p>");
    assert_non_null(strstr(get(f, "/"), "Referrer-Policy: no-referrer"));
}

TEST(refuses_what_is_no_request) {
    assert_non_null(strstr(ask(*state, "POST / HTTP/1.1\r\n\r\n"), "HTTP/1.1 405"));
    assert_non_null(strstr(ask(*state, "GET\r\n\r\n"), "HTTP/1.1 40"));
    assert_non_null(strstr(ask(*state, "\r\n\r\n"), "HTTP/1.1 405"));
    static char endless[20000];
    memset(endless, 'a', sizeof endless - 1);
    const int s = connect_to(*state);
    send(s, endless, sizeof endless - 1, MSG_NOSIGNAL);
    const char *answer = receive(s); /* may be lost when the rest of the request is thrown away */
    assert_true(answer[0] == '\0' || strstr(answer, "HTTP/1.1 431"));
    assert_string_equal(body(get(*state, "/")), "<p>page</p>"); /* still there */
}

TEST(idle_connections_hold_nobody_up) {
    int idle[40]; /* more than it keeps */
    for (int i = 0; i < 40; i++)
        idle[i] = connect_to(*state);
    assert_string_equal(body(get(*state, "/")), "<p>page</p>");
    const int slow = idle[39]; /* in pieces */
    char text[128];
    snprintf(text, sizeof text, "GET /%s/ HTTP/1.1\r\n\r\n", ((const struct fixture *)*state)->token);
    for (size_t i = 0; i < strlen(text); i++)
        assert_int_equal(send(slow, text + i, 1, MSG_NOSIGNAL), 1);
    assert_string_equal(body(receive(slow)), "<p>page</p>");
    for (int i = 0; i < 39; i++)
        close(idle[i]);
}

TEST(says_what_is_wrong) {
    const struct fixture *f = *state;
    char arguments[160];
    struct output o = finish_command(start_command(command, NULL, "view /no/such/folder"));
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "/no/such/folder"));
    release(&o);
    snprintf(arguments, sizeof arguments, "view --port %d %s/web", f->port, room);
    o = finish_command(start_command(command, NULL, arguments));
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "cannot be listened on"));
    release(&o);
    o = finish_command(start_command(command, NULL, "view --port 70000"));
    assert_int_equal(o.code, 2);
    release(&o);
}

int main(void) {
    return run_all_between("cli view", setup, teardown);
}
