"""What is known of an endpoint, in words and as JSON. Nothing here imports a third-party package."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zbm_core.semantic.model import Model

#: Least cosine between a vector of the server and this machine's of the same text (facts of the reference): 8-bit
#: weights of the same model stay above it, another model, pooling or prefix falls below.
AGREEMENT_MIN = 0.98


class State(StrEnum):
    """How a check of the server ended. The first is the only one under which it is used."""

    OK = "ok"
    UNREACHABLE = "unreachable"
    UNAUTHORIZED = "unauthorized"
    NOT_EMBEDDINGS = "not_embeddings"
    WIDTH_MISMATCH = "width_mismatch"
    LOW_AGREEMENT = "low_agreement"
    CONTEXT_TOO_SMALL = "context_too_small"
    INVALID = "invalid"  # it was fine once, and later gave a batch of wrong vectors


_SENTENCES = {
    State.OK: "The server's vectors match those of this computer.",
    State.UNREACHABLE: "The server could not be reached.",
    State.UNAUTHORIZED: "The server wants an API key, or does not accept this one.",
    State.NOT_EMBEDDINGS: "There is a server at this address, but it does not answer with embeddings.",
    State.WIDTH_MISMATCH: "The server's vectors are too short, so it serves another model.",
    State.LOW_AGREEMENT: "The server's vectors differ from those of this computer, so they cannot be compared.",
    State.CONTEXT_TOO_SMALL: "The server cuts or refuses long texts that the model itself takes whole.",
    State.INVALID: "The server gave wrong vectors during indexing, so this computer took over.",
}
_REMEDIES = {
    State.OK: "",
    State.UNREACHABLE: "Check that it is running and that the address and port are right, then test again.",
    State.UNAUTHORIZED: "Enter the key that the server was started with, then test again.",
    State.NOT_EMBEDDINGS: "Check the address, and that the server was started with --embeddings, then test again.",
    State.WIDTH_MISMATCH: "Start the server with {model}, then test again.",
    State.LOW_AGREEMENT: "Start the server with {model} and --pooling {pooling}, then test again.",
    State.CONTEXT_TOO_SMALL: "Start the server with -c {context} -ub {context} -b {context}, then test again.",
    State.INVALID: "Check which model the server runs, then test again.",
}


@dataclass(frozen=True, slots=True)
class Served:
    """What a server must serve so that its vectors match."""

    model: str
    pooling: str
    context: int  # tokens it must take
    file: str  # what to load, "" where nobody publishes one
    command: str  # for llama.cpp, two lines
    address: str  # at which that command serves


#: llama.cpp's own default, and the address that goes with it.
LOCAL_ADDRESS = "http://localhost:8080/v1/embeddings"
#: Where files for llama.cpp are published: repository and quantization.
_GGUF = {"bekko-embedding-v1-a25m": ("hotchpotch/bekko-embedding-v1-a25m-GGUF", "F16")}
#: Tokens a server need take at most: no chunk has nearly as many.
_MOST_CONTEXT = 4096


def served_as(model: Model) -> Served:
    """What to serve, and how, so that vectors match those of *model*."""
    # A graph that pools itself does so by the mean: nothing else is packaged.
    pooling = "mean" if model.pooling == "none" else model.pooling
    context = min(model.max_tokens, _MOST_CONTEXT)
    repository, quantization = _GGUF.get(model.name, ("", ""))
    load = f"-hf {repository}:{quantization}" if repository else f"-m {model.name}.gguf"
    command = (
        f"llama-server {load} \\\n"
        f"  --embeddings --pooling {pooling} -c {context} -ub {context} -b {context} --port 8080"
    )
    file = f"{repository} ({quantization})" if repository else f"{model.name}.gguf"
    return Served(model.title or model.name, pooling, context, file, command, LOCAL_ADDRESS)


class ApiKey:
    """A secret that says nothing of itself: its `repr`, and so every log and traceback, has no letter of it.

    Raises:
        ValueError: it has characters that no HTTP header can carry.
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: str = "") -> None:
        secret = secret.strip()
        if not secret.isascii() or not secret.isprintable():
            # Without the value: this error may be logged.
            raise ValueError("An API key has letters, digits and signs of ASCII only.")
        self._secret = secret

    def __bool__(self) -> bool:
        return bool(self._secret)

    def __repr__(self) -> str:
        return "ApiKey(set)" if self._secret else "ApiKey()"

    __str__ = __repr__

    def __reduce__(self):
        raise TypeError("an API key is not written anywhere")

    def reveal(self) -> str:
        """The secret itself, for a header or the keyring."""
        return self._secret

    def scrub(self, text: str) -> str:
        """*text* without the secret: a server may send back what it was sent."""
        return text.replace(self._secret, "•••") if self._secret else text


@dataclass(frozen=True, slots=True)
class Check:
    """One step of a verification, told as it ends."""

    name: str  # "Connection", "Embeddings", "Width", "Agreement", "Long texts"
    passed: bool
    text: str  # the figure or the fault


OnCheck = Callable[[Check], None]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the last check of a server ended, and what it holds for: an address, a model and a form."""

    state: State
    url: str = ""
    model: str = ""  # identity of the model it was compared with
    form: str = ""  # "openai" or "tei"
    server_model: str = ""  # as the server calls it
    agreement: float | None = None  # least cosine of the short texts
    long_agreement: float | None = None  # cosine of the long text
    width: int = 0  # of the server's vectors
    time: float = 0.0  # seconds since the epoch
    pooling: str = ""  # for the remedy
    context: int = 0
    title: str = ""
    why: str = ""  # what is known of the cause, in words: "its certificate has expired"
    detail: str = ""  # technical

    @property
    def ok(self) -> bool:
        return self.state is State.OK

    @property
    def sentence(self) -> str:
        """What happened."""
        text = _SENTENCES[self.state]
        return f"{text[:-1]}: {self.why}." if self.why else text

    @property
    def remedy(self) -> str:
        """What to do; "" where nothing is to be done."""
        return _REMEDIES[self.state].format(
            model=self.title or "the same model", pooling=self.pooling or "mean", context=self.context or 2048
        )

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Verdict | None:
        """None for anything but a verdict: a damaged setting is as good as none."""
        try:
            fields = json.loads(text)
            fields["state"] = State(fields["state"])
            return cls(**fields)
        except (ValueError, TypeError, KeyError):
            return None


@dataclass(slots=True)
class Usage:
    """What was asked of a server, added up."""

    requests: int = 0
    texts: int = 0
    tokens: int = 0  # as the server counts them; estimated where it does not
    failures: int = 0  # requests that failed for good
    local_texts: int = 0  # embedded here instead
    seconds: float = 0.0  # from request to answer

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Usage:
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError):
            return cls()

    def added(self, other: Usage) -> Usage:
        mine, others = asdict(self), asdict(other)
        return Usage(**{name: mine[name] + others[name] for name in mine})
