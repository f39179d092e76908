#ifndef ST_OUTPUT_TIMETABLE_H
#define ST_OUTPUT_TIMETABLE_H
/*
 * timetable.h - when a policy retries: a table for people, and what follows from it in plain words. As CSV and JSON it is in csv.h
 * and json.h.
 *
 * Units    nanoseconds, as double; INFINITY: without a bound, or off.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "measure/delay.h"

/* N clients, or calls of a service, that fail at one instant, against a service that has other work to do. */
struct st_onslaught {
	double clients; /* 0: nobody asked */
	bool are_calls;
	double capacity_per_s;
	double background_per_s;
	bool leaves_out_traces;  /* recorded traffic, which is no part of background_per_s */
};

/* One policy, after failures of one class. */
struct st_timetable {
	const char *name;      /* the group, the service that calls another, or the preset */
	const char *callee;    /* the service that it calls; NULL: the only one */
	const char *failures;  /* which: "[429]"; NULL: all */
	char *policy;          /* in words; owned */
	uint64_t attempts;     /* with the first; ST_UNLIMITED */
	struct st_delay *delay; /* owned */
	size_t n;              /* retries that are known: all that there are, unless these are too many */
	size_t shown;          /* of these */
	double timeout;        /* of an attempt, its mean; 0: nothing is known of it */
	double deadline;       /* of the operation, from its start */
	struct st_onslaught onslaught;
	const char *last;      /* the service at the end of all calls, where the one that is called calls others; else NULL */
	char *product;         /* the attempts of all on the way there: "3 x 3 x 3"; owned */
	double requests;       /* the same as a number: what comes there of one operation at most; INFINITY */
};

/* An option that was given, and its value. */
struct st_timetable_option {
	const char *name, *value;
};

void st_timetable_release(struct st_timetable *t);

/* Add whose it is: "fleet", "api, calling db", "fleet, after 429". */
void st_timetable_add_name(const struct st_timetable *t, struct st_text *out);

/* How long the first wave must at least be spread: clients / (capacity - background), in ns; INFINITY if no window is wide enough. */
double st_timetable_window(const struct st_onslaught *o);

/* Add what people read of it: delays, the first wave, whether the service takes it. */
void st_timetable_print(const struct st_timetable *t, struct st_text *out);

#endif
