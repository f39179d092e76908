#include <config.h>

#include "experiment/ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "experiment/parcel.h"
#include "experiment/pool.h"
#include "experiment/trial.h"

enum { JOB, STOP, END, RESULT }; /* tags */
/*
 * MPI's waiting takes a whole processor, which a trial has a better use for: nothing here waits in it, but asks and naps. A large message
 * goes only as both ends ask: the naps are short after something came, and the longer the longer nothing does. Each takes a processor from a
 * trial for a moment, and with it some of what its cache holds.
 */
enum { AHEAD = 2, NAP_MIN_NS = 50000, NAP_IDLE_NS = 1000000, NAP_MAX_NS = 4000000 };

static void abort_if(bool failed, const char *what)
{
	if (!failed)
		return;
	fprintf(stderr, "stampede: cannot %s\n", what);
	MPI_Abort(MPI_COMM_WORLD, ST_EXIT_MACHINE);
}

int st_ranks_join(int *argc, char ***argv)
{
	int level, rank;

	abort_if(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS, "enter the MPI job");
	abort_if(level < MPI_THREAD_FUNNELED, "run threads beside MPI: this MPI was built without them");
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

/* The nap after one of `ns`. */
static long lengthen(long ns, bool was_busy)
{
	return was_busy ? NAP_MIN_NS : ns * 2 < NAP_MAX_NS ? ns * 2 : NAP_MAX_NS;
}

static unsigned size(void)
{
	int n;

	MPI_Comm_size(MPI_COMM_WORLD, &n);
	return (unsigned)n;
}

static void post(int rank, int tag, const void *bytes, size_t len)
{
	MPI_Send(bytes, (int)len, MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

/* A message on its way here; bytes NULL: none is. */
struct mail {
	unsigned char *bytes; /* with a zero behind */
	size_t len;
	int tag;
	MPI_Request request;
};

/* Begin to take in a message of the rank and the tag, if there is one. */
static void expect(int rank, int tag, struct mail *m)
{
	MPI_Status status;
	MPI_Message message;
	int there, n;

	MPI_Improbe(rank, tag, MPI_COMM_WORLD, &there, &message, &status);
	if (!there)
		return;
	MPI_Get_count(&status, MPI_BYTE, &n);
	*m = (struct mail){st_calloc((size_t)n + 1, 1), (size_t)n, status.MPI_TAG, MPI_REQUEST_NULL};
	MPI_Imrecv(m->bytes, n, MPI_BYTE, &message, &m->request);
}

/* Whether a message of the rank and the tag is here as a whole, to be taken out of *m. */
static bool is_here(int rank, int tag, struct mail *m)
{
	int here = 0;

	if (!m->bytes)
		expect(rank, tag, m);
	if (m->bytes)
		MPI_Test(&m->request, &here, MPI_STATUS_IGNORE);
	return here != 0;
}

/* --- rank 0 --- */

/* What a rank has been sent and not answered yet, the oldest first: it answers in order. */
struct other {
	const struct st_job *job[AHEAD];
	size_t n;
	size_t point; /* that it knows */
	bool knows, told_to_stop;
	struct mail coming;
};

struct head {
	struct st_pool pool;
	struct other *other; /* one a rank; that of rank 0 is not used */
	unsigned size;
	size_t out;          /* jobs that others have */
	bool own_over;       /* our own thread has ended */
};

/* The point goes along once. */
static void send_job(struct head *h, unsigned rank, const struct st_job *job)
{
	struct other *o = &h->other[rank];
	const struct st_grid *grid = h->pool.cfg->grid;
	struct st_text t = ST_TEXT_INIT;

	st_text_addn(&t, (const char *)&job->replication, sizeof job->replication);
	if (!o->knows || o->point != job->point) {
		st_text_addn(&t, grid->file, strlen(grid->file) + 1);
		st_scenario_print(&grid->point[job->point].config, NULL, &t);
	}
	post((int)rank, JOB, t.s, t.len);
	st_text_release(&t);
	o->knows = true;
	o->point = job->point;
	o->job[o->n++] = job;
	h->out++;
}

/* One in reserve, but not towards the end, when another rank may be free for it. */
static bool hand_out(struct head *h)
{
	size_t depth = st_pool_left(&h->pool) > (size_t)AHEAD * h->size ? AHEAD : 1;
	bool any = false;

	for (unsigned rank = 1; rank < h->size; rank++) {
		const struct st_job *job;

		while (h->other[rank].n < depth && (job = st_pool_take(&h->pool))) {
			send_job(h, rank, job);
			any = true;
		}
	}
	return any;
}

static void take_back(struct head *h, struct other *o)
{
	struct st_err e = ST_ERR_INIT;
	struct st_result r = {0};
	const struct st_job *job = o->job[0];
	int rc = st_parcel_unpack(o->coming.bytes, o->coming.len, &r, &e);

	free(o->coming.bytes);
	o->coming.bytes = NULL;
	memmove(o->job, o->job + 1, (AHEAD - 1) * sizeof *o->job);
	o->n--;
	h->out--;
	st_pool_give(&h->pool, job, rc, &r, &e);
}

static bool take_all_back(struct head *h)
{
	bool any = false;

	for (unsigned rank = 1; rank < h->size; rank++) {
		struct other *o = &h->other[rank];

		while (o->n > 0 && is_here((int)rank, RESULT, &o->coming)) {
			take_back(h, o);
			any = true;
		}
	}
	return any;
}

static void tell_to_stop(struct head *h)
{
	for (unsigned rank = 1; rank < h->size && st_pool_stops(&h->pool); rank++) {
		if (!h->other[rank].told_to_stop && h->other[rank].n > 0)
			post((int)rank, STOP, NULL, 0);
		h->other[rank].told_to_stop = true;
	}
}


static void *work(void *arg)
{
	struct head *h = arg;

	st_pool_work(&h->pool);
	__atomic_store_n(&h->own_over, true, __ATOMIC_RELEASE);
	return NULL;
}

static int run(const struct st_executor_cfg *cfg, struct st_err *e)
{
	struct head h = {.size = size()};
	pthread_t own;
	long ns = NAP_MIN_NS;

	h.other = st_calloc(h.size, sizeof *h.other);
	st_pool_init(&h.pool, cfg, e);
	abort_if(pthread_create(&own, NULL, work, &h) != 0, "start a thread");
	while (h.out > 0 || !__atomic_load_n(&h.own_over, __ATOMIC_ACQUIRE)) {
		bool was_handed_out = hand_out(&h);

		tell_to_stop(&h);
		bool was_busy = take_all_back(&h) || was_handed_out;
		ns = lengthen(ns, was_busy);
		if (!was_busy)
			nanosleep(&(struct timespec){0, ns}, NULL);
	}
	pthread_join(own, NULL);
	free(h.other);
	return st_pool_release(&h.pool);
}

void st_ranks_leave(void)
{
	for (unsigned rank = 1; rank < size(); rank++)
		post((int)rank, END, NULL, 0);
	MPI_Finalize();
}

static unsigned count(unsigned asked)
{
	(void)asked;
	return size();
}

const struct st_executor st_ranks = {.unit = "rank", .count = count, .run = run};

/* --- the others --- */

/* A job as it came; its text becomes the point's configuration. */
struct order {
	unsigned char *bytes;
	size_t len;
};

struct desk {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct order in[AHEAD];    /* the oldest first */
	struct st_pack out[AHEAD];
	size_t nin, nout;
	bool over;
	volatile int stop;
	/* Of the thread that works: */
	struct st_config point;
	int known;                 /* 0, or -1: there is no point; why_not says why */
	struct st_err why_not;
};

/* The file names what stands in messages, and the folder in which files are sought. */
static void read_point(struct desk *d, const char *file, const char *text)
{
	struct st_mistakes m = ST_MISTAKES_INIT;

	st_config_release(&d->point);
	st_err_release(&d->why_not);
	memset(&d->point, 0, sizeof d->point);
	d->why_not = (struct st_err)ST_ERR_INIT;
	struct st_node *tree = st_tree_parse(text, file, &m);

	d->known = st_mistakes_tell(&m, &d->why_not);
	if (d->known == 0)
		d->known = st_scenario_resolve(tree, &d->point, &d->why_not);
	st_tree_free(tree);
}

static struct st_pack work_off(struct desk *d, const struct order *o)
{
	const char *file = (const char *)o->bytes + sizeof(uint32_t);
	struct st_pack p;
	struct st_result r = {0};
	struct st_err e = ST_ERR_INIT;
	uint32_t replication;

	memcpy(&replication, o->bytes, sizeof replication);
	if (o->len > sizeof replication)
		read_point(d, file, file + strlen(file) + 1);
	int rc = d->known == 0 ? st_trial_run(&d->point, replication, &d->stop, &r, &e) : -1;
	if (rc == 0)
		st_result_pack(&r);
	st_parcel_pack(&p, rc, &r, d->known == 0 ? &e : &d->why_not);
	st_result_release(&r);
	st_err_release(&e);
	return p;
}

static void *labour(void *arg)
{
	struct desk *d = arg;

	pthread_mutex_lock(&d->lock);
	while (!d->over) {
		if (d->nin == 0 || d->nout == AHEAD) {
			pthread_cond_wait(&d->changed, &d->lock);
			continue;
		}
		struct order o = d->in[0];
		memmove(d->in, d->in + 1, (AHEAD - 1) * sizeof *d->in);
		d->nin--;
		pthread_mutex_unlock(&d->lock);
		struct st_pack p = work_off(d, &o);
		free(o.bytes);
		pthread_mutex_lock(&d->lock);
		d->out[d->nout++] = p;
		pthread_cond_broadcast(&d->changed);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

/* Take in what has come. A job after a stop is the first of another list. */
static bool take_in(struct desk *d, struct mail *m)
{
	if (!is_here(0, MPI_ANY_TAG, m))
		return false;
	pthread_mutex_lock(&d->lock);
	if (m->tag == JOB) {
		st_assert(d->nin < AHEAD);
		__atomic_store_n(&d->stop, 0, __ATOMIC_RELAXED);
		d->in[d->nin++] = (struct order){m->bytes, m->len};
		m->bytes = NULL;
	} else {
		__atomic_store_n(&d->stop, 1, __ATOMIC_RELAXED);
		d->over = m->tag == END;
	}
	pthread_cond_broadcast(&d->changed);
	pthread_mutex_unlock(&d->lock);
	free(m->bytes);
	m->bytes = NULL;
	return true;
}

/* A result on its way. */
struct letter {
	struct st_pack parcel;
	MPI_Request request;
};

/* Not to wait for rank 0, which may be busy: the next trial runs meanwhile. */
static bool answer(struct desk *d, struct letter *l)
{
	int gone;

	MPI_Test(&l->request, &gone, MPI_STATUS_IGNORE);
	if (!gone)
		return false;
	free(l->parcel.at);
	l->parcel.at = NULL;
	pthread_mutex_lock(&d->lock);
	bool any = d->nout > 0;
	if (any) {
		l->parcel = d->out[0];
		memmove(d->out, d->out + 1, (AHEAD - 1) * sizeof *d->out);
		d->nout--;
		pthread_cond_broadcast(&d->changed);
	}
	pthread_mutex_unlock(&d->lock);
	if (any)
		MPI_Isend(l->parcel.at, (int)l->parcel.len, MPI_BYTE, 0, RESULT, MPI_COMM_WORLD, &l->request);
	return any;
}

/* For a trial's end, or for what may come: of which only asking tells. Not for long where there is no trial to go on with. */
static void rest(struct desk *d, long ns, bool is_sending)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	pthread_mutex_lock(&d->lock);
	until.tv_nsec += d->nin == 0 && ns > NAP_IDLE_NS ? NAP_IDLE_NS : ns;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	if (is_sending || d->nout == 0)
		pthread_cond_timedwait(&d->changed, &d->lock, &until);
	pthread_mutex_unlock(&d->lock);
}

void st_ranks_serve(void)
{
	struct desk d = {.known = -1};
	struct letter l = {.request = MPI_REQUEST_NULL};
	struct mail m = {.bytes = NULL};
	pthread_condattr_t monotonic;
	pthread_t thread;
	long ns = NAP_MIN_NS;

	pthread_mutex_init(&d.lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&d.changed, &monotonic);
	abort_if(pthread_create(&thread, NULL, labour, &d) != 0, "start a thread");
	while (!d.over) {
		bool was_taken_in = take_in(&d, &m);

		bool was_busy = answer(&d, &l) || was_taken_in;
		ns = lengthen(ns, was_busy);
		if (!was_busy)
			rest(&d, ns, l.request != MPI_REQUEST_NULL);
	}
	pthread_join(thread, NULL);
	MPI_Wait(&l.request, MPI_STATUS_IGNORE);
	free(l.parcel.at);
	st_config_release(&d.point);
	st_err_release(&d.why_not);
	pthread_cond_destroy(&d.changed);
	pthread_condattr_destroy(&monotonic);
	pthread_mutex_destroy(&d.lock);
	MPI_Finalize();
}
