import numpy as np
import torch
import torch.nn as nn

torch.testing.assert_close(torch.ones(2, 3), torch.ones(2, 3) + 1e-7)
torch.testing.assert_close([1.0, torch.zeros(2)], [1.0, torch.zeros(2)])
torch.testing.assert_close(torch.tensor([1.0, float("nan")]), torch.tensor([1.0, float("nan")]), equal_nan=True)
np.testing.assert_allclose(np.array([1.0, 2.0]), [1.0, 2.00001], rtol=1e-4)
np.testing.assert_array_equal([1, 2], np.array([1, 2]))
np.testing.assert_equal({"a": 1}, {"a": 1})
np.testing.assert_array_almost_equal([0.1234561], [0.1234562])


def first_row(function):
    try:
        function()
        print("equal")
    except AssertionError as error:
        print([row for row in str(error).splitlines() if row][:2])


first_row(lambda: torch.testing.assert_close(torch.ones(3), torch.tensor([1.0, 2.0, 1.0])))
first_row(lambda: torch.testing.assert_close(torch.ones(3), torch.ones(3) + 1e-4))
first_row(lambda: torch.testing.assert_close(torch.ones(3), torch.ones(3) + 1e-4, rtol=0, atol=1e-3))
first_row(lambda: torch.testing.assert_close(torch.tensor([1, 2]), torch.tensor([1, 3])))
first_row(lambda: np.testing.assert_allclose([1.0, 2.0, 3.0], [1.0, 2.1, 3.0]))
first_row(lambda: np.testing.assert_array_equal([1, 2], [1, 3]))

# The masks of a decoder by position
torch.manual_seed(0)
decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 2)
target, memory = torch.randn(1, 3, 8), torch.randn(1, 4, 8)
mask = nn.Transformer.generate_square_subsequent_mask(3)
out = decoder(target, memory, mask)
torch.testing.assert_close(out, decoder(target, memory, tgt_mask=mask))
print(out[0, 0], torch.allclose(out, decoder(target, memory)))
