import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Arbitraries, ours, withRules } from "toolgate/testing"
import { optionTexts } from "../../../src/permission/bash/optionTexts.ts"

const decided = (command: string, rules: { readonly allow?: string; readonly deny?: string }) =>
  Effect.map(
    ours.decide(withRules(
      Arbitraries.quiet({ tool: "Bash", input: { command } }),
      ...(rules.allow === undefined ? [] : [{ source: "session", behavior: "allow", text: rules.allow } as const]),
      ...(rules.deny === undefined ? [] : [{ source: "session", behavior: "deny", text: rules.deny } as const])
    )),
    (verdict) => `${verdict}: ${command}`
  )

/** Every option of the tables that names a command without anything before it, in each of its forms. */
const lines = [...optionTexts].flatMap(([program, given]) =>
  given.filter(({ behind }) => behind === undefined || behind.exec("rm x")?.[0] === "").flatMap(({ options }) =>
    options.split(" ").filter((option) => option.endsWith("=")).flatMap((option) => {
      const name = option.slice(0, -1)
      if (name.endsWith("?")) return [`${program} ${name.slice(0, -1)}${name.startsWith("--") ? "=" : ""}'rm x' a`]
      const glue = name.startsWith("--") || name.length > 3 ? "=" : ""
      return [`${program} ${name} 'rm x' a`, `${program} ${name}${glue}'rm x' a`]
    })
  )
)

describe("a command that an option names", () => {
  it.effect("is denied beside a rule that allows the program, and allowed by that rule alone", () =>
    Effect.forEach(lines, (line) =>
      Effect.gen(function*() {
        const allow = `Bash(${line.split(" ", 1)[0]} *)`
        assert.strictEqual(yield* decided(line, { allow, deny: "Bash(rm *)" }), `deny: ${line}`)
        assert.strictEqual(yield* decided(line, { allow }), `allow: ${line}`)
      })))

  it.effect("is never there for reading alone", () =>
    Effect.forEach(lines, (line) =>
      Effect.map(decided(line, {}), (verdict) => {
        assert.strictEqual(verdict, `ask: ${line}`)
      })))

  it.effect("is not taken for one where it is none", () =>
    Effect.forEach([
      "man -H rm",
      "strace -o rm ls",
      "vim -c 'q!' -c 'w! rm' a",
      "vim -c 'set nu!' +3 rm",
      "vim -c 's/a!/rm x/' a",
      "less +5 rm",
      "less +/rm a",
      "gdb -ex 'print rm' a",
      "psql -c 'select rm' -o rm",
      "mysql -e 'select rm'",
      "sqlite3 a.db 'select rm'",
      "socat - TCP:rm:80",
      "apt-get -o Debug::rm=1 install rm",
      "hg --config alias.z=rm z",
      "wget -e robots=off rm",
      "go test -run rm ./..."
    ], (line) =>
      Effect.map(decided(line, { allow: "Bash", deny: "Bash(rm *)" }), (verdict) => {
        assert.strictEqual(verdict, `allow: ${line}`)
      })))
})
