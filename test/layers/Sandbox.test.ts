import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { textOf, type ToolResult } from "../../src/domain/ToolResult.ts"
import { Pipeline } from "../../src/pipeline.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import * as Toolgate from "../../src/toolgate.ts"
import { mark, running } from "../support/processes.ts"
import { until } from "../support/until.ts"

const tried = spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-net", "--unshare-pid", "--proc", "/proc", "true"])
const works = tried.status === 0 && spawnSync("socat", ["-V"]).status === 0
const unable = works ? "" : ` (skipped: bubblewrap or socat is missing, or the kernel lets bubblewrap do nothing)`

interface World {
  readonly folder: string
  readonly cwd: string
  readonly run: (command: string, more?: object) => Effect.Effect<ToolResult>
  readonly text: (command: string) => Effect.Effect<string>
  /** Saves allow rules as a person's "always allow in this project" does. */
  readonly save: (rules: ReadonlyArray<string>) => Effect.Effect<void>
}

const world = (
  settings: object,
  test: (world: World) => Effect.Effect<void>,
  options: Partial<Toolgate.Options> = {}
): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "toolgate-sandbox-")))),
    (folder) => {
      const cwd = join(folder, "work")
      for (const path of [join(cwd, ".claude"), join(folder, "home"), join(folder, "outside")]) {
        mkdirSync(path, { recursive: true })
      }
      let calls = 0
      return Effect.gen(function*() {
        const pipeline = yield* Pipeline
        const sources = yield* RuleSources
        const context = { session: "sandbox", cwd, directories: [] }
        const save = (rules: ReadonlyArray<string>) => Effect.orDie(sources.grant(context, "localSettings", rules))
        const run = (command: string, more: object = {}) =>
          pipeline.run({ type: "tool_use", id: `t${(calls += 1)}`, name: "Bash", input: { command, ...more } })
        yield* test({
          folder,
          cwd,
          run,
          save,
          text: (command) => Effect.map(run(command), ({ content }) => textOf(content))
        })
      }).pipe(Effect.provide(Toolgate.layer({
        context: { session: "sandbox", cwd, directories: [] },
        state: join(folder, "state"),
        home: join(folder, "home"),
        managedRoot: join(folder, "managed"),
        settings: JSON.stringify(settings),
        allowedTools: ["Bash"],
        ...options
      })))
    },
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const on = { sandbox: { enabled: true } }

