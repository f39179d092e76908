#include <config.h>

#include "measure/summary.h"

#include <math.h>

#include "measure/estimate.h"
#include "measure/recovery.h"

/*
 * One function a figure, then the table. The file is long because it is one list: to add a figure, nothing
 * else need be opened.
 */

static const double absent = (double)NAN;

/* --- what figures are made of --- */

static struct st_counts sum_up(const struct st_view *v, const struct st_counts *group)
{
	struct st_counts sum = {0};

	if (v->group != ST_ALL_GROUPS)
		return group[v->group];
	for (size_t g = 0; g < v->meter->ngroups; g++)
		st_counts_add(&sum, &group[g]);
	return sum;
}

/* Of the whole run, so that they balance. */
static struct st_counts run(const struct st_view *v)
{
	return sum_up(v, v->meter->counts);
}

/* Of events in the window. */
static struct st_counts window(const struct st_view *v)
{
	struct st_counts to = sum_up(v, v->meter->at_to.group), from = sum_up(v, v->meter->at_from.group);

	return st_counts_minus(&to, &from);
}

static double window_integral(const struct st_view *v, enum st_gauge_name g)
{
	return (double)(v->meter->at_to.integral[g] - v->meter->at_from.integral[g]);
}

/* NAN where there is nothing to take a share of. */
static double share(uint64_t part, uint64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : absent;
}

static double ratio(double part, double whole)
{
	return whole > 0.0 ? part / whole : absent;
}

static double in_seconds(st_time t)
{
	return t >= 0 ? st_time_to_s(t) : absent;
}

static const struct st_hist *latency(const struct st_view *v)
{
	return v->group == ST_ALL_GROUPS ? &v->meter->latency : &v->meter->group[v->group].latency;
}

static st_time bin_start(const struct st_series *s, size_t i)
{
	return (st_time)i * s->bin;
}

static st_time bin_end(const struct st_series *s, size_t i)
{
	return bin_start(s, i) + st_series_length(s, i);
}

/*
 * The highest offered rate of the bins that lie in [from, to). A last bin cut short counts as if it were
 * whole, so that one arrival in a last nanosecond is no peak; but a run shorter than a bin has no other.
 */
static double peak_per_s(const struct st_view *v, st_time from, st_time to)
{
	const struct st_series *s = &v->meter->series;
	double peak = absent;

	for (size_t i = 0; i < s->n; i++) {
		if (bin_start(s, i) < from || bin_end(s, i) > to)
			continue;
		double seconds = st_time_to_s(s->n > 1 ? s->bin : s->duration);
		double rate = (double)st_series_bin(s, v->group, i).offered / seconds;
		if (!(rate <= peak))
			peak = rate;
	}
	return peak;
}

/* --- the figures, in the table's order --- */

static double operations(const struct st_view *v)
{
	return (double)run(v).operations;
}

static double successes(const struct st_view *v)
{
	return (double)run(v).successes;
}

static double failures(const struct st_view *v)
{
	struct st_counts c = run(v);

	return (double)st_counts_failed(&c);
}

static double failed_for(const struct st_view *v, enum st_reason why)
{
	return (double)run(v).failures[why];
}

static double not_retryable(const struct st_view *v)
{
	return failed_for(v, ST_REASON_NOT_RETRYABLE);
}

static double out_of_attempts(const struct st_view *v)
{
	return failed_for(v, ST_REASON_ATTEMPTS);
}

static double past_deadline(const struct st_view *v)
{
	return failed_for(v, ST_REASON_DEADLINE);
}

static double out_of_budget(const struct st_view *v)
{
	return failed_for(v, ST_REASON_BUDGET);
}

static double stopped_by_breaker(const struct st_view *v)
{
	return failed_for(v, ST_REASON_BREAKER);
}

static double forbidden_by_hint(const struct st_view *v)
{
	return failed_for(v, ST_REASON_HINT);
}

static double open_at_end(const struct st_view *v)
{
	struct st_counts c = run(v);

	return (double)(c.operations - c.successes - st_counts_failed(&c));
}

static double attempts(const struct st_view *v)
{
	return (double)run(v).attempts;
}

static double retries(const struct st_view *v)
{
	return (double)run(v).retried;
}

static double amplification(const struct st_view *v)
{
	struct st_counts c = run(v);

	return share(c.attempts, c.operations);
}

static double capacity(const struct st_view *v)
{
	return v->capacity_per_s;
}

