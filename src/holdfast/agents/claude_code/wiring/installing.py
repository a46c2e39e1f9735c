"""The wiring into Claude Code: a plugin directory of ours, named in its settings.

The client registers the plugin through its own command where that is installed, which
makes it work from the first session on; it prints settings anew on the way, so they are
put back as their owner wrote them, with our keys in.
"""

import os
from collections.abc import Iterator, Mapping

from holdfast.agents.claude_code.wiring.install_receipt import (
    ClientTraces,
    Install,
    read_installs,
    remember_install,
    remove_empty,
    unrecorded_install,
)
from holdfast.agents.claude_code.wiring.permissions import (
    told,
    with_rules,
    without_rules,
)
from holdfast.agents.claude_code.wiring.plugin import (
    COMMAND,
    LAUNCHER,
    MARKETPLACE,
    PLUGIN,
    SCRIPTS,
    Wired,
    is_wired,
    plugin_files,
    same_meaning,
    unwired,
    wired,
)
from holdfast.agents.claude_code.wiring.processes import ask_claude, find_claude
from holdfast.agents.client_files import (
    read_text,
    refuse_links,
    remove_tree,
    replace_text,
    through_own_link,
)
from holdfast.agents.launchers import probe_hook, probe_mcp
from holdfast.agents.port import InstallScope, WiringChange
from holdfast.domain.query import HealthResult
from holdfast.kernel.errors import WiringFailed
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

_RECEIPT = "install.json"
_SCOPES: tuple[InstallScope, ...] = ("user", "project")
_NAME = "claude code"
_AGAIN = "run `holdfast install claude` again"


