"""What the types of Rust's standard library hand through, as far as it matters for following a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memd.codegraph.languages.rust.names import SLICE, TUPLE
from memd.codegraph.values import NOTHING, Ext, ExtObj, Values

TRANSPARENT: Final = frozenset(
    "Box Rc Arc Cow Pin ManuallyDrop MaybeUninit Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Weak"
    " PhantomPinned AsRef Borrow Into".split()
)
"""Types whose members are those of what they hold: a call goes through them by itself."""
MAPS: Final = frozenset(("HashMap", "BTreeMap", "IndexMap"))
CONTAINERS: Final = {
    "IntoIterator": "Iterator",
    "DoubleEndedIterator": "Iterator",
    "ExactSizeIterator": "Iterator",
    "Peekable": "Iterator",
    "Iter": "Iterator",
    "IterMut": "Iterator",
    "IntoIter": "Iterator",
    "Drain": "Iterator",
}
PRELUDE: Final = frozenset(
    "Some None Ok Err Option Result Vec Box String ToString ToOwned Clone Copy Default Drop Iterator IntoIterator"
    " DoubleEndedIterator ExactSizeIterator Extend Into From TryFrom TryInto AsRef AsMut Fn FnMut FnOnce Send Sync"
    " Sized PartialEq Eq PartialOrd Ord drop Rc Arc Cell RefCell HashMap HashSet BTreeMap BTreeSet".split()
)
PRIMITIVES: Final = frozenset("bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64".split())
DERIVED: Final = frozenset(
    "fmt eq ne cmp partial_cmp hash lt le gt ge max min to_string try_into try_from type_id".split()
)
"""Methods that most types have without saying so, or by `derive`."""
SAME: Final = frozenset("default clone to_owned borrow borrow_mut as_ref as_mut by_ref into deref deref_mut".split())

_ENTRY: Final = "Entry"
ENTRIES: Final = frozenset((_ENTRY, "OccupiedEntry", "VacantEntry"))
"""The place of a key in a map."""
_OPTION: Final = "Option"
_RESULT: Final = "Result"
_ITERATOR: Final = "Iterator"
_MAKE: Final = frozenset("new from with_capacity default from_iter".split())
_HOLDERS: Final = frozenset(("RefCell", "Cell", "Mutex", "RwLock", "OnceCell", "OnceLock", "LazyLock"))
_UNWRAP: Final = frozenset(
    "unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked get_or_insert get_or_insert_with insert"
    " or_insert or_insert_with or_default".split()
)
_ITERATE: Final = frozenset("iter iter_mut into_iter drain into_values into_keys".split())
_GIVE_ONE: Final = frozenset(
    "next next_back last last_mut first first_mut get get_mut pop pop_front pop_back peek nth find max max_by"
    " max_by_key min min_by min_by_key front back front_mut back_mut reduce position_of".split()
)
_SAME_TYPE: Final = frozenset(
    "rev skip take filter skip_while take_while peekable chain cloned copied by_ref inspect step_by cycle fuse clone"
    " as_ref as_mut as_deref as_deref_mut as_slice as_mut_slice to_vec to_owned or or_else borrow borrow_mut"
    " into_boxed_slice replace xor".split()
)
INHERENT: Final = frozenset(
    "len is_empty push extend clear contains starts_with ends_with split split_at join trim lines chars bytes as_bytes"
    " as_str as_ptr as_mut_ptr to_string to_lowercase to_uppercase map and_then filter_map flat_map collect fold any"
    " all count sum position swap sort sort_by sort_by_key retain remove append is_some is_none is_ok is_err ok err"
    " ok_or copy_from_slice fill concat repeat parse make_ascii_lowercase make_ascii_uppercase to_ascii_lowercase"
    " to_ascii_uppercase is_ascii eq_ignore_ascii_case chunks chunks_exact windows split_first split_last".split()
).union(_UNWRAP, _ITERATE, _GIVE_ONE, _SAME_TYPE, SAME, DERIVED)
"""Methods that types of the library have of their own, which come before those of any trait."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call of the library is given, and what can be asked about that."""

    args: Callable[[int], Values]
    """What an argument is, by its place."""
    elements: Callable[[Values], Values]
    """What iterating some values gives."""
    results: Callable[[Values], Values]
    """What calling some values gives: closures, functions, variants."""


def called(outside: Ext, asked: Asked) -> Values | None:
    """Return what calling something of the library gives, None where that is not known."""
    args = asked.args
    owner, _, name = outside.name.rpartition(".")
    if name in ("Some", "Ok"):
        return (ExtObj(_OPTION if name == "Some" else _RESULT, (args(0),)),)
    if name == "Err":
        return (ExtObj(_RESULT, (NOTHING, args(0))),)
    kind = owner.rpartition(".")[2]
    kind = CONTAINERS.get(kind, kind)
    if kind == "mem" and name in ("take", "replace"):
        return args(0)
    if name in _MAKE:
        if kind in TRANSPARENT:
            return args(0)
        if kind in _HOLDERS:
            return (ExtObj(kind, outside.args or (args(0),)),)
        return (ExtObj(kind, outside.args),)
    if name in SAME and kind.isdecimal():
        return outside.args[0]
    if not outside.args:
        return None
    return _method(kind, name, outside.args, asked)


