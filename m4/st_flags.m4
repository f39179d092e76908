# ST_TRY_CFLAGS(VARIABLE, FLAGS)
# Append to VARIABLE each of FLAGS that the C compiler takes without a word.
AC_DEFUN([ST_TRY_CFLAGS], [
  m4_foreach_w([st_flag], [$2], [
    AS_VAR_PUSHDEF([st_ok], [st_cv_cflag_]m4_bpatsubst(st_flag, [[^A-Za-z0-9]], [_]))
    AC_CACHE_CHECK([whether $CC accepts ]st_flag, [st_ok],
      [st_save_CFLAGS=$CFLAGS
       CFLAGS="$CFLAGS -Werror st_flag"
       AC_COMPILE_IFELSE([AC_LANG_PROGRAM()], [AS_VAR_SET([st_ok], [yes])], [AS_VAR_SET([st_ok], [no])])
       CFLAGS=$st_save_CFLAGS])
    AS_VAR_IF([st_ok], [yes], [AS_VAR_APPEND([$1], [" st_flag"])])
    AS_VAR_POPDEF([st_ok])
  ])
  AC_SUBST([$1])
])
