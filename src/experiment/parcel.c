#include <config.h>

#include "experiment/parcel.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void put_block(struct st_pack *p, const void *from, size_t n, size_t size)
{
	st_pack_bytes(p, &n, sizeof n);
	st_pack_bytes(p, from, n * size);
}

struct reader {
	const unsigned char *at, *end;
};

static void get(struct reader *r, void *to, size_t n)
{
	st_assert((size_t)(r->end - r->at) >= n);
	if (n > 0)
		memcpy(to, r->at, n);
	r->at += n;
}

/* A copy, to be freed; *n of size. */
static void *get_block(struct reader *r, size_t *n, size_t size)
{
	get(r, n, sizeof *n);
	st_assert((size_t)(r->end - r->at) / size >= *n);
	void *to = st_calloc(*n + 1, size); /* one more: a text ends */
	get(r, to, *n * size);
	return to;
}

/* The table of figures is the same at both ends. */
static double *get_figures(struct reader *r)
{
	size_t n;
	double *figure = get_block(r, &n, sizeof *figure);

	st_assert(n == st_figure_count());
	return figure;
}

/* What has no pointers. */
struct plain {
	uint64_t events, fingerprint, seed, peak_rss_bytes;
	double capacity_per_s, wall_s, cpu_s, events_per_s;
	st_time bin, duration;
	uint32_t replication;
};

static void pack_result(struct st_pack *p, const struct st_result *r)
{
	struct plain plain;

	memset(&plain, 0, sizeof plain);
	plain.events = r->events;
	plain.fingerprint = r->fingerprint;
	plain.seed = r->seed;
	plain.peak_rss_bytes = r->peak_rss_bytes;
	plain.capacity_per_s = r->capacity_per_s;
	plain.wall_s = r->wall_s;
	plain.cpu_s = r->cpu_s;
	plain.events_per_s = r->events_per_s;
	plain.bin = r->series.bin;
	plain.duration = r->series.duration;
	plain.replication = r->replication;
	st_pack_bytes(p, &plain, sizeof plain);
	put_block(p, r->figure, st_figure_count(), sizeof *r->figure);
	st_pack_bytes(p, &r->nsubjects, sizeof r->nsubjects);
	for (size_t i = 0; i < r->nsubjects; i++) {
		put_block(p, r->subject[i].name, strlen(r->subject[i].name), 1);
		st_pack_bytes(p, &r->subject[i].scope, sizeof r->subject[i].scope);
		put_block(p, r->subject[i].figure, st_figure_count(), sizeof *r->figure);
	}
	put_block(p, r->ended_with, r->nended, sizeof *r->ended_with);
	put_block(p, r->fault, r->nfaults, sizeof *r->fault);
	put_block(p, r->packed, r->npacked, 1);
}

static void unpack_result(struct reader *from, struct st_result *r)
{
	struct plain plain;
	size_t n;

	get(from, &plain, sizeof plain);
	*r = (struct st_result){
	    .events = plain.events,
	    .fingerprint = plain.fingerprint,
	    .seed = plain.seed,
	    .peak_rss_bytes = plain.peak_rss_bytes,
	    .capacity_per_s = plain.capacity_per_s,
	    .wall_s = plain.wall_s,
	    .cpu_s = plain.cpu_s,
	    .events_per_s = plain.events_per_s,
	    .replication = plain.replication,
	    .series = {.bin = plain.bin, .duration = plain.duration},
	};
	r->figure = get_figures(from);
	get(from, &r->nsubjects, sizeof r->nsubjects);
	st_assert(r->nsubjects <= (size_t)(from->end - from->at));
	r->subject = st_calloc(r->nsubjects, sizeof *r->subject);
	for (size_t i = 0; i < r->nsubjects; i++) {
		r->subject[i].name = get_block(from, &n, 1);
		get(from, &r->subject[i].scope, sizeof r->subject[i].scope);
		r->subject[i].figure = get_figures(from);
	}
	r->ended_with = get_block(from, &r->nended, sizeof *r->ended_with);
	r->fault = get_block(from, &r->nfaults, sizeof *r->fault);
	r->packed = get_block(from, &r->npacked, 1);
}

void st_parcel_pack(struct st_pack *p, int rc, const struct st_result *r, const struct st_err *e)
{
	*p = (struct st_pack){NULL, 0, 0};
	st_pack_bytes(p, &rc, sizeof rc);
	if (rc == 0) {
		pack_result(p, r);
		return;
	}
	st_pack_bytes(p, &e->code, sizeof e->code);
	st_pack_bytes(p, &e->n, sizeof e->n);
	for (size_t i = 0; i < e->n; i++)
		put_block(p, e->message[i], strlen(e->message[i]), 1);
}

int st_parcel_unpack(const unsigned char *bytes, size_t len, struct st_result *r, struct st_err *e)
{
	struct reader from = {bytes, bytes + len};
	enum st_exit code;
	size_t n = 0, length;
	int rc;

	get(&from, &rc, sizeof rc);
	if (rc == 0) {
		unpack_result(&from, r);
	} else {
		get(&from, &code, sizeof code);
		get(&from, &n, sizeof n);
	}
	for (; n > 0; n--) {
		char *message = get_block(&from, &length, 1);

		st_err_add(e, code, NULL, "%s", message);
		free(message);
	}
	st_assert(from.at == from.end);
	return rc;
}
