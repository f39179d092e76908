#ifndef ST_OUTPUT_AXIS_H
#define ST_OUTPUT_AXIS_H
/*
 * axis.h - what the axes of a sweep are called, in as few words as tell them apart.
 */
#include <stdbool.h>
#include <stddef.h>

/*
 * The i-th of n paths: "jitter" of "fleet.retry.backoff.jitter"; with its owner "fleet.jitter", if that is asked for, or
 * another axis has the same last part; its whole path if another is still called the same. To be freed.
 */
char *st_axis_name(const char *const *axis, size_t n, size_t i, bool with_owner);

#endif
