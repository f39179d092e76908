#include <config.h>

#include "measure/meter.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* Which counter a column of counts shows: its offset in struct st_counts. `offered` and `failed` are sums. */
static const struct {
	enum st_cell cell;
	size_t counter;
} counted[] = {
    {ST_CELL_FIRST,     offsetof(struct st_counts, first)                 },
    {ST_CELL_RETRIES,   offsetof(struct st_counts, retries)               },
    {ST_CELL_ADMITTED,  offsetof(struct st_counts, admitted)              },
    {ST_CELL_OK,        offsetof(struct st_counts, answered[ST_ANSWER_OK])},
    {ST_CELL_WASTED,    offsetof(struct st_counts, wasted)                },
    {ST_CELL_REJECTED,  offsetof(struct st_counts, rejected)              },
    {ST_CELL_LIMITED,   offsetof(struct st_counts, limited)               },
    {ST_CELL_REFUSED,   offsetof(struct st_counts, refused)               },
    {ST_CELL_TIMED_OUT, offsetof(struct st_counts, timed_out)             },
    {ST_CELL_SWALLOWED, offsetof(struct st_counts, swallowed)             },
    {ST_CELL_ERRORS,    offsetof(struct st_counts, errors)                },
    {ST_CELL_DENIED,    offsetof(struct st_counts, denied)                },
    {ST_CELL_DROPPED,   offsetof(struct st_counts, dropped)               },
    {ST_CELL_ABANDONED, offsetof(struct st_counts, abandoned)             },
};

/* Which gauge a column of means shows. */
static const struct {
	enum st_cell cell;
	enum st_gauge_name gauge;
} averaged[] = {
    {ST_CELL_QUEUE_MEAN,    ST_GAUGE_QUEUE        },
    {ST_CELL_BUSY_MEAN,     ST_GAUGE_BUSY         },
    {ST_CELL_WORKERS,       ST_GAUGE_WORKERS      },
    {ST_CELL_WAITING,       ST_GAUGE_WAITING      },
    {ST_CELL_BREAKERS_OPEN, ST_GAUGE_BREAKERS_OPEN},
};

static int64_t counter_of(const struct st_counts *c, size_t offset)
{
	uint64_t n;

	memcpy(&n, (const char *)c + offset, sizeof n);
	return (int64_t)n;
}

static int64_t millionths(__int128 integral, st_time length)
{
	return (int64_t)((integral * ST_SERIES_MILLION + length / 2) / length);
}

static void snapshot_init(struct st_snapshot *s, size_t ngroups)
{
	memset(s, 0, sizeof *s);
	s->group = st_calloc(ngroups, sizeof *s->group);
}

static void snapshot_take(struct st_snapshot *s, struct st_meter *m, st_time now)
{
	s->at = now;
	if (m->ngroups > 0)
		memcpy(s->group, m->counts, m->ngroups * sizeof *s->group);
	for (int g = 0; g < ST_GAUGE_N; g++)
		s->integral[g] = st_gauge_read(&m->gauge[g], now);
}

void st_meter_init(struct st_meter *m, const struct st_meter_cfg *cfg)
{
	st_assert(cfg->duration > 0 && cfg->bin > 0);
	st_assert(0 <= cfg->from && cfg->from <= cfg->to && cfg->to <= cfg->duration);
	memset(m, 0, sizeof *m);
	m->from = cfg->from;
	m->to = cfg->to;
	m->duration = cfg->duration;
	m->ngroups = cfg->ngroups;
	m->counts = st_calloc(m->ngroups, sizeof *m->counts);
	m->group = st_calloc(m->ngroups, sizeof *m->group);
	for (size_t g = 0; g < m->ngroups; g++) {
		st_hist_init(&m->group[g].latency);
		m->group[g].last_success = -1;
	}
	st_hist_init(&m->wait);
	st_hist_init(&m->latency);
	st_hist_init(&m->bin_latency);
	st_series_init(&m->series, cfg->bin, cfg->duration, cfg->ngroups);
	snapshot_init(&m->at_from, m->ngroups);
	snapshot_init(&m->at_to, m->ngroups);
	snapshot_init(&m->at_bin, m->ngroups);
	m->next_bin_edge = st_series_length(&m->series, 0);
	m->next_edge = 0; /* an edge like any other: the window may begin there */
}

void st_meter_release(struct st_meter *m)
{
	st_series_release(&m->series);
	free(m->at_from.group);
	free(m->at_to.group);
	free(m->at_bin.group);
	free(m->group);
	free(m->counts);
	memset(m, 0, sizeof *m);
}

