import { assert, describe, it } from "@effect/vitest"
import { isReadOnly } from "../../../../src/permission/bash/readOnly/isReadOnly.ts"
import { flagsOf } from "../../../../src/permission/bash/readOnly/parseFlags.ts"
import type { Program } from "../../../../src/permission/bash/readOnly/Program.ts"
import { lookers } from "../../../../src/permission/bash/readOnly/programs/lookers.ts"
import { commandOf } from "./commandOf.ts"

interface Known {
  readonly name: string
  readonly program: Program
}

const everyOne = (prefix: string, programs: Readonly<Record<string, Program>>): ReadonlyArray<Known> =>
  Object.entries(programs).flatMap(([name, program]) => [
    { name: `${prefix}${name}`, program },
    ...everyOne(`${prefix}${name} `, program.subcommands ?? {})
  ])

const known = everyOne("", lookers).filter(({ program }) => program.style !== "anything")

const flagsWith = (program: Program, dangerous: boolean): ReadonlyArray<string> =>
  Array.from(flagsOf(program)).filter(([, flag]) => (flag.danger !== undefined) === dangerous).map(([name]) => name)

const reads = (line: string): boolean => isReadOnly(commandOf(line)).readOnly

describe("the tables", () => {
  it("a dangerous flag refuses the command wherever it stands before `--`", () => {
    const wrong = known.flatMap(({ name, program }) =>
      flagsWith(program, true).flatMap((flag) => {
        const before = flagsWith(program, false).slice(0, 12)
        return [
          `${name} ${flag}`,
          `${name} ${flag} x`,
          `${name} ${flag}=x`,
          `${name} x ${flag} y`,
          ...before.flatMap((
            other
          ) => [`${name} ${other} ${flag} x`, `${name} ${flag} ${other} x`, `${name} ${other} y ${flag} x`])
        ].filter((line) => reads(line) && !(program.stops === true && / [xy] -/.test(line)))
      })
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("a dangerous letter refuses every cluster that it stands in", () => {
    const wrong = known.filter(({ program }) => program.style !== "whole").flatMap(({ name, program }) => {
      const switches = Array.from(flagsOf(program)).filter(([flag, { danger, values }]) =>
        /^-[A-Za-z0-9]$/.test(flag) && values === "" && danger === undefined
      )
      return flagsWith(program, true).filter((flag) => /^-[A-Za-z]$/.test(flag)).flatMap((flag) =>
        switches.map(([other]) => `${name} ${other}${flag.slice(1)} x`).filter(reads)
      )
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("no flag is both harmless and dangerous", () => {
    const wrong = known.flatMap(({ name, program }) => {
      const harmless = flagsOf({ flags: program.flags ?? "" })
      return flagsWith(program, true).filter((flag) => harmless.has(flag)).map((flag) => `${name} ${flag}`)
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("the order of flags does not matter", () => {
    const wrong = known.flatMap(({ name, program }) => {
      const flags = Array.from(flagsOf(program)).filter(([, { optional, values }]) => values === "" || optional).map((
        [flag]
      ) => flag)
      return flags.slice(0, 30).flatMap((one, index) => {
        const other = flags[(index * 7 + 3) % flags.length]
        return other !== undefined && reads(`${name} ${one} ${other}`) !== reads(`${name} ${other} ${one}`)
          ? [`${name} ${one} ${other}`]
          : []
      })
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("a word that only running tells is refused where the program has a dangerous flag", () => {
    const dangerous = known.filter(({ program }) => flagsWith(program, true).length > 0)
    const wrong = dangerous.flatMap(({ name }) =>
      [`${name} $x`, `${name} "$x"`, `${name} *`, `${name} a$x`, `${name} -$x`].filter(reads)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("what every flag is said to do is a phrase that follows its name", () => {
    const wrong = known.flatMap(({ program }) => (program.dangers ?? []).map(([, does]) => does)).filter((does) =>
      !/^[a-z].*[a-z`)]$/.test(does)
    )
    assert.deepStrictEqual(wrong, [])
  })
})
