"""Meaning: models, encoders, vectors and the index of them."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "preparation": ("Prepared", "Preparing", "calibrate_installed", "prepare_model"),
        "records": ("ChunkHit", "EmbeddingSource", "SemanticHit"),
        "calibration": ("Triple", "calibrate", "corpus_file", "load_triples"),
        "endpoint.address": ("Address", "AddressError"),
        "endpoint.client": ("EndpointClient",),
        "endpoint.pace": ("Pace",),
        "endpoint.records": ("ApiKey", "Check", "Served", "State", "Usage", "Verdict", "served_as"),
        "endpoint.remote": ("RemoteEncoder",),
        "endpoint.server": ("EmbeddingServer", "unprefixed"),
        "endpoint.verification": ("verify",),
        "encoder": ("Batch", "Encoder", "EncoderError", "prepare"),
        "hub": ("DownloadError", "Hub"),
        "index": ("SemanticIndex",),
        "meaning": ("Likeness", "Meaning"),
        "model": ("Calibration", "Model", "ModelError"),
        "picker": ("SentencePicker", "StaticModel"),
        "sentence_transformers": ("read_repository",),
        "store": ("SemanticStoreError",),
        "shelf": ("DEFAULT_MODEL", "FALLBACK_MODEL", "Shelf"),
    },
)
