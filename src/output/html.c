#include <config.h>

#include "output/html.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/file.h"

/*
 * Few rules: a column of text that is not too wide, figures that line up, pictures on white paper, which the dark page turns dark (a
 * turn of the hues makes up for that of the light). What is wide scrolls in its own box; paper has no scroll bars, so code breaks there.
 */
static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c2024;--soft:#5b646d;--line:#d9dde1;--paper:#fff;--box:#f5f7f8;--good:#0b6e4f;--bad:#b3261e;"
    "--open:#8a5a00;--accent:#1f5f99}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e4e7ea;--soft:#9aa4ad;--line:#3a4148;--paper:#16191c;--box:#1f2428;--good:#5cc9a0;"
    "--bad:#ff8a80;--open:#f0b95a;--accent:#8ab8e6}figure img{filter:invert(.9) hue-rotate(180deg);border-color:#cbc6c1}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:62rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.85rem;line-height:1.2;margin:.2rem 0 .3rem;letter-spacing:-.01em}\n"
    "h2{font-size:1.25rem;margin:2.75rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--line)}\n"
    "h3{font-size:1rem;margin:1.75rem 0 .5rem}\n"
    "p,ul{margin:.6rem 0;max-width:46rem}\n"
    ".kind{color:var(--soft);margin:0}\n"
    ".lead{font-size:1.2rem;line-height:1.45;border-left:.25rem solid var(--accent);padding:.15rem 0 .15rem 1rem;margin:1.25rem 0}\n"
    ".note{color:var(--soft);font-size:.875rem}\n"
    ".verdict{margin:.35rem 0;padding-left:1.6rem;text-indent:-1.6rem}\n"
    ".verdict b{display:inline-block;width:1.6rem;text-indent:0}\n"
    ".good b{color:var(--good)}.bad b{color:var(--bad)}.open b{color:var(--open)}.aside{color:var(--soft)}\n"
    ".wide{overflow-x:auto;margin:1rem 0}\n"
    "table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.3rem .9rem .3rem 0;text-align:right;vertical-align:top}td{white-space:nowrap}\n"
    ".l{text-align:left}\n"
    ".words td{white-space:normal;min-width:7rem;overflow-wrap:normal}.words td:first-child{white-space:nowrap;"
    "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.91em}\n"
    "th{font-weight:600;vertical-align:bottom}thead th{color:var(--soft);padding-bottom:.35rem}thead tr:last-child th{border-bottom:1px solid var(--ink)}\n"
    "thead tr:not(:last-child) th{padding-bottom:0}\n"
    "tbody td{border-bottom:1px solid var(--line)}\n"
    "pre{overflow-x:auto;background:var(--box);border:1px solid var(--line);border-radius:.35rem;padding:.8rem 1rem;font-size:.82rem;"
    "line-height:1.5;margin:1rem 0}\n"
    "code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}\n"
    "figure{margin:1.5rem 0;break-inside:avoid}\n"
    "figure img{display:block;width:100%;min-width:44rem;height:auto;border:1px solid var(--line)}\n"
    "figcaption{color:var(--soft);font-size:.9rem;margin-top:.5rem;max-width:52rem}figcaption b{color:var(--ink)}\n"
    "@media (max-width:36rem){body{padding:1.25rem 1rem 3rem}h1{font-size:1.45rem}.lead{font-size:1.05rem}th,td{padding-right:.6rem}}\n"
    "@media print{@page{margin:16mm}:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--box:#fff;--good:#0b6e4f;--bad:#b3261e;"
    "--open:#8a5a00;--accent:#1f5f99}body{padding:0;max-width:none;font-size:10pt}h2,h3{break-after:avoid}tr,.verdict{break-inside:avoid}"
    ".wide,pre{overflow:visible}pre{white-space:pre-wrap}figure img{min-width:0;filter:none}table{font-size:8.5pt}th,td{padding-right:.6rem}}\n";

/* --- texts --- */

