"""The page in the browser: a server on loopback, and the same page as one file.

How to add a page, beside the timeline:

1. Its answer: a pure function in `app/timeline_answers.py`, or in a module of its own
   beside it. Everything that a record says goes through `shown`.
2. Its route: one line in `routes.py` (`ROUTES`) and its handler above; a handler takes the
   request, asks `site_of(request)` for what it needs, and returns `answer(…)`. It names no
   file: references, ids and words are looked up in the store. `tests/unit/surfaces/test_web_door.py`
   walks the table, so give a new parameter a sample there.
3. Its module: `page/pages/NAME.js` exports `page = { route, load, draw }`: `route` is a
   pattern (`/s/:session`), `load(api, params)` returns data, `draw(root, data, context)`
   puts it into the panel. Register it in `page/pages/all.js`. `page/pages/checkpoint.js`
   is the model.
4. For the file that `holdfast timeline` writes, `one_file.py` (`_answers`) embeds what
   `api.get(path)` is asked for; what is not embedded is answered by `null`.

Modules are joined for the file by their import lines: one `import { a, b } from "./x.js"`
each, named, at the top; exports stand before what they export (`export function …`,
`export const …`). No module imports another that imports it.

A page builds its nodes with `h()` and `s()` of `page/dom.js`, which know texts and
attributes and no markup. No style attribute and no inline handler: the policy forbids both.
Colours, spaces and sizes are the custom properties at the top of `page/style.css`.
"""
