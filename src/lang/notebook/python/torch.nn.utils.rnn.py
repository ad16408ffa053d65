"""torch.nn.utils.rnn: sequences of several lengths side by side."""
import _torch


def pad_sequence(sequences, batch_first=False, padding_value=0.0):
    longest = max([len(x) for x in sequences])
    shape = (len(sequences), longest) + tuple(sequences[0].shape[1:])
    out = _torch.full(shape, padding_value, dtype=sequences[0].dtype)
    for i, x in enumerate(sequences):
        out[i, :len(x)] = x
    return out if batch_first else out.transpose(0, 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [x[:n] for x, n in zip(padded_sequences, lengths)]


def _packed(*args, **kwargs):
    raise NotImplementedError("attn packs no sequences; give the padded ones, and a mask, to the layer")


pack_padded_sequence = pad_packed_sequence = pack_sequence = _packed
