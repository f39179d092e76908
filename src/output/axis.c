#include <config.h>

#include "output/axis.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* What a path begins with; nothing of one that has no parts. */
static size_t owner_len(const char *path)
{
	return strchr(path, '.') ? strcspn(path, ".") : 0;
}

static bool is_alone(const char *const *axis, size_t n, size_t i, bool with_owner)
{
	size_t len = owner_len(axis[i]);

	for (size_t k = 0; k < n; k++) {
		bool is_of_another = with_owner && (owner_len(axis[k]) != len || strncmp(axis[k], axis[i], len) != 0);

		if (k != i && !is_of_another && strcmp(st_text_last_part(axis[k]), st_text_last_part(axis[i])) == 0)
			return false;
	}
	return true;
}

char *st_axis_name(const char *const *axis, size_t n, size_t i, bool with_owner)
{
	size_t len = owner_len(axis[i]);

	if (!with_owner && is_alone(axis, n, i, false))
		return st_strdup(st_text_last_part(axis[i]));
	if (len > 0 && is_alone(axis, n, i, true))
		return st_format("%.*s.%s", (int)len, axis[i], st_text_last_part(axis[i]));
	return st_strdup(axis[i]);
}
