import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { SimpleCommand, Word } from "../../../src/domain/ShellCommand.ts"
import { readLine } from "../../../src/permission/bash/readLine.ts"
import { dice, list, simple } from "./shellLines.ts"

/** A word as text: what is certain, `_` for a gap, `…` for one that may be any number of words. */
const shown = (word: Word): string => word.known.join(word.splits ? "…" : "_")

const text = (command: SimpleCommand): string => command.words.map(shown).join(" ")

const commandsOf = (source: string): ReadonlyArray<string> => readLine(source).commands.map(text)

const everyCommand = (commands: ReadonlyArray<SimpleCommand>): ReadonlyArray<SimpleCommand> =>
  commands.flatMap((command) => [command, ...everyCommand(command.inner)])

const everyText = (source: string): ReadonlyArray<string> => everyCommand(readLine(source).commands).map(text)

/** What is read from each line of a table, beside the table itself. */
const table = <A>(
  read: (source: string) => A,
  rows: ReadonlyArray<readonly [source: string, expected: A]>
): readonly [actual: ReadonlyArray<readonly [string, A]>, expected: ReadonlyArray<readonly [string, A]>] => [
  rows.map(([source]) => [source, read(source)]),
  rows
]

describe("the words of a line", () => {
  it("are what quotes and escapes leave", () => {
    assert.deepStrictEqual(...table(commandsOf, [
      ["git 'push' \"origin\" ma\\in", ["git push origin main"]],
      ["r''m -rf build", ["rm -rf build"]],
      ["$'rm' $'a\\x41\\n'", ["rm aA\n"]],
      ["echo \"a \\$b \\`c\\` \\\\ \\d\"", ["echo a $b `c` \\ \\d"]],
      ["echo 'it'\\''s'", ["echo it's"]],
      ["r\\\nm \\\n  -rf 'a\\\nb' \"a\\\nb\"", ["rm -rf a\\\nb ab"]]
    ]))
  })

  it("keep an empty argument", () => {
    assert.deepStrictEqual(readLine("a '' \"\"").commands[0]?.words.map(({ value }) => value), ["a", "", ""])
  })

  it("are expanded where braces are plain", () => {
    assert.deepStrictEqual(...table(commandsOf, [
      ["{rm,-rf,build}", ["rm -rf build"]],
      ["wc part{1..3}.diff {a,'b c'}d", ["wc part1.diff part2.diff part3.diff ad b cd"]],
      ["echo {01..03} {c..a} {1..9..4} {a,{b,c}} a{,x}", ["echo 01 02 03 c b a 1 5 9 a b c a ax"]],
      ["echo {a} {} {a,b \\{a,b}", ["echo {a} {} {a,b {a,b}"]],
      ["echo {1..1000}", ["echo …"]]
    ]))
  })

  it("have gaps where only running tells", () => {
    assert.deepStrictEqual(...table(commandsOf, [
      ["echo a$x \"b$x\" *.ts $(date) \"$(date)\"", ["date", "date", "echo a… b_ ….ts … _"]],
      ["echo \"$@\" \"${a[@]}\" \"$*\" $((1+1))", ["echo … … _ …"]],
      ["echo ~user/x ~+ a=~/x '~'", ["echo _/x _ a=_ ~"]]
    ]))
  })

  it("say that they stand for the home directory", () => {
    const tildes = (source: string) =>
      readLine(source).commands[0]?.words.slice(1).map(({ tilde, value }) => [value, tilde])
    assert.deepStrictEqual(
      ...table(tildes, [["rm ~ ~/x '~' a", [["~", true], ["~/x", true], ["~", false], ["a", false]]]])
    )
    assert.deepStrictEqual(...table(tildes, [["HOME=/x; true", []]]))
    assert.strictEqual(readLine("export HOME=/; rm ~/x").commands.at(-1)?.words[1]?.value, undefined)
  })
})

