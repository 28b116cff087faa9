"""What JavaScript's and TypeScript's own types, expressions and module names hand through."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.trees import graph

FLEET = """
class Ship {
  hull: Hull = new Hull()
  crew: Sailor[] = []
  sail(): void {}
  dock(): Harbour { return new Harbour() }
  static build(): Ship { return new Ship() }
}
class Hull { paint() {} }
class Sailor { sing() {} }
class Harbour { open() {} }
declare function load(name: string): Promise<Ship>
declare function build(): Ship
"""


def calls(source: str, of: str = "main", path: str = "a.ts") -> set[str]:
    """What a function calls in a file with the fleet in it, without `load` and `build`."""
    found = {node.removeprefix(f"{path}::") for node in graph({path: FLEET + source}).calls_of(f"{path}::{of}")}
    return found - {"load", "build"}


@pytest.mark.parametrize(
    "statement",
    [
        "ships.at(0)!.sail()",
        "ships.pop()!.sail()",
        "ships.slice(1).concat(ships).reverse()[0].sail()",
        "ships.findLast((s) => s)!.sail()",
        "ships.flatMap((s) => [s])[0].sail()",
        "[ships].flat()[0].sail()",
        "ships.toSorted((a, b) => { a.sail(); return 0 })",
        "ships.sort((a, b) => { b.sail(); return 0 })",
        "ships.reduce((a, b) => { b.sail(); return a })",
        "ships.reduce((a, b) => { a.sail(); return a })",
        "ships.reduce((a, b) => a).sail()",
        "ships.reduceRight((sum, one) => { one.sail(); return sum }, 0)",
        "for (const [i, s] of ships.entries()) s.sail()",
        "for (const s of ships.values()) s.sail()",
        "ships.some((s) => s.sail())",
        "ships.forEach((s, i, all) => all[0].sail())",
        "Array.from(ships)[0].sail()",
        "Array.of(build())[0].sail()",
        "const [, second] = ships; second.sail()",
        "const [...rest] = [build()]; rest.sail(); build().sail()",
        "const { length, ...others } = ships; ships[0].sail()",
        "[build(), new Hull()][0].sail()",
        "const both: [Ship, Hull] = [build(), new Hull()]; both[0].sail()",
        "const [first] = [...ships]; first.sail()",
        "structuredClone(build()).sail()",
        "Object.assign(build(), {}).sail()",
        "Object.freeze(build()).sail()",
        "Object.values({ a: build() } as Record<string, Ship>)[0].sail()",
        "for (const [k, s] of Object.entries({} as Record<string, Ship>)) s.sail()",
        "const named: Record<string, Ship> = {}; named.x.sail()",
        "const named: Record<string, Ship> = {}; named['x'].sail()",
        "new Map([['x', build()]]).get('x')!.sail()",
        "new Map<string, Ship>().forEach((s) => s.sail())",
        "new Map<Ship, string>().forEach((_, s) => s.sail())",
        "for (const s of new Map<string, Ship>().values()) s.sail()",
        "for (const s of new Map<Ship, string>().keys()) s.sail()",
        "for (const [s, n] of new Map<Ship, string>().entries()) s.sail()",
        "new Map<string, Ship>().set('x', build()).get('x')!.sail()",
        "new Set([build()]).forEach((s) => s.sail())",
        "for (const s of new Set<Ship>().add(build())) s.sail()",
        "for (const s of new Set<Ship>().values()) s.sail()",
        "new WeakMap<object, Ship>().get({})!.sail()",
    ],
)
def test_collections_give_what_they_hold(statement: str) -> None:
    assert calls(f"function main(ships: Ship[]) {{ {statement} }}") - {"Hull"} == {"Ship.sail"}


@pytest.mark.parametrize(
    "statement",
    [
        "(await load('x')).sail()",
        "load('x').then((s) => s.sail())",
        "load('x').then((s) => s).then((s) => s.sail())",
        "load('x').catch(() => build()).then((s) => s.sail())",
        "load('x').finally(() => {}).then((s) => s.sail())",
        "(await Promise.resolve(build())).sail()",
        "(await Promise.all([load('x'), load('y')]))[0].sail()",
        "(await Promise.all(names.map((n) => load(n))))[0].sail()",
        "const [s, h] = await Promise.all([load('x'), new Hull()]); s.sail()",
        "(await Promise.race([load('x')])).sail()",
        "(await Promise.any([load('x'), load('y')])).sail()",
        "const s: Awaited<Promise<Ship>> = await load('x'); s.sail()",
        "const s: Awaited<ReturnType<typeof load>> = await load('x'); s.sail()",
        "const f = async () => build(); (await f()).sail()",
    ],
)
def test_promises_give_what_they_promise(statement: str) -> None:
    source = f"async function main(names: string[]) {{ {statement} }}"
    assert calls(source) - {"Hull", "main.f"} == {"Ship.sail"}


@pytest.mark.parametrize(
    "declared",
    [
        "s: Partial<Ship>",
        "s: Readonly<Ship>",
        "s: Omit<Ship, 'crew'>",
        "s: NonNullable<Ship | undefined>",
        "s: ReturnType<() => Ship>",
        "s: Ship & { extra: number }",
        "s: (Ship)",
        "s: Ship | string | null",
        "s: typeof one",
        "s: Fleet['flag']",
        "s: Choice<string>",
    ],
)
def test_a_type_that_is_made_of_another_has_its_methods(declared: str) -> None:
    source = f"""
    interface Fleet {{ flag: Ship }}
    type Choice<T> = T extends string ? Ship : Ship
    const one = new Ship()
    function main({declared}) {{ s.sail() }}
    """
    assert calls(source) == {"Ship.sail"}


def test_a_type_inherits_the_methods_of_one_that_is_made_of_another() -> None:
    source = """
    interface Boat extends Omit<Ship, 'flag'> {}
    class Raft { dock(b: Partial<Boat>) { b.sail() } }
    function main(b: Boat) { b.sail() }
    """
    assert calls(source) == {"Ship.sail"}


@pytest.mark.parametrize(
    ("statement", "called"),
    [
        ("s['sail']()", {"Ship.sail"}),
        ("const f = s.dock.bind(s); f().open()", {"Ship.dock", "Harbour.open"}),
        ("(s || build()).sail()", {"Ship.sail"}),
        ("(s ?? build()).sail()", {"Ship.sail"}),
        ("(true && s).sail()", {"Ship.sail"}),
        ("(0, s).sail()", {"Ship.sail"}),
        ("(x ? s : build()).sail()", {"Ship.sail"}),
        ("let t; (t = s).sail()", {"Ship.sail"}),
        ("let t = s; t ??= build(); t.sail()", {"Ship.sail"}),
        ("s!.sail()", {"Ship.sail"}),
        ("(s satisfies Ship).sail()", {"Ship.sail"}),
        ("(<Ship>x).sail()", {"Ship.sail"}),
        ("(s as const).sail()", {"Ship.sail"}),
        ("(x as any).sail()", set()),
        ("(function () { return build() })().sail()", {"Ship.sail"}),
        ("(() => s)().sail()", {"Ship.sail"}),
        ("('a' + x).sail(); (1 + 2).sail(); (s === x).sail()", set()),
        ("`${s.sail()}`", {"Ship.sail"}),
        ("(x as { deep: { ship: Ship } }).deep.ship.sail()", {"Ship.sail"}),
        ("const { hull: { paint } } = s; paint()", {"Hull.paint"}),
        ("const { hull = new Hull() } = s; hull.paint()", {"Hull", "Hull.paint"}),
        ("const make = Ship; new make().sail()", {"Ship", "Ship.sail"}),
        ("const make = Ship.build; make().sail()", {"Ship.build", "Ship.sail"}),
        ("const f = build<string>; f().sail()", {"Ship.sail"}),
        ("for (const k in s) { s.sail() }", {"Ship.sail"}),
        ("try { s.sail() } catch { s.dock() } finally { s.hull.paint() }", {"Ship.sail", "Ship.dock", "Hull.paint"}),
        ("switch (x) { case 1: s.sail(); break; default: s.dock() }", {"Ship.sail", "Ship.dock"}),
        ("if ('sail' in s) s.sail()", {"Ship.sail"}),
        ("if (typeof x === 'object') s.sail()", {"Ship.sail"}),
        ("while (x) { s = build(); s.sail() }", {"Ship.sail"}),
        ("const s2 = Object.create(s); s2.sail()", {"Ship.sail"}),
        ("(await import('./other')).gone()", set()),
    ],
)
def test_an_expression_stands_for_what_it_gives(statement: str, called: set[str]) -> None:
    found = calls(f"async function main(s: Ship, x: any) {{ {statement} }}")
    assert {name.rpartition("main.")[2] for name in found} == called


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("const main = (s = new Ship()) => s.sail()", {"Ship", "Ship.sail"}),
        ("function main(this: Ship) { this.sail() }", {"Ship.sail"}),
        ("function main(...ships: Ship[]) { ships[0].sail() }", {"Ship.sail"}),
        ("function main([s]: Ship[]) { s.sail() }", {"Ship.sail"}),
        ("function main({ hull: { paint }, ...rest }: Ship) { paint() }", {"Hull.paint"}),
        ("function* make() { yield build() }\nfunction main() { for (const s of make()) s.sail() }", {
            "make", "Ship.sail",
        }),
        (
            "function* make(): Generator<Ship> { yield build() }\nfunction main() { for (const s of make()) s.sail() }",
            {"make", "Ship.sail"},
        ),
        (
            "async function main(all: AsyncIterable<Ship>) { for await (const s of all) s.sail() }",
            {"Ship.sail"},
        ),
        ("class Deck { constructor(private s: Ship) {} main() { this.s.sail() } }", {"Ship.sail"}),
        ("class Deck { s?: Ship; main() { this.s?.sail() } }", {"Ship.sail"}),
        ("class Deck { static s = new Ship(); static main() { Deck.s.sail(); this.s.sail() } }", {"Ship.sail"}),
        ("class Deck extends Ship { main() { super.sail() } }", {"Ship.sail"}),
        ("class Deck extends Map<string, Ship> { main() { this.get('x')!.sail() } }", {"Ship.sail"}),
        ("class Deck extends Array<Ship> { main() { this.forEach((s) => s.sail()) } }", {"Ship.sail"}),
        ("abstract class Deck { abstract s: Ship; main() { this.s.sail() } }", {"Ship.sail"}),
        ("class Deck { set s(x: Ship) { x.sail() } get s(): Ship { return build() } main() { this.s.sail() } }", {
            "Ship.sail",
        }),
        ("const deck = { s: new Ship(), main() { this.s.sail() } }", {"Ship.sail"}),
        ("enum Kind { A, B }\nfunction main(k: Kind, s: Ship) { if (k === Kind.A) s.sail() }", {"Ship.sail"}),
        ("namespace Yard { export const s = new Ship() }\nfunction main() { Yard.s.sail() }", {"Ship.sail"}),
        ("namespace Yard { export class Dock { go() {} } }\nimport D = Yard.Dock\nfunction main(d: D) { d.go() }", {
            "Yard.Dock.go",
        }),
    ],
)  # fmt: skip
def test_what_a_function_is_given_and_what_stands_around_it_is_known(code: str, called: set[str]) -> None:
    of = "Deck.main" if "class Deck" in code else "deck.main" if "const deck" in code else "main"
    assert calls(code, of) == called


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("interface On { (s: Ship): void }\nfunction take(f: On) {}\nfunction main() { take((s) => s.sail()) }", {
            "take", "Ship.sail",
        }),
        ("class Hook { constructor(f: (s: Ship) => void) {} }\nfunction main() { new Hook((s) => s.sail()) }", {
            "Hook", "Ship.sail",
        }),
        ("function take(f: (s: Ship) => void) {}\nfunction main() { take(function (s) { s.sail() }) }", {
            "take", "Ship.sail",
        }),
        ("interface Make { new (f: (s: Ship) => void): Hull }\nfunction main(M: Make) { new M((s) => s.sail()).paint() }",  # noqa: E501
         {"Ship.sail", "Hull.paint"}),
        ("const main: (s: Ship) => void = (s) => s.sail()", {"Ship.sail"}),
        ("function take(f: { on(s: Ship): void }) {}\nfunction main() { take({ on(s) { s.sail() } }) }", {
            "take", "Ship.sail",
        }),
        ("type Pick2 = (make: () => Ship) => void\nfunction main(p: Pick2) { p(() => build()) }", set()),
    ],
)  # fmt: skip
def test_a_callback_is_called_with_what_its_taker_says(code: str, called: set[str]) -> None:
    assert calls(code) == called


def test_what_call_and_bind_give_is_what_the_method_gives() -> None:
    assert "Harbour.open" in calls("function main(s: Ship) { s.dock.call(s).open() }")
    assert "Harbour.open" in calls("function main(s: Ship) { s.dock.apply(s, []).open() }")


def test_a_configuration_with_comments_and_last_commas_is_read() -> None:
    found = graph(
        {
            "tsconfig.json": """
            {
              // where things lie
              "compilerOptions": { "paths": { "@yard/*": ["./yard/*"], "one": ["./yard/one.ts",], }, /* all */ },
            }
            """,
            "yard/one.ts": "export const one = () => 1",
            "deep/down/main.ts": """
            import { one } from '@yard/one'
            import { one as same } from 'one'
            export function main() { one(); same() }
            """,
        }
    )
    assert found.calls_of("deep/down/main.ts::main") == {"yard/one.ts::one"}


def test_a_configuration_that_cannot_be_read_maps_nothing_and_harms_nothing() -> None:
    found = graph(
        {
            "tsconfig.json": "{ not json",
            "package.json": "[1]",
            "yard.ts": "export const f = () => 1",
            "main.ts": "import { f } from './yard'\nimport { g } from 'yard'\nexport function main() { f(); g() }",
        }
    )
    assert found.calls_of("main.ts::main") == {"yard.ts::f"}


def test_several_configurations_can_be_extended_and_one_that_extends_itself_ends() -> None:
    found = graph(
        {
            "tsconfig.json": '{ "extends": ["./tsconfig.none.json", "./tsconfig.paths"], "compilerOptions": {} }',
            "tsconfig.paths.json": '{ "compilerOptions": { "paths": { "yard": ["./yard.ts"] } } }',
            "loop/tsconfig.json": '{ "extends": "./tsconfig.json" }',
            "loop/main.ts": "import { f } from 'yard'\nexport function main() { f() }",
            "yard.ts": "export const f = () => 1",
        }
    )
    assert found.calls_of("loop/main.ts::main") == {"yard.ts::f"}


def test_the_main_file_of_a_package_is_its_source_where_what_is_made_of_it_is_not_there() -> None:
    packages = {
        "a": '{ "name": "a", "main": "dist/index.js" }',
        "b": '{ "name": "b", "main": "./lib/index.js", "types": "./lib/index.d.ts" }',
        "c": '{ "name": "c", "exports": "./dist/index.js" }',
        "d": '{ "name": "d", "exports": { "import": "./dist/index.mjs", "require": ["./dist/index.cjs"] } }',
        "e": '{ "name": "e", "main": "dist" }',
    }
    files = {f"packages/{name}/package.json": package for name, package in packages.items()}
    files |= {f"packages/{name}/src/index.ts": f"export const {name} = () => 1" for name in packages}
    files["packages/e/index.ts"] = "export const e = () => 1"
    imports = "\n".join(f"import {{ {name} }} from '{name}'" for name in packages)
    files["main.ts"] = f"{imports}\nexport function main() {{ {'; '.join(f'{name}()' for name in packages)} }}"

    assert graph(files).calls_of("main.ts::main") == {
        *(f"packages/{name}/src/index.ts::{name}" for name in "abcd"),
        "packages/e/index.ts::e",
    }


def test_a_file_of_a_package_is_found_below_its_folder_and_beside_what_is_made_of_it() -> None:
    found = graph(
        {
            "hull/package.json": '{ "name": "@fleet/hull", "main": "dist/index.js" }',
            "hull/src/paint.ts": "export const paint = () => 1",
            "hull/tools/scrub.ts": "export const scrub = () => 1",
            "main.ts": """
            import { paint } from '@fleet/hull/paint'
            import { scrub } from '@fleet/hull/tools/scrub'
            import { gone } from '@fleet/hull/nothing'
            export function main() { paint(); scrub(); gone() }
            """,
        }
    )
    assert found.calls_of("main.ts::main") == {"hull/src/paint.ts::paint", "hull/tools/scrub.ts::scrub"}


def test_private_names_of_a_package_are_mapped_by_pattern_and_by_condition() -> None:
    found = graph(
        {
            "package.json": """
            { "name": "yard", "imports": {
                "#lib/*": "./lib/*.ts", "#hull": "hull",
                "#env": { "browser": "./env.web.ts", "default": "./env.ts" } } }
            """,
            "lib/f.ts": "export const f = () => 1",
            "env.web.ts": "export const env = () => 1",
            "packages/hull/package.json": '{ "name": "hull" }',
            "packages/hull/index.ts": "export const paint = () => 1",
            "deep/main.ts": """
            import { f } from '#lib/f'
            import { env } from '#env'
            import { paint } from '#hull'
            import { no } from '#nothing'
            export function main() { f(); env(); paint(); no() }
            """,
        }
    )
    assert found.calls_of("deep/main.ts::main") == {
        "lib/f.ts::f",
        "env.web.ts::env",
        "packages/hull/index.ts::paint",
    }


def test_names_that_lead_out_of_the_tree_or_from_its_root_are_none_of_the_trees() -> None:
    found = graph({"a.ts": "import '../../b'\nimport '/a'\nimport './a?raw'\nimport '..'", "b.ts": ""})
    assert found.edges("imports") <= {("a.ts", "a.ts")}


@pytest.mark.parametrize(
    ("given", "called"),
    [
        ("export default class Ship { sail() {} }", "Ship.sail"),
        ("class Ship { sail() {} }\nexport { Ship as default }", "Ship.sail"),
        ("class Ship { sail() {} }\nexport = Ship", "Ship.sail"),
        ("export default abstract class Ship { sail() {} }", "Ship.sail"),
        ("class Ship { sail() {} }\nexport default Ship", "Ship.sail"),
        ("class Ship { sail() {} }\nconst made = Ship\nexport default made", "Ship.sail"),
        ("@decorated export default class Ship { sail() {} }\ndeclare const decorated: any", "Ship.sail"),
    ],
)
def test_the_default_of_a_module_is_what_is_given_as_such(given: str, called: str) -> None:
    main = "import Any from './ship'\nexport function main(s: Any) { s.sail() }"
    assert graph({"ship.ts": given, "main.ts": main}).calls_of("main.ts::main") == {f"ship.ts::{called}"}


def test_what_a_declaration_takes_apart_is_exported_by_each_name() -> None:
    found = graph(
        {
            "yard.ts": """
            const yard = { f() {}, g() {}, deep: { h() {} } }
            export const { f, g: other, deep: { h }, lost = 1, ...rest } = yard
            export const [one, [two] = []] = [() => 1]
            export declare function declared(): void
            export namespace N.M { export const inner = () => 1 }
            """,
            "main.ts": """
            import { f, other, h, declared, N } from './yard'
            export function main() { f(); other(); h(); declared(); N.M.inner() }
            """,
        }
    )
    names = {node.rpartition("::")[2].rpartition(".")[2] for node in found.calls_of("main.ts::main")}
    assert names == {"f", "g", "h", "declared", "inner"}


@pytest.mark.parametrize(
    "written", ["{0}", "Readonly<{0}>", "Partial<Readonly<{0}>>", "Named & Readonly<{0}>", "(Required<({0})>)"]
)
def test_methods_of_a_type_literal_are_the_aliass_however_it_is_wrapped(written: str) -> None:
    literal = "{ build(): Ship; paint(ship: Ship): void }"
    source = f"""
    interface Named {{ name: string }}
    type Yard = {written.format(literal)}
    const yard: Yard = freeze<Yard>({{ build() {{ return new Ship() }}, paint() {{}} }})
    declare function freeze<T>(one: T): T
    function main() {{ yard.build().sail(); yard.paint(new Ship()) }}
    """
    assert {"Yard.build", "Yard.paint", "Ship.sail"} <= calls(source)


def test_a_type_literal_within_any_other_type_gives_an_alias_no_methods() -> None:
    source = "type Yards = Array<{ build(): void }>\ndeclare const yards: Yards\nfunction main() { yards.build() }\n"
    assert calls(source) == set()
