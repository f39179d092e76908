#ifndef ST_EXPERIMENT_SUBJECT_H
#define ST_EXPERIMENT_SUBJECT_H
/*
 * subject.h - who has figures of its own besides the whole run: each group of clients, and each of several services.
 *
 * "NAME.figure" means the same wherever figures are named, columns and rows of results included. So no group is called as a
 * service is.
 *
 * Owns     the list; names are borrowed from the tree or the grid.
 */
#include "experiment/grid.h"
#include "experiment/result.h"
#include "experiment/tree.h"

struct st_subjects {
	struct st_subject *at;
	size_t n, cap;
};

#define ST_SUBJECTS_INIT {NULL, 0, 0}

void st_subjects_release(struct st_subjects *s);

/* "group" or "service", of a scope; and back. */
const char *st_subject_kind(unsigned scope);
unsigned st_subject_scope(const char *kind);

/*
 * Add those that a scenario's tree names and that are not there yet: what its user can name. None is swept. false if some
 * could not be read: there is no tree (NULL), no `clients`, or one of the sections is no mapping.
 */
bool st_subjects_add_tree(struct st_subjects *s, const struct st_node *tree);

/*
 * Those that the points of a grid have, each once, the groups before the services, in order of coming: no group where there is one in
 * all, no service where no point has several, since these are the whole. 0, or -1 with a message: a name is both a group's and
 * a service's. *s is to be released either way.
 */
int st_subjects_of_grid(struct st_subjects *s, const struct st_grid *g, const struct st_scenario *of, struct st_err *e);

#endif
