"""The page in the browser: a server for its user and for who has a token, and one file.

How to add a page, beside the timeline (`checkpoint` is the model):

1. Its answer: a module in `app/page_answers/` with a pure function. Everything that a
   record says goes through `shown`.
2. Its handler: a module of its own beside `timeline_handlers.py`. A handler takes the
   request, asks `site_of(request)` for what it needs, and returns `answer(…)`; a
   `HoldfastError` becomes an answer by itself. It names no file: references, ids and words
   are looked up in the store.
3. Its route: one line in `routes.py` (`ROUTES`), with the scope that a token needs for it.
   `tests/unit/surfaces/test_web_door.py` and `test_web_access.py` walk over all of them:
   give a new parameter a sample in `tests/web_visitor.py`. An action is a route with
   `methods=("POST",)`, which the door asks the page's token for; the page calls it with
   `api.act(path, body)`. What a grant may see is what `site_of(request)` has, and nothing
   else: no handler asks for a project's leave.
4. Its module: `page/pages/NAME.js` exports `page = { name, route, load, draw }`: `route` is
   a pattern (`/s/:session`), `load(api, params, context)` returns data (`null`: not in this
   file), `draw(root, data, context)` puts nodes into the panel, and may return what the
   page can do: `keys` by name, `actions` for the palette, `leave` for when it goes. With
   `isWide` it has most of the window. One line in `page/pages/all.js` registers it, and
   the palette knows it if its route has no parameter. Addresses that a browser may open are in `PAGES` of
   `routes.py`: those of sessions, comparisons, files, search and statistics are there.
   Its styles: `page/pages/NAME.css`, which is sent behind `style.css` by itself.
   `context` has `api`, `isFile`, `actions`, `say(text)`, `now()`,
   `router.go(path, query)`, `href(path, query)` for links that work in a file, too, and
   `here()`, the project of the terminal.
5. In the file that `holdfast timeline` writes: a function in `EMBEDDED` of `one_file.py`
   yields what its `load` asks for, by path.
6. Its tests: `tests/e2e/web`, in a real Chromium. A policy without `eval` means that
   Playwright's `wait_for_function` does not work: use `expect(locator)`.

Modules are joined for the file by their import lines: `import { a, b } from "./x.js";` on
one line, at the top; `export` stands before `function`, `async function`, `const` or
`class`. No module imports one that imports it.

A page builds its nodes with `h()` and `s()` of `page/dom.js`, which know texts and
attributes and no markup; somebody's words are `words(text)`. No style attribute and no
inline handler: the policy forbids both. Colours, spaces and sizes are the custom properties
at the top of `page/style.css`, for light and for dark.
"""
