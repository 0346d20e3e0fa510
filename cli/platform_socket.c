#include "platform.h"

#include "terminal.h"

#include <errno.h>
#include <string.h>

#if defined(_WIN32)

#include <winsock2.h>

#include <ws2tcpip.h>

typedef int socklen;
enum { NO_SIGNAL = 0 };

bool socket_begin(void) {
    WSADATA data;
    return WSAStartup(MAKEWORD(2, 2), &data) == 0;
}

const char *socket_error(void) {
    static char text[32];
    snprintf(text, sizeof text, "error %d", WSAGetLastError());
    return text;
}

void socket_close(platform_socket socket) {
    closesocket((SOCKET)socket);
}

static void keep_to_ourselves(platform_socket socket) {
    SetHandleInformation((HANDLE)socket, HANDLE_FLAG_INHERIT, 0);
}

static void limit_sending(platform_socket socket) {
    const DWORD patience = 5000;
    setsockopt((SOCKET)socket, SOL_SOCKET, SO_SNDTIMEO, (const char *)&patience, sizeof patience);
}

static bool again(void) {
    return false;
}

static int poll_all(struct pollfd *watched, int count, int milliseconds) {
    return WSAPoll(watched, (ULONG)count, milliseconds);
}

/* Sockets here can ask for what has come without waiting only by asking how much that is. */
int socket_receive(platform_socket socket, char *bytes, size_t room) {
    u_long there = 0;
    fd_set set;
    struct timeval now = {0, 0};
    FD_ZERO(&set);
    FD_SET((SOCKET)socket, &set);
    if (select(0, &set, NULL, NULL, &now) == 0) return -2;
    if (ioctlsocket((SOCKET)socket, FIONREAD, &there) != 0) return -1;
    return there == 0 ? 0 : recv((SOCKET)socket, bytes, (int)room, 0);
}

#define SHUT_WR SD_SEND

#else

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

typedef socklen_t socklen;
typedef int SOCKET;
#if defined(MSG_NOSIGNAL)
enum { NO_SIGNAL = MSG_NOSIGNAL };
#else
enum { NO_SIGNAL = 0 };
#endif

bool socket_begin(void) {
    signal(SIGPIPE, SIG_IGN);
    return true;
}

const char *socket_error(void) {
    return strerror(errno);
}

void socket_close(platform_socket socket) {
    const int why = errno;
    close((int)socket);
    errno = why;
}

static void keep_to_ourselves(platform_socket socket) {
    fcntl((int)socket, F_SETFD, FD_CLOEXEC);
}

static void limit_sending(platform_socket socket) {
    const struct timeval patience = {.tv_sec = 5};
    setsockopt((int)socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

static bool later(void) {
    return errno == EAGAIN || errno == EINTR;
}

static bool again(void) {
    return errno == EINTR && !interrupted();
}

static int poll_all(struct pollfd *watched, int count, int milliseconds) {
    return poll(watched, (nfds_t)count, milliseconds);
}

int socket_receive(platform_socket socket, char *bytes, size_t room) {
    const ssize_t n = recv((int)socket, bytes, room, MSG_DONTWAIT);
    return n < 0 && later() ? -2 : n < 0 ? -1 : (int)n;
}

#endif

platform_socket socket_listen(int port) {
    const platform_socket listener = (platform_socket)socket(AF_INET, SOCK_STREAM, 0);
    const int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener < 0) return -1;
    keep_to_ourselves(listener);
    setsockopt((SOCKET)listener, SOL_SOCKET, SO_REUSEADDR, (const char *)&yes, sizeof yes);
    if (bind((SOCKET)listener, (struct sockaddr *)&address, sizeof address) == 0 &&
        listen((SOCKET)listener, 64) == 0)
        return listener;
    socket_close(listener);
    return -1;
}

int socket_port(platform_socket listener) {
    struct sockaddr_in address;
    socklen size = sizeof address;
    return getsockname((SOCKET)listener, (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin_port)
                                                                                  : 0;
}

platform_socket socket_accept(platform_socket listener) {
    const platform_socket client = (platform_socket)accept((SOCKET)listener, NULL, NULL);
    if (client < 0) return -1;
    keep_to_ourselves(client);
    limit_sending(client);
    return client;
}

bool socket_wait(const platform_socket *socket, bool *ready, int count, int milliseconds) {
    enum { MOST = 64 };
    struct pollfd watched[MOST];
    if (count > MOST) count = MOST;
    for (int i = 0; i < count; i++)
        watched[i] = (struct pollfd){.fd = (SOCKET)socket[i], .events = POLLIN};
    if (poll_all(watched, count, milliseconds) <= 0) return false;
    for (int i = 0; i < count; i++)
        ready[i] = watched[i].revents != 0;
    return true;
}

bool socket_send(platform_socket socket, const char *bytes, size_t size) {
    while (size > 0) {
        const int part = size > 1 << 20 ? 1 << 20 : (int)size;
        const int n = (int)send((SOCKET)socket, bytes, (size_t)part, NO_SIGNAL);
        if (n <= 0) {
            if (n < 0 && again()) continue;
            return false;
        }
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

void socket_finish(platform_socket socket) {
    shutdown((SOCKET)socket, SHUT_WR);
}