def _method(kind: str, name: str, held: tuple[Values, ...], asked: Asked) -> Values | None:
    one = held[0]
    if kind in _HOLDERS:
        return one if name in ("borrow", "borrow_mut", "get", "get_mut", "into_inner") else (ExtObj(_RESULT, (one,)),)
    if kind in MAPS and len(held) > 1:
        found = _map_method(name, held)
        if found is not None:
            return found
        one = (ExtObj(TUPLE, held[:2]),)
    if kind in ENTRIES and len(held) > 1:
        return _entry_method(name, held)
    if name in _UNWRAP:
        return one
    if name in _ITERATE:
        return (ExtObj(_ITERATOR, (one,)),)
    if name in _GIVE_ONE:
        return (ExtObj(_OPTION, (one,)),)
    if name in _SAME_TYPE or (name == "take" and kind == _OPTION):
        return (ExtObj(kind, held),)
    return _through(kind, name, held, asked)


def _map_method(name: str, held: tuple[Values, ...]) -> Values | None:
    if name in ("get", "get_mut", "remove", "insert", "swap_remove", "shift_remove"):
        return (ExtObj(_OPTION, (held[1],)),)
    if name in ("remove_entry", "get_key_value", "shift_remove_entry", "swap_remove_entry"):
        return (ExtObj(_OPTION, ((ExtObj(TUPLE, held[:2]),),)),)
    if name in ("values", "values_mut", "into_values"):
        return (ExtObj(_ITERATOR, (held[1],)),)
    if name in ("keys", "into_keys"):
        return (ExtObj(_ITERATOR, (held[0],)),)
    return (ExtObj(_ENTRY, held[:2]),) if name == "entry" else None


def _entry_method(name: str, held: tuple[Values, ...]) -> Values | None:
    if name == "key":
        return held[0]
    if name == "and_modify":
        return (ExtObj(_ENTRY, held),)
    if name in _UNWRAP or name in ("get", "get_mut", "into_mut", "remove", "swap_remove", "shift_remove"):
        return held[1]
    return None


def _through(kind: str, name: str, held: tuple[Values, ...], asked: Asked) -> Values | None:
    """Return what methods give that make something of what is held."""
    one = held[0]
    made = _of_elements(name, one, asked)
    if made is not None:
        return (ExtObj(_ITERATOR, (made,)),)
    match name:
        case "map":
            return (ExtObj(kind, (asked.results(asked.args(0)), *held[1:])),)
        case "map_err":
            return (ExtObj(_RESULT, (one, asked.results(asked.args(0)))),)
        case "and_then" | "map_or_else":
            return asked.results(asked.args(0))
        case "fold" | "map_or":
            return asked.args(0)
        case "collect" | "into_vec" | "sorted":
            return (ExtObj("Vec", (one,)),)
        case "ok_or" | "ok_or_else":
            return (ExtObj(_RESULT, (one,)),)
        case "ok" | "err":
            return (ExtObj(_OPTION, held[:1] if name == "ok" else held[1:2]),)
        case "split_first" | "split_first_mut" | "split_last" | "split_last_mut":
            return (ExtObj(_OPTION, ((ExtObj(TUPLE, (one, (ExtObj(SLICE, (one,)),))),),)),)
        case _:
            return None


def _of_elements(name: str, one: Values, asked: Asked) -> Values | None:
    """Return what an iterator is of that a method makes, None for another method."""
    match name:
        case "windows" | "chunks" | "split":
            return (ExtObj(SLICE, (one,)),)
        case "enumerate":
            return (ExtObj(TUPLE, ((ExtObj("usize"),), one)),)
        case "zip":
            return (ExtObj(TUPLE, (one, asked.elements(asked.args(0)))),)
        case "filter_map" | "flat_map" | "map_while":
            return asked.elements(asked.results(asked.args(0)))
        case "flatten":
            return asked.elements(one)
        case _:
            return None


def closure_takes(callee: Ext, param: int) -> Values:
    """Return what the library calls a closure with."""
    owner, _, name = callee.name.rpartition(".")
    if not callee.args:
        return NOTHING
    if name in ("map_err", "or_else", "unwrap_or_else") and owner.endswith(_RESULT):
        return callee.args[1] if len(callee.args) > 1 else NOTHING
    if name == "fold":
        return callee.args[0] if param == 1 else NOTHING
    if owner.rpartition(".")[2] in MAPS:
        return callee.args[param] if param < len(callee.args) else NOTHING
    return callee.args[0]
