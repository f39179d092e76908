#include <config.h>

#include "output/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/whole.h"

static int fail(struct st_err *e, const char *what, const char *path, int why)
{
	return st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot %s '%s': %s", what, path, strerror(why));
}

/* Length of the folder's part of a path, with its slash. */
static size_t folder_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

char *st_file_aside(const char *path)
{
	size_t n = folder_part(path);

	return st_format("%.*s.%ld.%s", (int)n, path, (long)getpid(), path + n);
}

/* The rename lasts only once the folder is on the disk. Not all file systems can; that is no failure. */
static void sync_folder(const char *path)
{
	size_t n = folder_part(path);
	char *dir = n ? st_strndup(path, n) : st_strdup(".");
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	free(dir);
}

int st_file_commit(const char *aside, const char *path, struct st_err *e)
{
	int why = 0, fd = open(aside, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fsync(fd) != 0)
		why = errno;
	if (fd >= 0)
		close(fd);
	if (!why && rename(aside, path) != 0)
		why = errno;
	if (why) {
		unlink(aside);
		return fail(e, "write", path, why);
	}
	sync_folder(path);
	return 0;
}

static int write_all(int fd, const char *data, size_t n)
{
	while (n > 0) {
		ssize_t put = write(fd, data, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return errno;
		data += put;
		n -= (size_t)put;
	}
	return 0;
}

int st_file_write(const char *path, const char *data, size_t n, struct st_err *e)
{
	char *aside = st_file_aside(path);
	int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int why, status = -1;

	if (fd < 0) {
		fail(e, "write", path, errno);
		goto out;
	}
	why = write_all(fd, data, n);
	/* Some file systems tell of a full disk only here. */
	if (close(fd) != 0 && !why)
		why = errno;
	if (why) {
		unlink(aside);
		fail(e, "write", path, why);
		goto out;
	}
	status = st_file_commit(aside, path, e);
out:
	free(aside);
	return status;
}

int st_file_put(const char *dir, const char *name, const struct st_text *t, struct st_err *e)
{
	char *path = st_format("%s/%s", dir, name);
	int status = st_file_write(path, t->s ? t->s : "", t->len, e);

	free(path);
	return status;
}

int st_file_folder(const char *path, struct st_err *e)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return 0;
	int why = errno; /* of a folder that is there, EEXIST mostly, but a read-only disk may say EROFS */
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return 0;
	return fail(e, "make folder", path, why == EEXIST ? ENOTDIR : why);
}

int st_file_folders(const char *folder, struct st_err *e)
{
	char *path = st_strdup(folder);
	int rc = 0;

	for (char *p = path + 1; *p && rc == 0; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		rc = st_file_folder(path, e);
		*p = '/';
	}
	free(path);
	return rc == 0 ? st_file_folder(folder, e) : -1;
}

bool st_file_exists(const char *dir, const char *name)
{
	char *path = st_format("%s/%s", dir, name);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

/* Nanoseconds of the last change; -1: it is not there. */
static int64_t changed(const char *dir, const char *name)
{
	char *path = st_format("%s/%s", dir, name);
	struct stat st;
	int64_t at = stat(path, &st) == 0 ? st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec : -1;

	free(path);
	return at;
}

bool st_file_is_older(const char *dir, const char *name, const char *than)
{
	int64_t at = changed(dir, name);

	return at < 0 || at < changed(dir, than);
}

bool st_file_is_same(const char *a, const char *b)
{
	struct stat at_a, at_b;

	return stat(a, &at_a) == 0 && stat(b, &at_b) == 0 && at_a.st_dev == at_b.st_dev && at_a.st_ino == at_b.st_ino;
}

int st_file_read(const char *dir, const char *name, struct st_text *held, struct st_err *e)
{
	char *path = st_format("%s/%s", dir, name);
	int rc = st_whole_read(path, SIZE_MAX, held) == 0 ? 0 : st_whole_unread(path, e);

	free(path);
	return rc;
}
