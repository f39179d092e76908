#include <config.h>

#include "base/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int st_whole_read(const char *path, size_t most, struct st_text *held)
{
	char buf[65536];
	ssize_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC), why;

	*held = (struct st_text)ST_TEXT_INIT;
	st_text_add(held, "");
	if (fd < 0)
		return -1;
	while (held->len <= most && ((n = read(fd, buf, sizeof buf)) > 0 || (n < 0 && errno == EINTR)))
		st_text_addn(held, buf, n > 0 ? (size_t)n : 0);
	why = held->len > most ? EFBIG : errno;
	close(fd);
	errno = why;
	return n < 0 || held->len > most ? -1 : 0;
}

int st_whole_unread(const char *path, struct st_err *e)
{
	static const int machines[] = {EIO, ENOMEM, EMFILE, ENFILE};
	enum st_exit code = ST_EXIT_USER;

	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (errno == machines[i])
			code = ST_EXIT_MACHINE;
	return st_err_add(e, code, NULL, "cannot read '%s': %s", path, strerror(errno));
}
