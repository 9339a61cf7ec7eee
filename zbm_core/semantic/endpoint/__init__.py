"""An embedding server of one's own: asked like the model of this machine, trusted only because its vectors match."""

from zbm_core._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "address": ("Address", "AddressError"),
        "client": ("EndpointClient",),
        "pace": ("Pace",),
        "records": ("ApiKey", "Check", "Served", "State", "Usage", "Verdict", "served_as"),
        "remote": ("RemoteEncoder",),
        "server": ("EmbeddingServer", "unprefixed"),
        "verification": ("verify",),
    },
)
