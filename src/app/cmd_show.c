#include <config.h>

#include <stdio.h>

#include "app/cmd.h"
#include "app/load.h"

static int run(const struct st_opts *o)
{
	struct st_scenario s;
	struct st_config c;
	struct st_err e = ST_ERR_INIT;
	struct st_text t = ST_TEXT_INIT;
	int code = st_load_scenario(o, o->operand[0], &s);

	if (code == ST_EXIT_OK) {
		st_scenario_resolve(s.tree, &c, &e); /* reading has checked that it can be */
		st_scenario_print(&c, &s, &t);
		fputs(t.s, stdout);
		st_config_release(&c);
	}
	st_text_release(&t);
	st_err_release(&e);
	st_scenario_release(&s);
	return code;
}

const struct st_cmd st_cmd_show = {
    .name = "show",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .help = "Print the scenario as resolved: every parameter with its value",
    .about = "The scenario that is printed reads back to the same one, so that\n"
             "'stampede show FILE >NEW.yaml' keeps what --set made of it.",
    .options =
        (const char *const[]){"set", "axis", "seed", "sample", "replications", "precision", "max-replications", NULL},
    .run = run,
};
