#include <config.h>

#include "output/dump.h"

#include <stdlib.h>

/*
 * Jansson keeps the tree; it is written here, because Jansson gives every real the same number of digits: 0.1
 * would be 0.10000000000000001, or 17 digits would be cut off where they are needed.
 */
static void dump(json_t *j, int depth, struct st_text *out);

static void dump_string(const char *s, struct st_text *out)
{
	json_t *j = json_string(s);
	char *quoted = json_dumps(j, JSON_ENCODE_ANY);

	st_text_add(out, quoted);
	free(quoted);
	json_decref(j);
}

static void dump_object(json_t *j, int depth, struct st_text *out)
{
	const char *sep = "{\n", *key;
	json_t *value;

	if (json_object_size(j) == 0) {
		st_text_add(out, "{}");
		return;
	}
	json_object_foreach(j, key, value)
	{
		st_text_addf(out, "%s%*s", sep, 2 * (depth + 1), "");
		dump_string(key, out);
		st_text_add(out, ": ");
		dump(value, depth + 1, out);
		sep = ",\n";
	}
	st_text_addf(out, "\n%*s}", 2 * depth, "");
}

static void dump_array(json_t *j, int depth, struct st_text *out)
{
	size_t i;
	json_t *value;

	st_text_add(out, "[");
	json_array_foreach(j, i, value)
	{
		st_text_add(out, i > 0 ? ", " : "");
		dump(value, depth, out);
	}
	st_text_add(out, "]");
}

static void dump(json_t *j, int depth, struct st_text *out)
{
	switch (json_typeof(j)) {
	case JSON_OBJECT:
		dump_object(j, depth, out);
		break;
	case JSON_ARRAY:
		dump_array(j, depth, out);
		break;
	case JSON_STRING:
		dump_string(json_string_value(j), out);
		break;
	case JSON_INTEGER:
		/* Nothing that is counted is negative, and a seed may need all 64 bits. */
		st_text_addf(out, "%llu", (unsigned long long)json_integer_value(j));
		break;
	case JSON_REAL:
		st_text_add_double(out, json_real_value(j));
		break;
	default:
		st_text_add(out, json_is_null(j) ? "null" : json_is_true(j) ? "true" : "false");
		break;
	}
}

void st_dump_json(json_t *j, struct st_text *out)
{
	dump(j, 0, out);
	st_text_add(out, "\n");
}