describe("the commands of a line", () => {
  it("are found wherever they hide", () => {
    assert.deepStrictEqual(...table(commandsOf, [
      ["a && b || c; d | e |& f & g\nh", ["a", "b", "c", "d", "e", "f", "g", "h"]],
      ["(a); { b; }; ! c; time -p d", ["a", "b", "c", "d"]],
      ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
      ["for i in $(a); do b; done; while c; do d; done; until e; do f; done", ["a", "b", "c", "d", "e", "f"]],
      ["case $(a) in x) b;; *) c;; esac", ["a", "b", "c"]],
      ["[[ -n $(a) ]] && (( $(nproc) )) && echo \"${x:-`b`}\"", ["a", "nproc", "b", "echo _"]],
      ["cat <<E\n$(a)\nE\nb", ["a", "cat", "b"]],
      ["cat <<'E'\n$(a)\nE", ["cat"]],
      ["x=(1 $(a)) b; y=$(c) d; coproc e", ["a", "b", "c", "d", "e"]],
      ["diff <(a) <(b) > >(c)", ["a", "b", "c", "diff _ _"]],
      ["select x in a; do b; done; for ((;;)); do c; done", ["b", "c"]],
      ["echo \"$(echo \"$(a)\")\"", ["a", "echo _", "echo _"]],
      ["git status # a\nb", ["git status", "b"]],
      ["f() { a; }; f x", ["a", "f x"]]
    ]))
  })

  it("carry their assignments", () => {
    const [command] = readLine("A=1 B=\"$x\" c").commands
    assert.deepStrictEqual(command?.assignments.map(({ name, value }) => [name, shown(value)]), [["A", "1"], [
      "B",
      "_"
    ]])
  })

  it("name the files that redirections open and nothing else", () => {
    const files = (source: string) =>
      readLine(source).commands.flatMap(({ redirects }) =>
        redirects.map(({ access, target }) => `${access} ${shown(target)}`)
      )
    assert.deepStrictEqual(...table(files, [
      ["a > b 2>> c < d <> e &> f >| g", ["write b", "write c", "read d", "readwrite e", "write f", "write g"]],
      ["a > /dev/null 2>&1 >&2 <&3 2>&- < /dev/stdin", []],
      ["{ a; } > b; (c) < d", ["write b", "read d"]],
      ["a > \"$b\" &> c", ["write _", "write c"]],
      ["exec 3<> /dev/tcp/host/80", ["readwrite /dev/tcp/host/80"]],
      ["a <<E\nb\nE\nc <<< d", []]
    ]))
  })

  it("know that a defined function stands for its body", () => {
    const line = readLine("f() { rm x; }; f y")
    assert.isUndefined(line.refused)
    assert.isTrue(line.commands[1]?.transparent)
    assert.deepStrictEqual(line.commands[1]?.inner.map(({ words }) => words.length), [0])
  })

  it("are refused where a name may or may not be a function", () => {
    for (
      const source of [
        "false || git() { a; } || git push",
        "a && f() { b; }; f",
        "f; f() { a; }",
        "f() { f; }; f",
        "(f() { a; }); f"
      ]
    ) {
      assert.strictEqual(readLine(source).refused, "a name that may or may not be a function", source)
    }
  })
})