class _Registered(NamedTuple):
    remark: str = ""  # why the client does not load it yet
    changes: tuple[WiringChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCodeWiring:
    """`home` is ours, `claude_dir` the client's, `workspace` the user's project."""

    home: str
    claude_dir: str
    workspace: str
    python: str
    environ: Mapping[str, str]

    @property
    def directory(self) -> str:
        return f"{self.home}/claude-code"

    @property
    def advice(self) -> str:
        return ""

    @property
    def _receipt(self) -> str:
        return f"{self.directory}/{_RECEIPT}"

    @property
    def _traces(self) -> ClientTraces:
        return ClientTraces(
            claude_dir=os.path.realpath(self.claude_dir), variables=f"{self.home}/env"
        )

    def install(
        self,
        *,
        scope: InstallScope,
        mcp: bool,
        dry_run: bool,
        permissions: bool = True,
    ) -> tuple[WiringChange, ...]:
        linked = self._settings_path(scope)
        path = self._own_file(scope, linked)
        refuse_links(path)
        before = read_text(path)
        after = self._wired(before, path, mcp=mcp, permissions=permissions)
        known = {one.settings for one in read_installs(self._receipt)}
        lost = None if path in known else unrecorded_install(scope, path, "")
        files = plugin_files(self.python, mcp=mcp)
        wanted = Install(
            scope=scope,
            settings=path,
            directory=self.workspace,
            mcp=mcp,
            made=(*after.made, *(lost.made if lost else ())),
            created=before is None,
            rules=(*after.rules, *(lost.rules if lost else ())),
            absent=self._absent(path),
        )
        changes = [*self._write_plugin(files, dry_run=dry_run)]
        if not dry_run:
            remember_install(self._receipt, wanted)
        registered = self._register(scope, is_new=bool(changes), dry_run=dry_run)
        if not dry_run:
            self._settle(path, after.text, mcp=mcp, permissions=permissions)
        if after.text != before:
            through = f", through the link `{linked}`" if path != linked else ""
            added = after.added + bool(after.rules)
            keys = f"+{added} keys (yours untouched){told(after.rules)}{through}"
            changes.append(WiringChange("changed" if before else "written", path, keys))
        changes.extend(registered.changes)
        if changes:
            how = "would be added to" if dry_run else "added to"
            said = f"{how} Claude Code ({scope} scope){registered.remark}"
            changes.insert(0, WiringChange("plugin", self.directory, said))
        return tuple(changes)

    def uninstall(self, *, dry_run: bool) -> tuple[WiringChange, ...]:
        installs, named = tuple(self._installs()), self._traces.named()
        changes = [
            change
            for install in installs
            if (change := self._unwire(install, dry_run=dry_run))
        ]
        if os.path.lexists(self.directory):
            if not dry_run:
                remove_tree(self.directory)
            changes.append(WiringChange("removed", self.directory, ""))
        changes.extend(self._traces.forget(dry_run=dry_run))
        if not dry_run:
            remove_empty({place for install in installs for place in install.absent})
        for path in named:
            is_gone = not dry_run and not os.path.lexists(path)
            changes.append(
                WiringChange("removed", path, "")
                if is_gone
                else WiringChange("changed", path, "holdfast's entry removed")
            )
        return tuple(changes)

    def _installs(self) -> Iterator[Install]:
        """Yield what the receipt tells, then what settings show without one."""
        known = read_installs(self._receipt)
        yield from known
        told = {self._own_file(one.scope, one.settings) for one in known}
        for scope in _SCOPES:
            try:
                path = self._own_file(scope, self._settings_path(scope))
            except WiringFailed:
                continue  # a link that we never wrote through
            lost = unrecorded_install(scope, path, self.workspace)
            if path not in told and lost:
                yield lost

    def check(self) -> Iterator[HealthResult]:
        installs = read_installs(self._receipt)
        if not installs:
            hint = "install it with `holdfast install claude`"
            yield HealthResult(_NAME, "warn", "not installed", hint)
            return
        trouble = self._trouble(installs)
        if trouble:
            yield HealthResult(_NAME, "fail", trouble, _AGAIN)
            return
        yield self._answers(mcp=any(install.mcp for install in installs))

    def _trouble(self, installs: tuple[Install, ...]) -> str:
        """Return what of the wiring is missing or not as this version writes it."""
        for install in installs:
            try:
                text = read_text(self._own_file(install.scope, install.settings))
                files = plugin_files(self.python, mcp=install.mcp)
            except WiringFailed as problem:
                return problem.message
            if not is_wired(text or "", self.directory):
                return f"`{install.settings}` does not enable the plugin"
            if any(self._differs(name, files[name]) for name in files):
                return "the plugin was written by another installation of holdfast"
        return ""

    def _answers(self, *, mcp: bool) -> HealthResult:
        hook = probe_hook(f"{self.directory}/{LAUNCHER}", self.environ)
        if not hook.answered:
            return HealthResult(
                _NAME, "fail", f"hooks do not answer: {hook.why}", _AGAIN
            )
        said = f"hooks answer in {hook.milliseconds} ms"
        if mcp:
            server = probe_mcp(f"{self.directory}/{COMMAND}", self.environ)
            if not server.answered:
                why = f"{said}, the MCP server does not: {server.why}"
                return HealthResult(_NAME, "fail", why, _AGAIN)
            said += " · MCP server answers"
        return HealthResult(_NAME, "ok", said)

    def _settings_path(self, scope: InstallScope) -> str:
        """Return the settings of a scope; a link to the client's directory is fine,
        one that a repository put in place of its own is not."""
        if scope == "user":
            return f"{os.path.realpath(self.claude_dir)}/settings.json"
        return f"{self.workspace}/.claude/settings.json"

    def _own_file(self, scope: InstallScope, path: str) -> str:
        """Return the file that is meant by the user's settings, which may be a link."""
        return through_own_link(path) if scope == "user" else path

    def _write_plugin(
        self, files: Mapping[str, str], *, dry_run: bool
    ) -> Iterator[WiringChange]:
        differing = [name for name in files if self._differs(name, files[name])]
        surplus = sorted(self._present() - files.keys() - {_RECEIPT})
        if not dry_run:
            for name in differing:
                path = f"{self.directory}/{name}"
                replace_text(path, files[name], script=name in SCRIPTS)
            for name in surplus:
                remove_tree(f"{self.directory}/{name}")
        if differing or surplus:
            count = f"{len(differing) + len(surplus)} files"
            yield WiringChange("written", self.directory, count)

    def _differs(self, name: str, text: str) -> bool:
        path = f"{self.directory}/{name}"
        if name in SCRIPTS and not os.access(path, os.X_OK):
            return True
        return read_text(path) != text

    def _present(self) -> set[str]:
        return {
            os.path.relpath(os.path.join(directory, name), self.directory)
            for directory, _, names in os.walk(self.directory)
            for name in names
        }

    def _absent(self, settings: str) -> tuple[str, ...]:
        """Return what is not there yet of all that wiring may make beside our own."""
        directory = os.path.dirname(settings)
        own = () if os.path.isdir(directory) else (directory,)
        return (*own, *self._traces.missing_places())

    def _register(
        self, scope: InstallScope, *, is_new: bool, dry_run: bool
    ) -> _Registered:
        """Let the client load the plugin now; what it is told twice changes nothing."""
        traces, claude = self._traces, find_claude(self.environ)
        if claude is None:
            return _Registered(
                "; the `claude` command was not found, so the plugin is active from"
                " the second start of Claude Code on"
            )
        if not is_new and traces.are_complete(self.directory, scope, self.workspace):
            return _Registered()
        if dry_run:
            return _Registered("", tuple(traces.to_be_made()))
        before, remark = traces.seen(), ""
        for words in (
            ("marketplace", "add", self.directory, "--scope", scope),
            ("install", PLUGIN, "--scope", scope),
        ):
            complaint = ask_claude(claude, words, self.environ, self.workspace)
            if complaint:
                remark = (
                    f"; active from the second start of Claude Code on: {complaint}"
                )
                break
        return _Registered(remark, tuple(traces.made_since(before)))

    def _wired(
        self, text: str | None, path: str, *, mcp: bool, permissions: bool
    ) -> Wired:
        found = wired(text, self.directory, path)
        return with_rules(found, mcp=mcp) if permissions else found

    def _settle(self, path: str, text: str, *, mcp: bool, permissions: bool) -> None:
        """Put our keys in and everyone else's bytes back, unless more has changed."""
        now = read_text(path)
        if now == text:
            return
        if now is not None:
            ours_in = self._wired(now, path, mcp=mcp, permissions=permissions).text
            text = text if same_meaning(ours_in, text) else ours_in
        replace_text(path, text)

    def _unwire(self, install: Install, *, dry_run: bool) -> WiringChange | None:
        path = self._own_file(install.scope, install.settings)
        before = read_text(path)
        if before is None:
            return None
        after = _without(before, install)
        is_empty = install.created and same_meaning(after, "{}")
        if not dry_run:
            self._deregister(install)
            self._settle_without(path, install, after)
            if is_empty:
                remove_tree(path)
        if is_empty:
            return WiringChange("removed", path, "")
        return (
            WiringChange("changed", path, "holdfast's keys removed")
            if after != before
            else None
        )

    def _deregister(self, install: Install) -> None:
        claude = find_claude(self.environ)
        if claude is None or not os.path.isdir(install.directory):
            return
        for words in (
            ("uninstall", PLUGIN, "--scope", install.scope),
            ("marketplace", "remove", MARKETPLACE),
        ):
            ask_claude(claude, words, self.environ, install.directory)

    def _settle_without(self, path: str, install: Install, text: str) -> None:
        now = read_text(path)
        if now is None or now == text:
            return
        rest = _without(now, install)
        replace_text(path, text if same_meaning(rest, text) else rest)


def _without(text: str, install: Install) -> str:
    """Return settings as they would be without us."""
    rest = unwired(text, install.made, install.settings)
    return without_rules(rest, install.rules, install.made)
