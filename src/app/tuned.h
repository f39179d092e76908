#ifndef ST_APP_TUNED_H
#define ST_APP_TUNED_H
/*
 * tuned.h - what a tune came to: as plain data for the files, and for people.
 */
#include "app/tune.h"
#include "output/front.h"

/* All points, with the finalists' ranks and the front, and what is said of the best. *f is to be released. */
void st_tuned_make(struct st_tune *t, struct st_front *f);

/* The best few, by the runs that they were chosen by and by fresh ones, and a sentence with the best as settings. */
void st_tuned_say(const struct st_tune *t, const struct st_front *f, struct st_text *out);

#endif
