#include <config.h>

#include "theory.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_sf_hyperg.h>

/* By the recursion on c, which neither overflows nor cancels: B(c) = a B(c-1) / (c + a B(c-1)). */
double theory_erlang_b(unsigned c, double a)
{
	double b = 1.0;

	for (unsigned i = 1; i <= c; i++)
		b = a * b / (i + a * b);
	return b;
}

double theory_erlang_c(unsigned c, double a)
{
	double b = theory_erlang_b(c, a);

	return c * b / (c - a * (1.0 - b));
}

double theory_mmc_wait(unsigned c, double a)
{
	return theory_erlang_c(c, a) / (c - a);
}

/* P(wait > t) = C exp(-(c - a) t). */
double theory_mmc_wait_quantile(unsigned c, double a, double p)
{
	return fmax(0.0, log(theory_erlang_c(c, a) / (1.0 - p)) / (c - a));
}

/* The probability of n in the system, up to a common factor: each is a / min(n, c) times that of n - 1. */
static double weight_after(double w, unsigned n, unsigned c, double a)
{
	return w * a / (n < c ? n : c);
}

double theory_mmck_rejected(unsigned c, unsigned k, double a)
{
	double w = 1.0, sum = 1.0;

	for (unsigned n = 1; n <= k; n++) {
		w = weight_after(w, n, c, a);
		sum += w;
	}
	return w / sum;
}

/* Little's law: mean number waiting over the rate of those let in. */
double theory_mmck_wait(unsigned c, unsigned k, double a)
{
	double w = 1.0, sum = 1.0, waiting = 0.0;

	for (unsigned n = 1; n <= k; n++) {
		w = weight_after(w, n, c, a);
		sum += w;
		waiting += n > c ? w * (n - c) : 0.0;
	}
	return waiting / sum / (a * (1.0 - w / sum));
}

double theory_retrial1_orbit(double a, double v)
{
	return a * (a + a * v) / ((1.0 - a) * v);
}

/* The generating function of the orbit's size while no worker is busy is hypergeometric; this is its n-th derivative at 1, but for a factor. */
static double idle_derivative(unsigned n, double a, double v)
{
	double root = sqrt(4.0 * a + 1.0), p = (2.0 * a + 1.0 + root) / (2.0 * v), q = (2.0 * a + 1.0 - root) / (2.0 * v);
	double c = 1.0 + (2.0 + 3.0 * a) / (2.0 * v), factor = 1.0;

	for (unsigned i = 0; i < n; i++)
		factor *= (p + i) * (q + i) / (c + i) * a / 2.0;
	return factor * gsl_sf_hyperg_2F1(p + n, q + n, c + n, a / 2.0);
}

void theory_retrial2(double a, double v, double *blocked, double *orbit)
{
	double d[4];

	for (unsigned n = 0; n < 4; n++)
		d[n] = idle_derivative(n, a, v);
	/* P1 = a P0 + v z P0', and v (P0' + P1') = a P2: between the orbit's sizes n and n + 1 as many go up as down. */
	double one = a * d[0] + v * d[1], one_1 = (a + v) * d[1] + v * d[2], one_2 = (a + 2.0 * v) * d[2] + v * d[3];
	double two = v * (d[1] + one_1) / a, two_1 = v * (d[2] + one_2) / a;
	double all = d[0] + one + two;

	*blocked = two / all;
	*orbit = (d[1] + one_1 + two_1) / all;
}

double theory_mg1_wait(double a, double cv)
{
	return a * (1.0 + cv * cv) / (2.0 * (1.0 - a));
}

/*
 * The number in the system is a birth and death process; far states have no weight. Of one who finds n >= c there, the wait until a
 * worker is free is a sum of exponentials with the rates c + i t, i = 0 ... j, j = n - c the number ahead. Patience exp(t) outlasts it
 * with probability c / (c + (j + 1) t), and then each of the exponentials has t more of a rate.
 */
static void erlang_a(unsigned c, double a, double t, double *dropped, double *waiting, double *wait)
{
	double w = 1.0, sum = 1.0, queue = 0.0, gone = 0.0, waited = 0.0, mean = 0.0;

	for (unsigned n = 1; n < c; n++) {
		w *= a / n;
		sum += w;
	}
	for (unsigned j = 0; j < 100000; j++) {
		w *= a / (c + j * t);
		sum += w;
		queue += w * j;
		mean += 1.0 / (c + (j + 1) * t);
		gone += w * (j + 1) * t / (c + (j + 1) * t);
		waited += w * c / (c + (j + 1) * t) * mean;
	}
	*dropped = gone / sum;
	*waiting = queue / sum;
	*wait = waited / sum / (1.0 - *dropped);
}

