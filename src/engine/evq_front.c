#include <config.h>

#include "engine/evq_parts.h"

#include <string.h>

/* The front: a sorted run into which late comers are inserted, and the mass behind it. */

/* The mass goes back into its bucket: as a whole, unless it grew out of a run and the bucket is in use. */
static void mass_back(struct st_evq *q)
{
	unsigned level = (63 - (unsigned)__builtin_clzll((q->mass_key ^ q->origin) | 1)) / 6;
	unsigned digit = q->mass_key >> 6 * level & 63;

	if (q->mass_key < q->low)
		q->low = q->mass_key;
	if (q->used[level] >> digit & 1) {
		st_evq_to_buckets(q, &q->mass, level);
	} else {
		q->used[level] |= (uint64_t)1 << digit;
		q->levels |= 1u << level;
		q->bucket[level][digit] = q->mass;
	}
	q->mass = (struct st_evq_fifo){0};
	q->mass_key = UINT64_MAX;
}

/*
 * The run is full: its upper half goes back into the buckets, cut between two keys so that ties stay
 * together. If the lower half is one key there is no such place: those ties become the mass. Either way at
 * most half stays in the run, so that spills are paid for by the puts between them.
 */
static void spill(struct st_evq *q)
{
	struct st_ev *run = q->run;
	uint32_t half = q->head + (q->tail - q->head) / 2, cut = half;

	while (cut > q->head && run[cut - 1].key == run[half].key)
		cut--;
	bool ties = cut == q->head;
	if (ties)
		for (cut = half; cut < q->tail && run[cut].key == run[half].key; cut++)
			;
	if (q->mass_key != UINT64_MAX)
		mass_back(q);
	q->limit = ties ? run[q->head].key + 1 : run[cut].key;
	for (uint32_t i = cut; i < q->tail; i++)
		st_evq_put_heap(q, run[i]);
	q->moved += q->tail - cut;
	q->tail = cut;
	st_evq_set_run_most(q);
	if (!ties)
		return;
	q->mass_key = run[q->head].key;
	q->moved += cut - q->head;
	for (uint32_t i = q->head; i < cut; i++) {
		if (q->mass.end == q->mass.end_stop)
			st_evq_extend(q, &q->mass);
		*q->mass.end++ = run[i];
	}
	q->head = q->tail = ST_EVQ_RUN_START;
	st_evq_set_run_most(q);
}

/* Move the run to where both sides have room. */
static void centre(struct st_evq *q)
{
	uint32_t n = q->tail - q->head, head = (ST_EVQ_RUN_SLOTS - n) / 2;

	memmove(q->run + head, q->run + q->head, n * sizeof *q->run);
	q->head = head;
	q->tail = head + n;
	q->moved += n;
}

/*
 * Store an event at one stroke. Stored in halves and moved soon after as a whole, it would have to wait until
 * the halves have left the store buffer, a good part of an insertion's time; hence the three scalars, too.
 */
static void store(struct st_ev *to, uint64_t key, uint32_t who, uint32_t data)
{
	typedef uint64_t both __attribute__((vector_size(sizeof(struct st_ev)), may_alias));
	const uint32_t pair[2] = {who, data};
	uint64_t rest;

	memcpy(&rest, pair, sizeof rest);
	*(both *)(void *)to = (both){key, rest};
}

/* The run is full: make room, and put the event where it now belongs. Apart: insertion is to be lean. */
static __attribute__((noinline)) void insert_full(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	spill(q);
	st_evq_put_heap(q, (struct st_ev){key, who, data});
}

static __attribute__((noinline)) void insert_mass(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	if (q->mass.end == q->mass.end_stop)
		st_evq_extend(q, &q->mass);
	store(q->mass.end++, key, who, data);
}

/* Insert into the run, which has a slot to spare on both sides, moving the shorter side. */
static inline void insert_run(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	struct st_ev *head = q->run + q->head, *tail = q->run + q->tail, *mid = head + (tail - head) / 2, *p;

	if (mid < tail && key < mid->key) {
		for (p = head; p->key <= key; p++)
			p[-1] = p[0];
		store(p - 1, key, who, data);
		q->moved += (uint64_t)(p - head);
		q->head--;
	} else {
		for (p = tail; p > mid && p[-1].key > key; p--)
			p[0] = p[-1];
		store(p, key, who, data);
		q->moved += (uint64_t)(tail - p);
		q->tail++;
	}
}

static __attribute__((noinline)) void insert_edge(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	centre(q);
	insert_run(q, key, who, data);
}

/* Put an event below the limit into the front, behind its equals. */
void st_evq_insert(struct st_evq *q, uint64_t key, uint32_t who, uint32_t data)
{
	if (key >= q->mass_key)
		insert_mass(q, key, who, data);
	else if (q->tail - q->head >= q->run_most)
		insert_full(q, key, who, data);
	else if (q->head == 0 || q->tail == ST_EVQ_RUN_SLOTS)
		insert_edge(q, key, who, data);
	else
		insert_run(q, key, who, data);
}
