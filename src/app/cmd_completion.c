#include <config.h>

#include <stdio.h>
#include <string.h>

#include "app/cmd.h"
#include "app/option.h"

/*
 * Not for people: what completions/stampede asks. Without an operand the commands, one a line; with a command its
 * options, one a line, "--name=" if an argument follows.
 */
static int run(const struct st_opts *o)
{
	for (size_t i = 0; st_cmd_at(i); i++) {
		const struct st_cmd *cmd = st_cmd_at(i);

		if (o->noperands == 0 && cmd->help)
			printf("%s\n", cmd->name);
		if (o->noperands == 0 || strcmp(o->operand[0], cmd->name) != 0)
			continue;
		for (size_t k = 0; st_option_at(k); k++) {
			const struct st_option *row = st_option_at(k);

			if (st_option_taken(row, cmd))
				printf("--%s%s\n", row->name, row->arg ? "=" : "");
		}
	}
	return ST_EXIT_OK;
}

const struct st_cmd st_cmd_completion = {
    .name = "completion",
    .operands = "[COMMAND]",
    .max_operands = 1,
    .about = "Prints the words that the shell's completion offers.",
    .run = run,
};
