/* sinew view: the pages from a small server of files, for this machine only. Its address has a secret in front of every path, so
 * that neither other users of the machine nor pages of other servers can ask for anything. */
#include "commands.h"
#include "options.h"
#include "platform.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_PORT = 8420, MOST_CLIENTS = 32, MOST_REQUEST = 8192, TOKEN = 32 };

static struct options options = {
    .help = "--port N  port to listen on; 0: any that is free (default 8420, or any when that is taken)\n"};

void help_view(void) {
    printf("usage: sinew view [FOLDER] [OPTIONS]\n\n"
           "Serves the playground, as `make web` built it, or another folder of files to browsers on this\n"
           "machine, and prints the address. The address contains a secret, which is new each time. Ctrl-C "
           "ends it.\n\noptions\n");
    options_print(&options);
}

/* -------------------------------------------------------------------------------------------- where the page is */

static bool has_page(const char *folder, const char *under, char root[LONGEST_PATH]) {
    char path[2 * LONGEST_PATH + 32];
    if (!folder || !*folder) return false;
    snprintf(path, sizeof path, "%s/%s/index.html", folder, under);
    char *last = real_path(path, root) ? strrchr(root, '/') : NULL;
    if (last) *last = '\0';
    return last != NULL;
}

/* In the folder SINEW_SHARE names, beside the build, or where it is installed. */
static bool find_page(char root[LONGEST_PATH]) {
    char here[LONGEST_PATH];
    own_folder(here);
    return has_page(getenv("SINEW_SHARE"), ".", root) || has_page(here, "../../web", root) ||
           has_page(here, "../web", root) || has_page(here, "../share/sinew", root);
}

/* -------------------------------------------------------------------------------------------- requests, answers */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "/a%20b?x=1" up to its end into "/a b"; false when it is not a path or leads upwards. */
static bool decode_path(const char *target, size_t length, char path[MOST_REQUEST]) {
    size_t n = 0;
    if (length == 0 || target[0] != '/') return false;
    for (size_t i = 0; i < length && target[i] != '?' && target[i] != '#'; i++) {
        int c = (unsigned char)target[i];
        if (c == '%') {
            const int high = i + 2 < length ? hex_digit(target[i + 1]) : -1;
            const int low = high >= 0 ? hex_digit(target[i + 2]) : -1;
            if (low < 0) return false;
            c = 16 * high + low;
            i += 2;
        }
        if (c < 32 || c == '\\') return false;
        path[n++] = (char)c;
    }
    path[n] = '\0';
    return !strstr(path, "/../") && (n < 3 || strcmp(path + n - 3, "/..") != 0);
}

/* Upper and lower case are the same. */
static bool same_ending(const char *dot, const char *lower) {
    for (; *lower && (*dot | 32) == (*lower | 32); dot++)
        lower++;
    return !*lower && !*dot;
}

static const char *content_type(const char *path) {
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".wasm", "application/wasm"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".webp", "image/webp"},
        {".xml", "text/xml; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (same_ending(dot, types[i][0])) return types[i][1];
    return "application/octet-stream";
}

static bool send_head(platform_socket client, const char *status, const char *type, long long size) {
    char head[512];
    const int n =
        snprintf(head, sizeof head,
                 "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %lld\r\nCache-Control: no-cache\r\n"
                 "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                 "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
                 status, type, size);
    return socket_send(client, head, (size_t)n);
}

static void send_refusal(platform_socket client, const char *status) {
    if (send_head(client, status, "text/plain; charset=utf-8", (long long)strlen(status) + 1) &&
        socket_send(client, status, strlen(status)))
        socket_send(client, "\n", 1);
}

/* The file of that path under root, open; NULL: there is none, or it lies elsewhere. */
static FILE *open_page(const char *root, const char *path, char real[LONGEST_PATH]) {
    char full[LONGEST_PATH + MOST_REQUEST + 16];
    const size_t length = strlen(path), size = strlen(root);
    snprintf(full, sizeof full, "%s%s%s", root, path, path[length - 1] == '/' ? "index.html" : "");
    if (!real_path(full, real)) return NULL;
    if (strncmp(real, root, size) != 0 || (real[size] != '/' && strcmp(root, "/") != 0)) return NULL;
    return is_regular(real) ? open_file(real, "rb") : NULL;
}

static long long length_of(FILE *file) {
    const long long length = fseek(file, 0, SEEK_END) == 0 ? (long long)ftell(file) : 0;
    rewind(file);
    return length;
}

static void send_file(platform_socket client, const char *root, const char *path, bool body) {
    char real[LONGEST_PATH], block[65536];
    FILE *file = open_page(root, path, real);
    if (!file) {
        send_refusal(client, "404 Not Found");
        return;
    }
    long long left = length_of(file);
    bool good = send_head(client, "200 OK", content_type(real), left);
    while (good && body && left > 0) {
        const size_t n = fread(block, 1, left < (long long)sizeof block ? (size_t)left : sizeof block, file);
        if (n == 0) break; /* it became shorter: the browser sees that something is missing */
        good = socket_send(client, block, n);
        left -= (long long)n;
    }
    fclose(file);
}

/* The value of a header in a request head, up to its end; NULL: it is not there. `name` is in lower case, with a colon. */
static const char *find_header(const char *request, const char *name) {
    for (const char *line = strstr(request, "\r\n"); line && line[2] != '\r';
         line = strstr(line + 2, "\r\n")) {
        const char *at = line + 2, *n = name;
        while (*n && (*n == ':' ? *at == ':' : (*at | 32) == *n))
            at++, n++;
        if (!*n) return at + strspn(at, " \t");
    }
    return NULL;
}

