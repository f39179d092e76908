#ifndef ST_BASE_PARAM_H
#define ST_BASE_PARAM_H
/*
 * param.h - a parameter is a row, and everything else is made from the row.
 *
 * A module declares its plain config struct and an array of rows for it; reading scenarios, --set, sweep axes, checks,
 * `stampede params`, the canonical scenario and the manual's table all come from the rows. A row's type is itself a
 * row {name, what it expects, read, print, release}: a module whose values are of a kind of their own (retry
 * conditions, a jitter with its argument) brings a type with it.
 *
 * Owns     what a field's type allocates belongs to the config; st_param_release() frees it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/time.h"

#define ST_UNLIMITED UINT64_MAX /* a count without bound */

/* What the user wrote for one parameter: a scalar (n == 1, !is_list) or a sequence of scalars. */
struct st_value {
	const char *const *text;
	const struct st_place *place; /* n places, one an item; or one if n == 0 */
	size_t n;
	bool is_list;
};

struct st_param;

/*
 * A type's functions tell mistakes by st_param_expects() or st_err_add(); the parameter's name is put in front for
 * them (e->about).
 */
struct st_param_type {
	const char *name;    /* for the manual: "duration" */
	const char *expects; /* for messages: "a duration such as 200ms" */
	size_t size;         /* of the field, bytes; 0: none is written, as of a preset's name */
	/*
	 * Read v into the field. The field holds the type's empty value (all bits zero) or an earlier value of
	 * its own, which is released first. 0, or -1 with one message or more added and the field unchanged.
	 */
	int (*read)(const struct st_param *, const struct st_value *v, void *field, struct st_err *e);
	/* Add the text of the value, as a scenario would write it (a list in flow style: "[5xx, 429]"). */
	void (*print)(const struct st_param *, const void *field, struct st_text *out);
	void (*release)(void *field); /* NULL: nothing to free */
	/* Where the field keeps the name, as written, of the file that its value was read from: owned, NULL if there is none. NULL: no
	   value of the type has one. */
	char **(*file)(void *field);
};

/* A table of names with help, as strategy tables offer it: the i-th, or NULL past the last. */
struct st_choice {
	const char *name, *help;
};
typedef const struct st_choice *(*st_choice_at)(size_t i);

struct st_param {
	const char *name; /* path within its section: "base", "queue.limit" */
	const struct st_param_type *type;
	size_t offset;          /* of the field in the config struct */
	const char *dflt;       /* the default, as a scenario would write it ("[5xx, 429]"); NULL: must be given */
	const char *help;       /* one line, no full stop */
	const char *word;       /* "off", "unlimited", "never": stands for the type's special value; or NULL */
	double min, max;        /* inclusive, in the type's base unit (durations: s; a distribution: its mean); both
	                           0: the type's own bounds; max below min: no upper bound; a word has none */
	const char *kinds;      /* applies only where the sibling `kind` (or the key named by kinds_of) is one of these
	                           words (blank separated); NULL: always */
	const char *kinds_of;   /* NULL: "kind" */
	st_choice_at choices;   /* ST_PARAM_CHOICE and types that name rows of a table */
	bool unsaid;            /* the canonical scenario leaves it out while it has its default */
	bool tells;             /* a name that is none of the choices' is answered with what each of them means */
};

/* The types everybody needs. Field types in brackets. */
extern const struct st_param_type st_param_time;   /* st_time; word: ST_NEVER */
extern const struct st_param_type st_param_rate;   /* double, per second, of "10/s" "600/m" "5/h"; word: INFINITY */
extern const struct st_param_type st_param_share;  /* double in [0, 1], of "70%" or "0.7" */
extern const struct st_param_type st_param_number; /* double; word: INFINITY */
extern const struct st_param_type st_param_count;  /* uint64_t, of "100", "1k", "2M"; word: ST_UNLIMITED */
extern const struct st_param_type st_param_choice; /* unsigned, index into choices */
extern const struct st_param_type st_param_dist;   /* struct st_dist; word: st_dist_constant(ST_NEVER) */
extern const struct st_param_type st_param_text;   /* char *, owned; NULL while empty; word: NULL */
extern const struct st_param_type st_param_times;  /* struct st_times: a list of durations, or one */

struct st_times {
	st_time *at; /* in the order written */
	size_t n;
};

/*
 * Read v into cfg + offset, with the row's bounds and word. 0, or -1 with messages "PLACE: NAME: expects ..." or
 * "PLACE: NAME: must be at least ...", and the field unchanged. A copy of the row may name the whole path.
 */
int st_param_read(const struct st_param *p, const struct st_value *v, void *cfg, struct st_err *e);

/*
 * The same from one text in the notation of dflt and of st_param_print() (base/flow.h). Every item is at `place`.
 */
int st_param_read_text(const struct st_param *p, const char *text, const struct st_place *place, void *cfg,
    struct st_err *e);

/* Set the default (dflt is not NULL). A default that cannot be read is a bug of ours. */
void st_param_default(const struct st_param *p, void *cfg);

/* What st_param_read_text() and YAML read back to the same value; quoted where YAML wants it. */
void st_param_print(const struct st_param *p, const void *cfg, struct st_text *out);

/* Whether the row applies where its sibling kind has this name (NULL: there is none). */
bool st_param_applies(const struct st_param *p, const char *kind);

void st_param_release(const struct st_param *p, void *cfg);

/*
 * The quantity that a text is to any type of one, in the base unit, which is *unit: "s", "1/s", "%" (in percent) or "", a static text.
 * False if it is none.
 */
bool st_param_quantity(const char *s, double *x, const char **unit);

/* For types. */

/*
 * Add "expects WHAT, or 'WORD'; got 'ITEM' (WHY)" at item i of v; i >= v->n speaks of the list itself, or of nothing.
 * why may be NULL. Returns -1.
 */
int st_param_expects(const struct st_param *p, const struct st_value *v, size_t i, const char *why, struct st_err *e);

/* The same of a type that takes n words of its own, too: one that is near goes before why. */
int st_param_expects_word(const struct st_param *p, const struct st_value *v, size_t i, const char *const *words, size_t n,
    const char *why, struct st_err *e);

/*
 * The double nearest to N / 100, of the text of N: 12.3% and 0.123 are the same number to the last bit, which 12.3 / 100 is not, and
 * st_param_share prints it as it was written.
 */
double st_param_percent(const char *digits, size_t n);

/* The one scalar of v, or NULL with a message. */
const char *st_param_scalar(const struct st_param *p, const struct st_value *v, struct st_err *e);

/* Where item i stands, or the list itself. */
const struct st_place *st_param_place(const struct st_value *v, size_t i);

/* Whether s is the row's word. */
bool st_param_is_word(const struct st_param *p, const char *s);

/* Adds a number in a type's base unit, as the type writes it. */
typedef void (*st_param_write)(double x, struct st_text *out);

/* 0, or -1 with "must be between MIN and MAX; got 'ITEM'" if x, read from item i, is outside the row's bounds. */
int st_param_in_bounds(const struct st_param *p, const struct st_value *v, size_t i, double x, st_param_write write,
    struct st_err *e);

/* Index of name in a table of choices, or -1; *near (may be NULL) is then the nearest name or NULL. */
int st_choice_find(st_choice_at choices, const char *name, const char **near);

#endif