static double offered_peak(const struct st_view *v)
{
	return peak_per_s(v, v->meter->from, v->meter->to);
}

static double offered_peak_x(const struct st_view *v)
{
	return ratio(offered_peak(v), v->capacity_per_s);
}

static double after_fault_peak(const struct st_view *v)
{
	return v->fault_end >= 0 ? peak_per_s(v, v->fault_end, v->meter->duration) : absent;
}

static double after_fault_peak_x(const struct st_view *v)
{
	return ratio(after_fault_peak(v), v->capacity_per_s);
}

static double herd_index(const struct st_view *v)
{
	const struct st_series *s = &v->meter->series;
	unsigned __int128 squares = 0;
	__int128 sum = 0;
	size_t n = 0;

	for (size_t i = 0; v->fault_end >= 0 && i < s->n; i++) {
		uint64_t x = st_series_bin(s, v->group, i).offered;

		if (bin_start(s, i) < v->fault_end || st_series_length(s, i) < s->bin)
			continue;
		sum += x;
		squares += (unsigned __int128)x * x;
		n++;
	}
	struct st_estimate e = st_estimate_sums(n, sum, squares, 1.0);
	return ratio(e.sd * e.sd, e.mean);
}

static double goodput(const struct st_view *v)
{
	return ratio((double)window(v).answered[ST_ANSWER_OK], st_time_to_s(v->meter->to - v->meter->from));
}

static double recovery_time(const struct st_view *v)
{
	if (v->fault_end < 0)
		return absent;
	return st_recovery_time_s(&v->meter->series, v->group, v->fault_end, v->queue_limit);
}

static double overload_time(const struct st_view *v)
{
	const struct st_series *s = &v->meter->series;
	st_time sum = 0;

	if (isnan(v->capacity_per_s))
		return absent;
	for (size_t i = 0; i < s->n; i++) {
		double room = v->capacity_per_s * st_time_to_s(st_series_length(s, i));

		if (bin_start(s, i) >= v->meter->from && bin_end(s, i) <= v->meter->to &&
		    (double)s->row[i][ST_CELL_OFFERED] > room)
			sum += st_series_length(s, i);
	}
	return st_time_to_s(sum);
}

static double wasted_share(const struct st_view *v)
{
	struct st_counts c = window(v);

	return share(c.wasted, c.answered[ST_ANSWER_OK] + c.wasted);
}

static double reject_share(const struct st_view *v)
{
	struct st_counts c = window(v);

	return share(c.rejected, c.first + c.retries);
}

static double utilisation(const struct st_view *v)
{
	return ratio(window_integral(v, ST_GAUGE_BUSY), window_integral(v, ST_GAUGE_WORKERS));
}

static double wait_share(const struct st_view *v)
{
	struct st_counts c = window(v);

	return share(c.queued_first, c.started);
}

static double wait_mean(const struct st_view *v)
{
	return st_hist_mean_ns(&v->meter->wait) / 1e9;
}

static double wait_quantile(const struct st_view *v, double p)
{
	return in_seconds(st_hist_quantile(&v->meter->wait, p));
}

static double wait_p50(const struct st_view *v)
{
	return wait_quantile(v, 0.5);
}

static double wait_p90(const struct st_view *v)
{
	return wait_quantile(v, 0.9);
}

static double wait_p99(const struct st_view *v)
{
	return wait_quantile(v, 0.99);
}

static double wait_p999(const struct st_view *v)
{
	return wait_quantile(v, 0.999);
}

static double wait_max(const struct st_view *v)
{
	return wait_quantile(v, 1.0);
}

static double latency_mean(const struct st_view *v)
{
	return st_hist_mean_ns(latency(v)) / 1e9;
}

static double latency_quantile(const struct st_view *v, double p)
{
	return in_seconds(st_hist_quantile(latency(v), p));
}

static double latency_p50(const struct st_view *v)
{
	return latency_quantile(v, 0.5);
}

static double latency_p90(const struct st_view *v)
{
	return latency_quantile(v, 0.9);
}

static double latency_p99(const struct st_view *v)
{
	return latency_quantile(v, 0.99);
}

static double latency_p999(const struct st_view *v)
{
	return latency_quantile(v, 0.999);
}

static double latency_max(const struct st_view *v)
{
	return latency_quantile(v, 1.0);
}

