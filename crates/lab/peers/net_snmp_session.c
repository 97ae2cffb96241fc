/*
 * Opens sessions with Net-SNMP's library, one after the other, and measures their phases: the reference for our client.
 *
 *     net_snmp_session AGENT WARM-UP SESSIONS get COUNT OID CREDENTIALS
 *     net_snmp_session AGENT WARM-UP SESSIONS walk REPETITIONS OID CREDENTIALS
 *
 * AGENT is an address of Net-SNMP, such as udp:192.0.2.1:161. WARM-UP is the number of sessions with one request that are
 * not measured. REPETITIONS 0 walks by GETNEXT. CREDENTIALS are one of
 *
 *     1 COMMUNITY | 2c COMMUNITY | 3 USER [AUTH PASSPHRASE [PRIV PASSPHRASE]] | tsm CERTIFICATE SERVER-CERTIFICATE AUTHORITY
 *
 * with AUTH MD5 or SHA-256 and PRIV DES, AES or AES-256. Certificates are names of files below SNMPCONFPATH/tls. Prints a line for each session: the seconds of the whole session, of its
 * opening, of the first exchange, of all others, of its closing, and of CPU time; then the numbers of exchanges and of
 * variables. The line of a session without a response to one of its requests is `failed`. As in the paper of 2006, the clock starts before the session is opened, after pass phrases have been hashed.
 * In SNMPv3, the first exchange includes the discovery of the agent's engine.
 */

