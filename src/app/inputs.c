#include <config.h>

#include "app/inputs.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rows.h"
#include "base/whole.h"
#include "experiment/params.h"
#include "output/file.h"

static bool is_known(const struct st_inputs *in, const char *name)
{
	for (size_t i = 0; i < in->n; i++)
		if (strcmp(in->at[i].name, name) == 0)
			return true;
	return false;
}

/* Whose files are added. */
struct adding {
	struct st_inputs *in;
	const char *scenario;
};

static int add(void *to, char **name, struct st_err *e)
{
	const struct adding *a = to;
	struct st_inputs *in = a->in;

	if (is_known(in, *name))
		return 0;
	in->at = st_grow(in->at, &in->cap, in->n + 1, sizeof *in->at);
	struct st_input *f = &in->at[in->n++];

	*f = (struct st_input){st_strdup(*name), st_rows_path(*name, &(struct st_place){a->scenario, 0, 0}), ST_TEXT_INIT};
	return st_whole_read(f->path, SIZE_MAX, &f->held) == 0 ? 0 : st_whole_unread(f->path, e);
}

int st_inputs_add(struct st_inputs *in, const struct st_scenario *s, struct st_config *c, struct st_err *e)
{
	return st_params_files(c, add, &(struct adding){in, s->file}, e);
}

void st_inputs_release(struct st_inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		free(in->at[i].name);
		free(in->at[i].path);
		st_text_release(&in->at[i].held);
	}
	free(in->at);
	*in = (struct st_inputs)ST_INPUTS_INIT;
}

/* Fowler, Noll and Vo's 64-bit hash (1a). */
static uint64_t checksum(const struct st_text *t)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < t->len; i++)
		h = (h ^ (unsigned char)t->s[i]) * UINT64_C(0x100000001b3);
	return h;
}

void st_inputs_print(const struct st_inputs *in, struct st_text *out)
{
	for (size_t i = 0; i < in->n; i++)
		st_text_addf(out, "# file %s: %zu bytes, checksum %016" PRIx64 "\n", in->at[i].name, in->at[i].held.len,
		    checksum(&in->at[i].held));
}

static bool leads_out(const char *name)
{
	const char *up = strstr(name, "..");

	return name[0] == '/' || (up && (up == name || up[-1] == '/') && (up[2] == '/' || up[2] == '\0'));
}

static int keep(const struct st_input *f, const char *dir, bool force, struct st_err *e)
{
	char *path = st_format("%s/%s", dir, f->name), *folder = st_strndup(path, (size_t)(strrchr(path, '/') - path));
	struct st_text there;
	bool is_there = st_whole_read(path, SIZE_MAX, &there) == 0;
	bool same = is_there && there.len == f->held.len && memcmp(there.s, f->held.s, there.len) == 0;
	int rc = 0;

	if (is_there && !same && !force)
		rc = st_err_add(e, ST_EXIT_USER, NULL,
		    "'%s' is not what the scenario's '%s' holds: the folder's results are of another; --force gives them up, -o DIR "
		    "puts these elsewhere", path, f->path);
	else if (!same && (st_file_folders(folder, e) < 0 || st_file_write(path, f->held.s, f->held.len, e) < 0))
		rc = -1;
	st_text_release(&there);
	free(folder);
	free(path);
	return rc;
}

int st_inputs_keep(const struct st_inputs *in, const char *dir, bool force, struct st_err *e)
{
	int rc = 0;

	for (size_t i = 0; i < in->n && rc == 0; i++)
		if (!leads_out(in->at[i].name))
			rc = keep(&in->at[i], dir, force, e);
	return rc;
}