describe("the directory of a command", () => {
  const directories = (source: string) =>
    readLine(source).commands.map(({ directory, elsewhere }) => [directory, ...elsewhere ?? []].join("|"))

  it("follows cd where it is certain", () => {
    assert.deepStrictEqual(...table(directories, [
      ["cd a && b", [".", "a"]],
      ["cd a && cd ../b && c", [".", "a", "b"]],
      ["cd /x/./y/.. && a; cd && b", [".", "/x", "/x|.", "~"]],
      ["(cd a && b); c", [".", "a", "."]],
      ["cd a | b; c", [".", ".", "."]],
      ["cd a & b", [".", "."]],
      ["cd a || exit 1; b", [".", ".", "a"]],
      ["pushd a && b", [".", "a"]],
      ["$(cd a; b)", [".", "a|.", "."]]
    ]))
  })

  it("names both where a cd may have failed", () => {
    assert.deepStrictEqual(...table(directories, [
      ["cd a; b", [".", "a|."]],
      ["if cd a; then b; else c; fi; d", [".", "a", ".", "a|."]]
    ]))
  })

  it("is unknown where only running tells", () => {
    for (
      const source of [
        "cd - && a",
        "cd $x && a",
        "popd && a",
        "cd -P a/.. && a",
        "CDPATH=x; cd b && a",
        "source x && a",
        "$x b && a"
      ]
    ) {
      assert.isUndefined(readLine(source).commands.at(-1)?.directory, source)
    }
    assert.isUndefined(readLine("for i in 1 2; do a; cd ..; done").commands[0]?.directory)
    assert.isUndefined(readLine("f() { a; }; cd b; f").commands[0]?.directory)
  })
})

