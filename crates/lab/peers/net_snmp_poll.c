/*
 * Polls agents with Net-SNMP's library: the measure for our poller.
 *
 *     net_snmp_poll HOW FIRST-ADDRESS PORT AGENTS OBJECTS ROUNDS COMMUNITY
 *     net_snmp_poll HOW FIRST-ADDRESS PORT AGENTS OBJECTS ROUNDS USER AUTH-PASSPHRASE PRIV-PASSPHRASE
 *
 * Agents have consecutive addresses. In each round every agent is asked once for ifInOctets.1 to .OBJECTS in one GET;
 * a round ends when all have answered. Prints a line `objects=N` with how many values came.
 *
 * HOW is `select`, the library's own way: all sessions in its list, snmp_select_info2, select, snmp_read2 or
 * snmp_timeout, with large fd sets for descriptors beyond FD_SETSIZE. Or it is `epoll`, the library's best:
 * - one session per agent by the single-session functions (snmp_sess_*), which take no global lock or list;
 * - epoll finds the sockets that have something, so that no call looks at a thousand sessions for a few answers;
 * - the large fd sets hand each session only its own descriptor.
 * Either way:
 * - pass phrases are hashed to keys once and not for every agent;
 * - no MIB files, no configuration files, no logging; a request is cloned from one made before.
 * Loopback loses nothing while at most WINDOW requests are on their way, so timeouts are looked at when nothing comes.
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

enum { WINDOW = 64, EVENTS = 64, PATIENCE_MS = 200 };

struct agent {
    void *session; /* epoll: an opaque one */
    netsnmp_session *listed; /* select: one of the library's list */
    int fd;
};

static struct agent *agents;
static int events = -1; /* epoll's, or -1 */
static long outstanding;
static unsigned long long objects, sum;

static void fail(const char *what)
{
    fprintf(stderr, "net_snmp_poll: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Takes one answer: every value is looked at, as whoever polls would. */
static int take(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *magic)
{
    (void)session, (void)request, (void)magic;
    --outstanding;
    if (operation != NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE)
        return 1;
    if (pdu->command != SNMP_MSG_RESPONSE || pdu->errstat != SNMP_ERR_NOERROR)
        fail("an agent answered with an error");
    for (netsnmp_variable_list *variable = pdu->variables; variable; variable = variable->next_variable) {
        if (variable->type != ASN_COUNTER)
            fail("an agent answered another type");
        sum += (unsigned long)*variable->val.integer;
        ++objects;
    }
    return 1;
}

static void ku(netsnmp_session *session, char *phrase, u_char *key, size_t *length)
{
    *length = USM_AUTH_KU_LEN;
    if (generate_Ku(session->securityAuthProto, session->securityAuthProtoLen, (u_char *)phrase, strlen(phrase), key,
                    length) != SNMPERR_SUCCESS)
        fail("a pass phrase is too short");
}

/* What all sessions have in common. */
static void describe(netsnmp_session *session, char **credentials, int count)
{
    static oid hmac192_sha256[] = {1, 3, 6, 1, 6, 3, 10, 1, 1, 5};
    static oid cfb128_aes[] = {1, 3, 6, 1, 6, 3, 10, 1, 2, 4};

    snmp_sess_init(session);
    session->retries = 3;
    session->timeout = 1000000;
    session->callback = take;
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
    ku(session, credentials[1], session->securityAuthKey, &session->securityAuthKeyLen);
    ku(session, credentials[2], session->securityPrivKey, &session->securityPrivKeyLen);
}

/* Opens every session (with SNMPv3 that meets the engine) and has epoll watch it, where it is used. */
static void open_all(netsnmp_session *session, const char *first, int port, long count)
{
    struct in_addr address;
    if (inet_pton(AF_INET, first, &address) != 1)
        fail("the first address is none");
    for (long index = 0; index < count; ++index) {
        char peer[64], text[INET_ADDRSTRLEN];
        struct in_addr own = {htonl(ntohl(address.s_addr) + (uint32_t)index)};
        inet_ntop(AF_INET, &own, text, sizeof text);
        snprintf(peer, sizeof peer, "udp:%s:%d", text, port);
        session->peername = peer;
        if (events < 0) {
            agents[index].listed = snmp_open(session);
            if (!agents[index].listed)
                fail("a session cannot be opened");
            continue;
        }
        agents[index].session = snmp_sess_open(session);
        if (!agents[index].session)
            fail("a session cannot be opened");
        agents[index].fd = snmp_sess_transport(agents[index].session)->sock;
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)index};
        if (epoll_ctl(events, EPOLL_CTL_ADD, agents[index].fd, &event))
            fail("a socket cannot be watched");
    }
}

static int send_request(struct agent *agent, netsnmp_pdu *request)
{
    return agent->listed ? snmp_send(agent->listed, request) : snmp_sess_send(agent->session, request);
}

static void read_by_select(netsnmp_large_fd_set *set)
{
    struct timeval patience = {0};
    int descriptors = 0, block = 1;
    NETSNMP_LARGE_FD_ZERO(set);
    snmp_select_info2(&descriptors, set, &patience, &block);
    if (netsnmp_large_fd_set_select(descriptors, set, NULL, NULL, block ? NULL : &patience) > 0)
        snmp_read2(set);
    else
        snmp_timeout();
}

static void read_by_epoll(netsnmp_large_fd_set *set, long count)
{
    struct epoll_event ready[EVENTS];
    int found = epoll_wait(events, ready, EVENTS, PATIENCE_MS);
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
    /* Neither configuration nor MIB files take part. */
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
    describe(&session, argv + 7, argc - 7);
    if (!agents || (by_epoll && events < 0))
        fail("out of memory or descriptors");
    open_all(&session, argv[2], atoi(argv[3]), count);

    netsnmp_pdu *request = snmp_pdu_create(SNMP_MSG_GET);
    for (long row = 1; row <= wanted; ++row) {
        oid name[] = {1, 3, 6, 1, 2, 1, 2, 2, 1, 10, (oid)row};
        snmp_add_null_var(request, name, OID_LENGTH(name));
    }
    netsnmp_large_fd_set set;
    /* Some descriptors are the program's own. */
    netsnmp_large_fd_set_init(&set, (int)count + 64);
    NETSNMP_LARGE_FD_ZERO(&set);
    for (long round = 0; round < rounds; ++round) {
        long next = 0;
        while (next < count || outstanding > 0) {
            while (next < count && outstanding < WINDOW) {
                if (!send_request(&agents[next], snmp_clone_pdu(request)))
                    fail("a request cannot be sent");
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
