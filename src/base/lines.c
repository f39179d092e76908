#include <config.h>

#include "base/lines.h"

#include <string.h>

#include "base/mem.h"

char *st_lines_differ(const char *there, const char *here)
{
	for (int line = 1;; line++) {
		int n = (int)strcspn(there, "\n"), m = (int)strcspn(here, "\n");

		if (n != m || strncmp(there, here, (size_t)n) != 0)
			return st_format("at line %d it has '%.*s', this one '%.*s'", line, n, there, m, here);
		if (!there[n] && !here[m])
			return NULL;
		there += n + (there[n] != '\0');
		here += m + (here[m] != '\0');
	}
}