double theory_erlang_a_dropped(unsigned c, double a, double t)
{
	double dropped, waiting, wait;

	erlang_a(c, a, t, &dropped, &waiting, &wait);
	return dropped;
}

double theory_erlang_a_waiting(unsigned c, double a, double t)
{
	double dropped, waiting, wait;

	erlang_a(c, a, t, &dropped, &waiting, &wait);
	return waiting;
}

double theory_erlang_a_wait(unsigned c, double a, double t)
{
	double dropped, waiting, wait;

	erlang_a(c, a, t, &dropped, &waiting, &wait);
	return wait;
}

double theory_mm1_wait_square(double a)
{
	return 2.0 * a / ((1.0 - a) * (1.0 - a));
}

double theory_mm1_lifo_wait_square(double a)
{
	return theory_mm1_wait_square(a) / (1.0 - a);
}

double theory_rejecting_served(double a, double r)
{
	return fmax(0.0, (1.0 - a * r) / (1.0 - r));
}

/*
 * The rate of a service is settled as it begins, so that this is no birth and death process: a state is the number n in the system and, for
 * each worker, how many there were when its service began, 0 if it has none.
 */
typedef double slowed_states[THEORY_ROOM + 1][THEORY_ROOM + 1][THEORY_ROOM + 1];

/* The state (n, i, j) once its worker with i is done: another begins if one waits. */
static double *slowed_after(slowed_states p, unsigned c, unsigned n, unsigned j)
{
	return n > c ? &p[n - 1][n - 1][j] : &p[n - 1][0][j];
}

/* A step of the chain that is looked at a + c times in a mean service time. Which of the workers is which does not matter. */
static void slowed_step(slowed_states from, slowed_states to, unsigned c, unsigned k, double a, const double *rate)
{
	memset(to, 0, sizeof(slowed_states));
	for (unsigned n = 0; n <= k; n++)
		for (unsigned i = 0; i <= k; i++)
			for (unsigned j = 0; j <= (c == 1 ? 0 : k); j++) {
				double p = from[n][i][j] / (a + c), left = from[n][i][j] - p * (rate[i] + rate[j]);

				if (p == 0.0) /* or no state at all */
					continue;
				if (n < k) {
					*(i == 0 ? &to[n + 1][n + 1][j] : c > 1 && j == 0 ? &to[n + 1][i][n + 1] : &to[n + 1][i][j]) += p * a;
					left -= p * a;
				}
				if (i > 0)
					*slowed_after(to, c, n, j) += p * rate[i];
				if (j > 0)
					*slowed_after(to, c, n, i) += p * rate[j];
				to[n][i][j] += left;
			}
}

struct theory_slowed theory_slowdown(unsigned c, unsigned k, double a, unsigned knee, double slope)
{
	static slowed_states even, odd;
	struct theory_slowed out = {0.0, 0.0, 0.0};
	double rate[THEORY_ROOM + 1] = {0.0};

	for (unsigned n = 1; n <= k; n++)
		rate[n] = 1.0 / (1.0 + slope * (n > knee ? n - knee : 0));
	memset(even, 0, sizeof even);
	even[0][0][0] = 1.0;
	for (unsigned step = 0; step < 4000; step++) { /* more change nothing, and what is known otherwise is met to 1e-12 */
		slowed_step(even, odd, c, k, a, rate);
		slowed_step(odd, even, c, k, a, rate);
	}
	for (unsigned n = 0; n <= k; n++)
		for (unsigned i = 0; i <= k; i++)
			for (unsigned j = 0; j <= k; j++) {
				out.rejected += n == k ? even[n][i][j] : 0.0;
				out.busy += (n < c ? n : c) * even[n][i][j];
				out.waiting += (n < c ? 0 : n - c) * even[n][i][j];
			}
	return out;
}

/* The probability of k at the service: each is (n - k + 1) a / min(k, c) times that of k - 1. */
void theory_repair(unsigned c, unsigned n, double a, double *busy, double *waiting)
{
	double w = 1.0, sum = 1.0;

	*busy = *waiting = 0.0;
	for (unsigned k = 1; k <= n; k++) {
		w = weight_after(w, k, c, a) * (n - k + 1);
		sum += w;
		*busy += w * (k < c ? k : c);
		*waiting += k > c ? w * (k - c) : 0.0;
	}
	*busy /= sum;
	*waiting /= sum;
}
