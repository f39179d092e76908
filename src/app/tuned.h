#ifndef ST_APP_TUNED_H
#define ST_APP_TUNED_H
/*
 * tuned.h - what a tune came to: as plain data for the files, and for people.
 */
#include "app/tune.h"
#include "output/front.h"

/* All points, with the finalists' ranks and the front. *f is to be released. */
void st_tuned_make(struct st_tune *t, const size_t *finalist, size_t n, struct st_front *f);

/* The best few, and a sentence with the best as settings. */
void st_tuned_say(const struct st_tune *t, const struct st_front *f, const size_t *finalist, size_t n, struct st_text *out);

#endif
