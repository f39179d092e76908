#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/tree.h"
#include "tap_main.h"

#define FILE_NAME "check_tree.yaml"

/* All messages, one a line. */
static char *told(struct st_mistakes *m)
{
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;

	st_mistakes_tell(m, &e);
	st_text_add(&t, "");
	for (size_t i = 0; i < e.n; i++)
		st_text_addf(&t, "%s%s", i ? "\n" : "", e.message[i]);
	st_err_release(&e);
	return t.s;
}

static struct st_node *read_text(const char *text, char **messages)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	FILE *f = fopen(FILE_NAME, "wb");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	struct st_node *n = st_tree_read(FILE_NAME, &m);
	*messages = told(&m);
	remove(FILE_NAME);
	return n;
}

static char *printed(const struct st_node *n)
{
	struct st_text t = ST_TEXT_INIT;

	st_tree_print(n, &t);
	return t.s;
}

/* What is read, in flow style; NULL: none. And what is told. */
static const struct {
	const char *yaml, *tree, *messages;
} texts[] = {
    {"", "{}", ""},
    {"# nothing but words\n", "{}", ""},
    {"\xef\xbb\xbf", "{}", ""},
    {"\xef\xbb\xbf" "a: 1\nb: {c: 2}\n", "{a: 1, b: {c: 2}}", ""},
    {"\xef\xbb\xbf" "a: 1\na: 2\n", "{a: 1}", FILE_NAME ":2:1: duplicate key 'a': it is on line 1 already"},
    {"a: 1\nb: [x, {c: 'it''s'}]\nd:\n  e: \"two words\"\n", "{a: 1, b: [x, {c: \"it's\"}], d: {e: two words}}", ""},
    {"a:\nb: ~\nc: off\n", "{a: \"\", b: \"~\", c: off}", ""},
    {"- a\n- 5/s\n- 70%\n", "[a, 5/s, 70%]", ""},
    {"a: 1\nb:\n  c: 2\n  c: 3\na: 4\n", "{a: 1, b: {c: 2}}",
        FILE_NAME ":4:3: duplicate key 'c' in b: it is on line 3 already\n"
        FILE_NAME ":5:1: duplicate key 'a': it is on line 1 already"},
    {"a: &x 1\nb: *x\n", "{a: 1, b: \"\"}",
        FILE_NAME ":1:4: anchors and aliases ('x') are not for scenarios\n"
        FILE_NAME ":2:4: anchors and aliases ('x') are not for scenarios"},
    {"a: !!str 1\n", "{a: 1}", FILE_NAME ":1:4: tags ('tag:yaml.org,2002:str') are not for scenarios"},
    {"a: \"b\\0c\"\n", "{a: b}", FILE_NAME ":1:4: a text cannot hold a zero byte (\\0)"},
    {"[a, b]: 1\nc: 2\n", "{c: 2}", FILE_NAME ":1:1: a key must be a word"},
    {"a: 1\n---\nb: 2\n", "{a: 1}", FILE_NAME ":2:1: a second document begins here"},
    {"a: [1, 2\nb: 3\n", NULL,
        FILE_NAME ":2:2: no valid YAML: did not find expected ',' or ']', while parsing a flow sequence on line 1"},
    {"a: 1\nb: \xc3\xa4\x01\n", NULL, FILE_NAME ":2:5: no valid YAML: control characters are not allowed"},
    {"a: 1\n  b: 2\n", NULL, FILE_NAME ":2:4: no valid YAML: no key can stand here: the line before lacks its ':' or the blank after "
        "it, or this one is indented more than its neighbours"},
    {"a: b\xc3\xa4: c\n", NULL, FILE_NAME ":1:6: no valid YAML: a second ':' stands here: a text with ': ' in it goes in quotes"},
    {"a:\n\tb: 2\n", NULL, FILE_NAME ":2:1: no valid YAML: a tab stands here: lines are indented with blanks"},
    {"a: @b\n", NULL, FILE_NAME ":1:4: no valid YAML: a text that begins with this character goes in quotes"},
    {"a: 1\nb\nc: 2\n", NULL, FILE_NAME ":2:1: no valid YAML: this is no 'key: value': it lacks its ':', or the blank after it"},
    {"a:\n  b: 1\n c: 2\n", NULL, FILE_NAME ":3:2: no valid YAML: this line is indented unlike its neighbours, or it has a bracket too many"},
    {"a:\n  - b\n  c: 1\n", NULL, FILE_NAME ":3:3: no valid YAML: this line is indented unlike the items of its list, or lacks its '- '"},
    {"a: 1\nb: \"c\nd: 2\n", NULL, FILE_NAME ":2:4: no valid YAML: the quote that opens here is not closed"},
    {"a: > b\n", NULL, FILE_NAME ":1:6: no valid YAML: a text that begins with '>' or '|' goes in quotes"},
    {"a: 1\nb: \xe4\n", NULL, FILE_NAME ":2:4: no valid YAML: this is no text in UTF-8"},
};

