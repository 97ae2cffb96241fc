/* A PAM module whose argument selects a conversation that Debian's own modules do not have. */
#include <security/pam_appl.h>
#include <security/pam_modules.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sends messages, and returns the responses, or null. */
static struct pam_response *ask(pam_handle_t *handle, int count, struct pam_message *messages) {
    const struct pam_conv *conversation = NULL;
    const struct pam_message *pointers[32];
    struct pam_response *responses = NULL;
    if (pam_get_item(handle, PAM_CONV, (const void **)&conversation) != PAM_SUCCESS || !conversation) return NULL;
    for (int index = 0; index < count; index++) pointers[index] = &messages[index];
    if (conversation->conv(count, pointers, &responses, conversation->appdata_ptr) != PAM_SUCCESS) return NULL;
    return responses;
}

static int is(struct pam_response *response, const char *expected) {
    return response->resp && strcmp(response->resp, expected) == 0;
}

int pam_sm_authenticate(pam_handle_t *handle, int flags, int argc, const char **argv) {
    const char *kind = argc > 0 ? argv[0] : "";
    struct pam_message password = {PAM_PROMPT_ECHO_OFF, "Password: "};
    (void)flags;
    if (strcmp(kind, "two") == 0) {
        struct pam_message both[] = {
            {PAM_TEXT_INFO, "Two things."},
            {PAM_PROMPT_ECHO_OFF, "Password: "},
            {PAM_PROMPT_ECHO_ON, "Code: "},
        };
        struct pam_response *answers = ask(handle, 3, both);
        int good = answers && !answers[0].resp && is(&answers[1], "open") && is(&answers[2], "1234");
        return good ? PAM_SUCCESS : PAM_AUTH_ERR;
    }
    if (strcmp(kind, "rename") == 0) return pam_set_item(handle, PAM_USER, "root");
    if (strcmp(kind, "endless") == 0) {
        for (int round = 0; round < 1000; round++)
            if (!ask(handle, 1, &password)) return PAM_CONV_ERR;
        return PAM_SUCCESS;
    }
    if (strcmp(kind, "slow") == 0) {
        struct pam_response *answers = ask(handle, 1, &password);
        sleep(3);
        return answers && is(&answers[0], "open") ? PAM_SUCCESS : PAM_AUTH_ERR;
    }
    return PAM_ABORT;
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int argc, const char **argv) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_SUCCESS;
}
