import { assert, describe, it } from "@effect/vitest"
import { readLine } from "../../../src/permission/bash/readLine.ts"

/** The last word of the last command, or of its last redirection; undefined where nobody can know it. */
const last = (line: string): string | undefined => {
  const command = readLine(line).commands.at(-1)
  const target = command?.redirects.at(-1)?.target
  return (target ?? command?.words.at(-1))?.value
}

describe("what a line puts elsewhere", () => {
  it("makes paths through it unknown", () => {
    for (
      const line of [
        "mv src s; echo x > s/out",
        "mv src s; cat s/out",
        "mv src s && cat ./s/out",
        "mv src sub/; cat sub/src/out",
        "mv -t sub src; cat sub/src/out",
        "ln -s / q; cat q/etc/passwd",
        "ln -s ~/.ssh/id_rsa x; cat x",
        "ln -s / q; cat sub/../q/etc/passwd",
        "cp -a link l && head l/passwd",
        "timeout 5 ln -s / q; cat q/etc/passwd",
        "mv *.d x; cat y/z",
        `${Array.from({ length: 300 }, (_, index) => `mv a${index} b; `).join("")}cat c`,
        "ln -s / q; bash -c 'cat q/etc/passwd'; cat q/etc/passwd"
      ]
    ) {
      assert.isUndefined(last(line), line)
    }
    assert.isUndefined(readLine("ln -s / q; cd q; cat etc/passwd").commands.at(-1)?.directory)
    const [, shell] = readLine("ln -s / q; bash -c 'cat q/x'").commands
    assert.isUndefined(shell?.inner[0]?.words[1]?.value)
  })

  it("leaves the others as they are", () => {
    assert.strictEqual(last("mv a.txt b.txt; cat b.txt"), "b.txt")
    assert.strictEqual(last("cp a.txt b.txt; cat b.txt"), "b.txt")
    assert.strictEqual(last("mv src/a.ts src/b.ts; cat src/b.ts"), "src/b.ts")
    assert.strictEqual(last("cp src/a lib/; cat lib/a"), "lib/a")
    assert.strictEqual(last("cat s/out; mv src s"), "s")
  })
})

describe("options that change what a text means", () => {
  it("leave wildcards unknown", () => {
    for (
      const line of [
        "GLOBIGNORE=x; cat *.a",
        "shopt -s extglob\ncat b@(.env)",
        "shopt -s nocaseglob; cat .E*",
        "shopt -s no\"caseglob\"; cat .E*",
        "read GLOB\"IGNORE\"; cat a*"
      ]
    ) {
      const word = readLine(line).commands.at(-1)?.words.at(-1)
      assert.isUndefined(word?.value, line)
      assert.isTrue(word?.splits && !word.glob, line)
    }
    const [shell] = readLine("bash -O nocaseglob -c 'cat .E*'").commands
    assert.isFalse(shell?.inner[0]?.words[1]?.glob)
  })

  it("leave home directories and `cd` unknown", () => {
    assert.isUndefined(readLine("shopt -s cdspell; cd ~/.shs; cat id").commands.at(-1)?.directory)
    for (
      const line of ["HOME=/x bash -c 'cat ~/y'", "env HOME=/x bash -c 'cat ~/y'", "export HOME=/x; bash -c 'cat ~/y'"]
    ) {
      const command = readLine(line).commands.at(-1)
      const inner = command?.inner[0]?.inner[0] ?? command?.inner[0]
      assert.isUndefined(inner?.words[1]?.value, line)
    }
    for (const line of ["sudo -i cat x", "su - dev -c 'cat x'"]) {
      assert.isUndefined(readLine(line).commands[0]?.inner[0]?.directory, line)
    }
  })
})

describe("a script from a descriptor", () => {
  it("is a text that comes at run time", () => {
    for (
      const line of [
        "bash 3<<<'rm x' /dev/fd/3",
        "exec 3<<<'rm x'; . /dev/fd/3",
        "exec <<< 'rm x'; bash",
        "bash --rcfile <(cat x) -i"
      ]
    ) {
      assert.isDefined(readLine(line).refused, line)
    }
  })

  it("is what the loader of programs and a debugger start", () => {
    for (const line of ["/lib64/ld-linux-x86-64.so.2 /bin/rm x", "gdb -q --args rm x"]) {
      const names = (commands: ReturnType<typeof readLine>["commands"]): ReadonlyArray<string> =>
        commands.flatMap(({ inner, words }) => [words[0]?.value ?? "", ...names(inner)])
      assert.include(names(readLine(line).commands), "rm", line)
    }
  })
})
