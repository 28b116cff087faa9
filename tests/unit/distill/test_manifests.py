from __future__ import annotations

import json

import pytest

from memd.distill.manifests import manifest_changes
from memd.model import ChangedFile, ToolCall
from tests.unit.distill.talk import Talk


def changes(path: str, old: str, new: str, ok: bool = True) -> list[tuple[str, str]]:
    data = json.dumps({"file_path": path, "old_string": old, "new_string": new})
    call = ToolCall("c", "Edit", "edit", data, ok, changes=(ChangedFile(path, "update"),))
    messages = tuple(Talk().reply("", call).messages)
    return [(change.action, change.name) for change in manifest_changes(messages)]


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (
            "web/package.json",
            '"zod": "^3.1"',
            '"zod": "^3.2",\n"@tanstack/query": "^5"',
            [("upgrade", "zod"), ("add", "@tanstack/query")],
        ),
        ("pyproject.toml", '  "rich>=13",', '  "httpx[http2]>=0.27",', [("add", "httpx"), ("remove", "rich")]),
        ("requirements.txt", "flask==2.0\n", "flask==3.0\n", [("upgrade", "flask")]),
        (
            "Cargo.toml",
            "",
            'blake3 = "1.5"\nserde = { version = "1", features = ["derive"] }',
            [("add", "blake3"), ("add", "serde")],
        ),
        (
            "app/build.gradle.kts",
            "",
            'implementation("androidx.work:work-runtime-ktx:2.9.0")',
            [("add", "androidx.work:work-runtime-ktx")],
        ),
        ("pubspec.yaml", "  http: ^1.0.0", "  dio: ^5.4.0", [("add", "dio"), ("remove", "http")]),
        ("go.mod", "", "require golang.org/x/time v0.5.0", [("add", "golang.org/x/time")]),
        ("Gemfile", 'gem "rails", "7.0"', 'gem "rails", "7.1"', [("upgrade", "rails")]),
        (
            "gradle/libs.versions.toml",
            "",
            'ksp = { id = "com.google.devtools.ksp", version.ref = "ksp" }',
            [("add", "com.google.devtools.ksp")],
        ),
        (
            "core/build.gradle.kts",
            'id("org.jetbrains.kotlin.kapt")',
            "alias(libs.plugins.ksp)",
            [("remove", "org.jetbrains.kotlin.kapt")],
        ),
        (
            "versions.tf",
            'source = "hashicorp/aws"\n version = "~> 5.0"',
            'source = "hashicorp/aws"\n version = "~> 5.60.0"',
            [("upgrade", "hashicorp/aws")],
        ),
        ("package.json", '"version": "1.0.0"', '"version": "1.1.0"', []),
        ("src/app.py", "", '"zod": "^3.1"', []),
    ],
)
def test_an_edit_of_a_manifest_tells_what_became_of_packages(
    path: str, old: str, new: str, expected: list[tuple[str, str]]
) -> None:
    assert changes(path, old, new) == expected


def test_an_edit_that_failed_changed_nothing() -> None:
    assert changes("package.json", "", '"zod": "^3.1"', ok=False) == []


def test_a_patch_tells_for_each_manifest_it_updates_what_became_of_packages() -> None:
    patch = """*** Begin Patch
*** Update File: web/package.json
@@
   "devDependencies": {
-    "left-tide": "^1.0.0",
+    "@types/pier": "^8.5.10",
     "berth": "^2.0.0"
*** Add File: docs/package.json
+{"dependencies": {"new": "^1"}}
*** Update File: src/notes.ts
+// "mooring": "^2.0.0"
*** End Patch"""
    for given in ({"patch": patch}, {"command": ["apply_patch", patch]}, patch):
        files = (ChangedFile("web/package.json", "update"), ChangedFile("src/notes.ts", "update"))
        call = ToolCall("c", "apply_patch", "edit", json.dumps(given), True, changes=files)
        found = [(one.action, one.name) for one in manifest_changes(tuple(Talk().reply("", call).messages))]
        assert found == [("add", "@types/pier"), ("remove", "left-tide")]


@pytest.mark.parametrize("kind", ["testRuntimeOnly", "compileOnlyApi", "annotationProcessor", "debugImplementation"])
def test_each_of_gradles_configurations_names_a_package(kind: str) -> None:
    assert changes("build.gradle", "", f"    {kind} 'org.tide:berth'") == [("add", "org.tide:berth")]
