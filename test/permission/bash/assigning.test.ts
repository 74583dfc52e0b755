import { assert, describe, it } from "@effect/vitest"
import type { SimpleCommand } from "../../../src/domain/ShellCommand.ts"
import { readLine } from "../../../src/permission/bash/readLine.ts"
import { isSafeVariable } from "../../../src/permission/bash/safeVariables.ts"

/** Lists what a line assigns by commands of their own, as `NAME=value`. */
const assigned = (source: string): ReadonlyArray<string> => {
  const of = ({ assignments, inner }: SimpleCommand): ReadonlyArray<string> => [
    ...assignments.filter(({ name }) => !isSafeVariable(name)).map(({ name, value }) =>
      `${name}=${value.value ?? "?"}`
    ),
    ...inner.flatMap(of)
  ]
  return readLine(source).commands.flatMap(of)
}

const understood = (source: string): boolean => readLine(source).refused === undefined

describe("a variable that a line assigns without NAME=value", () => {
  it("is an assignment of its own, so that no command beside it is covered", () => {
    const table: ReadonlyArray<readonly [line: string, ...assigned: ReadonlyArray<string>]> = [
      ["((PATH=5)); ls", "PATH=?"],
      ["echo $((PATH=5)); ls", "PATH=?"],
      ["echo \"$((PATH = 5))\"", "PATH=?"],
      ["echo $[PATH=5]; ls", "PATH=?"],
      ["echo $((++PATH)) $((PATH--))", "PATH=?", "PATH=?"],
      ["echo $((PATH <<= 1)) $((x ? IFS=1 : 2)) $((a, (HOME=3)))", "PATH=?", "IFS=?", "HOME=?"],
      ["echo $((PATH=5 5))", "PATH=?"],
      ["echo $((a[PATH=5]=3)) ${a[PATH=5]} ${s:PATH=5} ${s:1:PATH=5}", "PATH=?", "PATH=?", "PATH=?", "PATH=?"],
      ["for ((PATH=5;;)); do ls; done", "PATH=?"],
      ["for ((i=0;i<3;PATH++)); do ls; done", "PATH=?"],
      ["[[ PATH=5 -eq 5 ]]; ls", "PATH=?"],
      ["[[ -v 'a[PATH=5]' ]]; test -v 'a[PATH=5]'", "PATH=?", "PATH=?"],
      ["for PATH in ./x ./y; do ls; done", "PATH=./x", "PATH=./y"],
      ["for PATH; do ls; done", "PATH=?"],
      ["select PATH in ./x; do ls; done", "PATH=./x"],
      ["coproc PATH { ls; }; ls", "PATH=?"],
      ["ls {PATH}>/dev/null; ls", "PATH=?"],
      ["exec {a[PATH=5]}>/dev/null", "PATH=?"],
      [": ${CDPATH:=/etc}; cd ssl", "CDPATH=/etc"],
      [": ${PATH='./e v'}; ls", "PATH=./e v"],
      [": \"${PATH=./e}\"; ls", "PATH=./e"],
      ["cat <<E\n$((PATH=5))\nE\nls", "PATH=?"],
      ["let PATH=5 'x = 1, IFS += 2'", "PATH=?", "IFS=?"],
      ["bash -c 'for PATH in x; do ls; done'", "PATH=x"],
      ["eval 'read PATH'; echo $(read IFS)", "PATH=?", "IFS=?"],
      ["for http_proxy in x; do curl y; done", "http_proxy=x"]
    ]
    for (const [line, ...expected] of table) assert.deepStrictEqual([...assigned(line)].sort(), expected.sort(), line)
  })

  it("may be any variable where only running the line tells its name", () => {
    for (
      const line of [
        "echo $(($x=5))",
        "echo $((P${e}ATH=5))",
        "echo $((\"PATH\"=5))",
        "echo ${a[$x=5]}",
        "echo ${a[$'PAT\\x48'=5]}",
        ": ${!x:=y}",
        "read \"$x\"",
        "export $x",
        "printf -v \"$x\" y"
      ]
    ) {
      assert.isNotEmpty(assigned(line), line)
    }
  })

  it("is found in what builtins are given", () => {
    const table: ReadonlyArray<readonly [line: string, ...assigned: ReadonlyArray<string>]> = [
      ["read PATH < x", "PATH=?"],
      ["IFS= mapfile x; read() { ls; }; IFS=a read", "IFS=", "IFS=a", "IFS=a"],
      ["read -rp Name IFS", "IFS=?"],
      ["read -raPATH", "PATH=?"],
      ["command -p read PATH", "PATH=?"],
      ["builtin -- export PATH=x", "PATH=x"],
      ["export A=1 B=$x C", "A=1", "B=?", "C=?"],
      ["declare -x PATH=a$x", "PATH=?"],
      ["local -a PATH=(x)", "PATH=?"],
      ["readonly PATH+=x", "PATH=x"],
      ["unset PATH", "PATH=?"],
      ["printf -v PATH x; printf -vIFS x", "PATH=?", "IFS=?"],
      ["printf '%s%n' a PATH", "PATH=?"],
      ["mapfile -t -d x PATH", "PATH=?"],
      ["readarray -n 3 PATH", "PATH=?"],
      ["getopts ab PATH", "PATH=?"],
      ["wait -n -p PATH 5", "PATH=?"]
    ]
    for (const [line, ...expected] of table) assert.deepStrictEqual([...assigned(line)].sort(), expected.sort(), line)
    assert.isNotEmpty(assigned("declare -n ref=PATH"))
  })

  it("is of no concern under a plain name", () => {
    for (
      const line of [
        "for f in src/*.ts; do wc -l src/a.ts; done",
        "for ((i=0;i<3;i++)); do echo $i; done",
        "((i++)); ((count+=2)); echo $((a[i]+1))",
        "((i==1)) || ((j>=2 && k<=3 && l!=4))",
        "echo ${arr[i++]} ${s: -1} ${s:1:2} ${x:-PATH=5} ${y:+PATH}",
        ": ${x:=y}",
        "[[ $a == PATH=5 ]] && ls",
        "while IFS= read -r line; do echo x; done < a",
        "IFS=: read -ra parts < a",
        "while read -r a b; do echo $a; done < x",
        "read -r -p Name x",
        "printf '%s\\n' PATH",
        "mapfile -t lines < x",
        "declare -p PATH; declare -i n=3; unset -f Foo; wait $pid",
        "exec {fd}>/dev/null",
        "coproc ls",
        "for LANG in C; do ls; done"
      ]
    ) {
      assert.deepStrictEqual(assigned(line), [], line)
      assert.isTrue(understood(line), line)
    }
  })

  it("that remaps names refuses the line", () => {
    for (const line of [": ${BASH_CMDS[ls]:=./evil}; ls", ": $((BASH_CMDS[ls]=1)); ls", "read BASH_ALIASES"]) {
      assert.isFalse(understood(line), line)
    }
  })

  it("names a program that may be denied", () => {
    const [first] = readLine(": ${GIT_PAGER:='rm x'}; git log").commands
    assert.deepStrictEqual(first?.inner.map(({ source }) => source), ["rm x"])
  })

  it("leaves the directory unknown where it is the home or the search path of `cd`", () => {
    for (
      const line of [": ${CDPATH:=/etc}; cd ssl; cat x", "read CDP\"ATH\" < f; cd ssl; cat x", "cd {HOME}>a; cat x"]
    ) {
      assert.isUndefined(readLine(line).commands.at(-1)?.directory, line)
    }
    assert.isUndefined(readLine(": ${HOME=/etc}; cat ~/x").commands.at(-1)?.words[1]?.value)
  })
})

describe("what may be evaluated once more", () => {
  it("is refused where a function stands in for a program that prints numbers", () => {
    assert.isFalse(understood("wc() { cat a.txt; }; [[ $(wc -l < a.txt) -gt 1 ]]"))
    assert.isFalse(understood("[[ $(id -u) -gt 1 ]]; id() { cat a.txt; }"))
    assert.isTrue(understood("f() { cat a.txt; }; [[ $(wc -l < a.txt) -gt 1 ]]"))
  })

  it("is refused where the name of a variable comes from elsewhere", () => {
    for (const line of ["f() { echo ${!1}; }; f *", "read -a a < a.txt; echo ${!a[0]}"]) {
      assert.isFalse(understood(line), line)
    }
    assert.isTrue(understood("echo ${!a[@]} ${!a[*]} ${!#} ${!x*} ${!x@}"))
  })
})

describe("an expansion that is a number", () => {
  it("stays one word", () => {
    const [test] = readLine("[ $? -eq $# ]").commands
    assert.deepStrictEqual(test?.words.map(({ splits }) => splits), [false, false, false, false, false])
  })
})
