#include <config.h>

#include "experiment/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/mem.h"
#include "base/whole.h"
#include "experiment/tree_wrong.h"

enum { DEPTH_MAX = 32, FILE_MAX_MIB = 16 };

/* Some editors begin a file with it. libyaml would count it as a column, and the first key would stand further right. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Names of files, kept as long as the program: places point to them. One that is read again at once is kept once. */
static const char *intern(const char *name)
{
	static struct name {
		struct name *before;
		char *text;
	} *last;

	if (last && strcmp(last->text, name) == 0)
		return last->text;
	struct name *new = st_malloc(sizeof *new);
	*new = (struct name){last, st_strdup(name)};
	last = new;
	return new->text;
}

struct reader {
	yaml_parser_t parser;
	const char *text, *file;
	bool has_lines;      /* a text of the command line has none */
	struct st_text path; /* of the mapping being read, for messages */
	struct st_mistakes *m;
	unsigned depth;
};

static struct st_place place_at(const struct reader *r, const yaml_mark_t *mark)
{
	if (!r->has_lines)
		return (struct st_place){r->file, 0, 0};
	return (struct st_place){r->file, (int)mark->line + 1, (int)mark->column + 1};
}

static int next(struct reader *r, yaml_event_t *ev)
{
	return yaml_parser_parse(&r->parser, ev) ? 0 : st_tree_wrong(&r->parser, r->text, r->file, r->has_lines, r->m);
}

/* What the mapping being read is called in messages: " in a.b", or "" at the top. */
static const char *in(const struct reader *r)
{
	return r->path.len ? r->path.s : "";
}

static struct st_node *read_node(struct reader *r, yaml_event_t *ev);

/* The key that begins with ev, which is deleted, to be freed; NULL with a mistake if it is no word. -1 if the text ends the YAML. */
static int read_key(struct reader *r, yaml_event_t *ev, const struct st_place *at, char **key)
{
	*key = NULL;
	if (ev->type == YAML_SCALAR_EVENT)
		*key = st_strdup((const char *)ev->data.scalar.value);
	else
		st_mistakes_add(r->m, at, "a key must be a word%s", in(r));
	struct st_node *as_node = read_node(r, ev);
	st_tree_free(as_node);
	return as_node ? 0 : -1;
}

/* The next node, that of a key (NULL: of one that is no word). */
static struct st_node *read_value(struct reader *r, const char *key)
{
	size_t length = r->path.len;
	yaml_event_t ev;

	if (next(r, &ev))
		return NULL;
	if (key)
		st_text_addf(&r->path, "%s%s", length ? "." : " in ", key);
	struct st_node *value = read_node(r, &ev);
	if (r->path.s)
		r->path.s[r->path.len = length] = '\0';
	return value;
}

static void tell_duplicate(const struct reader *r, const char *key, const struct st_place *at, const struct st_place *before)
{
	if (r->has_lines)
		st_mistakes_add(r->m, at, "duplicate key '%s'%s: it is on line %d already", key, in(r), before->line);
	else
		st_mistakes_add(r->m, at, "duplicate key '%s'%s", key, in(r));
}

/* Reads on until the end of the mapping; NULL if the text ends the YAML. */
static struct st_node *read_map(struct reader *r, struct st_node *map)
{
	for (;;) {
		yaml_event_t ev;
		size_t i;
		char *key;

		if (next(r, &ev))
			return NULL;
		if (ev.type == YAML_MAPPING_END_EVENT) {
			yaml_event_delete(&ev);
			return map;
		}
		struct st_place at = place_at(r, &ev.start_mark);
		struct st_node *value = read_key(r, &ev, &at, &key) == 0 ? read_value(r, key) : NULL;
		if (!value) {
			free(key);
			return NULL;
		}
		if (key && !st_tree_find(map, key, &i)) {
			st_tree_append(map, key, &at, value);
			continue;
		}
		if (key)
			tell_duplicate(r, key, &at, &map->key_place[i]);
		free(key);
		st_tree_free(value);
	}
}

static struct st_node *read_list(struct reader *r, struct st_node *list)
{
	for (;;) {
		yaml_event_t ev;

		if (next(r, &ev))
			return NULL;
		if (ev.type == YAML_SEQUENCE_END_EVENT) {
			yaml_event_delete(&ev);
			return list;
		}
		struct st_node *item = read_node(r, &ev);
		if (!item)
			return NULL;
		st_tree_append(list, NULL, NULL, item);
	}
}

