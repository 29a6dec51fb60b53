"""Sets of processors as the bits of an integer."""

from workload_tools.batsim.intervals import Intervals


def lowest(free: int, size: int) -> tuple[int, Intervals]:
    """Return the `size` lowest of at least as many processors, as bits and as intervals.

    Examples
    --------
    >>> bits, intervals = lowest(0b1101100, 3)
    >>> bin(bits), intervals
    ('0b101100', ((2, 3), (5, 5)))
    """
    taken = 0
    intervals = []
    while True:
        bit = free & -free
        first = bit.bit_length() - 1
        # adding the lowest bit clears the run of ones that it begins, and sets the bit behind it
        carried = free + bit
        length = (carried & -carried).bit_length() - 1 - first
        if length >= size:
            taken |= ((1 << size) - 1) << first
            intervals.append((first, first + size - 1))
            return taken, tuple(intervals)
        taken |= ((1 << length) - 1) << first
        intervals.append((first, first + length - 1))
        size -= length
        free &= carried