/* Add the group's part of the present bin to its row. */
static void close_group(struct st_meter *m, size_t g, int64_t row[ST_CELL_N])
{
	struct st_counts d = st_counts_minus(&m->counts[g], &m->at_bin.group[g]);
	uint64_t offered = d.first + d.retries, failed = st_counts_failed(&d);

	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		row[counted[i].cell] += counter_of(&d, counted[i].counter);
	row[ST_CELL_OFFERED] += (int64_t)offered;
	row[ST_CELL_FAILED] += (int64_t)failed;
	m->series.group[g][m->bin_index] = (struct st_group_bin){offered, d.successes, failed};
}

static void close_bin(struct st_meter *m, st_time now)
{
	int64_t *row = m->series.row[m->bin_index];
	st_time length = now - m->at_bin.at;

	for (size_t g = 0; g < m->ngroups; g++)
		close_group(m, g, row);
	for (size_t i = 0; i < sizeof averaged / sizeof *averaged; i++) {
		enum st_gauge_name g = averaged[i].gauge;

		row[averaged[i].cell] =
		    millionths(st_gauge_read(&m->gauge[g], now) - m->at_bin.integral[g], length);
	}
	row[ST_CELL_QUEUE_MAX] = m->bin_queue_max;
	row[ST_CELL_LATENCY_P50] = st_hist_quantile(&m->bin_latency, 0.5);
	row[ST_CELL_LATENCY_P99] = st_hist_quantile(&m->bin_latency, 0.99);
	m->bin_queue_max = 0;
	st_hist_clear(&m->bin_latency);
	snapshot_take(&m->at_bin, m, now);
	m->bin_index++;
	m->next_bin_edge =
	    m->bin_index < m->series.n ? now + st_series_length(&m->series, m->bin_index) : ST_NEVER;
}

/* The queue's maximum since the last edge goes to the bin and, if that stretch lies in it, to the window. */
static void note_queue_max(struct st_meter *m)
{
	struct st_gauge *q = &m->gauge[ST_GAUGE_QUEUE];

	if (q->max > m->bin_queue_max)
		m->bin_queue_max = q->max;
	if (m->last_edge >= m->from && m->last_edge < m->to && q->max > m->queue_max)
		m->queue_max = q->max;
	st_gauge_rebase(q);
}

static st_time edge_after(const struct st_meter *m, st_time now)
{
	st_time next = m->next_bin_edge;

	if (m->from > now && m->from < next)
		next = m->from;
	if (m->to > now && m->to < next)
		next = m->to;
	return next;
}

void st_meter_pass(struct st_meter *m, st_time now)
{
	while (m->next_edge <= now && m->next_edge != ST_NEVER) {
		st_time edge = m->next_edge;

		note_queue_max(m);
		if (edge == m->from)
			snapshot_take(&m->at_from, m, edge);
		if (edge == m->to)
			snapshot_take(&m->at_to, m, edge);
		if (edge == m->next_bin_edge)
			close_bin(m, edge);
		m->last_edge = edge;
		m->next_edge = edge_after(m, edge);
	}
}

static void count_attempts(struct st_meter_group *group, uint32_t attempts)
{
	group->ended_with[attempts < ST_METER_ATTEMPTS_MAX ? attempts : ST_METER_ATTEMPTS_MAX]++;
}

void st_meter_success(struct st_meter *m, size_t g, st_time begun, st_time now, uint32_t attempts)
{
	struct st_meter_group *group = &m->group[g];

	m->counts[g].successes++;
	group->last_success = now;
	count_attempts(group, attempts);
	st_hist_add(&m->bin_latency, now - begun);
	if (begun >= m->from && begun < m->to)
		st_hist_add(&group->latency, now - begun);
}

void st_meter_failure(struct st_meter *m, size_t g, enum st_reason why, uint32_t attempts)
{
	m->counts[g].failures[why]++;
	count_attempts(&m->group[g], attempts);
}

void st_meter_finish(struct st_meter *m)
{
	st_meter_pass(m, m->duration);
	for (size_t g = 0; g < m->ngroups; g++)
		st_hist_merge(&m->latency, &m->group[g].latency);
}

bool st_meter_littles_law(const struct st_meter *m)
{
	return st_gauge_read(&m->gauge[ST_GAUGE_QUEUE], m->duration) + st_gauge_read(&m->gauge[ST_GAUGE_BUSY], m->duration) ==
	    m->residence;
}
