"""The folders of compiled code: graphla's own of the CPU, and that of CuPy, which keeps the kernels of the GPU."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from graphla.common.arguments import to_int
from graphla.engine.cpu.cache import get_store, is_sound
from graphla.engine.cpu.trim import list_files, trim


@dataclass(frozen=True)
class CacheFolder:
    """A folder of compiled code.

    Parameters
    ----------
    engine : str
        ``"cpu"`` or ``"cuda"``: whose code it is.
    path : Path
        The folder; it need not be there yet.
    patterns : tuple of str
        The names of its files.
    ours : bool
        Whether graphla alone writes there. CuPy's folder holds what other programs compile, too.

    Examples
    --------
    >>> from graphla import caching
    >>> [folder.engine for folder in caching.list_folders()]
    ['cpu', 'cuda']
    """

    engine: str
    path: Path
    patterns: tuple[str, ...]
    ours: bool

    def list_files(self) -> list[tuple[float, int, Path]]:
        """List the files, the one that was used least recently first.

        Returns
        -------
        list of (float, int, Path)
            The time of the last use, in seconds since 1970; the bytes on disk; the path.

        Examples
        --------
        >>> from graphla import caching
        >>> used = [used for used, _, _ in caching.list_folders()[0].list_files()]
        >>> used == sorted(used)
        True
        """
        return sorted(list_files(self.path, self.patterns)) if self.path.is_dir() else []

    @property
    def nbytes(self) -> int:
        """The bytes that the files take on disk."""
        return sum(size for _, size, _ in self.list_files())

    def find_damaged(self) -> list[Path]:
        """List files whose content is not what was written, or which others may have written.

        Returns
        -------
        list of Path
            Only of graphla's own folder: CuPy checks its files itself, when it loads them.

        Examples
        --------
        >>> from graphla import caching
        >>> caching.list_folders()[1].find_damaged()
        []
        """
        return [path for _, _, path in self.list_files() if self.ours and not is_sound(path)]

    def trim(self, limit: int) -> int:
        """Delete the files that were used least recently until at most so many bytes are left.

        Parameters
        ----------
        limit : int
            Bytes.

        Returns
        -------
        int
            How many files were deleted.

        Raises
        ------
        InvalidOption
            If `limit` is no whole number of zero or more.

        Examples
        --------
        >>> from graphla import caching
        >>> caching.list_folders()[0].trim(10**15)
        0
        """
        return trim(self.list_files(), to_int(limit, "limit", 0), rest=1.0, recent=0)

    def delete(self, paths: list[Path]) -> int:
        """Delete some files; what needs them compiles them again.

        Parameters
        ----------
        paths : list of Path
            The files, as of `find_damaged`. One that another process has deleted is none.

        Returns
        -------
        int
            How many were deleted.

        Examples
        --------
        >>> from graphla import caching
        >>> folder = caching.list_folders()[1]
        >>> folder.delete(folder.find_damaged())
        0
        """
        count = 0
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
                count += 1
        return count


def list_folders() -> list[CacheFolder]:
    """List the folders of compiled code.

    Returns
    -------
    list of CacheFolder
        That of the CPU (GRAPHLA_CACHE names another), and CuPy's (CUPY_CACHE_DIR names another).

    Examples
    --------
    >>> from graphla import caching
    >>> caching.list_folders()[0].path.name
    'cpu'
    """
    cupy = Path(os.environ.get("CUPY_CACHE_DIR") or Path.home() / ".cupy" / "kernel_cache")
    return [
        CacheFolder("cpu", get_store().folder, ("*.kernel",), True),
        CacheFolder("cuda", cupy, ("*.cubin",), False),
    ]
