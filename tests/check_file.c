#include <config.h>

#include "output/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tap_main.h"

static char dir[] = "check_file.XXXXXX";

static void make_folder(void)
{
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static size_t files(void)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void remove_folder(const char *path)
{
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static size_t size_of(const char *path)
{
	FILE *f = fopen(path, "r");

	ck_assert_ptr_nonnull(f);
	fseek(f, 0, SEEK_END);
	long n = ftell(f);
	fclose(f);
	return (size_t)n;
}

START_TEST(writes_and_replaces)
{
	struct st_err e = ST_ERR_INIT;

	make_folder();
	char *path = st_format("%s/x.csv", dir);
	ck_assert_int_eq(st_file_write(path, "abc", 3, &e), 0);
	ck_assert_uint_eq(size_of(path), 3);
	ck_assert_int_eq(st_file_write(path, "", 0, &e), 0);
	ck_assert_uint_eq(size_of(path), 0);
	ck_assert(!st_err_any(&e));
	ck_assert_uint_eq(files(), 1);
	remove_folder(path);
	free(path);
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_file_and_nothing_else)
{
	struct rlimit small = {1000, 1000};
	struct st_err e = ST_ERR_INIT;
	char *big = st_calloc(100000, 1);

	make_folder();
	char *path = st_format("%s/x.csv", dir);
	ck_assert_int_eq(st_file_write(path, "abc", 3, &e), 0);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0); /* the test has a process of its own */
	ck_assert_int_eq(st_file_write(path, big, 100000, &e), -1);
	ck_assert_int_eq(e.code, ST_EXIT_MACHINE);
	ck_assert_ptr_nonnull(strstr(e.message[0], path));
	ck_assert_ptr_nonnull(strstr(e.message[0], "File too large"));
	ck_assert_uint_eq(size_of(path), 3);
	ck_assert_uint_eq(files(), 1);
	remove_folder(path);
	st_err_release(&e);
	free(path);
	free(big);
}
END_TEST

START_TEST(says_what_cannot_be_written)
{
	struct st_err e = ST_ERR_INIT;

	ck_assert_int_eq(st_file_write("no/such/folder/x", "abc", 3, &e), -1);
	ck_assert_str_eq(e.message[0], "cannot write 'no/such/folder/x': No such file or directory");
	ck_assert_int_eq(st_file_folder("no/such/folder", &e), -1);
	ck_assert_int_eq(e.code, ST_EXIT_MACHINE);
	st_err_release(&e);
}
END_TEST

START_TEST(what_a_program_wrote_aside_gets_its_name)
{
	struct st_err e = ST_ERR_INIT;

	make_folder();
	char *path = st_format("%s/x.png", dir), *aside = st_file_aside(path);
	ck_assert_str_eq(aside + strlen(aside) - 4, ".png");
	ck_assert_int_eq(st_file_write(aside, "abc", 3, &e), 0);
	ck_assert_int_eq(st_file_commit(aside, path, &e), 0);
	ck_assert(st_file_exists(dir, "x.png"));
	ck_assert_uint_eq(files(), 1);
	ck_assert_int_eq(st_file_commit(aside, path, &e), -1);
	remove_folder(path);
	st_err_release(&e);
	free(aside);
	free(path);
}
END_TEST

START_TEST(reads_all_and_knows_what_is_older)
{
	static const char zero[] = "a\0b";
	const struct timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};
	struct st_err e = ST_ERR_INIT;
	struct st_text held;

	make_folder();
	char *path = st_format("%s/x.csv", dir), *chart = st_format("%s/x.png", dir);
	ck_assert_int_eq(st_file_write(path, zero, 3, &e), 0);
	ck_assert_int_eq(st_file_read(dir, "x.csv", &held, &e), 0);
	ck_assert_mem_eq(held.s, zero, 4);
	st_text_release(&held);
	ck_assert(st_file_is_older(dir, "x.png", "x.csv"));
	ck_assert_int_eq(st_file_read(dir, "x.png", &held, &e), -1);
	ck_assert_int_eq(e.code, ST_EXIT_USER);
	st_text_release(&held);
	ck_assert_int_eq(st_file_write(chart, "abc", 3, &e), 0);
	ck_assert(!st_file_is_older(dir, "x.png", "x.csv"));
	ck_assert_int_eq(utimensat(AT_FDCWD, chart, long_ago, 0), 0);
	ck_assert(st_file_is_older(dir, "x.png", "x.csv"));
	unlink(chart);
	remove_folder(path);
	st_err_release(&e);
	free(chart);
	free(path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("file");
	TCase *tc = tcase_create("whole");

	tcase_add_test(tc, writes_and_replaces);
	tcase_add_test(tc, a_full_disk_leaves_the_old_file_and_nothing_else);
	tcase_add_test(tc, says_what_cannot_be_written);
	tcase_add_test(tc, what_a_program_wrote_aside_gets_its_name);
	tcase_add_test(tc, reads_all_and_knows_what_is_older);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