/* Scenarios say everything where it holds: no anchors, which would make an override of one place change another. */
static void check_plain(struct reader *r, const struct st_place *at, const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor)
		st_mistakes_add(r->m, at, "anchors and aliases ('%s') are not for scenarios", (const char *)anchor);
	if (tag)
		st_mistakes_add(r->m, at, "tags ('%s') are not for scenarios", (const char *)tag);
}

static struct st_node *scalar(struct reader *r, const yaml_event_t *ev, const struct st_place *at)
{
	const char *text = (const char *)ev->data.scalar.value;

	check_plain(r, at, ev->data.scalar.anchor, ev->data.scalar.tag);
	if (strlen(text) < ev->data.scalar.length)
		st_mistakes_add(r->m, at, "a text cannot hold a zero byte (\\0)");
	return st_tree_scalar(text, at);
}

/* The node that begins with ev, which is deleted; NULL with a mistake if the text is no YAML. */
static struct st_node *read_node(struct reader *r, yaml_event_t *ev)
{
	struct st_place at = place_at(r, &ev->start_mark);
	struct st_node *n = NULL, *done = NULL;

	switch (ev->type) {
	case YAML_SCALAR_EVENT:
		n = done = scalar(r, ev, &at);
		break;
	case YAML_SEQUENCE_START_EVENT:
		check_plain(r, &at, ev->data.sequence_start.anchor, ev->data.sequence_start.tag);
		n = st_tree_node(ST_NODE_LIST, &at);
		break;
	case YAML_MAPPING_START_EVENT:
		check_plain(r, &at, ev->data.mapping_start.anchor, ev->data.mapping_start.tag);
		n = st_tree_node(ST_NODE_MAP, &at);
		break;
	case YAML_ALIAS_EVENT:
		check_plain(r, &at, ev->data.alias.anchor, NULL);
		n = done = st_tree_scalar("", &at);
		break;
	default:
		break;
	}
	yaml_event_delete(ev);
	st_assert(n);
	if (done)
		return done;
	if (r->depth == DEPTH_MAX) {
		st_mistakes_add(r->m, &at, "nested more than %d deep", DEPTH_MAX);
	} else {
		r->depth++;
		done = n->kind == ST_NODE_LIST ? read_list(r, n) : read_map(r, n);
		r->depth--;
	}
	if (!done)
		st_tree_free(n);
	return done;
}

/* The one document. *empty tells that there was none. */
static struct st_node *read_document(struct reader *r, bool *empty)
{
	yaml_event_t ev;
	struct st_node *n = NULL;

	*empty = false;
	for (;;) {
		if (next(r, &ev)) {
			st_tree_free(n);
			return NULL;
		}
		switch (ev.type) {
		case YAML_STREAM_END_EVENT:
			yaml_event_delete(&ev);
			*empty = !n;
			return n;
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			yaml_event_delete(&ev);
			break;
		case YAML_DOCUMENT_START_EVENT: {
			struct st_place at = place_at(r, &ev.start_mark);

			yaml_event_delete(&ev);
			if (n) {
				st_mistakes_add(r->m, &at, "a second document begins here");
				return n;
			}
			break;
		}
		default:
			n = read_node(r, &ev);
			if (!n)
				return NULL;
		}
	}
}

static struct st_node *parse(const char *text, size_t length, const char *file, bool has_lines, bool *empty,
    struct st_mistakes *m)
{
	struct reader r = {.text = text, .file = intern(file), .has_lines = has_lines, .path = ST_TEXT_INIT, .m = m};

	st_assert(yaml_parser_initialize(&r.parser));
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, length);
	struct st_node *n = read_document(&r, empty);
	yaml_parser_delete(&r.parser);
	st_text_release(&r.path);
	return n;
}

struct st_node *st_tree_read(const char *file, struct st_mistakes *m)
{
	struct st_text t;
	struct st_place place = {intern(file), 0, 0};
	const char *why = NULL;

	if (st_whole_read(file, (size_t)FILE_MAX_MIB << 20, &t) < 0)
		why = errno == EFBIG ? "too large for a scenario" : strerror(errno);
	struct st_node *n = NULL;
	size_t mark = t.len >= 3 && memcmp(t.s, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
	bool empty;

	if (why) {
		st_mistakes_add(m, &place, "cannot read the scenario: %s", why);
	} else {
		n = parse(t.s + mark, t.len - mark, file, true, &empty, m);
		if (!n && empty)
			n = st_tree_node(ST_NODE_MAP, &place);
	}
	st_text_release(&t);
	return n;
}

struct st_node *st_tree_parse(const char *text, const char *what, struct st_mistakes *m)
{
	bool empty;
	struct st_node *n = parse(text, strlen(text), what, false, &empty, m);

	return n || !empty ? n : st_tree_scalar("", &(struct st_place){intern(what), 0, 0});
}
