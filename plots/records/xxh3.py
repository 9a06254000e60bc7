"""XXH3, 64 bits, seed 0, of a few hundred bytes: the hash of cells' identities (core/identity.hpp).

Written after the specification of xxHash 0.8.2 (doc/xxhash_spec.md, section XXH3), whose names it keeps. The package
xxhash would be a dependency for this alone.
"""

from __future__ import annotations

import struct

_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248e"
    "e03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d"
    "8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc"
    "8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
_MASK = (1 << 64) - 1
_PRIME32_1, _PRIME32_2, _PRIME32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
_PRIME64_1, _PRIME64_2, _PRIME64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
_PRIME64_4, _PRIME64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
_STRIPE, _SECRET_STEP, _MID_SIZE = 64, 8, 240  # bytes
_STRIPES_OF_BLOCK = (len(_SECRET) - _STRIPE) // _SECRET_STEP


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _fold(a: int, b: int) -> int:
    """Both halves of the product of two words of 64 bits, exclusive or."""
    product = a * b
    return (product ^ (product >> 64)) & _MASK


def _avalanche(hash_: int) -> int:
    hash_ ^= hash_ >> 37
    hash_ = hash_ * 0x165667919E3779F9 & _MASK
    return hash_ ^ (hash_ >> 32)


def _mix(data: bytes, at: int, secret: int) -> int:
    return _fold(_word(data, at) ^ _word(_SECRET, secret), _word(data, at + 8) ^ _word(_SECRET, secret + 8))


def _of_medium(data: bytes) -> int:
    """The hash of 129 to 240 bytes."""
    hash_ = len(data) * _PRIME64_1
    for i in range(8):
        hash_ += _mix(data, 16 * i, 16 * i)
    hash_ = _avalanche(hash_ & _MASK)
    for i in range(8, len(data) // 16):
        hash_ += _mix(data, 16 * i, 16 * (i - 8) + 3)
    return _avalanche((hash_ + _mix(data, len(data) - 16, 136 - 17)) & _MASK)


def _of_long(data: bytes) -> int:
    """The hash of more than 240 bytes: stripes of eight words, each added to an accumulator of its own."""
    sums = [_PRIME32_3, _PRIME64_1, _PRIME64_2, _PRIME64_3, _PRIME64_4, _PRIME32_2, _PRIME64_5, _PRIME32_1]

    def accumulate(at: int, secret: int) -> None:
        words, keys = struct.unpack_from("<8Q", data, at), struct.unpack_from("<8Q", _SECRET, secret)
        for i in range(8):
            keyed = words[i] ^ keys[i]
            sums[i ^ 1] = (sums[i ^ 1] + words[i]) & _MASK
            sums[i] = (sums[i] + (keyed & 0xFFFFFFFF) * (keyed >> 32)) & _MASK

    for stripe in range((len(data) - 1) // _STRIPE):
        place = stripe % _STRIPES_OF_BLOCK
        accumulate(stripe * _STRIPE, place * _SECRET_STEP)
        if place == _STRIPES_OF_BLOCK - 1:  # scrambles at the end of a block
            keys = struct.unpack_from("<8Q", _SECRET, len(_SECRET) - _STRIPE)
            sums[:] = [((s ^ (s >> 47)) ^ key) * _PRIME32_1 & _MASK for s, key in zip(sums, keys)]
    accumulate(len(data) - _STRIPE, len(_SECRET) - _STRIPE - 7)
    keys = struct.unpack_from("<8Q", _SECRET, 11)
    merged = sum(_fold(sums[i] ^ keys[i], sums[i + 1] ^ keys[i + 1]) for i in range(0, 8, 2))
    return _avalanche((len(data) * _PRIME64_1 + merged) & _MASK)


def xxh3(data: bytes) -> int:
    """The hash of more than 128 bytes, as the identity of every cell has: 15 members with their names."""
    if len(data) <= 128:
        raise ValueError("shorter texts have formulas of their own, which no cell needs")
    return _of_medium(data) if len(data) <= _MID_SIZE else _of_long(data)
