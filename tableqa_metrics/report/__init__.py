"""`tableqa report`: runs side by side, from the figures down to each answer.

The page is one HTML file that opens from disk: no network, no tracking, no other file.
Its figures and charts are plain HTML and SVG; a browser of the questions is drawn by the
page's own script, from data that stand compressed in the page.

Libraries: jinja2 fills the templates, since it escapes every text of a model or a data
set that enters them; pygal draws the charts (`charts` says why). Both belong to the
extra `report`. The script uses no library: what it does, a list of which only the
visible rows are in the page, filters, and tables, is less code than a framework needs to
be loaded.
"""
