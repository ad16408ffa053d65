#!/usr/bin/env python3
"""Self-attention over the three words "Hello shiny sun", with libattn from Python by ctypes.

    python3 attention.py [path of libattn.so]
"""
import ctypes
import sys

MAX_AXES = 6  # ATTN_TENSOR_MAX_AXES


class Tensor(ctypes.Structure):
    """struct attn_tensor"""
    _fields_ = [("data", ctypes.POINTER(ctypes.c_float)), ("storage", ctypes.c_void_p), ("n_axes", ctypes.c_uint),
                ("is_bool", ctypes.c_bool), ("shape", ctypes.c_size_t * MAX_AXES),
                ("stride", ctypes.c_ssize_t * MAX_AXES)]


class Error(ctypes.Structure):
    """struct attn_error"""
    _fields_ = [("kind", ctypes.c_int), ("begin", ctypes.c_size_t), ("end", ctypes.c_size_t),
                ("text", ctypes.c_char * 480)]


class Input(ctypes.Structure):
    """struct attn_attention_input: what is left at zero is plain attention"""
    _fields_ = [("query", ctypes.POINTER(Tensor)), ("key", ctypes.POINTER(Tensor)), ("value", ctypes.POINTER(Tensor)),
                ("mask", ctypes.POINTER(Tensor)), ("mask_kind", ctypes.c_int), ("causal", ctypes.c_bool),
                ("causal_offset", ctypes.c_ssize_t), ("key_lengths", ctypes.POINTER(ctypes.c_size_t)),
                ("n_key_lengths", ctypes.c_size_t), ("has_scale", ctypes.c_bool), ("scale", ctypes.c_double),
                ("softcap", ctypes.c_double), ("dropout", ctypes.POINTER(Tensor)), ("grouped_query", ctypes.c_bool)]


def main():
    attn = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libattn.so.0")
    attn.attn_tensor_from.restype = attn.attn_attention_forward.restype = ctypes.c_bool
    attn.attn_tensor_at.restype = ctypes.c_float
    numbers = [0.34, 0.22, 0.54, 0.53, 0.34, 0.98, 0.29, 0.54, 0.93]
    x, context, weights, error = Tensor(), Tensor(), Tensor(), Error()
    if not attn.attn_tensor_from(2, (ctypes.c_size_t * 2)(3, 3), (ctypes.c_float * 9)(*numbers), ctypes.byref(x),
                                 ctypes.byref(error)):
        sys.exit(error.text.decode())
    pointer = ctypes.pointer(x)
    given = Input(query=pointer, key=pointer, value=pointer)
    done = attn.attn_attention_forward(ctypes.byref(given), None, ctypes.byref(context), ctypes.byref(weights),
                                       ctypes.byref(error))
    attn.attn_tensor_release(ctypes.byref(x))
    if not done:
        sys.exit(error.text.decode())
    for i in range(3):
        row = [attn.attn_tensor_at(ctypes.byref(weights), (ctypes.c_size_t * 2)(i, j)) for j in range(3)]
        print(*(f"{number:.4f}" for number in row))
    attn.attn_tensor_release(ctypes.byref(weights))
    attn.attn_tensor_release(ctypes.byref(context))


main()
