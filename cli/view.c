/* sinew view: the playground from a small server of files, for this machine only. */
#include "commands.h"
#include "options.h"
#include "terminal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_PORT = 8420, MOST_CLIENTS = 32, MOST_REQUEST = 8192 };

static struct options options = {
    .help = "--port N  port to listen on; 0: any that is free (default 8420, or any when that is taken)\n"};

void help_view(void) {
    printf("usage: sinew view [FOLDER] [OPTIONS]\n\n"
           "Serves the playground, as `make web` built it, or another folder of files to browsers on this\n"
           "machine, and prints the address. Ctrl-C ends it.\n\noptions\n");
    options_print(&options);
}

/* -------------------------------------------------------------------------------------------- where the page is */

static bool has_page(const char *folder, const char *under, char root[PATH_MAX]) {
    char path[2 * PATH_MAX + 32];
    if (!folder || !*folder) return false;
    snprintf(path, sizeof path, "%s/%s/index.html", folder, under);
    char *last = realpath(path, root) ? strrchr(root, '/') : NULL;
    if (last) *last = '\0';
    return last != NULL;
}

/* In the folder SINEW_SHARE names, beside the build, or where it is installed. */
static bool find_page(char root[PATH_MAX]) {
    char here[PATH_MAX];
    const ssize_t size = readlink("/proc/self/exe", here, sizeof here - 1);
    here[size > 0 ? size : 0] = '\0';
    char *last = strrchr(here, '/');
    if (last) *last = '\0';
    return has_page(getenv("SINEW_SHARE"), ".", root) || has_page(here, "../../web", root) ||
           has_page(here, "../web", root) || has_page(here, "../share/sinew", root);
}

/* -------------------------------------------------------------------------------------------- requests, answers */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "/a%20b?x=1" up to its end into "/a b"; false when it is no path or leads upwards. */
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
        {".xml", "text/xml; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcasecmp(dot, types[i][0]) == 0) return types[i][1];
    return "application/octet-stream";
}

static bool send_all(int client, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t n = send(client, bytes, size, MSG_NOSIGNAL);
        if (n <= 0) {
            if (n < 0 && errno == EINTR && !interrupted()) continue;
            return false;
        }
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool send_head(int client, const char *status, const char *type, long long size) {
    char head[512];
    const int n =
        snprintf(head, sizeof head,
                 "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %lld\r\nCache-Control: no-cache\r\n"
                 "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
                 status, type, size);
    return send_all(client, head, (size_t)n);
}

static void send_refusal(int client, const char *status) {
    if (send_head(client, status, "text/plain; charset=utf-8", (long long)strlen(status) + 1) &&
        send_all(client, status, strlen(status)))
        send_all(client, "\n", 1);
}

/* The file of that path under root, open; -1: there is none, or it lies elsewhere. */
static int open_file(const char *root, const char *path, char real[PATH_MAX], struct stat *info) {
    char full[PATH_MAX + MOST_REQUEST + 16];
    const size_t length = strlen(path), size = strlen(root);
    snprintf(full, sizeof full, "%s%s%s", root, path, path[length - 1] == '/' ? "index.html" : "");
    if (!realpath(full, real)) return -1;
    if (strncmp(real, root, size) != 0 || (real[size] != '/' && strcmp(root, "/") != 0)) return -1;
    const int file = open(real, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, info) == 0 && S_ISREG(info->st_mode)) return file;
    if (file >= 0) close(file);
    return -1;
}

static void send_file(int client, const char *root, const char *path, bool body) {
    char real[PATH_MAX], block[65536];
    struct stat info;
    const int file = open_file(root, path, real, &info);
    if (file < 0) {
        send_refusal(client, "404 Not Found");
        return;
    }
    bool good = send_head(client, "200 OK", content_type(real), (long long)info.st_size);
    for (long long left = info.st_size; good && body && left > 0;) {
        const ssize_t n = read(file, block, left < (long long)sizeof block ? (size_t)left : sizeof block);
        if (n <= 0) break; /* it became shorter: the browser sees that something is missing */
        good = send_all(client, block, (size_t)n);
        left -= n;
    }
    close(file);
}

