from __future__ import annotations

from pathlib import Path, PurePath

from memd.capture.mounts import filesystem_of, is_silent, silent_filesystem

MOUNTINFO = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /home/ada/far rw,relatime shared:2 - nfs4 server:/export rw
31 22 0:41 / /mnt/c rw,relatime - 9p C:\\134 rw,dirsync
32 22 0:42 / /home/ada/two\\040words rw - fuse.sshfs ada@host: rw
33 22 0:43 / /srv rw - nfs4 server:/srv rw
34 33 8:2 / /srv rw - ext4 /dev/sdb1 rw
a line of another kind
"""


def test_the_innermost_mount_holds_the_path() -> None:
    assert filesystem_of(PurePath("/home/ada/near/x"), MOUNTINFO) == "ext4"
    assert filesystem_of(PurePath("/home/ada/far/x"), MOUNTINFO) == "nfs4"
    assert filesystem_of(PurePath("/home/ada/farther"), MOUNTINFO) == "ext4"
    assert filesystem_of(PurePath("/mnt/c/Users/ada"), MOUNTINFO) == "9p"


def test_escaped_blanks_in_a_mount_point_are_understood() -> None:
    assert filesystem_of(PurePath("/home/ada/two words/x"), MOUNTINFO) == "fuse.sshfs"


def test_a_mount_over_another_hides_it() -> None:
    assert filesystem_of(PurePath("/srv/x"), MOUNTINFO) == "ext4"


def test_a_path_without_a_mount_is_unknown() -> None:
    assert filesystem_of(PurePath("relative"), MOUNTINFO) is None


def test_network_and_fuse_file_systems_are_silent() -> None:
    assert all(is_silent(name) for name in ("nfs", "nfs4", "cifs", "9p", "fuse.sshfs", "virtiofs"))
    assert not any(is_silent(name) for name in ("ext4", "btrfs", "tmpfs", "overlay", "fuseblk", None))


def test_a_local_folder_is_watched_natively(tmp_path: Path) -> None:
    assert silent_filesystem(tmp_path) is None
