"""What a project's own metadata says of its models, as JSON: the truth of ``extract``.

    PYTHON introspect.py CLONE FRAMEWORK ROOT NAME…

Runs in the interpreter that has the project's dependencies, and imports nothing of ours. FRAMEWORK
is ``django`` (NAMEs are applications), ``sqlalchemy`` or ``pydantic`` (NAMEs are modules); ROOT is
the folder of CLONE that is imported from.
"""

import dataclasses
import enum
import importlib
import inspect
import json
import re
import sys
import types
import typing
from pathlib import Path


def main() -> None:
    clone, framework, root, *names = sys.argv[1:]
    top = Path(clone).resolve()
    sys.path.insert(0, str(top / root))
    found = {"django": read_django, "sqlalchemy": read_mapped, "pydantic": read_models}[framework](
        names
    )
    classes: dict[str, object] = {}
    for cls, read in found:
        place = locate(cls, top)
        if place:
            fields = {name: target for name, target, owner in read if locate(owner, top)}
            if fields:
                classes[place] = {"kind": framework, "fields": fields}
    modules = {sys.modules[cls.__module__] for cls, _ in found if locate(cls, top)}
    enums: dict[str, list[str]] = {}
    for module in modules:
        path = str(Path(inspect.getfile(module)).resolve().relative_to(top))
        for name, value in vars(module).items():
            if typing.get_origin(value) is typing.Literal:
                enums[f"{path}::{name}"] = [
                    spell_words(str(each)) for each in typing.get_args(value)
                ]
        for cls in list_classes(module):
            place = locate(cls, top)
            if place is None or cls.__module__ != module.__name__:
                continue
            if issubclass(cls, enum.Enum):
                if list(cls):
                    enums[place] = [spell_words(member.name) for member in cls]
            elif place not in classes:
                classes[place] = {"kind": "", "fields": dict.fromkeys(list_annotated(cls), "")}
    files = sorted(
        {place.partition("::")[0] for place in classes} | {p.partition("::")[0] for p in enums}
    )
    json.dump({"files": files, "classes": classes, "enums": enums}, sys.stdout)


def spell_words(name: str) -> str:
    """``endTurn`` as ``end_turn``, as the engine has it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def locate(cls: type, top: Path) -> str | None:
    """``path::symbol`` of a class in the clone."""
    try:
        path = Path(inspect.getfile(cls)).resolve()
    except (TypeError, OSError):
        return None
    if "<locals>" in cls.__qualname__ or not path.is_relative_to(top):
        return None
    return f"{path.relative_to(top)}::{cls.__qualname__}"


def list_classes(module: types.ModuleType) -> list[type]:
    found: list[type] = []
    stack = [each for each in vars(module).values() if inspect.isclass(each)]
    while stack:
        cls = stack.pop()
        if cls not in found and getattr(cls, "__module__", None) == module.__name__:
            found.append(cls)
            stack += [each for each in vars(cls).values() if inspect.isclass(each)]
    return found


def list_annotated(cls: type) -> list[str]:
    """The data that any class says it has."""
    if dataclasses.is_dataclass(cls):
        return [field.name for field in dataclasses.fields(cls)]
    if hasattr(cls, "model_fields") and isinstance(cls.model_fields, dict):
        return list(cls.model_fields)
    found: dict[str, None] = {}
    for base in reversed(cls.__mro__):
        found |= dict.fromkeys(inspect.get_annotations(base))
        # A plain class has what it gives to itself.
        code = getattr(base.__dict__.get("__init__"), "__code__", None)
        found |= dict.fromkeys(name.lstrip("_") for name in (code.co_names if code else ()))
        columns = [
            n
            for n, v in base.__dict__.items()
            if type(v).__module__.startswith(("sqlalchemy", "django"))
        ]
        found |= dict.fromkeys(columns)
        meta = base.__dict__.get("_meta")
        found |= (
            dict.fromkeys(f.name for f in [*meta.local_fields, *meta.local_many_to_many])
            if meta
            else {}
        )
    return list(found)


def read_django(names: list[str]) -> list[tuple[type, list[tuple[str, str, type]]]]:
    import django
    from django.conf import settings

    if names[0].startswith("settings="):
        import os

        os.environ["DJANGO_SETTINGS_MODULE"] = names[0].partition("=")[2]
    else:
        defaults: dict[str, object] = {}
        while names[0].startswith("defaults="):
            module = importlib.import_module(names.pop(0).partition("=")[2])
            defaults |= {name: value for name, value in vars(module).items() if name.isupper()}
        contributed = ("contenttypes", "auth", "sites", "sessions", "flatpages")
        backend = {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}
        settings.configure(
            **defaults,
            INSTALLED_APPS=[*(f"django.contrib.{each}" for each in contributed), *names],
            DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
            USE_TZ=True,
            SECRET_KEY="x",
            SITE_ID=1,
            DEFAULT_AUTO_FIELD="django.db.models.AutoField",
            HAYSTACK_CONNECTIONS={"default": backend},
            MIDDLEWARE=["allauth.account.middleware.AccountMiddleware"],
            ROOT_URLCONF="django.contrib.auth.urls",
        )
    from django.apps import apps

    try:
        django.setup()
    except LookupError:
        # An application asks for others that hold no models; the models are there.
        apps.ready = True

    found = []
    for model in apps.get_models():
        fields = []
        for field in [*model._meta.fields, *model._meta.many_to_many]:
            if not field.auto_created and not getattr(field, "parent_link", False):
                owners = [
                    base
                    for base in model.__mro__
                    if "_meta" in base.__dict__
                    and field.name
                    in {f.name for f in [*base._meta.local_fields, *base._meta.local_many_to_many]}
                ]
                target = field.related_model.__name__ if field.is_relation else ""
                fields.append((field.name, target, owners[-1] if owners else model))
        found.append((model, fields))
    return found


def read_mapped(names: list[str]) -> list[tuple[type, list[tuple[str, str, type]]]]:
    modules = [importlib.import_module(name) for name in names]
    from sqlalchemy import inspect as look

    found = []
    for cls in dict.fromkeys(cls for module in modules for cls in list_classes(module)):
        if "__mapper__" not in dir(cls) or cls.__dict__.get("__abstract__"):
            continue
        mapper = look(cls)
        fields = [(each.key, "", find_owner(cls, each.key)) for each in mapper.column_attrs]
        fields += [
            (each.key, each.mapper.class_.__name__, find_owner(cls, each.key))
            for each in mapper.relationships
        ]
        found.append((cls, fields))
    return found


def find_owner(cls: type, name: str) -> type:
    """The class that declares a field, of a class and its bases."""
    found = [
        base
        for base in cls.__mro__
        if name in base.__dict__ or name in inspect.get_annotations(base)
    ]
    return found[-1] if found else cls


def read_models(names: list[str]) -> list[tuple[type, list[tuple[str, str, type]]]]:
    modules = [importlib.import_module(name) for name in names]
    from pydantic import BaseModel

    found = []
    for cls in dict.fromkeys(cls for module in modules for cls in list_classes(module)):
        if issubclass(cls, BaseModel):
            found.append((cls, [(name, "", find_owner(cls, name)) for name in cls.model_fields]))
    return found


if __name__ == "__main__":
    main()
