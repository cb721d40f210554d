"""The Hessian of the `cpu` preset's model on one core: the largest eigenvalue to 1 % and the trace to a standard error of 2 %, compared with PyHessian.

Both use the same briefly trained model, the same held-out images (CIFAR-10H if VOTEWISE_DATA has it, otherwise noise) and the same chunks. The number of iterations of
PyHessian is the number needed for this accuracy, because its own stopping rules have other thresholds: for power iteration, until it stays within 1 % of the
eigenvalue found by Lanczos; for Hutchinson, (SD / 2 % of the trace)², with the SD of one probe (known from Lanczos). PyHessian needs hundreds of products, so a few are
timed, alternating with ours, and the time is scaled. The cost of a product in gradients, and its memory, are also measured.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
import warnings

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call, grad, jvp

from benchmarks.clock import best_of
from benchmarks.training import stand_in, steps
from votewise.datasets import Dataset, load_dataset
from votewise.probes.hessian import Hessian, rademacher
from votewise.probes.lanczos import Krylov, lanczos
from votewise.probes.loss_curvature import FOR_TRACE
from votewise.probes.trace import estimate_trace
from votewise.training.image_inputs import Clean, Normaliser
from votewise.training.models import build

ITEMS, CHUNK = 2_000, 125
TRAINING, EXAMPLES = (
    4_000,
    16_000,
)  # training images and epochs: enough for outlying eigenvalues and batch norm to settle
BLOCKS = (1, 4, 8, 16)


def dataset(items: int) -> Dataset:
    if not os.environ.get("VOTEWISE_DATA"):
        return stand_in(items)
    return load_dataset("cifar10h").select(np.arange(items))


def pictures(data: Dataset) -> tuple[Clean, Tensor]:
    return Clean(data.inputs, Normaliser.of(data)), torch.from_numpy(data.votes.probabilities())


def trained(x: Clean, p: Tensor) -> nn.Module:
    torch.manual_seed(0)
    net = build("resnet8", (32, 32, 3), p.shape[1])
    for _ in range(EXAMPLES // len(x)):
        steps(net, ((x[slice(at, at + 100)], p[at : at + 100].float()) for at in range(0, len(x), 100)))
    return net.eval()


def measure(items: int = ITEMS) -> dict[str, object]:
    torch.set_num_threads(1)
    data = dataset(items + TRAINING)
    net = trained(*pictures(data.select(np.arange(items, items + TRAINING))))
    x, p = pictures(data.select(np.arange(items)))
    return {
        "what": f"resnet8 on {items:,} images of {data.name}, one core",
        "to_the_same_accuracy": side_by_side(net, x, p),
        "product_in_gradients": products_in_gradients(net, x[slice(0, 256)], p[:256]),
        "peak_mib_of_a_product": peaks(),
    }


def side_by_side(net: nn.Module, x: Clean, p: Tensor) -> dict[str, object]:
    """Seconds of both until the largest eigenvalue is accurate to 1 % and the trace has a standard error of 2 %."""
    hessian = Hessian(net, x, p, chunk=CHUNK)
    theirs = [_seconds_of_pyhessian(net, x, p)]
    start = time.perf_counter()
    space = lanczos(hessian, smallest=None, least=FOR_TRACE)
    largest, halfway = space.eigenvalues()[-1], time.perf_counter()
    theirs.append(_seconds_of_pyhessian(net, x, p))
    again = time.perf_counter()
    trace = estimate_trace(hessian, space, error=0.02, probes=2_000)
    ours = halfway - start + time.perf_counter() - again
    theirs.append(_seconds_of_pyhessian(net, x, p))
    iterations = _iterations(torch.from_numpy(space.tridiagonal), largest.value)
    outside = trace.deflated.se * math.sqrt(trace.deflated.probes)
    sd = math.hypot(_sd_of_a_probe(hessian, space), outside)
    probes = math.ceil((sd / (0.02 * trace.deflated.value)) ** 2)
    product = sum(theirs) / len(theirs)  # a mean, because our time is a sum: other load affects both alike
    seconds = product * (iterations + probes)
    return {
        "lambda_max": largest.value,
        "lambda_max_residual": largest.residual,
        "trace": trace.deflated.value,
        "trace_se": trace.deflated.se,
        "our_products": {"lanczos": space.size, "probes": trace.deflated.probes},
        "pyhessian_products": {"power_iteration": iterations, "probes": probes},
        "seconds": {"ours": ours, "pyhessian": seconds, "one_product_of_pyhessian": product},
        "times_faster_than_pyhessian": seconds / ours,
    }


def _sd_of_a_probe(hessian: Hessian, space: Krylov, probes: int = 256) -> float:
    """The standard deviation of v'Hv over random signs v, for the part of H that Lanczos explored."""
    forms = []
    for first in range(0, probes, 32):
        inside = (space.basis @ rademacher(hessian, "benchmark", 0, first, 32)).double().numpy()
        forms.append(np.einsum("ip,ij,jp->p", inside, space.tridiagonal, inside))
    return float(np.concatenate(forms).std(ddof=1))