describe("what a command starts", () => {
  const inner = (source: string) => everyText(source).slice(1)

  it("is found behind wrappers", () => {
    for (
      const wrapper of [
        "timeout 5",
        "timeout -k 5 --signal=TERM 30s",
        "nice -n 10",
        "nice -5",
        "nohup",
        "stdbuf -oL",
        "command",
        "command -p",
        "builtin",
        "env",
        "env -i A=1",
        "env -u B -- A=1",
        "sudo",
        "sudo -u root -E",
        "sudo --user=root --",
        "doas -u root",
        "setsid -w",
        "ionice -c3",
        "ionice -c 3 -n 7",
        "flock /tmp/l",
        "flock -n /tmp/l",
        "chroot --userspec=a /x",
        "unshare -n",
        "strace -f -o out",
        "ltrace -o out",
        "ssh-agent",
        "taskset -c 0",
        "chrt -r 10",
        "exec",
        "exec -a b",
        "watch",
        "watch -n 1",
        "caffeinate -i",
        "torsocks",
        "proxychains4 -q",
        "systemd-run --user --scope -p A=b",
        "xvfb-run -a",
        "dbus-run-session --",
        "setarch x86_64 -R",
        "unbuffer",
        "rlwrap -a",
        "faketime 1d",
        "chpst -u a",
        "softlimit -m 1",
        "busybox",
        "noglob",
        "nocorrect",
        "time -p",
        "runuser -u a --",
        "su-exec a",
        "gosu a",
        "pkexec --user a"
      ]
    ) {
      assert.include(everyText(`${wrapper} rm -rf build`), "rm -rf build", wrapper)
      assert.isUndefined(readLine(`${wrapper} rm -rf build`).refused, wrapper)
    }
  })

  it("is judged by itself alone behind wrappers that change nothing", () => {
    const transparent = (source: string) => readLine(source).commands[0]?.transparent
    for (
      const source of [
        "timeout 5 a",
        "nice a",
        "nohup a",
        "stdbuf -oL a",
        "command a",
        "builtin a",
        "noglob a",
        "xargs a"
      ]
    ) {
      assert.isTrue(transparent(source), source)
    }
    for (
      const source of [
        "timeout --unknown 5 a",
        "timeout $x a",
        "xargs -n1 a",
        "env a",
        "sudo a",
        "watch a",
        "setsid a",
        "command -v a",
        "/usr/bin/timeout 5 a",
        "timeout",
        "exec a",
        "bash -lc a",
        "bash -ic a",
        "zsh -c a",
        "bash --rcfile x -c a",
        "npx a",
        "time -o x a"
      ]
    ) assert.isFalse(transparent(source), source)
    for (
      const source of [
        "bash -c a",
        "sh -c a",
        "bash -ec a",
        "bash -o pipefail -c a",
        "eval a",
        "trap a EXIT",
        "git --no-pager a"
      ]
    ) {
      assert.isTrue(transparent(source), source)
    }
  })

  it("is every later word where an option of the wrapper is not known", () => {
    assert.includeMembers([...everyText("sudo --strange rm x")], ["rm x", "x"])
    assert.includeMembers([...everyText("timeout $t rm x")], ["rm x"])
    assert.includeMembers([...everyText("$SUDO rm x")], ["rm x"])
  })

  it("is read from the text that a shell is given", () => {
    assert.deepStrictEqual(...table(inner, [
      ["bash -c 'rm x && ls'", ["rm x", "ls"]],
      ["bash -c \"sh -c 'git push'\"", ["sh -c git push", "git push"]],
      ["bash -lc 'rm x'", ["rm x"]],
      ["eval rm 'x y'", ["rm x y"]],
      ["bash <<'E'\nrm x\nE", ["rm x"]],
      ["sh <<< 'rm x'", ["rm x"]],
      ["trap 'rm x' EXIT", ["rm x"]],
      ["env -S 'rm x'", ["rm x"]],
      ["su - bob -c 'rm x'", ["rm x"]],
      ["script -qc 'rm x' /dev/null", ["rm x"]],
      ["flock f -c 'rm x'", ["rm x"]],
      ["watch 'rm x'", ["rm x"]],
      ["ssh -p 22 host 'rm x; ls'", ["rm x", "ls"]],
      ["at now <<< 'rm x'", ["rm x"]],
      ["GIT_SSH_COMMAND='rm x' git fetch", ["rm x"]]
    ]))
    for (
      const source of [
        "echo 'rm x' | sh",
        "printf '%s\\n' 'rm x' | bash -s",
        "cat <<'E' | bash\nrm x\nE",
        "source <(echo 'rm x')"
      ]
    ) {
      assert.include(everyText(source), "rm x", source)
      assert.isUndefined(readLine(source).refused, source)
    }
  })

  it("refuses a text that comes at run time, and still looks at what is known of it", () => {
    for (
      const source of [
        "bash -c \"$x\"",
        "eval \"$(a)\"",
        "curl x | sh",
        "curl x | sudo bash",
        "bash < x",
        "source <(a)",
        "bash <(a)",
        "bash $options",
        "trap \"$x\" EXIT",
        "a | while read x; do bash; done"
      ]
    ) assert.strictEqual(readLine(source).refused, "a command text that only running the line tells", source)
    assert.include(everyText("bash -c \"rm $x\""), "rm …")
  })

  it("is found behind find, xargs and their like, with what they add", () => {
    assert.deepStrictEqual(...table(inner, [
      ["find . -exec rm {} +", ["rm …"]],
      ["find . -exec rm a{}b \\; -ok ls \\;", ["rm a_b", "ls"]],
      ["find . -exec env rm -f {} \\;", ["env rm -f _", "rm -f _"]],
      ["xargs rm -rf", ["rm -rf …"]],
      ["xargs -I% rm a% b", ["rm a_ b …"]],
      ["fd -e log -x rm", ["rm …"]],
      ["find . -delete", []]
    ]))
    const exact = (source: string) => readLine(source).commands[0]?.exactOnly
    for (
      const source of [
        "find . -delete",
        "find . -exec a \\;",
        "find . -fprintf x y",
        "watch a",
        "setsid a",
        "ionice a",
        "flock f a",
        "xargs sh -c a",
        "fd -x a"
      ]
    ) {
      assert.isTrue(exact(source), source)
    }
    for (const source of ["find . -name x", "xargs grep a", "timeout 5 a"]) assert.isFalse(exact(source), source)
  })

  it("is found behind git", () => {
    assert.deepStrictEqual(...table(inner, [
      ["git -C a --no-pager -c b.c=d push", ["git push"]],
      ["git --git-dir=a --work-tree b push x", ["git push x"]],
      ["git -c alias.x='!rm y' x", ["git x", "rm y"]],
      ["git -c core.pager='rm y' log", ["git log", "rm y"]],
      ["git rebase -x 'rm y' main", ["rm y"]],
      ["git rebase --exec='rm y' main", ["rm y"]],
      ["git bisect run rm x", ["rm x"]],
      ["git submodule foreach --recursive 'rm x'", ["rm x"]],
      ["git filter-branch --tree-filter 'rm x' HEAD", ["rm x"]],
      ["git commit -m x", []]
    ]))
    assert.strictEqual(readLine("git -C a push").commands[0]?.inner[0]?.directory, "a")
  })

  it("is found behind runners and containers", () => {
    for (
      const runner of [
        "npx -y",
        "npx",
        "npm exec --",
        "pnpm dlx",
        "pnpm exec",
        "yarn dlx",
        "bunx",
        "docker exec -it web",
        "docker run --rm -v a:b image",
        "docker compose exec web",
        "podman run -it image",
        "kubectl exec -it pod --",
        "poetry run",
        "uv run",
        "bundle exec",
        "devbox run",
        "direnv exec .",
        "mise exec --",
        "nix develop -c",
        "aws-vault exec me --",
        "op run --",
        "tmux new-session -d",
        "ip netns exec a"
      ]
    ) {
      assert.include(everyText(`${runner} rm -rf x`), "rm -rf x", runner)
      assert.isFalse(readLine(`${runner} rm -rf x`).commands[0]?.transparent, runner)
    }
  })

  it("is also the program's plain name", () => {
    assert.deepStrictEqual(
      ...table(inner, [["/bin/rm -rf x", ["rm -rf x"]], ["./rm x", ["rm x"]], ["/usr/bin/env rm x", [
        "env rm x",
        "rm x"
      ]]])
    )
    assert.isFalse(readLine("./rm x").commands[0]?.transparent)
  })

  it("inherits what was assigned and where the shell stood", () => {
    const [, outer] = readLine("cd a && A=1 timeout 5 env B=2 c").commands
    const command = outer?.inner[0]?.inner[0]
    assert.deepStrictEqual(command?.assignments.map(({ name }) => name), ["A", "B"])
    assert.strictEqual(command?.directory, "a")
  })
})

