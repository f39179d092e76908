#ifndef ST_TESTS_DRAW_H
#define ST_TESTS_DRAW_H
/*
 * draw.h - scenarios at random, small ones, from all parameters that there are.
 *
 * check_properties holds it to the table of parameters: each is drawn with at least two values where it applies, and each name of
 * a choice. What a parameter's values are is said in draw.c's menus.
 */
#include "build.h"

/* The scenario of this number; to be released by build_release(). */
void draw_scenario(struct st_config *c, uint32_t number);

#endif
