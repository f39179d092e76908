#include <config.h>

#include "output/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "output/file.h"

enum { PATIENCE_MS = 600000, NOT_THERE = 127, SAID_MAX = 2000 };

/* In single quotes; a newline is joined in as "\n", other control characters are blanks. */
static void add_quoted(struct st_text *vars, const char *s)
{
	st_text_add(vars, "'");
	for (; *s; s++) {
		if (*s == '\'')
			st_text_add(vars, "''");
		else if (*s == '\n')
			st_text_add(vars, "'.\"\\n\".'");
		else
			st_text_addn(vars, (unsigned char)*s < ' ' || *s == 127 ? " " : s, 1);
	}
	st_text_add(vars, "'\n");
}

/* A file named "<x" or "|x" would be a pipe, "-" the standard input. */
static void add_path(struct st_text *vars, const char *path)
{
	char *safe = path[0] == '/' ? st_strdup(path) : st_format("./%s", path);

	add_quoted(vars, safe);
	free(safe);
}

void st_gnuplot_number(struct st_text *vars, const char *name, double x)
{
	st_text_addf(vars, "%s=", name);
	st_text_add_double(vars, x);
	st_text_add(vars, "\n");
}

void st_gnuplot_text(struct st_text *vars, const char *name, const char *value)
{
	st_text_addf(vars, "%s=", name);
	add_quoted(vars, value);
}

void st_gnuplot_path(struct st_text *vars, const char *name, const char *path)
{
	st_text_addf(vars, "%s=", name);
	add_path(vars, path);
}

void st_gnuplot_array(struct st_text *vars, const char *name, size_t n)
{
	st_text_addf(vars, "array %s[%zu]\n", name, n);
}

void st_gnuplot_element(struct st_text *vars, const char *name, size_t i, const char *value)
{
	st_text_addf(vars, "%s[%zu]=", name, i + 1);
	add_quoted(vars, value);
}

void st_gnuplot_element_path(struct st_text *vars, const char *name, size_t i, const char *path)
{
	st_text_addf(vars, "%s[%zu]=", name, i + 1);
	add_path(vars, path);
}

/* The folder of the running program, with its slash; "" where the system does not tell. To be freed. */
static char *program_folder(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	path[n > 0 ? n : 0] = '\0';
	char *slash = strrchr(path, '/');
	return slash ? st_strndup(path, (size_t)(slash - path) + 1) : st_strdup("");
}

/* The script's path, to be freed; NULL with a message if it is nowhere. */
static char *find_script(const char *name, struct st_err *e)
{
	/* From a build in the source tree, in build/, and as distcheck does it; installed, wherever that was moved to. */
	static const char *const near[] = {"plots", "../plots", "../../plots", "../share/" PACKAGE "/plots"};
	const char *chosen = getenv("STAMPEDE_PLOTS");

	if (chosen && *chosen) {
		char *path = st_format("%s/%s.gp", chosen, name);
		if (access(path, R_OK) == 0)
			return path;
		st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot read '%s' (of STAMPEDE_PLOTS): %s", path,
		    strerror(errno));
		free(path);
		return NULL;
	}
	char *folder = program_folder();
	char *path = NULL;
	for (size_t i = 0; *folder && i < sizeof near / sizeof *near; i++) {
		path = st_format("%s%s/%s.gp", folder, near[i], name);
		if (access(path, R_OK) == 0)
			break;
		free(path);
		path = NULL;
	}
	free(folder);
	if (path)
		return path;
	path = st_format("%s/plots/%s.gp", ST_DATADIR, name);
	if (access(path, R_OK) == 0)
		return path;
	st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot read '%s': %s", path, strerror(errno));
	free(path);
	return NULL;
}

static const char *program(void)
{
	const char *chosen = getenv("GNUPLOT");

	if (chosen && *chosen)
		return chosen;
	return access(ST_GNUPLOT, X_OK) == 0 ? ST_GNUPLOT : "gnuplot";
}

/*
 * A chart is not waited for against the user's will: all data are written, so a signal may end the program at once. What
 * is ignored stays so.
 */
static void let_signals_kill(void)
{
	static const int numbers[] = {SIGINT, SIGTERM};
	struct sigaction a;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (sigaction(numbers[i], NULL, &a) == 0 && a.sa_handler != SIG_IGN)
			signal(numbers[i], SIG_DFL);
	}
}

/*
 * The variables as a file to be read from its beginning, -1 if the system gives none: one argument is 128 KiB at most, which a few
 * thousand labels are beyond. It has no name, so nothing is left of it however this ends.
 */
