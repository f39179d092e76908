#include <config.h>

#include "experiment/tree_wrong.h"

#include <string.h>

/* A complaint of libyaml. */
struct complaint {
	const yaml_parser_t *parser;
	const char *text;
	const char *at; /* of the text: where it noticed */
};

static bool is_tab(const struct complaint *c)
{
	return *c->at == '\t';
}

/* "title: outage: the herd" */
static bool follows_colon(const struct complaint *c)
{
	for (const char *s = c->at; s > c->text && s[-1] != '\n'; s--)
		if (s < c->at && s[0] == ':' && s[1] == ' ')
			return true;
	return false;
}

static bool is_in_quotes(const struct complaint *c)
{
	return c->parser->context && strstr(c->parser->context, "quoted scalar");
}

static const struct {
	const char *problem;                          /* libyaml's words */
	bool (*applies)(const struct complaint *);    /* NULL: in any case */
	bool begins;                                  /* the place is where what it was reading began */
	const char *says;
} known[] = {
    {"found character that cannot start any token", is_tab, false, "a tab stands here: lines are indented with blanks"},
    {"found character that cannot start any token", NULL, false, "a text that begins with this character goes in quotes"},
    {"mapping values are not allowed in this context", follows_colon, false, "a second ':' stands here: a text with ': ' in it goes in quotes"},
    {"mapping values are not allowed in this context", NULL, false,
        "no key can stand here: the line before lacks its ':' or the blank after it, or this one is indented more than its neighbours"},
    {"could not find expected ':'", NULL, true, "this is no 'key: value': it lacks its ':', or the blank after it"},
    {"did not find expected key", NULL, false, "this line is indented unlike its neighbours, or it has a bracket too many"},
    {"did not find expected '-' indicator", NULL, false, "this line is indented unlike the items of its list, or lacks its '- '"},
    {"found unexpected end of stream", is_in_quotes, true, "the quote that opens here is not closed"},
    {"did not find expected comment or line break", NULL, false, "a text that begins with '>' or '|' goes in quotes"},
    {"invalid leading UTF-8 octet", NULL, false, "this is no text in UTF-8"},
    {"invalid trailing UTF-8 octet", NULL, false, "this is no text in UTF-8"},
    {"incomplete UTF-8 octet sequence", NULL, false, "this is no text in UTF-8"},
};

enum { KNOWN = sizeof known / sizeof *known };

/* Which it is, or KNOWN. */
static size_t find(const struct complaint *c)
{
	size_t i = 0;

	while (i < KNOWN && !(strcmp(known[i].problem, c->parser->problem) == 0 && (!known[i].applies || known[i].applies(c))))
		i++;
	return i;
}

/* A column is of characters, of which some have several bytes. */
static bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* The place of a byte, for which the parser has no mark. */
static yaml_mark_t mark_of(const char *text, size_t offset)
{
	yaml_mark_t mark = {.line = 0};

	for (size_t i = 0; i < offset; i++) {
		mark.column += begins_character(text[i]);
		if (text[i] == '\n') {
			mark.line++;
			mark.column = 0;
		}
	}
	return mark;
}

/* The text at a mark, or its end. */
static const char *text_at(const char *text, const yaml_mark_t *mark)
{
	for (size_t line = 0; *text && line < mark->line; text++)
		line += *text == '\n';
	for (size_t column = 0; *text && *text != '\n' && column < mark->column; column++)
		for (text++; !begins_character(*text); text++)
			;
	return text;
}

int st_tree_wrong(const yaml_parser_t *p, const char *text, const char *file, bool has_lines, struct st_mistakes *m)
{
	yaml_mark_t mark = p->error == YAML_READER_ERROR ? mark_of(text, p->problem_offset) : p->problem_mark;
	const struct complaint c = {p, text, text_at(text, &mark)};
	size_t i = p->problem ? find(&c) : KNOWN;

	if (i < KNOWN && known[i].begins)
		mark = p->context_mark;
	struct st_place place = {file, has_lines ? (int)mark.line + 1 : 0, has_lines ? (int)mark.column + 1 : 0};
	if (i < KNOWN)
		return st_mistakes_add(m, &place, "no valid YAML: %s", known[i].says);
	if (p->context && has_lines)
		return st_mistakes_add(m, &place, "no valid YAML: %s, %s on line %d", p->problem ? p->problem : "unknown problem", p->context,
		    (int)p->context_mark.line + 1);
	return st_mistakes_add(m, &place, "no valid YAML: %s", p->problem ? p->problem : "unknown problem");
}
