"""Settings: for the whole process, or for a ``with`` block of one thread or task."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, get_args

from graphla.common.arguments import show, to_choice
from graphla.common.contexts import OpenHere
from graphla.common.environment import read_choice
from graphla.common.errors import GraphlaError
from graphla.common.typing import EngineName

ENGINES: tuple[EngineName, ...] = get_args(EngineName)
SETTINGS = ("engine", "memory_limit", "autocompute")
process: dict[str, Any] = {"engine": None, "memory_limit": None, "autocompute": True}
blocks: OpenHere[dict[str, Any]] = OpenHere("config")


class Settings(TypedDict, total=False):
    """The settings, for a type checker."""

    engine: EngineName | None
    memory_limit: int | None
    autocompute: bool


class Config:
    """The settings of graphla; assign to an attribute, or use `set`, which ends with its ``with`` block.

    An assignment holds for the process. After `set` it holds as the settings of `set` do: for the thread or asyncio
    task that called it, until its ``with`` block ends, or to the end of the thread without one. Other threads do not
    see it, and a thread that is started there begins with the settings of the process; `contextvars.copy_context`
    hands them on.

    Attributes
    ----------
    engine : {"cpu", "cuda", "mpi"} or None
        Where new graphs, matrices and vectors live. None: GRAPHLA_ENGINE, else the GPU if there is one.
    memory_limit : int or None
        Bytes that one operation may use beyond its operands. None: what the device has free.
    autocompute : bool
        Whether an expression that is read, or is an operand, before ``.new()`` is computed then (the default), or
        refused: False shows where a program computes what nobody wrote down, maybe twice.

    Examples
    --------
    >>> import graphla as gl
    >>> with gl.config.set(engine="cpu"):
    ...     gl.Vector("INT32", 3).engine.name
    'cpu'
    """

    def __setattr__(self, name: str, value: Any) -> None:
        require_setting(name, value)
        (blocks.get_innermost() or process)[name] = value

    if TYPE_CHECKING:  # attributes, for `__setattr__` assigns to them
        engine: EngineName | None
        memory_limit: int | None
        autocompute: bool

    else:

        @property
        def engine(self) -> EngineName | None:
            return (blocks.get_innermost() or process if blocks.anywhere else process)["engine"]

        @property
        def memory_limit(self) -> int | None:
            return (blocks.get_innermost() or process if blocks.anywhere else process)["memory_limit"]

        @property
        def autocompute(self) -> bool:
            return (blocks.get_innermost() or process if blocks.anywhere else process)["autocompute"]

    def __repr__(self) -> str:
        return f"Config({', '.join(f'{name}={getattr(self, name)!r}' for name in SETTINGS)})"

    def set(self, **settings: Unpack[Settings]) -> Changed:
        """Change settings at once, in this thread or task; a ``with`` block of the call ends the change.

        Parameters
        ----------
        **settings
            `engine`, `memory_limit` and `autocompute`, as the attributes of those names.

        Returns
        -------
        context manager
            Its ``with`` block has these settings; the end of it, and of a block around it, brings back those before.

        Raises
        ------
        GraphlaError
            If there is no such setting, or it cannot have this value.

        Examples
        --------
        >>> import graphla as gl
        >>> with gl.config.set(memory_limit=10**9):
        ...     gl.config.memory_limit
        1000000000
        """
        for name, value in settings.items():
            require_setting(name, value)
        return Changed({**{name: getattr(self, name) for name in SETTINGS}, **settings})


class Changed:
    """Settings that hold here from now on, until the ``with`` block of this ends.

    Parameters
    ----------
    settings : dict
        All settings.

    Examples
    --------
    >>> import graphla as gl
    >>> with gl.config.set(autocompute=False) as settings:
    ...     settings.autocompute
    False
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        blocks.push(settings)

    def __enter__(self) -> Config:
        return config

    def __exit__(self, *_: object) -> None:
        blocks.unwind(self._settings)


def require_setting(name: str, value: Any) -> None:
    """Refuse an unknown setting, or a value that the setting cannot have."""
    if name not in SETTINGS:
        raise GraphlaError(f"config has no setting {name!r}; it has {', '.join(SETTINGS)}")
    if name == "engine" and value is not None:
        to_choice(value, name, ENGINES, GraphlaError)
    if name == "memory_limit" and value is not None and not is_count(value):
        raise GraphlaError(f"memory_limit={show(value)}: give a positive number of bytes, or None")
    if name == "autocompute" and not isinstance(value, bool):
        raise GraphlaError(f"autocompute={show(value)}: give True or False")


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


config = Config()


AS_IT_IS = nullcontext()


def compute_freely() -> AbstractContextManager[Any]:
    """Let what runs within compute expressions as it needs them, whatever the user has set for their own."""
    return AS_IT_IS if config.autocompute else config.set(autocompute=True)


def get_wanted_engine() -> str | None:
    """The engine that the user asked for, or None."""
    return config.engine or read_choice("GRAPHLA_ENGINE", ENGINES)