static int file_of(const struct st_text *vars)
{
	int fd = memfd_create("variables", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < vars->len) {
		ssize_t n = write(fd, vars->s + done, vars->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			close(fd);
			return -1;
		}
		done += (size_t)n;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

/*
 * In the child: no input but the variables, no start-up file, what it says goes to `said`. It has a process group of its own,
 * away from the terminal's Ctrl-C: gnuplot's handler may be called while its malloc holds a lock, and then never comes back.
 * It dies with its parent instead.
 */
static _Noreturn void become(const char *gnuplot, int vars, const char *script, int said)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(vars, STDIN_FILENO);
	dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
	dup2(said, STDERR_FILENO);
	execlp(gnuplot, "gnuplot", "--default-settings", "/dev/stdin", script, (char *)NULL);
	dprintf(STDERR_FILENO, "%s", strerror(errno));
	_exit(NOT_THERE);
}

/* Collect what the child says until it closes its end; false if it takes longer than the patience. */
static bool listen_to(int fd, struct st_text *said)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char buf[512];

	for (;;) {
		int ready = poll(&p, 1, PATIENCE_MS);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return false;
		ssize_t n = read(fd, buf, sizeof buf);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return true;
		if (said->len < SAID_MAX)
			st_text_addn(said, buf, (size_t)n);
	}
}

/* One line of what may be many. */
static const char *in_a_line(struct st_text *said)
{
	while (said->len > 0 && strchr(" \n", said->s[said->len - 1]))
		said->s[--said->len] = '\0';
	for (size_t i = 0; i < said->len; i++)
		if (said->s[i] == '\n')
			said->s[i] = ' ';
	return said->s ? said->s : "it gave no reason";
}

/* Run it with what it says in a pipe, whose end to listen at is *said. The child, or -1 with a message. */
static pid_t start(const char *gnuplot, const struct st_text *vars, const char *script, int *said, struct st_err *e)
{
	int pipe_fd[2], input = file_of(vars);
	pid_t child = -1;

	if (input >= 0 && pipe2(pipe_fd, O_CLOEXEC) == 0) {
		let_signals_kill();
		child = fork();
		if (child == 0)
			become(gnuplot, input, script, pipe_fd[1]);
		int why = errno;
		close(pipe_fd[1]);
		if (child < 0)
			close(pipe_fd[0]);
		*said = pipe_fd[0];
		errno = why;
	}
	if (child < 0)
		st_err_add(e, ST_EXIT_MACHINE, NULL, "cannot run '%s': %s", gnuplot, strerror(errno));
	if (input >= 0)
		close(input);
	return child;
}

static int run(const struct st_text *vars, const char *script, struct st_err *e)
{
	const char *gnuplot = program();
	struct st_text said = ST_TEXT_INIT;
	int fd, how = 0, status = -1;
	pid_t child = start(gnuplot, vars, script, &fd, e);

	if (child < 0)
		return -1;
	bool in_time = listen_to(fd, &said);
	if (!in_time)
		kill(child, SIGKILL);
	while (waitpid(child, &how, 0) < 0 && errno == EINTR)
		;
	if (!in_time)
		st_err_add(
		    e, ST_EXIT_MACHINE, NULL, "'%s' did not end within %d s", gnuplot, PATIENCE_MS / 1000);
	else if (WIFEXITED(how) && WEXITSTATUS(how) == NOT_THERE)
		st_err_add(e, ST_EXIT_MACHINE, NULL,
		    "cannot run gnuplot as '%s': %s; no chart is drawn, all data are written (--no-chart "
		    "asks for no charts)",
		    gnuplot, in_a_line(&said));
	else if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
		st_err_add(
		    e, ST_EXIT_MACHINE, NULL, "'%s' failed on '%s': %s", gnuplot, script, in_a_line(&said));
	else
		status = 0;
	close(fd);
	st_text_release(&said);
	return status;
}

static int draw_as(const char *ending, const char *dir, const char *name, const char *script,
    const struct st_text *vars, struct st_err *e)
{
	char *path = st_format("%s/%s.%s", dir, name, ending);
	char *aside = st_file_aside(path);
	struct st_text all = ST_TEXT_INIT;

	st_text_add(&all, vars->s);
	st_gnuplot_path(&all, "out", aside);
	int status = run(&all, script, e);
	if (status == 0)
		status = st_file_commit(aside, path, e);
	else
		unlink(aside);
	st_text_release(&all);
	free(aside);
	free(path);
	return status;
}

int st_gnuplot_draw(const char *dir, const char *script, const char *name, const struct st_text *vars, struct st_err *e)
{
	char *path = find_script(script, e);
	int status = -1;

	if (path && draw_as("png", dir, name, path, vars, e) == 0 && draw_as("svg", dir, name, path, vars, e) == 0)
		status = 0;
	free(path);
	return status;
}
