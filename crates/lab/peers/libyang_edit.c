/*
 * Parses an XML instance document with libyang, merges it into an empty datastore, and validates
 * the result: what a server that uses libyang must do at least for an edit of that size. Prints the
 * seconds of each round, and the bytes of memory that the data occupies.
 *
 * libyang_edit DIRECTORIES MODULE FILE ROUNDS     (directories are separated by colons)
 */
#include <libyang/libyang.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return NULL;
    long length = ftell(file);
    char *text = malloc(length + 1);
    rewind(file);
    if (!text || fread(text, 1, length, file) != (size_t)length)
        return NULL;
    text[length] = 0;
    fclose(file);
    return text;
}

int main(int count, char **arguments)
{
    struct ly_ctx *context;
    char *text;

    if (count != 5 || ly_ctx_new(NULL, 0, &context))
        return 2;
    for (char *directory = strtok(arguments[1], ":"); directory; directory = strtok(NULL, ":"))
        ly_ctx_set_searchdir(context, directory);
    if (!ly_ctx_load_module(context, arguments[2], NULL, NULL) || !(text = read_file(arguments[3])))
        return 2;
    for (int round = atoi(arguments[4]); round > 0; round--) {
        struct lyd_node *edit = NULL, *running = NULL;
        size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
        double start = now();
        if (lyd_parse_data_mem(context, text, LYD_XML, LYD_PARSE_ONLY | LYD_PARSE_STRICT, 0, &edit))
            return 1;
        if (lyd_merge_siblings(&running, edit, LYD_MERGE_DESTRUCT))
            return 1;
        if (lyd_validate_all(&running, context, LYD_VALIDATE_NO_STATE, NULL))
            return 1;
        double seconds = now() - start;
        printf("%f %zu\n", seconds, mallinfo2().uordblks + mallinfo2().hblkhd - before);
        lyd_free_all(running);
    }
    return 0;
}