/* Bytes of the character that s begins with; 0 if it is none, or one that XML does not take. */
static size_t character(const char *s)
{
	/* Of the lead byte's range: how many follow, and the bounds of the first of these (RFC 3629). */
	static const struct { unsigned char from, to, follow, least, most; } forms[] = {{0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF},
	    {0xE1, 0xEC, 2, 0x80, 0xBF}, {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF}, {0xF0, 0xF0, 3, 0x90, 0xBF},
	    {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F}};
	const unsigned char *u = (const unsigned char *)s;

	if (u[0] < 0x80)
		return (u[0] >= ' ' && u[0] != 0x7F) || u[0] == '\n' || u[0] == '\t';
	if (u[0] == 0xEF && u[1] == 0xBF && u[2] >= 0xBE)
		return 0;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (u[0] < forms[i].from || u[0] > forms[i].to || u[1] < forms[i].least || u[1] > forms[i].most)
			continue;
		for (size_t k = 2; k <= forms[i].follow; k++)
			if ((u[k] & 0xC0) != 0x80)
				return 0;
		return 1 + (size_t)forms[i].follow;
	}
	return 0;
}

static void add_escaped(struct st_text *out, const char *s, size_t n)
{
	static const struct { char c; const char *entity; } marks[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

	for (const char *end = s + n; s < end;) {
		const char *entity = NULL;
		size_t bytes = character(s);

		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
			entity = *s == marks[i].c ? marks[i].entity : entity;
		if (bytes == 0)
			entity = "\xEF\xBF\xBD";
		if (entity)
			st_text_add(out, entity);
		else
			st_text_addn(out, s, bytes);
		s += bytes > 0 ? bytes : 1;
	}
}

void st_html_text(struct st_text *out, const char *s)
{
	add_escaped(out, s, strlen(s));
}

/* A sentence of ours: "+-0.3" as people write it. */
static void add_said(struct st_text *out, const char *s, size_t n)
{
	for (const char *end = s + n; s < end;) {
		const char *sign = strstr(s, "+-");

		if (!sign || sign >= end) {
			add_escaped(out, s, (size_t)(end - s));
			return;
		}
		add_escaped(out, s, (size_t)(sign - s));
		st_text_add(out, sign[2] == ' ' ? "\xC2\xB1" : "\xC2\xB1 ");
		s = sign + 2;
	}
}

/* An element with a class, "" for none, around a text. */
static void add_element(struct st_text *out, const char *tag, const char *class, const char *s, size_t n)
{
	st_text_addf(out, "<%s", tag);
	if (*class)
		st_text_addf(out, " class=\"%s\"", class);
	st_text_add(out, ">");
	add_said(out, s, n);
	st_text_addf(out, "</%s>\n", tag);
}

/* A paragraph for each part of s between blank lines. */
static void add_paragraphs(struct st_text *out, const char *class, const char *s)
{
	while (*s) {
		const char *end = strstr(s, "\n\n");
		size_t n = end ? (size_t)(end - s) : strlen(s);

		if (s[strspn(s, " \n")] != '\0')
			add_element(out, "p", class, s, n);
		s += n;
		s += strspn(s, "\n");
	}
}

void st_html_say(struct st_text *out, const char *s)
{
	add_paragraphs(out, "", s);
}

void st_html_lead(struct st_text *out, const char *s)
{
	add_paragraphs(out, "lead", s);
}

void st_html_note(struct st_text *out, const char *s)
{
	add_paragraphs(out, "note", s);
}

void st_html_list(struct st_text *out, const char *lines)
{
	st_text_add(out, "<ul>\n");
	for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
		n = strcspn(lines, "\n");
		add_element(out, "li", "", lines, n);
	}
	st_text_add(out, "</ul>\n");
}

void st_html_verdict(struct st_text *out, enum st_html_mark mark, const char *s)
{
	static const struct { const char *class, *sign; } marks[] = {{"good", "\xE2\x9C\x93"}, {"bad", "\xE2\x9C\x97"}, {"open", "?"}, {"aside", "\xE2\x80\x93"}};

	st_text_addf(out, "<p class=\"verdict %s\"><b>%s</b>", marks[mark].class, marks[mark].sign);
	add_said(out, s, strlen(s));
	st_text_add(out, "</p>\n");
}

