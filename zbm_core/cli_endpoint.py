"""``zbm-cli``'s two commands about embedding servers: be one, and test one."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

from zbm_core import cli_output as show
from zbm_core.engine import Engine
from zbm_core.errors import CancelToken, ZbmError

if TYPE_CHECKING:
    from zbm_core.semantic import ApiKey, Check, Model

DONE, FAILED = 0, 1
#: Where the key may be given, so that it is in no list of processes.
KEY_VARIABLE = "ZBM_ENDPOINT_KEY"
PORT = 8080
#: Seconds between looks at whether the server is to end.
_LOOK_SECONDS = 0.2


def serve(engine: Engine, options: argparse.Namespace, cancel: CancelToken) -> int:
    """Serve until interrupted."""
    from zbm_core.semantic import Address, EmbeddingServer, Encoder, unprefixed

    key = _key(options)
    if not key and not Address.parse(f"http://{_bracketed(options.host)}").loopback:
        raise ZbmError(
            f"{options.host} can be reached from other computers, so a key is needed: give --key, or set {KEY_VARIABLE}."
        )
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: cancel.cancel())
    model = _model(engine, options, cancel)
    with (
        Encoder(engine.shelf.folder_of(model.name), unprefixed(model), threads=options.threads) as encoder,
        EmbeddingServer(encoder, options.host, options.port, key) as server,
    ):
        encoder.warm_up()
        if options.json:
            show.print_json(address=f"{server.address}/v1/embeddings", model=model.name)
        else:
            print(f"{model.title or model.name} at {server.address}/v1/embeddings; Ctrl-C ends it.")
        sys.stdout.flush()
        while not cancel.cancelled:
            time.sleep(_LOOK_SECONDS)
    print(f"zbm-cli: {server.texts:,} texts embedded in {server.requests:,} requests", file=sys.stderr)
    return DONE


def test(engine: Engine, options: argparse.Namespace, cancel: CancelToken) -> int:
    """Compare the server at a URL with this machine's model."""
    from zbm_core.semantic import Encoder, verify

    def on_check(check: Check) -> None:
        if not options.json:
            print(f"  {'ok    ' if check.passed else 'failed'}  {check.name}: {check.text}", flush=True)

    model = _model(engine, options, cancel)
    with Encoder(engine.shelf.folder_of(model.name), model) as encoder:
        verdict = verify(options.url, _key(options), encoder, cancel, on_check)
    if options.json:
        show.print_json(
            url=verdict.url,
            state=verdict.state,
            model=verdict.model,
            form=verdict.form or None,
            server_model=verdict.server_model or None,
            agreement=verdict.agreement,
            long_agreement=verdict.long_agreement,
            sentence=verdict.sentence,
            remedy=verdict.remedy or None,
        )
    else:
        print(" ".join(filter(None, (verdict.sentence, verdict.remedy))))
        if verdict.detail and options.verbose:
            print(verdict.detail, file=sys.stderr)
    return DONE if verdict.ok else FAILED


def add_commands(add, plain: argparse.ArgumentParser) -> None:
    """Args:
    add: `add_parser` of the commands.
    """
    model = argparse.ArgumentParser(add_help=False, parents=[plain])
    model.add_argument("--model", default="", help="its name (default: the one that searches use)")
    model.add_argument("--key", help=f"API key (default: ${KEY_VARIABLE})")
    serving = add("serve-embeddings", parents=[model], help="serve this computer's model in the OpenAI form")
    serving.add_argument("--host", default="127.0.0.1", help="where to listen (default: this computer only)")
    serving.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}; 0 chooses one")
    serving.add_argument(
        "--threads", type=int, default=os.cpu_count() or 1, help="of the model (default: all)"
    )
    serving.set_defaults(command=serve)
    endpoint = add("endpoint", help="about an embedding server").add_subparsers(required=True, metavar="WHAT")
    testing = endpoint.add_parser(
        "test", parents=[model], help="compare a server's vectors with this computer's"
    )
    testing.add_argument("url", metavar="URL")
    testing.set_defaults(command=test)


def _model(engine: Engine, options: argparse.Namespace, cancel: CancelToken) -> Model:
    from zbm_core.semantic import prepare_model

    preferred = options.model or engine.settings.get("semantic.model")
    model = engine.shelf.installed(preferred) if preferred else engine.shelf.best_installed()
    if model is not None:
        return model
    prepared = prepare_model(engine.shelf, preferred, None, cancel)
    if prepared.notice:
        print(f"zbm-cli: {prepared.notice}", file=sys.stderr)
    return prepared.model


def _key(options: argparse.Namespace) -> ApiKey:
    from zbm_core.semantic import ApiKey

    try:
        return ApiKey(options.key if options.key is not None else os.environ.get(KEY_VARIABLE, ""))
    except ValueError as error:
        raise ZbmError(str(error)) from None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
