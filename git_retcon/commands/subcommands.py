"""Commands with subcommands; where one is ``run``, its name may be left out."""

import os
from collections.abc import Iterator, Sequence

import click

import git_retcon
from git_retcon.commands.options import HELP, output_options
from git_retcon.errors import WrongUsage
from git_retcon.options import Output
from git_retcon.show.envelope import Ending
from git_retcon.show.suggestion import find_similar


class Subcommand(click.Command):
    """One subcommand. ``--color`` takes a value only in the same word: ``--color=never``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(self._spell_out(args)))

    def _spell_out(self, words: Sequence[str]) -> Iterator[str]:
        """The words, with a bare ``--color`` as ``--color=always``, for click would take the next
        word for its value, a file's name perhaps; and short flags as long ones, for click imports
        difflib before it knows a short one.
        """
        flags = [each for each in self.params if isinstance(each, click.Option) and each.is_flag]
        spelled = {short: each.opts[-1] for each in flags for short in each.opts[:-1]}
        spelled["--color"] = "--color=always"
        takes_value = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag and option.name != "color"
            for name in option.opts
        }
        is_value = is_past = False
        for word in words:
            is_past = is_past or (word == "--" and not is_value)
            yield word if is_past or is_value else spelled.get(word, word)
            is_value = not is_value and word in takes_value


@click.command("--version", cls=Subcommand, context_settings=HELP)
@output_options
def show_version(output: Output) -> Ending:
    """Show the version and exit."""
    program = (click.get_current_context().find_root().info_name or "").replace(" ", "-", 1)
    if not output.json:
        click.echo(f"{program} {git_retcon.__version__}")
    return Ending(data={"program": program, "release": git_retcon.__version__})


class Subcommands(click.Group):
    """A command whose subcommand is always named."""

    command_class = Subcommand

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[:1] == ["-h"]:
            args = ["--help", *args[1:]]  # click imports difflib before it knows a short option
        first = args[0] if args else ""
        if first == "--version":
            return super().parse_args(ctx, ["--", *args])  # a subcommand, not an option
        if first not in self.commands and first != "--help":
            self._refuse_word(first, ctx.command_path)
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return show_version if cmd_name == "--version" else super().get_command(ctx, cmd_name)

    def _refuse_word(self, word: str, command: str) -> None:
        """Raise WrongUsage for what is no subcommand."""
        if word.startswith("-"):
            return  # click says what is wrong with an option
        usage = [*command.split(), "-h"]
        if not word:
            hint = f"'{command} -h' lists them"
            raise WrongUsage("no command is named", hint=hint, commands=[usage])
        similar = find_similar(word, self.commands)
        hint = f"did you mean '{command} {similar}'?" if similar else f"'{command} -h' lists all"
        commands = [[*command.split(), similar]] if similar else [usage]
        raise WrongUsage(f"'{word}' is no command of '{command}'", hint=hint, commands=commands)


class DefaultToRun(click.Group):
    """``git retcon SPEC`` is ``git retcon run SPEC``: what is no subcommand begins a run."""

    command_class = Subcommand

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[:1] == ["-h"]:
            args = ["--help", *args[1:]]  # click imports difflib before it knows a short option
        if args[:1] == ["--version"]:
            return super().parse_args(ctx, ["--", *args])  # a subcommand, not an option
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            if args:
                self._refuse_misspelled(args[0], ctx.command_path)
                self._refuse_command_last(args, ctx)
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return show_version if cmd_name == "--version" else super().get_command(ctx, cmd_name)

    def _refuse_command_last(self, words: Sequence[str], ctx: click.Context) -> None:
        """Raise WrongUsage for ``git retcon --json status``: what begins with options is a run."""
        if not any(word in self.commands for word in words[1:]):
            return
        name = next(iter(self._find_arguments(words, ctx)), "")
        if name not in self.commands or os.path.lexists(name):
            return
        at = words.index(name)
        if "--" in words[:at]:
            return
        usage = [*ctx.command_path.split(), name]
        raise WrongUsage(
            f"options of '{name}' come after it",
            hint=f"write '{' '.join(usage)} …' instead",
            commands=[[*usage, *words[:at], *words[at + 1 :]]],
        )

    def _find_arguments(self, words: Sequence[str], ctx: click.Context) -> Sequence[str]:
        """The words of a run that are neither options nor their values; none if it has others."""
        run = self.commands["run"]
        try:
            with run.context_class(run, info_name="run", parent=ctx) as within:
                named, others, _ = run.make_parser(within).parse_args(list(words))
        except click.UsageError:
            return ()
        arguments = [each.name for each in run.params if isinstance(each, click.Argument)]
        return [*(named[name] for name in arguments if name and named.get(name)), *others]

    def _refuse_misspelled(self, word: str, command: str) -> None:
        """Raise WrongUsage for what is no file, and nearly the name of a subcommand."""
        if word.startswith("-") or os.path.lexists(word):
            return
        similar = find_similar(word, self.commands)
        if similar:
            raise WrongUsage(
                f"'{word}' is neither a command nor a file",
                hint=f"did you mean '{command} {similar}'?",
                commands=[[*command.split(), similar]],
            )