describe("a line that is not understood", () => {
  it("says why", () => {
    assert.deepStrictEqual(...table((source) => readLine(source).refused, [
      ["git status 2>(rm x)", "an operator inside a word"],
      ["echo a<(rm x)", "a process substitution inside a word"],
      ["echo $(( '$(rm x)' ))", "quotes that do not protect inside arithmetic"],
      ["x='a[$(rm x)]'; echo $((x))", "quoted text that may be evaluated as code"],
      ["[[ -v 'a[$(rm x)]' ]]", "quoted text that may be evaluated as code"],
      ["x=$(cat f); echo $((x))", "arithmetic on a value that only running the line tells"],
      ["npm test\rrm x", "a character that can't be seen"],
      ["a \ud800", "a character that can't be seen"],
      ["a &&", "a syntax error"],
      ["a \"b", "a syntax error"],
      ["alias a='rm x'", "an alias"],
      ["a >&-x", "an odd descriptor copy"],
      ["a 999999999999<f", "an odd file descriptor"],
      ["cat <<$x\na\n$x", "an odd here-document delimiter"],
      ["cat <<E\na", "a here-document without its end"],
      ["${ rm x; }", "a command substitution that only newer shells know"],
      ["echo ${x@P}", "an unusual parameter expansion"],
      ["echo \"${x:-$$(a {b}; c)}\"", "an unusual parameter expansion"],
      ["a # \\\nrm x", "a line continuation in an odd place"],
      ["f() { a; }; unset f; f", "a function that is taken away again"],
      [`echo ${"a".repeat(10_000)}`, "longer than 10,000 characters"],
      ["echo $(cat <<E\nE\ngit; push)", "a list after a here-document inside a substitution"]
    ]))
  })

  it("is still searched for what it could start", () => {
    for (
      const source of [
        "git status 2>(rm x)",
        "echo $(( '$(rm x)' ))",
        "x='a[$(rm x)]'; echo $((x))",
        "rm x\necho \"oops",
        "a\u0001; rm x",
        "if a; then rm x",
        "a && (rm x",
        "f( { rm x; }",
        `echo ${"a ".repeat(6_000)}; rm x`,
        `${"a; ".repeat(60_000)} rm x`,
        "a # \\\nrm x",
        "alias a='rm x'",
        `${"$(".repeat(80)} rm x`,
        `${"nice ".repeat(80)}rm x; sudo rm x`,
        "\"; sudo rm x",
        "coproc { rm x"
      ]
    ) {
      assert.isDefined(readLine(source).refused, source)
      assert.isTrue(everyText(source).some((found) => /^rm x\b/.test(found)), source)
    }
  })

  it("is not one that only looks odd", () => {
    for (
      const source of [
        "echo \"a && rm b; c | d\"",
        "grep -E '\\.(md|mdx)$' a",
        "awk '{print $1}' f",
        "sed 's/$(x)/y/' f",
        "git commit -m \"$(cat <<'E'\na; (b)\nE\n)\"",
        "cat <<''E''\na\nE",
        "for ((i=0; i<3; i++)); do a; done",
        "n=$(ls | wc -l); [[ $n -gt 3 ]]",
        "grep -v '^$\\|a' f",
        "echo \"cost: \\$(x)\"",
        "find . \\( -name a -o -name b \\)",
        "coproc a",
        "a \\\n  --b \\\n  c",
        "a \" #5\" \\\n --b",
        "echo $((1 + 2)) 'costs $5'",
        "test $x -gt 3",
        "trap - EXIT"
      ]
    ) assert.isUndefined(readLine(source).refused, source)
  })
})

