#ifndef ST_OUTPUT_FILE_H
#define ST_OUTPUT_FILE_H
/*
 * file.h - a file appears whole or not at all: written aside in the same folder, synced, renamed.
 *
 * Errors   the machine's (exit 3), with the file's name and the system's words; what was written aside is
 * removed and an earlier file of the name is left as it was.
 */
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"

/* Write the file at path. 0, or -1 with a message. */
int st_file_write(const char *path, const char *data, size_t n, struct st_err *e);

/* The same of a text as DIR/NAME. */
int st_file_put(const char *dir, const char *name, const struct st_text *t, struct st_err *e);

/*
 * For programs that write a file themselves: the name to write aside under (to be freed), with the same
 * ending; then sync it and give it its name. On failure the aside file is removed.
 */
char *st_file_aside(const char *path);
int st_file_commit(const char *aside, const char *path, struct st_err *e);

/* Make the folder if it is not there; its parent must be. */
int st_file_folder(const char *path, struct st_err *e);
/* The same with its parents. */
int st_file_folders(const char *path, struct st_err *e);

bool st_file_exists(const char *dir, const char *name);

/* Whether DIR/NAME is not there, or was last written before DIR/THAN. */
bool st_file_is_older(const char *dir, const char *name, const char *than);

/* Whether both paths lead to one file or folder that is there. */
bool st_file_is_same(const char *a, const char *b);

/* Read all of DIR/NAME. 0, or -1 with a message; *held is to be released either way. */
int st_file_read(const char *dir, const char *name, struct st_text *held, struct st_err *e);

#endif
