"""A git repository's work tree, read with the command `git`."""

import os
import stat
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from linkwatch_client.errors import ClientError

# Run no program that the repository configures, and do not quote file names.
_OPTIONS = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
_TIMEOUT = 120.0  # seconds
_BATCH_SIZE = 100  # files in memory at a time
_ATTRIBUTES = ("linguist-vendored",)
_NO_TREE = ("not a git repository", "must be run in a work tree")  # of git's messages


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit, and when it was committed."""

    id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class GitTree:
    """A work tree; paths are relative to `root`, as git writes them."""

    root: Path

    @classmethod
    def containing(cls, path: Path) -> "GitTree | None":
        """Return the work tree that contains a path; None without one or without git.

        Raises ClientError if git can't read the repository, for example because another user owns
        it.
        """
        folder = path if path.is_dir() else path.parent
        try:
            output = _git(folder, "rev-parse", "--show-toplevel")
        except OSError:
            return None
        except ClientError as error:
            if any(message in str(error) for message in _NO_TREE):
                return None
            raise
        return cls(Path(os.fsdecode(output.rstrip(b"\n"))))

    def files(self, paths: Sequence[str]) -> list[str]:
        """Return the regular files below these paths that git tracks or does not ignore, sorted."""
        command = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--")
        names = _split(_git(self.root, *command, *paths))
        return sorted(name for name in dict.fromkeys(names) if is_plain_file(self.root / name))

    def vendored_files(self, files: Sequence[str]) -> set[str]:
        """Return the files that .gitattributes marks as vendored."""
        if not files:
            return set()
        names = b"\0".join(os.fsencode(file) for file in files) + b"\0"
        fields = _split(_git(self.root, "check-attr", "-z", "--stdin", *_ATTRIBUTES, stdin=names))
        values = zip(fields[::3], fields[2::3], strict=True)
        return {name for name, value in values if value in ("set", "true")}

    def merge_base(self, ref: str) -> str | None:
        """Return the commit at which HEAD branched off from `ref`, or None if git can't tell.

        Raises ClientError for a `ref` that begins with a hyphen.
        """
        if ref.startswith("-"):
            raise ClientError(f"{ref!r} is not a commit.")
        try:
            return _git(self.root, "merge-base", ref, "HEAD").decode().strip()
        except ClientError:
            return None

    def changed_files(self, commit: str) -> set[str]:
        """Return the files that differ from a commit, including untracked and deleted ones."""
        changed = _git(
            self.root, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", commit
        )
        untracked = _git(self.root, "ls-files", "-z", "--others", "--exclude-standard")
        return {*_split(changed), *_split(untracked)}

    def head(self) -> Commit | None:
        """Return the checked-out commit, or None before the first commit."""
        try:
            # Not `log`, which may also show signatures.
            output = _git(self.root, "rev-list", "--max-count=1", "--timestamp", "HEAD")
        except ClientError:
            return None
        seconds, id_ = output.decode().split()
        return Commit(id_, datetime.fromtimestamp(int(seconds), tz=timezone.utc))

    def is_complete(self) -> bool:
        """Whether all files and commits are present: not shallow, not sparse, no file missing."""
        shallow = _git(self.root, "rev-parse", "--is-shallow-repository").strip()
        return (
            shallow == b"false"
            and self._query("config", "--bool", "core.sparseCheckout") != "true"
            and not _git(self.root, "ls-files", "--deleted", "-z")
        )

    def is_on_default_branch(self) -> bool | None:
        """Whether the branch is the remote's default branch; None if git can't tell."""
        branch = self._query("symbolic-ref", "--quiet", "--short", "HEAD")
        default = self._query("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
        return f"origin/{branch}" == default if branch and default else None

    def _query(self, *arguments: str) -> str:
        try:
            return os.fsdecode(_git(self.root, *arguments)).strip()
        except ClientError:
            return ""

    def contents(self, commit: str, files: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Yield each of these files that exists in the commit, with its content there.

        Names with a newline are skipped, because git reads a list of lines.
        """
        listed = [file for file in files if "\n" not in file]
        for start in range(0, len(listed), _BATCH_SIZE):
            chunk = listed[start : start + _BATCH_SIZE]
            names = b"".join(os.fsencode(f"{commit}:{file}\n") for file in chunk)
            yield from _read_batch(chunk, _git(self.root, "cat-file", "--batch", stdin=names))


def is_plain_file(path: Path) -> bool:
    """Whether a path is a regular file: not a pipe, and not a symlink, which may leave the tree.

    Also true if the path can't be examined, so that reading the file reports why.
    """
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def _read_batch(files: Sequence[str], output: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files in git's output, which has for each file `OID TYPE SIZE`, the content and a
    newline, or `NAME missing`."""
    at = 0
    for file in files:
        end = output.index(b"\n", at)
        header = output[at:end].split(b" ")
        at = end + 1
        if len(header) == 3 and header[2].isdigit():
            size = int(header[2])
            if header[1] == b"blob":
                yield file, output[at : at + size]
            at += size + 1


def _git(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """Return git's output; raises ClientError with git's own message if it fails."""
    try:
        process = subprocess.run(  # noqa: S603 - fixed commands; names come after `--` or from git
            ["git", *_OPTIONS, *arguments],  # noqa: S607
            cwd=folder,
            env=_environment(),
            input=stdin,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ClientError(f"git {arguments[0]} took more than {_TIMEOUT:.0f} s.") from error
    if process.returncode:
        message = process.stderr.decode(errors="replace").strip()
        raise ClientError(f"git {arguments[0]} failed: {message[:300]}")
    return process.stdout


def _environment() -> dict[str, str]:
    """Return the environment, with English messages and without the GIT_DIR of a hook.

    With GIT_DIR alone, git would take the current folder for the top of the work tree.
    """
    environment = os.environ | {"LC_ALL": "C"}
    if "GIT_WORK_TREE" not in environment:
        environment.pop("GIT_DIR", None)
    return environment


def _split(output: bytes) -> list[str]:
    return [os.fsdecode(part) for part in output.split(b"\0") if part]
