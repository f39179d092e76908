#include <config.h>

#include "output/raster.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/mem.h"
#include "output/gnuplot.h"
#include "output/shape.h"

const char *st_raster_step_name(size_t step)
{
	static const char *const names[ST_RASTER_STEPS] = {"sent", "succeeded", "failed", "waits", "given_up"};

	return names[step];
}

/* "0 50 " of a key of each block. */
static void assign_numbers(struct st_text *vars, const char *variable, const json_t *blocks, const char *key)
{
	struct st_text t = ST_TEXT_INIT;

	for (size_t i = 0; i < json_array_size(blocks); i++)
		st_text_addf(&t, "%.0f ", json_number_value(json_object_get(json_array_get(blocks, i), key)));
	st_gnuplot_text(vars, variable, t.s);
	st_text_release(&t);
}

static void assign(struct st_text *vars, const char *dir, const json_t *j, const json_t *blocks)
{
	char *file = st_format("%s/trace.csv", dir);
	struct st_text faults = ST_TEXT_INIT;

	st_gnuplot_path(vars, "trace", file);
	st_gnuplot_text(vars, "title", st_shape_text(j, "title"));
	st_gnuplot_array(vars, "group", json_array_size(blocks));
	for (size_t i = 0; i < json_array_size(blocks); i++)
		st_gnuplot_element(vars, "group", i, st_shape_text(json_array_get(blocks, i), "clients"));
	assign_numbers(vars, "from", blocks, "from");
	assign_numbers(vars, "many", blocks, "lines");
	st_shape_add_faults(&faults, j);
	st_gnuplot_text(vars, "faults", faults.s);
	st_gnuplot_number(vars, "end", json_number_value(json_object_get(j, "duration_s")));
	st_text_release(&faults);
	free(file);
}

int st_raster_draw(const char *dir, struct st_err *e)
{
	json_t *j = st_shape_load(dir, "trace.json", e);
	const json_t *blocks = json_object_get(j, "blocks");
	struct st_text vars = ST_TEXT_INIT;
	int status = -1;

	if (j && json_array_size(blocks) == 0) {
		st_err_add(e, ST_EXIT_USER, NULL, "'%s/trace.json' names no clients", dir);
	} else if (j) {
		assign(&vars, dir, j, blocks);
		status = st_gnuplot_draw(dir, "raster", "raster", &vars, e);
	}
	st_text_release(&vars);
	json_decref(j);
	return status;
}