static double queue_mean(const struct st_view *v)
{
	return ratio(window_integral(v, ST_GAUGE_QUEUE), (double)(v->meter->to - v->meter->from));
}

static double queue_max(const struct st_view *v)
{
	return (double)v->meter->queue_max;
}

/* -1: none. */
static st_time last_success_at(const struct st_view *v)
{
	st_time last = -1;

	for (size_t g = 0; g < v->meter->ngroups; g++)
		if ((v->group == ST_ALL_GROUPS || v->group == g) && v->meter->group[g].last_success > last)
			last = v->meter->group[g].last_success;
	return last;
}

static double last_success(const struct st_view *v)
{
	return in_seconds(last_success_at(v));
}

static double last_success_after_fault(const struct st_view *v)
{
	return v->fault_end >= 0 ? in_seconds(last_success_at(v) - v->fault_end) : absent;
}

static double lost(const struct st_view *v)
{
	return (double)run(v).lost;
}

static double crashes(const struct st_view *v)
{
	return (double)v->meter->crashes;
}

static double dropped(const struct st_view *v)
{
	return (double)run(v).dropped;
}

static double abandoned(const struct st_view *v)
{
	return (double)run(v).abandoned;
}

static double denied(const struct st_view *v)
{
	return (double)run(v).denied;
}

static double success_share(const struct st_view *v)
{
	struct st_counts c = window(v);

	return share(c.successes, c.successes + st_counts_failed(&c));
}

static double recovered(const struct st_view *v)
{
	double t = recovery_time(v);

	return isnan(t) ? absent : (double)!isinf(t);
}

/* What all retries on the way from the clients to the service make of an operation, together. */
static double offered_per_operation(const struct st_view *v)
{
	const struct st_view clients = {.meter = v->clients, .group = v->group};
	struct st_counts here = window(v), there = window(&clients);

	return share(here.first + here.retries, there.operations);
}

enum {
	RUN = ST_SCOPE_RUN,
	ALL = ST_SCOPE_RUN | ST_SCOPE_GROUP,
	COUNT = ST_SCOPE_COUNT,
	SHARE = ST_SCOPE_SHARE,
	NEVER = ST_SCOPE_NEVER,
	LESS = ST_SCOPE_LESS,
	MORE = ST_SCOPE_MORE,
};