describe("the laws of reading", () => {
  it.prop("any text is read, and never thrown at", { source: Schema.String }, ({ source }) => {
    assert.strictEqual(readLine(source).source, source)
  })

  const lines = Array.from({ length: 500 }, (_, seed) => list(dice(seed + 9_000), 1))

  const isUnderstood = (source: string): boolean => readLine(source).refused === undefined

  it("a list starts what its parts start", () => {
    for (let index = 1; index < lines.length; index++) {
      const [left, right] = [lines[index - 1] ?? "", lines[index] ?? ""]
      if (readLine(left).refused !== undefined || readLine(right).refused !== undefined) continue
      const both = readLine(`${left}\n${right}`)
      if (both.refused !== undefined) continue
      assert.deepStrictEqual(both.commands.map(text), [...commandsOf(left), ...commandsOf(right)])
    }
  })

  it("grouping, negating and a subshell change nothing", () => {
    for (const line of lines.filter(isUnderstood)) {
      for (const around of [`{ ${line}\n}`, `( ${line}\n)`, `if ${line}\nthen true; fi`]) {
        assert.deepStrictEqual(
          commandsOf(around).filter((found) => found !== "true"),
          commandsOf(line).filter((found) => found !== "true")
        )
      }
    }
  })

  it("behind a wrapper stands the command itself", () => {
    for (let seed = 0; seed < 500; seed++) {
      const line = simple(dice(seed), 0)
      const plain = readLine(line).commands.at(-1)
      if (/^\w+=/.test(line) || plain === undefined) continue
      const wrapped = readLine(`timeout 5 nice ${line}`).commands.at(-1)
      assert.deepStrictEqual(wrapped?.inner[0]?.inner[0]?.words, plain.words, line)
    }
  })

  it("a shell that is given the line starts the same", () => {
    for (const line of lines.filter(isUnderstood)) {
      const [outer] = readLine(`bash -c '${line.replaceAll("'", "'\\''")}'`).commands
      assert.deepStrictEqual(outer?.inner.map(text), commandsOf(line), line)
    }
  })
})