describe.skipIf(!works)(`the sandbox${unable}`, () => {
  it.live(
    "a command writes in the working directory and nowhere else",
    () =>
      world(on, ({ cwd, folder, text }) =>
        Effect.gen(function*() {
          assert.strictEqual(yield* text("echo a > in.txt; cat in.txt"), "a")
          const tries = [
            `echo x > ${folder}/outside/a`,
            `python3 -c 'open("${folder}/outside/b", "w").write("x")'`,
            `ln -s ${folder}/outside link && echo x > link/c`,
            `cd / && cd ${folder}/outside && touch d`,
            `mv in.txt ${folder}/outside/e`,
            `(setsid sh -c 'echo x > ${folder}/outside/f' &) ; sleep 0.3`,
            `mount -o remount,rw / ; echo x > ${folder}/outside/g`,
            `cp in.txt /usr/local/bin/toolgate-escape`,
            `unshare -r -m sh -c 'mount -o remount,rw,bind / && echo x > ${folder}/outside/h'`,
            `echo x > /proc/1/root${folder}/outside/i`
          ]
          for (const one of tries) yield* text(one)
          assert.deepStrictEqual(readdirSync(join(folder, "outside")), [])
          assert.isFalse(existsSync("/usr/local/bin/toolgate-escape"))
          assert.isTrue(existsSync(join(cwd, "in.txt")))
        }))
  )

  it.live(
    "what the kernel is set by can't be written, by root either",
    () =>
      world(on, ({ cwd, text }) =>
        Effect.gen(function*() {
          // To open is enough to know, and changes nothing.
          writeFileSync(
            join(cwd, "settings.py"),
            [
              "import os",
              "own = {'ns_last_pid'} # which number its next process gets is the command's own affair",
              "for folder in ['/proc/sys', '/sys/kernel', '/sys/module']:",
              "  for place, _, names in os.walk(folder):",
              "    for name in set(names) - own:",
              "      try: os.close(os.open(os.path.join(place, name), os.O_WRONLY | os.O_NONBLOCK)); print(place, name)",
              "      except OSError: pass",
              "print('looked')"
            ].join("\n")
          )
          assert.strictEqual(yield* text("python3 settings.py"), "looked")
          assert.match(yield* text("cat /proc/sys/kernel/ostype"), /Linux/)
        }))
  )

  it.live(
    "a command that could be taken for the sandbox's own words is refused to root",
    () =>
      world(on, ({ text }) =>
        Effect.gen(function*() {
          const said = yield* text("echo ' --proc /proc '")
          assert.match(said, process.geteuid?.() === 0 ? /sandbox could not be made: the command/ : /--proc/)
        }))
  )

  it.live("temporary files can be made and run, and are gone with the command", () =>
    world(on, ({ text }) =>
      Effect.gen(function*() {
        const lines = [
          "a=$(mktemp) && echo one > $a && cat $a",
          "python3 -c 'import tempfile; tempfile.NamedTemporaryFile().write(b\"x\"); print(\"two\")'",
          "mkdir $TMPDIR/bin && printf '#!/bin/sh\\necho three' > $TMPDIR/bin/c && chmod +x $TMPDIR/bin/c && $TMPDIR/bin/c",
          "(cd $TMPDIR && git init -q repo && ls repo/.git/HEAD)"
        ]
        assert.strictEqual(yield* text(lines.join("; ")), "one\ntwo\nthree\nrepo/.git/HEAD")
        assert.strictEqual(yield* text("ls $TMPDIR | wc -l"), "0")
      })))

  it.live(
    "what a deny rule for Read closes can't be read, by whatever program, name or link",
    () =>
      world(
        { ...on, permissions: { deny: ["Read(./.env)", "Read(secrets/**)", "Read(**/*.pem)"] } },
        ({ cwd, text }) =>
          Effect.gen(function*() {
            yield* Effect.sync(() => {
              for (
                const [path, content] of [[".env", "KEY"], ["secrets/a.txt", "KEY"], ["deep/er/key.pem", "KEY"], [
                  "b.txt",
                  "open"
                ]]
              ) {
                mkdirSync(dirname(join(cwd, path ?? "")), { recursive: true })
                writeFileSync(join(cwd, path ?? ""), content ?? "")
              }
              symlinkSync(".env", join(cwd, "innocent"))
            })
            // The rules would deny lines that name the files; these do not let the gate see them.
            const tries = [
              "python3 -c 'print(open(\".e\" + \"nv\").read())'",
              "python3 -c 'print(open(\"inno\" + \"cent\").read())'",
              "python3 -c 'import os; print(open(os.path.join(\"secr\" + \"ets\", \"a.txt\")).read())'",
              "python3 -c 'print(open(\"deep/er/key.p\" + \"em\").read())'",
              "python3 -c 'import os; print(open(\"/proc/self/cwd/.e\" + \"nv\").read())'"
            ]
            for (const one of tries) {
              const said = yield* text(one)
              assert.notMatch(said, /^KEY/m, one)
              assert.match(said, /Permission denied|No such file|denied/i, one)
            }
            assert.strictEqual(yield* text("python3 -c 'print(open(\"b.txt\").read())'"), "open")
          })
      )
  )

  it.live(
    "settings and files that a deny rule for Edit closes stay as they are",
    () =>
      world(
        { ...on, permissions: { deny: ["Edit(./locked.txt)"] } },
        ({ cwd, folder, text }) =>
          Effect.gen(function*() {
            writeFileSync(join(cwd, "locked.txt"), "before")
            writeFileSync(join(cwd, ".claude", "settings.json"), "{}")
            yield* text("python3 -c 'open(\"lock\" + \"ed.txt\", \"w\").write(\"after\")'")
            yield* text("python3 -c 'open(\".clau\" + \"de/settings.json\", \"w\").write(\"{ }\")'")
            yield* text(`python3 -c 'import os; os.makedirs("${folder}/sta" + "te/evil")'`)
            assert.strictEqual(readFileSync(join(cwd, "locked.txt"), "utf8"), "before")
            assert.strictEqual(readFileSync(join(cwd, ".claude", "settings.json"), "utf8"), "{}")
            assert.isFalse(existsSync(join(folder, "state", "evil")))
          })
      )
  )

  /** What the sandbox tells programs of its proxy, asked by hand since not every machine has curl. */
  const askThroughProxy = (host: string, port: number): string =>
    `"${process.execPath}" -e 'const { hostname, port, username, password } = new URL(process.env.HTTP_PROXY);` +
    `const auth = username === "" ? {} : { "proxy-authorization": ` +
    `"Basic " + Buffer.from(decodeURIComponent(username) + ":" + password).toString("base64") };` +
    `require("http").get({ hostname, port, path: "http://${host}:${port}/", headers: { host: "${host}:${port}", ...auth } },` +
    `(r) => r.on("data", (d) => console.log(r.statusCode, String(d))))'`

  const asking = <A, E>(
    use: (server: { readonly port: number; readonly asked: () => number }) => Effect.Effect<A, E>
  ): Effect.Effect<A, E> =>
    Effect.acquireUseRelease(
      Effect.callback<{ readonly port: number; readonly asked: () => number; readonly close: () => void }>((resume) => {
        let asked = 0
        const server = createServer((_, response) => {
          asked += 1
          response.end("reached")
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = typeof address === "object" && address !== null ? address.port : 0
          resume(Effect.succeed({ port, asked: () => asked, close: () => server.close() }))
        })
      }),
      use,
      ({ close }) => Effect.sync(close)
    )

  it.live(
    "a server on this machine can't be reached",
    () =>
      asking(({ asked, port }) =>
        world(on, ({ text }) =>
          Effect.gen(function*() {
            yield* text(`exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3`)
            yield* text(`python3 -c 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:${port}/").read())'`)
            yield* text(`curl -s --max-time 5 --noproxy '' http://localhost:${port}/`)
            assert.strictEqual(asked(), 0)
          }))
      )
  )

  it.live(
    "a host that is allowed is reached through the proxy, and others are not",
    () =>
      asking(({ asked, port }) =>
        world(
          { sandbox: { enabled: true, network: { allowedDomains: ["localhost"] } } },
          ({ text }) =>
            Effect.gen(function*() {
              const ask = (host: string) => text(askThroughProxy(host, port))
              assert.match(yield* ask("localhost"), /^200 reached/)
              assert.strictEqual(asked(), 1)
              assert.notMatch(yield* ask("127.0.0.1"), /^200/)
              assert.notMatch(yield* ask("host.invalid"), /^200/)
              assert.strictEqual(asked(), 1)
            })
        )
      )
  )

  it.live(
    "a rule that denies all of WebFetch lets no command reach a host, whatever names one",
    () =>
      asking(({ asked, port }) =>
        world(
          {
            permissions: { allow: ["WebFetch(domain:localhost)"], deny: ["Web*"] },
            sandbox: { enabled: true, network: { allowedDomains: ["localhost"] } }
          },
          ({ text }) =>
            Effect.gen(function*() {
              assert.notMatch(yield* text(askThroughProxy("localhost", port)), /^200/)
              assert.strictEqual(asked(), 0)
            })
        )
      )
  )

  it.live(
    "a rule that denies all reading lets no command run, one that denies all edits lets none write",
    () =>
      Effect.gen(function*() {
        for (const rule of ["Read", "Rea*", "*d"]) {
          yield* world({ ...on, permissions: { deny: [rule] } }, ({ run }) =>
            Effect.gen(function*() {
              const { content, is_error } = yield* run("true")
              assert.isTrue(is_error)
              assert.match(textOf(content), /denies every use of Read/)
            }))
        }
        for (const rule of ["Edit", "Edit*", "*t"]) {
          yield* world({ ...on, permissions: { deny: [rule] } }, ({ cwd, text }) =>
            Effect.gen(function*() {
              // A script: the gate sees no file that it would write.
              writeFileSync(join(cwd, "script.sh"), "echo x > made; mkdir folder; rm script.sh; exit 0")
              assert.match(yield* text("bash script.sh"), /Read-only file system|Permission denied/, rule)
              assert.deepStrictEqual(readdirSync(cwd).sort(), [".claude", "script.sh"], rule)
              assert.strictEqual(yield* text("echo still"), "still")
            }))
        }
      })
  )

  it.live(
    "processes outside can't be seen or ended, and time limits hold inside",
    () =>
      world(on, ({ run, text }) =>
        Effect.gen(function*() {
          assert.match(yield* text(`kill -0 ${process.pid} || echo unseen`), /unseen/)
          const own = mark()
          const { content, is_error } = yield* run(`sleep ${own}`, { timeout: 1_500 })
          assert.isTrue(is_error)
          assert.match(textOf(content), /1500 ms/)
          assert.deepStrictEqual(running(own), [])
        }))
  )

  it.live(
    "exit codes, order of output and quoting are those of a plain command",
    () =>
      world(on, ({ run, text }) =>
        Effect.gen(function*() {
          assert.strictEqual(
            yield* text(`printf '%s\\n' "it's" '"q"' '$HOME'; echo err >&2; echo out`),
            "it's\n\"q\"\n$HOME\nerr\nout"
          )
          const failed = yield* run("exit 7")
          assert.match(textOf(failed.content), /Exit code 7/)
        }))
  )

  it.live(
    "`cd` stays for the next command, inside the working directories",
    () =>
      world(on, ({ cwd, folder, text }) =>
        Effect.gen(function*() {
          yield* text("mkdir -p deep/er && cd deep/er")
          assert.strictEqual(yield* text("pwd; echo a > here.txt"), join(cwd, "deep/er"))
          assert.isTrue(existsSync(join(cwd, "deep/er/here.txt")))
          assert.match(yield* text(`cd ${folder}/outside`), /the shell is back in/)
          assert.strictEqual(yield* text("pwd"), cwd)
        }))
  )

  const inGit = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main"

  it.live(
    "git sees nothing of what is closed and not there, and leaves nothing of it",
    () =>
      world(on, ({ cwd, folder, text }) =>
        Effect.gen(function*() {
          mkdirSync(join(cwd, "ignored"))
          for (const name of [".bashrc", "a.txt", "b.log", "c.mine", "ignored/d"]) writeFileSync(join(cwd, name), name)
          writeFileSync(join(cwd, ".gitignore"), "ignored/\n*.log\n")
          writeFileSync(join(folder, "mine"), "*.mine\n")
          yield* text(`${inGit} init -q && git config core.excludesFile ${folder}/mine`)
          assert.strictEqual(yield* text("git status --porcelain -uall"), "?? .bashrc\n?? .gitignore\n?? a.txt")
          assert.strictEqual(yield* text("git add -A && git status --porcelain"), "A  .bashrc\nA  .gitignore\nA  a.txt")
          yield* text(`${inGit} commit -qm one`)
          assert.strictEqual(yield* text("git add -f . && git status --porcelain"), "A  b.log\nA  c.mine\nA  ignored/d")
          yield* text("git reset -q && echo more > more.txt")
          assert.match(yield* text(`${inGit} stash -u 2>&1 && ls`), /Saved working directory/)
          assert.match(yield* text("git stash pop 2>&1"), /more\.txt/)
          assert.strictEqual(yield* text("git log --oneline | wc -l && git ls-files | wc -l"), "1\n3")
          assert.deepStrictEqual(readdirSync(cwd).sort(), [
            ".bashrc",
            ".claude",
            ".git",
            ".gitignore",
            "a.txt",
            "b.log",
            "c.mine",
            "ignored",
            "more.txt"
          ])
          assert.deepStrictEqual(readdirSync(join(cwd, ".claude")), [])
        }))
  )

  it.live(
    "git works where the home folder is a working directory, by whatever name, and is configured by no command",
    () =>
      Effect.suspend(() => {
        const home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-home-")))
        const link = `${home}-link`
        symlinkSync(home, link)
        return world(on, ({ text }) =>
          Effect.gen(function*() {
            const names = readdirSync(home).sort()
            // What is refused when the sandbox is made holds nothing afterwards.
            yield* text("echo ' --proc /proc '")
            const lines = [
              "export HOME=" + home,
              `${inGit} init -q r`,
              "git -C r status --porcelain",
              "ls ~/.gitconfig"
            ]
            assert.strictEqual(yield* text(`${lines.join("; ")}; cat ~/.gitconfig`), `${home}/.gitconfig`)
            yield* text(`python3 -c 'open("${home}/.gitcon" + "fig", "w").write("x")'`)
            assert.deepStrictEqual(readdirSync(home).sort(), [...names, "r"].sort())
          }), { home: link, context: { session: "sandbox", cwd: home, directories: [] } }).pipe(
            Effect.ensuring(Effect.sync(() => {
              for (const path of [link, home]) rmSync(path, { recursive: true, force: true })
            }))
          )
      })
  )

  it.live(
    "the working directory can be copied and packed, and holds no device",
    () =>
      world(
        { ...on, permissions: { deny: ["Edit(./closed.txt)", "Edit(./no/where/at/all)"] } },
        ({ cwd, text }) =>
          Effect.gen(function*() {
            const lines = [
              "find . -not -type d -not -type f",
              "cp -r . $TMPDIR/one && echo copied",
              "tar cf $TMPDIR/two.tar . && echo packed",
              "python3 -c 'import os, shutil; shutil.copytree(\".\", os.environ[\"TMPDIR\"] + \"/three\"); print(\"again\")'"
            ]
            writeFileSync(join(cwd, "pack.sh"), lines.join("\n"))
            assert.strictEqual(yield* text("bash pack.sh"), "copied\npacked\nagain")
          })
      )
  )

  it.live(
    "what other programs read when they start can't be made or changed, wherever this process stands",
    () =>
      Effect.gen(function*() {
        const closed = [
          ".bash_profile",
          ".bashrc",
          ".claude/agents/a.md",
          ".claude/commands/a.md",
          ".claude/settings.json",
          ".claude/settings.local.json",
          ".git/config",
          ".git/hooks/pre-commit",
          ".gitconfig",
          ".gitmodules",
          ".idea/a",
          ".mcp.json",
          ".profile",
          ".ripgreprc",
          ".vscode/tasks.json",
          ".zprofile",
          ".zshrc"
        ]
        // The gate sees no file that a script would write.
        const script = [
          "import os",
          "for name in open('names').read().split():",
          "  first = name.split('/')[0]",
          "  for do in (lambda: os.makedirs(os.path.dirname(name) or '.', exist_ok=True),",
          "             lambda: open(name, 'w').write('x'), lambda: os.remove(name), lambda: os.rmdir(name),",
          "             lambda: os.rename(name, 'moved'), lambda: os.rename('own', name), lambda: os.symlink('own', name),",
          "             lambda: os.rename(first, 'away'),",
          "             lambda: open(name, 'w').write('x')):",
          "    try: do()",
          "    except OSError: pass",
          "print('tried')"
        ].join("\n")
        for (const there of [false, true]) {
          yield* world(on, ({ cwd, text }) =>
            Effect.gen(function*() {
              mkdirSync(join(cwd, ".git/hooks"), { recursive: true })
              writeFileSync(join(cwd, ".git/HEAD"), "ref: refs/heads/main\n")
              writeFileSync(join(cwd, "own"), "own")
              writeFileSync(join(cwd, "script.py"), script)
              writeFileSync(join(cwd, "names"), closed.join("\n"))
              for (const name of closed) {
                mkdirSync(dirname(join(cwd, name)), { recursive: true })
                if (there) writeFileSync(join(cwd, name), "{}")
              }
              if (!there) { for (const name of [".idea", ".vscode"]) rmSync(join(cwd, name), { recursive: true }) }
              for (let again = 0; again < 2; again += 1) {
                assert.strictEqual(yield* text("python3 script.py"), "tried")
                for (const name of closed) {
                  const path = join(cwd, name)
                  assert.strictEqual(
                    existsSync(path) ? readFileSync(path, "utf8") : undefined,
                    there ? "{}" : undefined,
                    name
                  )
                }
                assert.strictEqual(readFileSync(join(cwd, "own"), "utf8"), "own")
              }
            }))
        }
      })
  )

  it.live(
    "what is closed stays so, and hosts can be reached, for as long as a task goes on",
    () =>
      asking(({ asked, port }) =>
        world(
          { sandbox: { enabled: true, network: { allowedDomains: ["localhost"] } } },
          ({ cwd, run, text }) =>
            Effect.gen(function*() {
              writeFileSync(join(cwd, "try.py"), "open('.bash' + 'rc', 'w').write('x')")
              const wait = "while [ ! -e go ]; do sleep 0.05; done"
              const line = `${wait}; python3 try.py; ${askThroughProxy("localhost", port)}; touch done; sleep 0.2`
              yield* run(line, { run_in_background: true })
              assert.strictEqual(yield* text("echo other"), "other")
              assert.isTrue(existsSync(join(cwd, ".bashrc")))
              yield* text(`touch go; while [ ! -e done ]; do sleep 0.05; done`)
              assert.strictEqual(asked(), 1)
              assert.notStrictEqual(statSync(join(cwd, ".bashrc"), { throwIfNoEntry: false })?.isFile(), true)
              yield* until(() => !existsSync(join(cwd, ".bashrc")))
              assert.deepStrictEqual(readdirSync(cwd).sort(), [".claude", "done", "go", "try.py"])
            })
        )
      )
  )

  it.live(
    "settings count, and can be saved, while a command runs where they are not there",
    () =>
      world(on, ({ cwd, run, save, text }) =>
        Effect.gen(function*() {
          yield* run("while [ ! -e go ]; do sleep 0.05; done", { run_in_background: true })
          assert.isTrue(existsSync(join(cwd, ".claude/settings.local.json")))
          assert.strictEqual(yield* text("echo allowed"), "allowed")
          yield* save(["Bash(make)"])
          assert.match(readFileSync(join(cwd, ".claude/settings.local.json"), "utf8"), /Bash\(make\)/)
          assert.match(yield* text("touch go; echo on"), /^on/)
          yield* until(() => !existsSync(join(cwd, ".bashrc")))
        }))
  )

  it.live(
    "a write that the sandbox refuses is told with what may be written",
    () =>
      world(on, ({ folder, text }) =>
        Effect.gen(function*() {
          writeFileSync(join(folder, "work", "away.sh"), `touch ${folder}/outside/a`)
          assert.match(
            yield* text("bash away.sh"),
            /Read-only file system\n\[in the sandbox a command writes in the working/
          )
          assert.notMatch(yield* text("false"), /sandbox/)
        }))
  )

  it.live("it is off unless somebody switches it on", () =>
    world({}, ({ folder, text }) =>
      Effect.gen(function*() {
        yield* text(`echo x > ${folder}/outside/a`)
        assert.deepStrictEqual(readdirSync(join(folder, "outside")), ["a"])
      })))
})
