#include <config.h>

#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/err.h"

static void *or_die(void *p, size_t n, size_t size)
{
	if (p || n == 0 || size == 0)
		return p;
	fprintf(stderr, "stampede: out of memory: %zu x %zu bytes were asked for\n", n, size);
	exit(ST_EXIT_MACHINE);
}

void *st_malloc(size_t size)
{
	return or_die(malloc(size), 1, size);
}

void *st_calloc(size_t n, size_t size)
{
	return or_die(calloc(n, size), n, size);
}

void *st_realloc(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return or_die(NULL, n, size);
	if (bytes == 0) {
		free(p);
		return NULL;
	}
	return or_die(realloc(p, bytes), n, size);
}

char *st_strdup(const char *s)
{
	return s ? st_strndup(s, strlen(s)) : NULL;
}

char *st_strndup(const char *s, size_t n)
{
	char *copy = st_malloc(n + 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *st_format(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	int n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return or_die(n < 0 ? NULL : s, 1, 1);
}

enum { HUGE_PAGE = 2 << 20 };

void *st_malloc_huge(size_t size)
{
	if (size < 2 * (size_t)HUGE_PAGE)
		return st_malloc(size);
	size = (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
	void *p = or_die(aligned_alloc(HUGE_PAGE, size), 1, size);
#ifdef MADV_HUGEPAGE
	madvise(p, size, MADV_HUGEPAGE); /* only a wish */
#endif
	return p;
}

static size_t grown(size_t cap, size_t need)
{
	size_t more = cap + cap / 2;

	if (need < more)
		need = more;
	return need < 8 ? 8 : need;
}

void *st_grow(void *array, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return array;
	*cap = grown(*cap, need);
	return st_realloc(array, *cap, size);
}

void *st_grow_huge(void *array, size_t *cap, size_t need, size_t size)
{
	size_t old = *cap, bytes;

	if (need <= old)
		return array;
	*cap = grown(old, need);
	void *more = st_malloc_huge(__builtin_mul_overflow(*cap, size, &bytes) ? SIZE_MAX : bytes);
	if (old > 0)
		memcpy(more, array, old * size);
	free(array);
	return more;
}
