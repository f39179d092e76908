#ifndef ST_APP_SHARDS_H
#define ST_APP_SHARDS_H
/*
 * shards.h - where the parts of a sweep are that are to be merged.
 */
#include "app/opts.h"
#include "base/text.h"
#include "experiment/executor.h"

struct st_shards {
	struct st_shards_part {
		char *folder;          /* has sweep.db and scenario.yaml */
		struct st_shard shard; /* as the folder's name has it; `of` 0: another name */
	} *at;
	size_t n, cap;
};

#define ST_SHARDS_INIT {NULL, 0, 0}

/*
 * The parts that operands name: a folder's own store and those of its shards, by number; a store's file is its folder. One
 * that lies in `except`, where the whole is to be, is left out. 0, or -1 with a message: an operand without any. Released by
 * st_shards_release() either way.
 */
int st_shards_find(const struct st_opts *o, const char *except, struct st_shards *out, struct st_err *e);
void st_shards_release(struct st_shards *s);

/*
 * Add which shards the jobs are of: "shard 2/16 (8), 7/16 (7)"; nothing if the parts are no shards, or of different divisions.
 * whole_points: each point is of one shard.
 */
void st_shards_say(const struct st_shards *s, size_t npoints, bool whole_points, const struct st_job *job, size_t njobs, struct st_text *out);

#endif