/* Whether "localhost:8420" and the like is this machine by a name that no other server can take. */
static bool is_own_host(const char *host) {
    static const char *const names[] = {"localhost", "127.0.0.1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(host, names[i], length) == 0 && strchr(":\r", host[length])) return true;
    }
    return false;
}

/* A page of another server may send requests here, under a name of its own that leads to this machine. Browsers tell. */
static bool is_own_page(const char *request) {
    const char *host = find_header(request, "host:"), *origin = find_header(request, "origin:");
    return (!host || is_own_host(host)) &&
           (!origin || (strncmp(origin, "http://", 7) == 0 && is_own_host(origin + 7)));
}

/* Whether the path begins with the secret. All of it is compared, so that the time tells nothing. */
static bool has_token(const char *path, const char token[TOKEN + 1]) {
    int wrong = 0;
    if (strlen(path) < TOKEN + 2 || path[TOKEN + 1] != '/') return false;
    for (int i = 0; i < TOKEN; i++)
        wrong |= path[1 + i] ^ token[i];
    return wrong == 0;
}

/* A whole request head, ending with a NUL. */
static void answer(platform_socket client, const char *request, const char *root, const char *token) {
    char path[MOST_REQUEST];
    const bool head = strncmp(request, "HEAD ", 5) == 0;
    if (!head && strncmp(request, "GET ", 4) != 0) {
        send_refusal(client, "405 Method Not Allowed");
        return;
    }
    const char *target = request + (head ? 5 : 4);
    if (!decode_path(target, strcspn(target, " \r\n"), path))
        send_refusal(client, "400 Bad Request");
    else if (!is_own_page(request) || !has_token(path, token))
        send_refusal(client, "403 Forbidden: open the address that 'sinew view' printed");
    else
        send_file(client, root, path + TOKEN + 1, !head);
}

/* ------------------------------------------------------------------------------------------------------ serving */

/* Browsers keep connections open that they may never use: all are watched at once. */
struct client {
    platform_socket socket;
    size_t size;
    char request[MOST_REQUEST];
};

struct server {
    const char *root;
    char token[TOKEN + 1];
    platform_socket listener;
    int nclient;
    struct client client[MOST_CLIENTS];
};

static void drop_client(struct server *server, int i) {
    socket_close(server->client[i].socket);
    server->client[i] = server->client[--server->nclient];
}

static void accept_client(struct server *server) {
    const platform_socket client = socket_accept(server->listener);
    if (client < 0) return;
    if (server->nclient == MOST_CLIENTS) drop_client(server, 0);
    server->client[server->nclient].socket = client;
    server->client[server->nclient++].size = 0;
}

/* Something has come; answers when the head of the request is whole. */
static void read_client(struct server *server, int i) {
    struct client *c = &server->client[i];
    const int n = socket_receive(c->socket, c->request + c->size, sizeof c->request - 1 - c->size);
    if (n == -2) return;
    if (n > 0) {
        c->size += (size_t)n;
        c->request[c->size] = '\0';
        if (strstr(c->request, "\r\n\r\n"))
            answer(c->socket, c->request, server->root, server->token);
        else if (c->size == sizeof c->request - 1)
            send_refusal(c->socket, "431 Request Header Fields Too Large");
        else
            return;
        socket_finish(c->socket);
    }
    drop_client(server, i);
}

static void serve(struct server *server) {
    while (!interrupted()) {
        platform_socket watched[MOST_CLIENTS + 1] = {server->listener};
        bool ready[MOST_CLIENTS + 1] = {false};
        for (int i = 0; i < server->nclient; i++)
            watched[i + 1] = server->client[i].socket;
        /* Not for ever: Ctrl-C may come between the question above and this call. */
        if (!socket_wait(watched, ready, server->nclient + 1, 250)) continue;
        for (int i = server->nclient - 1; i >= 0; i--)
            if (ready[i + 1]) read_client(server, i);
        if (ready[0]) accept_client(server);
    }
    while (server->nclient > 0)
        drop_client(server, 0);
}

static bool make_token(char token[TOKEN + 1]) {
    unsigned char bytes[TOKEN / 2];
    if (!platform_random(bytes, sizeof bytes)) return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static int view(const char *folder) {
    char root[LONGEST_PATH];
    long port = DEFAULT_PORT;
    const int code = option_number(&options, "--port", 0, 65535, &port);
    if (code) return code;
    if (folder && !real_path(folder, root)) return complain(EXIT_FAILED, "there is no folder '%s'", folder);
    if (!folder && !find_page(root))
        return complain(EXIT_FAILED,
                        "the playground is not built; `make web` builds it, or name the folder that holds "
                        "its index.html in SINEW_SHARE");
    if (!socket_begin()) return complain(EXIT_FAILED, "the network cannot be used: %s", socket_error());
    platform_socket listener = socket_listen((int)port);
    if (listener < 0 && !option_given(&options, "--port")) listener = socket_listen(0);
    if (listener < 0)
        return complain(EXIT_FAILED, "port %ld cannot be listened on: %s", port, socket_error());
    struct server *server = need_memory(NULL, sizeof *server);
    server->root = root;
    server->listener = listener;
    server->nclient = 0;
    if (!make_token(server->token))
        return complain(EXIT_FAILED, "this system has no random numbers for a secret address");
    printf("http://localhost:%d/%s/\n", socket_port(listener), server->token);
    if (is_terminal(stdout)) printf("Ctrl-C ends it.\n");
    fflush(stdout);
    serve(server);
    socket_close(listener);
    free(server);
    return EXIT_DONE;
}

int command_view(int argc, char **argv) {
    const int code = options_parse(&options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (options.nword > 1)
        return complain(EXIT_USAGE, "view takes one folder, but '%s' follows", options.word[1]);
    return view(options.nword ? options.word[0] : NULL);
}
