#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/html.h"
#include "tap_main.h"

#define NONE "\xEF\xBF\xBD"

static const struct {
	const char *text, *html;
} texts[] = {
    {"", ""},
    {"plain, 100 %", "plain, 100 %"},
    {"<b>&amp; \"it's\"</b>", "&lt;b&gt;&amp;amp; &quot;it's&quot;&lt;/b&gt;"},
    {"a\tb\nc", "a\tb\nc"},
    {"\x01 \x1f \x7f \r", NONE " " NONE " " NONE " " NONE},
    {"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x90\x98", "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x90\x98"},
    {"\xC0\xAF", NONE NONE},                       /* a slash, overlong */
    {"\xED\xA0\x80", NONE NONE NONE},              /* a surrogate */
    {"\xF4\x90\x80\x80", NONE NONE NONE NONE},     /* past the last character */
    {"\xEF\xBF\xBE", NONE NONE NONE},              /* which XML has not */
    {"\xE2\x82", NONE NONE},                       /* cut off */
    {"\xE2<", NONE "&lt;"},
    {"1 +-2", "1 +-2"},
};

START_TEST(text_stays_text)
{
	struct st_text out = ST_TEXT_INIT;

	st_text_add(&out, "");
	st_html_text(&out, texts[_i].text);
	ck_assert_str_eq(out.s, texts[_i].html);
	st_text_release(&out);
}
END_TEST

START_TEST(paragraphs_have_signs)
{
	struct st_text out = ST_TEXT_INIT;

	st_html_say(&out, "1.5 +-0.2 s\nand 3 +- 1 <\n\nmore\n");
	ck_assert_str_eq(out.s, "<p>1.5 \xC2\xB1 0.2 s\nand 3 \xC2\xB1 1 &lt;</p>\n<p>more\n</p>\n");
	st_text_release(&out);
}
END_TEST

START_TEST(table_leaves_out_empty_columns)
{
	struct st_text out = ST_TEXT_INIT;
	struct st_cells c;

	st_cells_init(&c, 2, 3);
	st_cells_put(&c, 0, 2, st_strdup("a_b"));
	st_cells_put(&c, 1, 0, st_strdup("x"));
	st_cells_put(&c, 1, 2, st_strdup("<1>"));
	st_html_table(&out, &c, 1, 1);
	ck_assert_ptr_nonnull(strstr(out.s, "<tr><th class=\"l\"></th><th>a_<wbr/>b</th></tr>\n"));
	ck_assert_ptr_nonnull(strstr(out.s, "<tr><td class=\"l\">x</td><td>&lt;1&gt;</td></tr>\n"));
	st_cells_release(&c);
	st_text_release(&out);
}
END_TEST

START_TEST(csv_is_read_as_cells)
{
	struct st_cells c;

	st_cells_of_csv(&c, "a,\"b, \"\"c\"\"\"\n\"\n\",\n,,3\n\"\"\"\"");
	ck_assert_uint_eq(c.rows, 4);
	ck_assert_uint_eq(c.columns, 3);
	ck_assert_str_eq(st_cells_at(&c, 0, 0), "a");
	ck_assert_str_eq(st_cells_at(&c, 0, 1), "b, \"c\"");
	ck_assert_str_eq(st_cells_at(&c, 0, 2), "");
	ck_assert_str_eq(st_cells_at(&c, 1, 0), "\n");
	ck_assert_str_eq(st_cells_at(&c, 1, 1), "");
	ck_assert_str_eq(st_cells_at(&c, 2, 2), "3");
	ck_assert_str_eq(st_cells_at(&c, 3, 0), "\"");
	st_cells_release(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("html");
	TCase *tc = tcase_create("page");

	tcase_add_loop_test(tc, text_stays_text, 0, sizeof texts / sizeof *texts);
	tcase_add_test(tc, paragraphs_have_signs);
	tcase_add_test(tc, table_leaves_out_empty_columns);
	tcase_add_test(tc, csv_is_read_as_cells);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