START_TEST(reads_and_tells)
{
	char *messages;
	struct st_node *n = read_text(texts[_i].yaml, &messages);

	ck_assert_str_eq(messages, texts[_i].messages);
	ck_assert_int_eq(n == NULL, texts[_i].tree == NULL);
	if (n) {
		char *as_text = printed(n);

		ck_assert_str_eq(as_text, texts[_i].tree);
		free(as_text);
	}
	free(messages);
	st_tree_free(n);
}
END_TEST

START_TEST(every_node_has_its_place)
{
	char *messages;
	struct st_node *n = read_text("a: 1\nbb:\n  - x\n  - {c: 5}\n", &messages);
	const struct st_node *list = st_tree_get(n, "bb");

	ck_assert_int_eq(n->key_place[1].line, 2);
	ck_assert_int_eq(n->key_place[1].column, 1);
	ck_assert_int_eq(st_tree_get(n, "a")->place.column, 4);
	ck_assert_int_eq(list->child[0]->place.line, 3);
	ck_assert_int_eq(list->child[0]->place.column, 5);
	ck_assert_int_eq(list->child[1]->child[0]->place.column, 9);
	ck_assert_str_eq(list->child[1]->place.file, FILE_NAME);
	free(messages);
	st_tree_free(n);
}
END_TEST

START_TEST(too_deep_is_told)
{
	char yaml[200] = "a: ", *messages;

	memset(yaml + 3, '[', 100);
	struct st_node *n = read_text(yaml, &messages);
	ck_assert_ptr_null(n);
	ck_assert_str_eq(messages, FILE_NAME ":1:35: nested more than 32 deep");
	free(messages);
}
END_TEST

START_TEST(unreadable_files_are_told)
{
	struct st_mistakes m = ST_MISTAKES_INIT;

	ck_assert_ptr_null(st_tree_read("no/such.yaml", &m));
	ck_assert_ptr_null(st_tree_read(".", &m));
	char *messages = told(&m);
	ck_assert_str_eq(messages, "no/such.yaml: cannot read the scenario: No such file or directory\n"
	    ".: cannot read the scenario: Is a directory");
	free(messages);
}
END_TEST

START_TEST(texts_of_the_command_line_have_no_lines)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_node *n = st_tree_parse("{kind: x, rate: 5/s}", "--set a=b", &m);

	ck_assert_int_eq(n->child[1]->place.line, 0);
	ck_assert_str_eq(n->child[1]->place.file, "--set a=b");
	st_tree_free(n);
	n = st_tree_parse("", "--set a=", &m);
	ck_assert_int_eq(n->kind, ST_NODE_SCALAR);
	st_tree_free(n);
	ck_assert_ptr_null(st_tree_parse("[1", "--set a=[1", &m));
	char *messages = told(&m);
	ck_assert_str_eq(messages, "--set a=[1: no valid YAML: did not find expected ',' or ']'");
	free(messages);
}
END_TEST

START_TEST(edits_leave_the_rest_alone)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	struct st_node *n = st_tree_parse("{a: 1, b: {c: 2}, d: off}", "x", &m), *copy = st_tree_copy(n);

	st_tree_put(n, "b", st_tree_scalar("5", &n->place));
	st_tree_put(n, "e", st_tree_scalar("6", &n->place));
	st_tree_free(st_tree_take(n, "a"));
	ck_assert_ptr_null(st_tree_take(n, "a"));
	st_tree_expand(st_tree_get(n, "d"), "kind");
	char *edited = printed(n), *original = printed(copy);
	ck_assert_str_eq(edited, "{b: 5, d: {kind: off}, e: 6}");
	ck_assert_str_eq(original, "{a: 1, b: {c: 2}, d: off}");
	free(edited);
	free(original);
	st_tree_free(n);
	st_tree_free(copy);
}
END_TEST

START_TEST(mistakes_come_once_and_in_order_of_place)
{
	struct st_mistakes m = ST_MISTAKES_INIT;
	const struct st_place late = {"f", 7, 2}, early = {"f", 3, 9}, line = {"--set a=1", 0, 0}, file = {"f", 0, 0};

	for (int i = 0; i < 2; i++) {
		st_mistakes_add(&m, &line, "w");
		st_mistakes_add(&m, &late, "x");
		st_mistakes_add(&m, &early, "y");
		st_mistakes_add(&m, &early, "x");
		st_mistakes_add(&m, &file, "z");
	}
	char *messages = told(&m);
	ck_assert_str_eq(messages, "f: z\nf:3:9: y\nf:3:9: x\nf:7:2: x\n--set a=1: w");
	free(messages);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tree");
	TCase *tc = tcase_create("read");

	tcase_add_loop_test(tc, reads_and_tells, 0, sizeof texts / sizeof *texts);
	tcase_add_test(tc, every_node_has_its_place);
	tcase_add_test(tc, too_deep_is_told);
	tcase_add_test(tc, unreadable_files_are_told);
	tcase_add_test(tc, texts_of_the_command_line_have_no_lines);
	suite_add_tcase(s, tc);
	tc = tcase_create("edit");
	tcase_add_test(tc, edits_leave_the_rest_alone);
	tcase_add_test(tc, mistakes_come_once_and_in_order_of_place);
	suite_add_tcase(s, tc);
	return tap_main(s);
}
