"""The icon family: our own drawings on a grid of 16, strokes of one weight, in `currentColor`.

Loaded by `zbm_gui.style.icons`, which colours them from the palette and keeps the stroke at the
same weight whatever the size. `app.svg` is the app's own picture, in colours of its own.
"""
