/*
 * Polls agents with Net-SNMP's library: the reference for our poller.
 *
 *     net_snmp_poll MODE FIRST-ADDRESS PORT AGENTS OBJECTS ROUNDS COMMUNITY
 *     net_snmp_poll MODE FIRST-ADDRESS PORT AGENTS OBJECTS ROUNDS USER AUTH-PASSPHRASE PRIV-PASSPHRASE
 *
 * Agents have consecutive addresses. In each round every agent gets one GET of ifInOctets.1 to .OBJECTS; the round
 * ends when all have responded. Prints a line `objects=N` with the number of values received.
 *
 * MODE `select` uses the library as documented: all sessions in its list, snmp_select_info2, select, snmp_read2
 * or snmp_timeout, with large fd sets for descriptors beyond FD_SETSIZE. MODE `epoll` is as fast as possible:
 * - one session per agent with the single-session functions (snmp_sess_*), without global lock or list;
 * - epoll finds the sockets with data, so that no call examines a thousand sessions for a few responses;
 * - the large fd sets contain only the session's own descriptor.
 * In both modes:
 * - pass phrases are hashed to keys once, not for every agent;
 * - there are no MIB files, configuration files or logging; requests are cloned from a prepared one.
 * Loopback loses nothing with at most WINDOW outstanding requests, so timeouts are checked only when idle.
 */

#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/library/large_fd_set.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

enum { WINDOW = 64, EVENTS = 64, TIMEOUT_MS = 200 };

struct agent {
    void *session; /* epoll: an opaque session */
    netsnmp_session *listed; /* select: a session in the library's list */
    int fd;
};

static struct agent *agents;
static int events = -1; /* descriptor of epoll, or -1 */
static long outstanding;
static unsigned long long objects, sum;

static void fail(const char *what)
{
    fprintf(stderr, "net_snmp_poll: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Handles one response and reads every value, as a poller would. */
static int handle_response(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *magic)
{
    (void)session, (void)request, (void)magic;
    --outstanding;
    if (operation != NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE)
        return 1;
    if (pdu->command != SNMP_MSG_RESPONSE || pdu->errstat != SNMP_ERR_NOERROR)
        fail("an agent responded with an error");
    for (netsnmp_variable_list *variable = pdu->variables; variable; variable = variable->next_variable) {
        if (variable->type != ASN_COUNTER)
            fail("an agent responded with a wrong type");
        sum += (unsigned long)*variable->val.integer;
        ++objects;
    }
    return 1;
}

static void derive_key(netsnmp_session *session, char *phrase, u_char *key, size_t *length)
{
    *length = USM_AUTH_KU_LEN;
    if (generate_Ku(session->securityAuthProto, session->securityAuthProtoLen, (u_char *)phrase, strlen(phrase), key,
                    length) != SNMPERR_SUCCESS)
        fail("a pass phrase is too short");
}

/* Initializes the common settings of all sessions. */
static void init_session(netsnmp_session *session, char **credentials, int count)
{
    static oid hmac192_sha256[] = {1, 3, 6, 1, 6, 3, 10, 1, 1, 5};
    static oid cfb128_aes[] = {1, 3, 6, 1, 6, 3, 10, 1, 2, 4};

    snmp_sess_init(session);
    session->retries = 3;
    session->timeout = 1000000;
    session->callback = handle_response;
    if (count == 1) {
        session->version = SNMP_VERSION_2c;
        session->community = (u_char *)credentials[0];
        session->community_len = strlen(credentials[0]);
        return;
    }
    session->version = SNMP_VERSION_3;
    session->securityModel = SNMP_SEC_MODEL_USM;
    session->securityLevel = SNMP_SEC_LEVEL_AUTHPRIV;
    session->securityName = credentials[0];
    session->securityNameLen = strlen(credentials[0]);
    session->securityAuthProto = hmac192_sha256;
    session->securityAuthProtoLen = OID_LENGTH(hmac192_sha256);
    session->securityPrivProto = cfb128_aes;
    session->securityPrivProtoLen = OID_LENGTH(cfb128_aes);
    derive_key(session, credentials[1], session->securityAuthKey, &session->securityAuthKeyLen);
    derive_key(session, credentials[2], session->securityPrivKey, &session->securityPrivKeyLen);
}

/* Opens every session, which includes engine discovery with SNMPv3, and adds it to epoll if that is used. */
static void open_all(netsnmp_session *session, const char *first, int port, long count)
{
    struct in_addr address;
    if (inet_pton(AF_INET, first, &address) != 1)
        fail("invalid first address");
    for (long index = 0; index < count; ++index) {
        char peer[64], text[INET_ADDRSTRLEN];
        struct in_addr own = {htonl(ntohl(address.s_addr) + (uint32_t)index)};
        inet_ntop(AF_INET, &own, text, sizeof text);
        snprintf(peer, sizeof peer, "udp:%s:%d", text, port);
        session->peername = peer;
        if (events < 0) {
            agents[index].listed = snmp_open(session);
            if (!agents[index].listed)
                fail("cannot open a session");
            continue;
        }
        agents[index].session = snmp_sess_open(session);
        if (!agents[index].session)
            fail("cannot open a session");
        agents[index].fd = snmp_sess_transport(agents[index].session)->sock;
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)index};
        if (epoll_ctl(events, EPOLL_CTL_ADD, agents[index].fd, &event))
            fail("cannot add a socket to epoll");
    }
}

