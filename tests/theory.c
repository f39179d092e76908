#include <config.h>

#include "theory.h"

#include <math.h>

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

double theory_mg1_wait(double a, double cv)
{
	return a * (1.0 + cv * cv) / (2.0 * (1.0 - a));
}
