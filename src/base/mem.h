#ifndef ST_BASE_MEM_H
#define ST_BASE_MEM_H
/*
 * mem.h - memory that is there or ends the program.
 *
 * Errors   no memory: a message and exit 3. Untested recovery would be worse; what a sweep has finished is safe in
 *          its store.
 * Owns     nothing; the caller frees with free().
 */
#include <stddef.h>

void *st_malloc(size_t size);
void *st_calloc(size_t n, size_t size);             /* n x size bytes, zeroed */
void *st_realloc(void *p, size_t n, size_t size);   /* n x size bytes */
char *st_strdup(const char *s);                     /* NULL stays NULL */
char *st_strndup(const char *s, size_t n);
/* What printf would print, as long as it is. */
char *st_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Memory that is visited at random: in huge pages where it is large and the system gives them, since a walk of the page
 * table for each visit costs more than the visit.
 */
void *st_malloc_huge(size_t size);

/*
 * Make room for at least `need` elements of `size` bytes in an array of capacity *cap, growing by half as much again;
 * returns the array, which may have moved. What lies beyond the old capacity is not initialised.
 */
void *st_grow(void *array, size_t *cap, size_t need, size_t size);

/* The same for an array that is visited at random. */
void *st_grow_huge(void *array, size_t *cap, size_t need, size_t size);

#endif
