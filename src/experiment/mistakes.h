#ifndef ST_EXPERIMENT_MISTAKES_H
#define ST_EXPERIMENT_MISTAKES_H
/*
 * mistakes.h - what is wrong in a scenario, collected so that all of it is told at once, in order of place.
 *
 * A sweep resolves the same tree once a point, so the same mistake is met many times: the same text at the same place
 * is one mistake.
 *
 * Owns     its texts. Cost: adding is linear in what is there; a scenario has few mistakes.
 */
#include "base/err.h"

struct st_mistake {
	struct st_place place;
	char *text;
	enum st_exit code;
	bool has_place; /* the text begins with its place */
};

struct st_mistakes {
	struct st_mistake *at;
	size_t n, cap;
};

#define ST_MISTAKES_INIT {NULL, 0, 0}

/* Add one of the user's mistakes. Always returns -1. */
int st_mistakes_add(struct st_mistakes *m, const struct st_place *place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Take over the messages of e, which is left empty. They were made with their place in `file` or, where that has no
 * line, with the file alone: `place` is then put in its stead.
 */
void st_mistakes_take(struct st_mistakes *m, const struct st_place *place, const char *file, struct st_err *e);

/* Take over the mistakes of another collection, which is left empty. 0 if there were none, else -1. */
int st_mistakes_move(struct st_mistakes *from, struct st_mistakes *to);

/*
 * Add all to e in order of place: the file as a whole, its lines, then the command line. 0 if there are none, else -1.
 * m is left empty and released.
 */
int st_mistakes_tell(struct st_mistakes *m, struct st_err *e);

#endif
