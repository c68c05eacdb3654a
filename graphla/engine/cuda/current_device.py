"""The operands of a plan are on the device that runs it, or the plan is refused with the numbers of the devices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from graphla.common.errors import NotSupported
from graphla.engine.cuda.device import Device
from graphla.planning.loops.kernel import KernelPlan
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.steps import Mask, Plan, Storage
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullMatrix, FullVector, SparseVector
from graphla.storage.words import WordMatrix

STORAGES = CompressedMatrix | FullMatrix | SparseVector | BitmapVector | FullVector | WordMatrix


def require_current_device(device: Device, plan: Plan | KernelPlan | RoundsPlan) -> None:
    """Refuse operands of two devices, and of one that is not the current device."""
    numbers = {device.of(array) for storage in list_storages(plan) for array in list_arrays(storage)}
    found = sorted(number for number in numbers if number is not None)
    current = device.number()
    if len(found) > 1:
        listed = " and ".join(map(str, found))
        raise NotSupported(
            f"the operands live on CUDA devices {listed}: move one, as in "
            f"`with cupy.cuda.Device({found[0]}): B = B.to('cpu').to('cuda')`"
        )
    if found and found[0] != current:
        raise NotSupported(
            f"the operands live on CUDA device {found[0]} and device {current} is current: compute inside "
            f"`with cupy.cuda.Device({found[0]}):`"
        )


def list_storages(plan: Plan | KernelPlan | RoundsPlan) -> Iterator[Storage | WordMatrix]:
    """Everything that a plan reads or writes."""
    for part in list_parts(plan):
        held = part.of if isinstance(part, Mask) else part
        if isinstance(held, STORAGES):
            yield held


def list_parts(plan: Plan | KernelPlan | RoundsPlan) -> list[Any]:
    """List the operands and masks of a plan."""
    if isinstance(plan, KernelPlan):
        return [plan.matrix, *plan.slots]
    if isinstance(plan, RoundsPlan):
        return [*(product.matrix for product in plan.products), *plan.slots]
    return [plan.target, plan.mask, *(getattr(plan.step, part.name) for part in fields(plan.step))]


def list_arrays(storage: Storage | WordMatrix) -> Iterator[Array]:
    """The arrays of a storage; of words those of the structure."""
    if isinstance(storage, WordMatrix):
        yield storage.words
        return
    for part in fields(storage):
        value = getattr(storage, part.name)
        if hasattr(value, "dtype"):
            yield value
