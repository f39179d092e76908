#include <config.h>

#include "output/cells.h"

#include "base/mem.h"
#include "tap_main.h"

static void print_and_compare(struct st_cells *c, size_t left, const char *want)
{
	struct st_text t = ST_TEXT_INIT;

	st_cells_print(c, left, &t);
	ck_assert_str_eq(t.s, want);
	st_text_release(&t);
	st_cells_release(c);
}

/* Two rows of three columns. */
static struct st_cells six(const char *const *text)
{
	struct st_cells c;

	st_cells_init(&c, 2, 3);
	for (size_t i = 0; i < 6; i++)
		st_cells_put(&c, i / 3, i % 3, text[i] ? st_strdup(text[i]) : NULL);
	return c;
}

START_TEST(columns_are_as_wide_as_they_have_to_be)
{
	struct st_cells c = six((const char *const[]){"policy", "n", "share", "full", "100", NULL});

	print_and_compare(&c, 1, "policy    n  share\nfull    100\n");
}
END_TEST

START_TEST(a_column_of_nothing_is_left_out)
{
	struct st_cells c = six((const char *const[]){"a", NULL, "b", "c", "", "d"});

	print_and_compare(&c, 3, "a  b\nc  d\n");
}
END_TEST

START_TEST(a_row_is_as_many_lines_as_its_longest_cell)
{
	struct st_cells c = six((const char *const[]){"one", "two\nlines", "x", "after", "it", "y\n\nz"});

	ck_assert_uint_eq(st_cells_width(&c, 1), 5);
	print_and_compare(&c, 3, "one    two    x\n       lines\nafter  it     y\n\n              z\n");
}
END_TEST

START_TEST(a_folded_column_breaks_at_blanks)
{
	struct st_cells c =
	    six((const char *const[]){"ab cd ef", "stays as it is", NULL, "abcd efghijk l", "", "a text behind it"});

	st_cells_fold(&c, 0, 5);
	st_cells_fold(&c, 2, 16);
	ck_assert_str_eq(c.cell[0], "ab cd\nef");
	ck_assert_str_eq(c.cell[1], "stays as it is");
	ck_assert_str_eq(c.cell[3], "abcd\nefghijk\nl");
	ck_assert_str_eq(c.cell[5], "a text behind it");
	st_cells_release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cells");
	TCase *tc = tcase_create("cells");

	tcase_add_test(tc, columns_are_as_wide_as_they_have_to_be);
	tcase_add_test(tc, a_column_of_nothing_is_left_out);
	tcase_add_test(tc, a_row_is_as_many_lines_as_its_longest_cell);
	tcase_add_test(tc, a_folded_column_breaks_at_blanks);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
