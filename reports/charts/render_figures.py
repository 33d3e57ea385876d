"""Renders Vega-Lite specifications: render_figures.py "svg pdf" FILE.vl.json … writes FILE.svg, FILE.pdf."""

import sys

import vl_convert

RENDER = {"svg": vl_convert.vegalite_to_svg, "pdf": vl_convert.vegalite_to_pdf}

for file in sys.argv[2:]:
    with open(file, encoding="utf-8") as stream:
        specification = stream.read()
    for suffix in sys.argv[1].split():
        picture = RENDER[suffix](specification, allowed_base_urls=[])
        with open(file.removesuffix("vl.json") + suffix, "wb") as stream:
            stream.write(picture if isinstance(picture, bytes) else picture.encode())
