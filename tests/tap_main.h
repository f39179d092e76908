#ifndef ST_TESTS_TAP_MAIN_H
#define ST_TESTS_TAP_MAIN_H
/* tap_main.h - run one Check suite and print TAP, which Automake reads. */
#include <check.h>
#include <stdlib.h>

/*
 * A time limit finds what hangs, and must not find that the machine is busy: Check's own 4 s did. It is read as test cases are
 * made, so it is set before main().
 */
__attribute__((constructor)) static void be_patient(void)
{
	setenv("CK_DEFAULT_TIMEOUT", "300", 0);
}

static int tap_main(Suite *s)
{
	SRunner *sr = srunner_create(s);

	srunner_set_tap(sr, "-");
	srunner_run_all(sr, CK_SILENT);
	int bad = srunner_ntests_failed(sr);
	srunner_free(sr);
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
