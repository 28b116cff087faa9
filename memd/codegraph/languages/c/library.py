"""The headers of the C library and of POSIX, whose names a project's own files often have, too."""

from __future__ import annotations

from typing import Final

HEADERS: Final = frozenset(
    "aio alloca arpa assert complex cpio ctype dirent dlfcn elf endian err errno error execinfo fcntl fenv float"
    " fmtmsg fnmatch fstab ftw getopt glob grp iconv ifaddrs inttypes io iso646 langinfo libgen libintl limits"
    " link locale malloc math memory mntent monetary mqueue ndbm netdb nl_types paths poll process pthread pty pwd"
    " regex resolv sched search semaphore setjmp sgtty shadow signal spawn stab stdalign stdarg stdatomic stdbool"
    " stdckdint stddef stdint stdio stdlib stdnoreturn string strings stropts sysexits syslog tar term termio"
    " termios tgmath threads time trace uchar ucontext ulimit unistd utime utmp utmpx values wait wchar wctype"
    " windows winsock winsock2 wordexp".split()
)
"""Without their `.h`."""