static int send_request(struct agent *agent, netsnmp_pdu *request)
{
    return agent->listed ? snmp_send(agent->listed, request) : snmp_sess_send(agent->session, request);
}

static void read_by_select(netsnmp_large_fd_set *set)
{
    struct timeval timeout = {0};
    int descriptors = 0, block = 1;
    NETSNMP_LARGE_FD_ZERO(set);
    snmp_select_info2(&descriptors, set, &timeout, &block);
    if (netsnmp_large_fd_set_select(descriptors, set, NULL, NULL, block ? NULL : &timeout) > 0)
        snmp_read2(set);
    else
        snmp_timeout();
}

static void read_by_epoll(netsnmp_large_fd_set *set, long count)
{
    struct epoll_event ready[EVENTS];
    int found = epoll_wait(events, ready, EVENTS, TIMEOUT_MS);
    if (found <= 0)
        for (long index = 0; index < count; ++index)
            snmp_sess_timeout(agents[index].session);
    for (int index = 0; index < found; ++index) {
        struct agent *agent = &agents[ready[index].data.u64];
        NETSNMP_LARGE_FD_SET(agent->fd, set);
        snmp_sess_read2(agent->session, set);
        NETSNMP_LARGE_FD_CLR(agent->fd, set);
    }
}

int main(int argc, char **argv)
{
    if (argc != 8 && argc != 10)
        fail("select|epoll FIRST-ADDRESS PORT AGENTS OBJECTS ROUNDS COMMUNITY | ... USER AUTH-PASSPHRASE PRIV-PASSPHRASE");
    int by_epoll = strcmp(argv[1], "epoll") == 0;
    long count = atol(argv[4]), wanted = atol(argv[5]), rounds = atol(argv[6]);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    /* Use neither configuration nor MIB files. */
    netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
    netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
    netsnmp_set_mib_directory("");
    setenv("MIBS", "", 1);
    snmp_disable_log();
    init_snmp("net_snmp_poll");

    agents = calloc((size_t)count, sizeof *agents);
    if (by_epoll)
        events = epoll_create1(0);
    netsnmp_session session;
    init_session(&session, argv + 7, argc - 7);
    if (!agents || (by_epoll && events < 0))
        fail("out of memory or descriptors");
    open_all(&session, argv[2], atoi(argv[3]), count);

    netsnmp_pdu *request = snmp_pdu_create(SNMP_MSG_GET);
    for (long row = 1; row <= wanted; ++row) {
        oid name[] = {1, 3, 6, 1, 2, 1, 2, 2, 1, 10, (oid)row};
        snmp_add_null_var(request, name, OID_LENGTH(name));
    }
    netsnmp_large_fd_set set;
    /* The program has some other descriptors. */
    netsnmp_large_fd_set_init(&set, (int)count + 64);
    NETSNMP_LARGE_FD_ZERO(&set);
    for (long round = 0; round < rounds; ++round) {
        long next = 0;
        while (next < count || outstanding > 0) {
            while (next < count && outstanding < WINDOW) {
                if (!send_request(&agents[next], snmp_clone_pdu(request)))
                    fail("cannot send a request");
                ++next;
                ++outstanding;
            }
            if (by_epoll)
                read_by_epoll(&set, count);
            else
                read_by_select(&set);
        }
    }
    printf("objects=%llu\n", objects);
    return EXIT_SUCCESS;
}