/* A whole request head, ending with a NUL. */
static void answer(int client, const char *request, const char *root) {
    char path[MOST_REQUEST];
    const bool head = strncmp(request, "HEAD ", 5) == 0;
    if (!head && strncmp(request, "GET ", 4) != 0) {
        send_refusal(client, "405 Method Not Allowed");
        return;
    }
    const char *target = request + (head ? 5 : 4);
    if (decode_path(target, strcspn(target, " \r\n"), path))
        send_file(client, root, path, !head);
    else
        send_refusal(client, "400 Bad Request");
}

/* ------------------------------------------------------------------------------------------------------ serving */

/* Browsers keep connections open that they may never use: all are watched at once. */
struct client {
    int socket;
    size_t size;
    char request[MOST_REQUEST];
};

struct server {
    const char *root;
    int listener, nclient;
    struct client client[MOST_CLIENTS];
};

static int listen_on(int port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener < 0) return -1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 64) == 0)
        return listener;
    const int why = errno;
    close(listener);
    errno = why;
    return -1;
}

static int port_of(int listener) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    return getsockname(listener, (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin_port) : 0;
}

static void drop_client(struct server *server, int i) {
    close(server->client[i].socket);
    server->client[i] = server->client[--server->nclient];
}

static void accept_client(struct server *server) {
    const int client = accept(server->listener, NULL, NULL);
    const struct timeval patience = {.tv_sec = 5};
    if (client < 0) return;
    fcntl(client, F_SETFD, FD_CLOEXEC);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (server->nclient == MOST_CLIENTS) drop_client(server, 0);
    server->client[server->nclient].socket = client;
    server->client[server->nclient++].size = 0;
}

/* Something has come; answers when the head of the request is whole. */
static void read_client(struct server *server, int i) {
    struct client *c = &server->client[i];
    const ssize_t n = recv(c->socket, c->request + c->size, sizeof c->request - 1 - c->size, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n > 0) {
        c->size += (size_t)n;
        c->request[c->size] = '\0';
        if (strstr(c->request, "\r\n\r\n"))
            answer(c->socket, c->request, server->root);
        else if (c->size == sizeof c->request - 1)
            send_refusal(c->socket, "431 Request Header Fields Too Large");
        else
            return;
        shutdown(c->socket, SHUT_WR);
    }
    drop_client(server, i);
}

static void serve(struct server *server) {
    while (!interrupted()) {
        struct pollfd watched[MOST_CLIENTS + 1] = {{.fd = server->listener, .events = POLLIN}};
        for (int i = 0; i < server->nclient; i++)
            watched[i + 1] = (struct pollfd){.fd = server->client[i].socket, .events = POLLIN};
        /* Not for ever: Ctrl-C may come between the question above and this call. */
        if (poll(watched, (nfds_t)server->nclient + 1, 250) <= 0) continue;
        for (int i = server->nclient - 1; i >= 0; i--)
            if (watched[i + 1].revents) read_client(server, i);
        if (watched[0].revents) accept_client(server);
    }
    while (server->nclient > 0)
        drop_client(server, 0);
}

static int view(const char *folder) {
    char root[PATH_MAX];
    long port = DEFAULT_PORT;
    const int code = option_number(&options, "--port", 0, 65535, &port);
    if (code) return code;
    if (folder && !realpath(folder, root)) return complain(EXIT_FAILED, "there is no folder '%s'", folder);
    if (!folder && !find_page(root))
        return complain(EXIT_FAILED,
                        "the playground is not built; `make web` builds it, or name the folder that holds "
                        "its index.html in SINEW_SHARE");
    int listener = listen_on((int)port);
    if (listener < 0 && !option_given(&options, "--port")) listener = listen_on(0);
    if (listener < 0)
        return complain(EXIT_FAILED, "port %ld cannot be listened on: %s", port, strerror(errno));
    struct server *server = need_memory(NULL, sizeof *server);
    server->root = root;
    server->listener = listener;
    server->nclient = 0;
    signal(SIGPIPE, SIG_IGN);
    printf("http://localhost:%d/\n", port_of(listener));
    if (is_terminal(stdout)) printf("Ctrl-C ends it.\n");
    fflush(stdout);
    serve(server);
    close(listener);
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