def _iterations(matrix: Tensor, largest: float) -> int:
    """Iterations of power iteration until its Rayleigh quotient is within 1 % of the largest eigenvalue and stays there."""
    vector, last = torch.eye(len(matrix), dtype=matrix.dtype)[0], 0
    for iteration in range(1, 101):
        product = matrix @ vector
        if abs(float(vector @ product) - largest) > 0.01 * largest:
            last = iteration
        vector = product / product.norm()
    return last + 1


def _seconds_of_pyhessian(net: nn.Module, x: Clean, p: Tensor, products: int = 2) -> float:
    """Seconds of one product, as in PyHessian's estimates."""
    from pyhessian import hessian

    batches = [(x[slice(at, at + CHUNK)], p[at : at + CHUNK].float()) for at in range(0, len(x), CHUNK)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it calls backward(create_graph=True)
        theirs = hessian(net, nn.functional.cross_entropy, dataloader=batches, cuda=False)
        vector = [torch.ones_like(weight) for weight in net.parameters()]
        start = time.perf_counter()
        for _ in range(products):
            theirs.dataloader_hv_product(vector)
        seconds = (time.perf_counter() - start) / products
    net.zero_grad(set_to_none=True)
    return seconds


def products_in_gradients(net: nn.Module, x: Tensor, p: Tensor) -> dict[str, object]:
    """The cost of a product with one vector, as part of a block, in gradients of the same model on the same examples."""
    hessian = Hessian(net, x, p, chunk=len(x))
    weights = list(net.parameters())
    vectors = rademacher(hessian, "benchmark", 0, 0, max(BLOCKS))
    named = {name: weight.detach() for name, weight in net.named_parameters()}
    sizes = [weight.numel() for weight in weights]
    direction = [part.view_as(weight) for part, weight in zip(vectors[:, 0].split(sizes), weights, strict=True)]

    def loss(own: dict[str, Tensor] | None = None) -> Tensor:
        logits = net(x) if own is None else functional_call(net, own, (x,))
        return nn.functional.cross_entropy(logits, p.float())

    def double_backward() -> object:
        return torch.autograd.grad(torch.autograd.grad(loss(), weights, create_graph=True), weights, direction)

    candidates = {
        "gradient": lambda: torch.autograd.grad(loss(), weights),
        "torch_double_backward": double_backward,
        "torch_forward_over_reverse": lambda: jvp(grad(loss), (named,), (dict(zip(named, direction, strict=True)),)),
        **{f"block_of_{size}": (lambda size=size: hessian @ vectors[:, :size]) for size in BLOCKS},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # torch.func uses torch.jit
        seconds = best_of(candidates, rounds=3)
    sized = {f"block_of_{size}": size for size in BLOCKS}
    return {
        name: each / sized.get(name, 1) / seconds["gradient"] for name, each in seconds.items() if name != "gradient"
    }


def peaks() -> dict[str, float]:
    """Peak memory of a product in a separate process, for two chunk sizes and two numbers of examples."""
    found = {}
    for chunk in (64, 256):
        for items in (512, 1024):
            command = [sys.executable, "-m", "benchmarks.curvature", str(chunk), str(items)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found[f"chunk {chunk}, {items} items"] = float(done.stdout)
    return found


def _peak(chunk: int, items: int) -> float:
    """Additional MiB that a product with a block of four vectors needs."""
    torch.set_num_threads(1)
    x, p = pictures(stand_in(items))
    net = build("resnet8", (32, 32, 3), p.shape[1]).eval()
    vectors = rademacher(Hessian(net, x, p), "benchmark", 0, 0, 4)
    Hessian(net, x[slice(0, 4)], p[:4]) @ vectors  # warm-up: load libraries and create vectors
    before = _most_resident()
    Hessian(net, x, p, chunk=chunk) @ vectors
    return _most_resident() - before


def _most_resident() -> float:
    """The peak memory of this process in MiB; getrusage would include the memory of its parent."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


if __name__ == "__main__":
    print(_peak(int(sys.argv[1]), int(sys.argv[2])))