static const struct st_figure table[] = {
    {"operations", "1", "operations begun in the run", operations, ALL | COUNT},
    {"successes", "1", "operations that succeeded", successes, ALL | COUNT | MORE},
    {"failures", "1", "operations given up", failures, ALL | COUNT | LESS},
    {"failures_by_reason.not_retryable", "1", "operations given up because of an answer that is not retried",
	not_retryable, ALL | COUNT | LESS},
    {"failures_by_reason.attempts", "1", "operations given up because no attempts were left", out_of_attempts,
	ALL | COUNT | LESS},
    {"failures_by_reason.deadline", "1",
	"operations given up because their deadline passed or would pass first", past_deadline, ALL | COUNT | LESS},
    {"failures_by_reason.budget", "1", "operations given up because the retry budget was empty",
	out_of_budget, ALL | COUNT | LESS},
    {"failures_by_reason.breaker", "1", "operations given up because the circuit breaker was open",
	stopped_by_breaker, ALL | COUNT | LESS},
    {"failures_by_reason.hint", "1",
	"operations given up because the server's hint forbade a retry or asked for too long a wait",
	forbidden_by_hint, ALL | COUNT | LESS},
    {"open_at_end", "1", "operations neither succeeded nor given up when the run ended", open_at_end,
	ALL | COUNT | LESS},
    {"attempts", "1", "requests sent in the run", attempts, ALL | COUNT | LESS},
    {"retries", "1", "requests sent that were not the first of their operation", retries, ALL | COUNT | LESS},
    {"amplification", "1", "attempts / operations, of the whole run", amplification, ALL | LESS},
    {"capacity_per_s", "1/s", "workers / mean service time", capacity, RUN},
    {"offered_peak_per_s", "1/s", "the highest rate of attempts arriving in a bin of the window",
	offered_peak, ALL | LESS},
    {"offered_peak_x_capacity", "1", "offered_peak_per_s as a multiple of the capacity", offered_peak_x, ALL | LESS},
    {"after_fault_peak_per_s", "1/s",
	"the highest rate of attempts arriving in a bin from the last fault's end to the end of the run",
	after_fault_peak, ALL | LESS},
    {"after_fault_peak_x_capacity", "1", "after_fault_peak_per_s as a multiple of the capacity", after_fault_peak_x, ALL | LESS},
    {"herd_index_after_fault", "1",
	"variance / mean of attempts arriving per bin from the last fault's end to the end of the run "
	"(Poisson: 1)",
	herd_index, ALL | LESS},
    {"goodput_per_s", "1/s", "successful answers whose client was still waiting, per second of the window",
	goodput, ALL | MORE},
    {"recovery_time_s", "s",
	"from the last fault's end until, for good, 95 % of the operations ending within a second "
	"(or 10 bins) succeed and the queue is not full; null: never",
	recovery_time, ALL | NEVER | LESS},
    {"overload_time_s", "s", "total length of the bins in the window with more attempts than the capacity",
	overload_time, RUN | LESS},
    {"wasted_share", "1", "successful answers nobody waited for / all successful answers, in the window",
	wasted_share, ALL | SHARE | LESS},
    {"reject_share", "1", "attempts answered with the overload status / attempts that arrived, in the window",
	reject_share, ALL | SHARE | LESS},
    {"utilisation", "1", "busy workers / workers in force, averaged over the window", utilisation, RUN | SHARE},
    {"wait_share", "1", "requests that had to queue / requests that started service, in the window",
	wait_share, RUN | SHARE | LESS},
    {"wait_s.mean", "s",
	"mean time from arrival to start of service, zeros included, of starts in the window", wait_mean,
	RUN | LESS},
    {"wait_s.p50", "s", "median of the waits for service", wait_p50, RUN | LESS},
    {"wait_s.p90", "s", "90th percentile of the waits for service", wait_p90, RUN | LESS},
    {"wait_s.p99", "s", "99th percentile of the waits for service", wait_p99, RUN | LESS},
    {"wait_s.p999", "s", "99.9th percentile of the waits for service", wait_p999, RUN | LESS},
    {"wait_s.max", "s", "maximum of the waits for service", wait_max, RUN | LESS},
    {"latency_s.mean", "s",
	"mean time from first send to answer of operations begun in the window that succeeded", latency_mean,
	ALL | LESS},
    {"latency_s.p50", "s", "median of successful operations' latency", latency_p50, ALL | LESS},
    {"latency_s.p90", "s", "90th percentile of successful operations' latency", latency_p90, ALL | LESS},
    {"latency_s.p99", "s", "99th percentile of successful operations' latency", latency_p99, ALL | LESS},
    {"latency_s.p999", "s", "99.9th percentile of successful operations' latency", latency_p999, ALL | LESS},
    {"latency_s.max", "s", "maximum of successful operations' latency", latency_max, ALL | LESS},
    {"queue_mean", "1", "requests waiting at the service, averaged over the window", queue_mean, RUN | LESS},
    {"queue_max", "1", "requests waiting at the service, maximum in the window", queue_max, RUN | COUNT | LESS},
    {"last_success_s", "s", "when the last success of the run came", last_success, ALL | LESS},
    {"last_success_after_fault_s", "s",
	"from the last fault's end until the last success of the run; absent if nothing succeeded after it",
	last_success_after_fault, ALL | LESS},
    {"denied", "1", "retries denied by the budget", denied, ALL | COUNT},
    {"success_share", "1", "operations that succeeded / operations that ended, in the window", success_share,
	ALL | SHARE | MORE},
    {"recovered", "1", "1 if the service came back to normal after the last fault, 0 if never", recovered,
	ALL | COUNT | MORE},
    {"lost", "1", "requests lost in the service as it crashed or restarted", lost, ALL | COUNT | LESS},
    {"crashes", "1", "how often the service fell over", crashes, RUN | COUNT | LESS},
    {"offered_per_operation", "1", "attempts that arrived at the service / operations that clients began, both in the window",
	offered_per_operation, ALL | LESS},
    {"dropped", "1", "requests dropped from the queue, by its discipline or its deadline", dropped, ALL | COUNT | LESS},
    {"abandoned", "1", "requests that the service discarded, since their client had given up", abandoned, ALL | COUNT},
};

enum { NFIGURES = sizeof table / sizeof *table };

const struct st_figure *st_figure_at(size_t i)
{
	return i < NFIGURES ? &table[i] : NULL;
}

size_t st_figure_count(void)
{
	return NFIGURES;
}
