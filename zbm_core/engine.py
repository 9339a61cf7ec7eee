"""The engine: what a face of the product (the window, the command line) may ask of the core.

Every call blocks and may be made from any thread; long ones take a `CancelToken` and a progress
callable. Importing this module imports no third-party package: the window paints first.
"""