#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void fail(const char *what)
{
    fprintf(stderr, "net_snmp_session: %s\n", what);
    exit(EXIT_FAILURE);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void derive_key(const netsnmp_session *session, const char *phrase, u_char *key, size_t *length)
{
    *length = USM_AUTH_KU_LEN;
    if (generate_Ku(session->securityAuthProto, session->securityAuthProtoLen, (const u_char *)phrase, strlen(phrase), key,
                    length) != SNMPERR_SUCCESS)
        fail("a pass phrase is too short");
}

static void set_user(netsnmp_session *session, char **words, int count)
{
    static oid md5[] = {1, 3, 6, 1, 6, 3, 10, 1, 1, 2}, sha256[] = {1, 3, 6, 1, 6, 3, 10, 1, 1, 5};

    session->version = SNMP_VERSION_3;
    session->securityModel = SNMP_SEC_MODEL_USM;
    session->securityLevel = SNMP_SEC_LEVEL_NOAUTH;
    session->securityName = words[0];
    session->securityNameLen = strlen(words[0]);
    if (count >= 3) {
        session->securityLevel = SNMP_SEC_LEVEL_AUTHNOPRIV;
        session->securityAuthProto = strcmp(words[1], "MD5") == 0 ? md5 : sha256;
        session->securityAuthProtoLen = OID_LENGTH(md5);
        derive_key(session, words[2], session->securityAuthKey, &session->securityAuthKeyLen);
    }
    if (count == 5) {
        session->securityLevel = SNMP_SEC_LEVEL_AUTHPRIV;
        int type = usm_lookup_priv_type(words[3]);
        if (type < 0)
            fail("the library does not have the privacy protocol");
        session->securityPrivProto = sc_get_priv_oid(type, &session->securityPrivProtoLen);
        derive_key(session, words[4], session->securityPrivKey, &session->securityPrivKeyLen);
    }
}

static void set_certificates(netsnmp_session *session, char **words)
{
    static const char *keys[] = {"our_identity", "their_identity", "trust_cert"};

    session->version = SNMP_VERSION_3;
    session->securityModel = SNMP_SEC_MODEL_TSM;
    session->securityLevel = SNMP_SEC_LEVEL_AUTHPRIV;
    session->transport_configuration = netsnmp_container_find("transport_configuration:fifo");
    if (!session->transport_configuration)
        fail("out of memory");
    session->transport_configuration->compare = (netsnmp_container_compare *)netsnmp_transport_config_compare;
    for (int index = 0; index < 3; ++index)
        CONTAINER_INSERT(session->transport_configuration, netsnmp_transport_create_config(keys[index], words[index]));
}

static void set_credentials(netsnmp_session *session, char **words, int count)
{
    if (count == 4 && strcmp(words[0], "tsm") == 0) {
        set_certificates(session, words + 1);
        return;
    }
    if (count == 2 && strcmp(words[0], "3") != 0) {
        session->version = strcmp(words[0], "1") == 0 ? SNMP_VERSION_1 : SNMP_VERSION_2c;
        session->community = (u_char *)words[1];
        session->community_len = strlen(words[1]);
        return;
    }
    if (strcmp(words[0], "3") != 0 || (count != 2 && count != 4 && count != 6))
        fail("invalid credentials");
    set_user(session, words + 1, count - 1);
}

/* The requests of one session, and what they have found. */
struct work {
    int is_walk;
    long number; /* of GETs, or of repetitions */
    oid root[MAX_OID_LEN];
    size_t root_length;
    long exchanges, variables;
    double first_done;
};

/* Returns NULL if no response has arrived. */
static netsnmp_pdu *exchange(void *session, struct work *work, int command, const oid *name, size_t length)
{
    netsnmp_pdu *response = NULL, *request = snmp_pdu_create(command);
    if (command == SNMP_MSG_GETBULK) {
        request->non_repeaters = 0;
        request->max_repetitions = work->number;
    }
    snmp_add_null_var(request, name, length);
    if (snmp_sess_synch_response(session, request, &response) != STAT_SUCCESS || !response)
        return NULL;
    if (work->exchanges++ == 0)
        work->first_done = seconds(CLOCK_MONOTONIC);
    return response;
}

/* Returns false if no response has arrived, like walk(). */
static int get(void *session, struct work *work)
{
    for (long index = 0; index < work->number; ++index) {
        netsnmp_pdu *response = exchange(session, work, SNMP_MSG_GET, work->root, work->root_length);
        if (!response)
            return 0;
        if (response->errstat != SNMP_ERR_NOERROR || !response->variables ||
            response->variables->type == SNMP_NOSUCHOBJECT || response->variables->type == SNMP_NOSUCHINSTANCE)
            fail("the agent does not have the variable");
        ++work->variables;
        snmp_free_pdu(response);
    }
    return 1;
}

static int walk(void *session, struct work *work)
{
    oid name[MAX_OID_LEN];
    size_t length = work->root_length;
    memcpy(name, work->root, length * sizeof *name);
    int is_done = 0;
    while (!is_done) {
        int command = work->number > 0 ? SNMP_MSG_GETBULK : SNMP_MSG_GETNEXT;
        netsnmp_pdu *response = exchange(session, work, command, name, length);
        if (!response)
            return 0;
        if (response->errstat != SNMP_ERR_NOERROR || !response->variables)
            is_done = 1;
        for (netsnmp_variable_list *variable = response->variables; variable && !is_done; variable = variable->next_variable) {
            is_done = variable->type == SNMP_ENDOFMIBVIEW || variable->name_length < work->root_length ||
                      snmp_oid_ncompare(variable->name, variable->name_length, work->root, work->root_length,
                                        work->root_length) != 0;
            if (is_done)
                break;
            if (snmp_oid_compare(name, length, variable->name, variable->name_length) >= 0)
                fail("the agent's names do not increase");
            length = variable->name_length;
            memcpy(name, variable->name, length * sizeof *name);
            ++work->variables;
        }
        snmp_free_pdu(response);
    }
    return 1;
}

static void warm_up(netsnmp_session *template, struct work *work)
{
    void *session = snmp_sess_open(template);
    if (!session)
        fail("cannot open a session");
    netsnmp_pdu *response = exchange(session, work, SNMP_MSG_GETNEXT, work->root, work->root_length);
    if (!response)
        fail("no response");
    snmp_free_pdu(response);
    snmp_sess_close(session);
}

static void measure(netsnmp_session *template, struct work *work)
{
    work->exchanges = work->variables = 0;
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), begun = seconds(CLOCK_MONOTONIC);
    void *session = snmp_sess_open(template);
    if (!session)
        fail("cannot open a session");
    double opened = seconds(CLOCK_MONOTONIC);
    int is_complete = work->is_walk ? walk(session, work) : get(session, work);
    double done = seconds(CLOCK_MONOTONIC);
    snmp_sess_close(session);
    double ended = seconds(CLOCK_MONOTONIC);
    if (!is_complete) {
        puts("failed");
        return;
    }
    printf("%.9f %.9f %.9f %.9f %.9f %.9f %ld %ld\n", ended - begun, opened - begun, work->first_done - opened,
           done - work->first_done, ended - done, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, work->exchanges,
           work->variables);
}

int main(int argc, char **argv)
{
    if (argc < 9)
        fail("AGENT WARM-UP SESSIONS get|walk NUMBER OID CREDENTIALS");
    /* Use neither configuration nor MIB files. The library indexes certificates after it has read configuration files. */
    netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, strcmp(argv[7], "tsm") != 0);
    netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
    netsnmp_set_mib_directory("");
    setenv("MIBS", "", 1);
    snmp_disable_log();
    init_snmp("net_snmp_session");

    static struct work work;
    work.is_walk = strcmp(argv[4], "walk") == 0;
    work.number = atol(argv[5]);
    work.root_length = MAX_OID_LEN;
    if (!read_objid(argv[6], work.root, &work.root_length))
        fail("invalid OID");
    netsnmp_session template;
    snmp_sess_init(&template);
    template.peername = argv[1];
    set_credentials(&template, argv + 7, argc - 7);
    for (long sessions = atol(argv[2]); sessions > 0; --sessions)
        warm_up(&template, &work);
    for (long sessions = atol(argv[3]); sessions > 0; --sessions)
        measure(&template, &work);
    return EXIT_SUCCESS;
}
