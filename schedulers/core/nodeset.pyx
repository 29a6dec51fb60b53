"""The compiled version of ``nodeset.py``, which has the docstrings."""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

cdef extern from *:
    """
    /* without a compiler option, the compilers' built-in bit count is a slower function call */
    static inline int ones(unsigned long long word) {
        word -= (word >> 1) & 0x5555555555555555ULL;
        word = (word & 0x3333333333333333ULL) + ((word >> 2) & 0x3333333333333333ULL);
        word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
        return (int)((word * 0x0101010101010101ULL) >> 56);
    }
    /* the number of zeros below the lowest set bit; the word must not be 0 */
    static inline int zeros(unsigned long long word) {
        return ones((word & (0 - word)) - 1);
    }
    """
    int ones(Word) noexcept nogil
    int zeros(Word) noexcept nogil


cdef NodeSet blank(Py_ssize_t nodes):
    """Return a set whose words are not initialised."""
    cdef NodeSet made = NodeSet.__new__(NodeSet)
    made.nodes = nodes
    made.length = (nodes >> 6) + 1
    if made.length > FEW:
        made.words = <Word*>malloc(made.length * sizeof(Word))
        if made.words == NULL:
            made.words = made.few
            raise MemoryError
    return made


@cython.final
@cython.freelist(1024)
cdef class NodeSet:
    def __cinit__(self, *args):
        self.words = self.few

    def __init__(self, Py_ssize_t nodes, bits=0):
        cdef NodeSet made = blank(nodes)
        cdef Py_ssize_t word
        if self.words != self.few:
            free(self.words)
            self.words = self.few
        self.nodes = nodes
        self.length = made.length
        if self.length > FEW:
            self.words, made.words = made.words, made.few
        memset(self.words, 0, self.length * sizeof(Word))
        if bits:
            for word in range(self.length):
                self.words[word] = (bits >> (64 * word)) & 0xFFFFFFFFFFFFFFFF

    def __dealloc__(self):
        if self.words != self.few:
            free(self.words)

    @property
    def bits(self):
        cdef Py_ssize_t word
        cdef object bits = <object>self.words[0]
        for word in range(1, self.length):
            if self.words[word]:
                bits |= <object>self.words[word] << (64 * word)
        return bits

    cpdef NodeSet copy(self):
        cdef NodeSet other = blank(self.nodes)
        memcpy(other.words, self.words, self.length * sizeof(Word))
        return other

    cpdef NodeSet minus(self, NodeSet other):
        cdef NodeSet left = blank(self.nodes)
        cdef Py_ssize_t word
        for word in range(self.length):
            left.words[word] = self.words[word] & ~other.words[word]
        return left

    cpdef object assign(self, NodeSet other):
        cdef Py_ssize_t word
        for word in range(self.length):
            self.words[word] = other.words[word]

    cpdef object add(self, NodeSet other):
        cdef Py_ssize_t word
        for word in range(self.length):
            self.words[word] |= other.words[word]

    cpdef object add_range(self, Py_ssize_t first, Py_ssize_t last):
        cdef Py_ssize_t word, low, high
        if first < 0 or last >= self.nodes:
            raise IndexError("no such nodes")
        for word in range(first >> 6, (last >> 6) + 1):
            low = first - 64 * word if first > 64 * word else 0
            high = last - 64 * word if last < 64 * word + 63 else 63
            self.words[word] |= (~<Word>0 >> (63 - high + low)) << low

    cpdef object remove(self, NodeSet other):
        cdef Py_ssize_t word
        for word in range(self.length):
            self.words[word] &= ~other.words[word]

    cpdef bint keep(self, NodeSet other) except -1:
        cdef Py_ssize_t word
        cdef Word dropped = 0
        for word in range(self.length):
            dropped |= self.words[word] & ~other.words[word]
            self.words[word] &= other.words[word]
        return dropped != 0

    cpdef Py_ssize_t count(self) except -1:
        cdef Py_ssize_t word, count = 0
        for word in range(self.length):
            count += ones(self.words[word])
        return count

    cpdef Py_ssize_t count_common(self, NodeSet other) except -1:
        cdef Py_ssize_t word, count = 0
        for word in range(self.length):
            count += ones(self.words[word] & other.words[word])
        return count

    cpdef bint equals(self, NodeSet other) except -1:
        return memcmp(self.words, other.words, self.length * sizeof(Word)) == 0

    cpdef bint overlaps(self, NodeSet other) except -1:
        cdef Py_ssize_t word
        for word in range(self.length):
            if self.words[word] & other.words[word]:
                return True
        return False

    cpdef bint contains(self, NodeSet other) except -1:
        cdef Py_ssize_t word
        for word in range(self.length):
            if other.words[word] & ~self.words[word]:
                return False
        return True

    cpdef bint gains(self, NodeSet before, NodeSet after, NodeSet among) except -1:
        cdef Py_ssize_t word
        for word in range(self.length):
            if after.words[word] & among.words[word] & ~(self.words[word] & before.words[word]):
                return True
        return False

    cdef inline Py_ssize_t next_place(self, Py_ssize_t place, bint member) noexcept:
        """Return the first index from `place` on that is in the set (or not, without `member`)."""
        cdef Py_ssize_t word = place >> 6
        cdef Word left
        if word >= self.length:
            return 64 * self.length
        left = (self.words[word] if member else ~self.words[word]) >> (place & 63)
        if left:
            return place + zeros(left)
        for word in range(word + 1, self.length):
            left = self.words[word] if member else ~self.words[word]
            if left:
                return 64 * word + zeros(left)
        return 64 * self.length

    cpdef NodeSet runs(self, Py_ssize_t count):
        cdef NodeSet chosen = blank(self.nodes)
        cdef NodeSet left = self
        cdef Py_ssize_t first, behind, best, best_size, largest, largest_size, end = 64 * self.length
        memset(chosen.words, 0, chosen.length * sizeof(Word))
        while True:
            best = largest = -1
            best_size = largest_size = 0
            first = left.next_place(0, True)
            while first < end:
                behind = left.next_place(first, False)
                if behind - first >= count and (best < 0 or behind - first < best_size):
                    best, best_size = first, behind - first
                if behind - first > largest_size:
                    largest, largest_size = first, behind - first
                first = left.next_place(behind, True)
            if best >= 0:
                chosen.add_range(best, best + count - 1)
                return chosen
            if largest < 0:
                raise ValueError("there are fewer nodes than requested")
            chosen.add_range(largest, largest + largest_size - 1)
            left = self.minus(chosen)
            count -= largest_size