void st_html_code(struct st_text *out, const char *s)
{
	st_text_add(out, "<pre><code>");
	st_html_text(out, s);
	st_text_add(out, "</code></pre>\n");
}

/* --- the page --- */

void st_html_begin(struct st_text *out, const char *title, const char *kind)
{
	st_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
			 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
	st_html_text(out, title);
	st_text_addf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n", style);
	add_element(out, "h1", "", title, strlen(title));
	add_element(out, "p", "kind", kind, strlen(kind));
	st_text_add(out, "</header>\n<main>\n");
}

void st_html_end(struct st_text *out)
{
	st_text_add(out, "</main>\n</body>\n</html>\n");
}

void st_html_section(struct st_text *out, const char *heading)
{
	add_element(out, "h2", "", heading, strlen(heading));
}

void st_html_heading(struct st_text *out, const char *heading)
{
	add_element(out, "h3", "", heading, strlen(heading));
}

/* --- tables --- */

/* A head may break where the words of a name meet. */
static void add_name(struct st_text *out, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "._");

		n += s[n] != '\0';
		add_escaped(out, s, n);
		s += n;
		st_text_add(out, *s ? "<wbr/>" : "");
	}
}

static void add_row(struct st_text *out, const struct st_cells *c, size_t row, bool is_head, size_t left)
{
	st_text_add(out, "<tr>");
	for (size_t k = 0; k < c->columns; k++) {
		const char *text = st_cells_at(c, row, k), *tag = is_head ? "th" : "td";

		if (st_cells_width(c, k) == 0)
			continue;
		st_text_addf(out, "<%s%s>", tag, k < left ? " class=\"l\"" : "");
		if (is_head)
			add_name(out, text);
		else
			add_said(out, text, strlen(text));
		st_text_addf(out, "</%s>", tag);
	}
	st_text_add(out, "</tr>\n");
}

void st_html_table(struct st_text *out, const struct st_cells *c, size_t heads, size_t left)
{
	st_text_addf(out, "<div class=\"wide\"><table%s>\n", left >= c->columns ? " class=\"words\"" : "");
	if (heads > 0)
		st_text_add(out, "<thead>\n");
	for (size_t r = 0; r < heads; r++)
		add_row(out, c, r, true, left);
	st_text_add(out, heads > 0 ? "</thead>\n<tbody>\n" : "<tbody>\n");
	for (size_t r = heads; r < c->rows; r++)
		add_row(out, c, r, false, left);
	st_text_add(out, "</tbody>\n</table></div>\n");
}

/* --- pictures --- */

static void add_base64(struct st_text *out, const struct st_text *data)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *u = (const unsigned char *)data->s;

	for (size_t i = 0; i < data->len; i += 3) {
		size_t n = data->len - i;
		uint32_t x = (uint32_t)u[i] << 16 | (n > 1 ? (uint32_t)u[i + 1] << 8 : 0) | (n > 2 ? u[i + 2] : 0);

		st_text_addn(out, (const char[]){digit[x >> 18], digit[x >> 12 & 63], n > 1 ? digit[x >> 6 & 63] : '=', n > 2 ? digit[x & 63] : '='}, 4);
	}
}

int st_html_picture(struct st_text *out, const char *dir, const char *name, unsigned number, const char *caption, struct st_err *e)
{
	char *file = st_format("%s.png", name);
	struct st_text png;
	int rc = st_file_read(dir, file, &png, e);

	if (rc == 0) {
		st_text_add(out, "<figure><div class=\"wide\"><img alt=\"");
		st_html_text(out, caption);
		st_text_add(out, "\" src=\"data:image/png;base64,");
		add_base64(out, &png);
		st_text_addf(out, "\"/></div>\n<figcaption><b>Figure %u.</b> ", number);
		add_said(out, caption, strlen(caption));
		st_text_add(out, "</figcaption></figure>\n");
	}
	st_text_release(&png);
	free(file);
	return rc;
}
