import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { execFile, execFileSync } from "node:child_process"
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import type { Policy } from "../../src/domain/Policy.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { SessionStore } from "../../src/services/SessionStore.ts"
import { Trust } from "../../src/services/Trust.ts"
import { tracking } from "./settings/tracking.ts"
import { grant, policyOf, withFiles } from "./settings/withFiles.ts"

const rules = (policy: Policy) =>
  policy.rules.map(({ behavior, origin, text }) => `${origin.source} ${behavior} ${text}`)

const messages = (policy: Policy) => policy.diagnostics.map(({ message }) => message).join("\n")

const user = "home/.claude/settings.json"
const project = "repo/.claude/settings.json"
const local = "repo/.claude/settings.local.json"
const managed = "etc/managed-settings.json"

const allow = (...rules: ReadonlyArray<string>) => ({ permissions: { allow: rules } })
const deny = (...rules: ReadonlyArray<string>) => ({ permissions: { deny: rules } })
const hook = (command: string) => ({ PreToolUse: [{ hooks: [{ type: "command", command }] }] })

describe("layerSettings, places", () => {
  it.effect("rules of every source are gathered, each with its base", () =>
    withFiles({
      [user]: allow("Read(/a)"),
      [project]: allow("Read(/b)"),
      [local]: allow("Read(/c)"),
      "flags/extra.json": allow("Read(/d)"),
      [managed]: deny("Read(/e)"),
      "etc/managed-settings.d/20-b.json": deny("Bash(b)"),
      "etc/managed-settings.d/10-a.json": deny("Bash(a)"),
      "etc/managed-settings.d/.hidden.json": deny("Bash(hidden)"),
      "etc/managed-settings.d/README": "no settings"
    }, ({ at, context, settings }) =>
      settings(
        Effect.gen(function*() {
          yield* (yield* SessionStore).update("one", (state) => ({
            ...state,
            rules: { allow: ["Edit(/h)"], ask: [], deny: [] }
          }))
          const policy = yield* policyOf(context)
          assert.deepStrictEqual(policy.rules.map(({ base, origin, text }) => [origin.source, text, base]), [
            ["userSettings", "Read(/a)", at("home/.claude")],
            ["projectSettings", "Read(/b)", at("repo")],
            ["localSettings", "Read(/c)", at("repo")],
            ["flagSettings", "Read(/d)", at("flags")],
            ["cliArg", "Bash(x)", at("repo")],
            ["cliArg", "Edit(/f)", at("repo")],
            ["command", "Edit(/g)", at("repo")],
            ["session", "Edit(/h)", at("repo")],
            ["policySettings", "Read(/e)", "/"],
            ["policySettings", "Bash(a)", "/"],
            ["policySettings", "Bash(b)", "/"]
          ])
          assert.deepStrictEqual(policy.unreadable, [])
          assert.isTrue(policy.trusted)
          assert.strictEqual(policy.projectRoot, at("repo"))
          for (const file of [user, project, local, managed, "flags/extra.json", "etc/managed-settings.d/10-a.json"]) {
            assert.include(policy.settingsFiles, at(file))
          }
        }),
        {
          flagSettings: at("flags/extra.json"),
          allowedTools: ["Edit(/f)"],
          disallowedTools: ["Bash(x)"],
          commandRules: ["Edit(/g)"]
        }
      )))

  it.effect("without any file there is a policy that says nothing", () =>
    withFiles({}, ({ at, context, settings }) =>
      Effect.gen(function*() {
        const policy = yield* settings(policyOf(context), { trusted: false })
        assert.deepStrictEqual([policy.rules, policy.hooks, policy.diagnostics, policy.unreadable], [[], [], [], []])
        assert.strictEqual(policy.mode, "default")
        assert.strictEqual(policy.hookAllow, "skips")
        assert.isFalse(policy.trusted)
        // A tool that wrote them later would be writing its own permissions.
        assert.includeMembers([...policy.settingsFiles], [user, project, local, managed].map(at))
      })))

  it.effect("settings may be given as JSON, and a named file must be there", () =>
    withFiles({}, ({ at, context, settings }) =>
      Effect.gen(function*() {
        const inline = yield* settings(policyOf(context), { flagSettings: " {\"permissions\":{\"deny\":[\"Bash\"]}}" })
        assert.deepStrictEqual(rules(inline), ["flagSettings deny Bash"])
        const gone = yield* settings(policyOf(context), { flagSettings: at("gone.json") })
        assert.deepStrictEqual(gone.unreadable, [
          { origin: { source: "flagSettings", file: at("gone.json") }, reason: "is not there" }
        ])
        const broken = yield* settings(policyOf(context), { flagSettings: "{" })
        assert.strictEqual(broken.unreadable.length, 1)
      })))

  it.effect("the user's settings folder can be somewhere else", () =>
    withFiles(
      { "config/settings.json": deny("Read(/x)"), [user]: deny("Bash") },
      ({ at, context, settings }) =>
        Effect.gen(function*() {
          const policy = yield* settings(policyOf(context), { configDirectory: at("config") })
          assert.deepStrictEqual(policy.rules.map(({ base, text }) => [text, base]), [["Read(/x)", at("config")]])
        })
    ))

  it.effect("project settings are those of the working directory, local ones of the checkout", () =>
    withFiles({
      "repo/.git/HEAD": "ref: refs/heads/main\n",
      [project]: deny("Bash(root)"),
      [local]: deny("Bash(local)"),
      "repo/app/.claude/settings.json": deny("Bash(app)"),
      "repo/app/.claude/settings.local.json": deny("Bash(elsewhere)")
    }, ({ at, context, settings }) =>
      Effect.gen(function*() {
        const policy = yield* settings(policyOf({ ...context, cwd: at("repo/app") }))
        assert.deepStrictEqual(rules(policy), ["projectSettings deny Bash(app)", "localSettings deny Bash(local)"])
        const windows = yield* settings(policyOf({ ...context, cwd: at("repo/app") }), { platform: "win32" })
        assert.deepStrictEqual(rules(windows), ["projectSettings deny Bash(app)", "localSettings deny Bash(elsewhere)"])
      })))

  it.effect("a linked worktree has the local settings of the main checkout", () =>
    withFiles({
      [local]: deny("Bash(main)"),
      "tree/.claude/settings.local.json": deny("Bash(tree)")
    }, ({ at, context, settings, write }) =>
      Effect.gen(function*() {
        write("repo/.git/worktrees/tree/commondir", "../..\n")
        write("repo/.git/worktrees/tree/gitdir", `${at("tree/.git")}\n`)
        write("tree/.git", `gitdir: ${at("repo/.git/worktrees/tree")}\n`)
        const policy = yield* settings(policyOf({ ...context, cwd: at("tree") }))
        assert.deepStrictEqual(rules(policy), ["localSettings deny Bash(main)"])
      })))

  it.effect("a folder that only claims to be a worktree has none of another's settings", () =>
    withFiles({ [local]: allow("Bash") }, ({ at, context, settings, write }) =>
      Effect.gen(function*() {
        write("repo/.git/worktrees/tree/commondir", "../..\n")
        write("repo/.git/worktrees/tree/gitdir", `${at("tree/.git")}\n`)
        write("evil/.git", `gitdir: ${at("repo/.git/worktrees/tree")}\n`)
        const policy = yield* settings(policyOf({ ...context, cwd: at("evil") }))
        assert.deepStrictEqual(rules(policy), [])
      })))

  it.effect("in the home directory the user's settings are not the project's as well", () =>
    withFiles({ [user]: allow("Bash") }, ({ at, context, settings }) =>
      Effect.gen(function*() {
        const policy = yield* settings(policyOf({ ...context, cwd: at("home") }), { trusted: false })
        assert.deepStrictEqual(rules(policy), ["userSettings allow Bash"])
        assert.deepStrictEqual(policy.diagnostics, [])
      })))
})

describe("layerSettings, what can't be read", () => {
  it.effect("a broken file is named with line and column, and the others count", () =>
    withFiles(
      { [user]: deny("Bash"), [local]: "{\n  \"permissions\": oops\n}" },
      ({ at, context, settings }) =>
        Effect.gen(function*() {
          const policy = yield* settings(policyOf(context))
          assert.deepStrictEqual(rules(policy), ["userSettings deny Bash"])
          assert.deepStrictEqual(policy.unreadable.map(({ origin }) => origin), [
            { source: "localSettings", file: at(local), line: 2, column: 18 }
          ])
        })
    ))

  it.effect("whatever is no regular file of a sane size is never opened", () =>
    withFiles(
      { "etc/managed-settings.d/50.json/x": "", [local]: "{}" },
      ({ at, context, settings }) =>
        Effect.gen(function*() {
          mkdirSync(at(user), { recursive: true })
          mkdirSync(at("repo/.claude"), { recursive: true })
          execFileSync("mkfifo", [at(project)])
          truncateSync(at(local), 2 * 1024 * 1024 + 1)
          symlinkSync("nowhere", at(managed))
          const policy = yield* settings(policyOf(context))
          assert.deepStrictEqual(policy.unreadable.map(({ origin, reason }) => [origin.source, reason]), [
            ["userSettings", "is a folder"],
            ["projectSettings", "is a pipe"],
            ["localSettings", "is larger than 2 MiB"],
            ["policySettings", "is a link that leads nowhere"],
            ["policySettings", "is a folder"]
          ])
        })
    ))

  it.effect("bytes that are no text hide the file, text in UTF-16 does not", () =>
    withFiles({}, ({ at, context, settings, write }) =>
      Effect.gen(function*() {
        write(user, "")
        write(local, "")
        writeFileSync(at(user), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
        writeFileSync(at(local), Buffer.from(`\uFEFF${JSON.stringify(deny("Bash"))}`, "utf16le"))
        const policy = yield* settings(policyOf(context))
        assert.deepStrictEqual(rules(policy), ["localSettings deny Bash"])
        assert.deepStrictEqual(policy.unreadable.map(({ reason }) => reason), ["is not valid UTF-8"])
      })))

  it.effect("a file where a settings folder would be is no settings", () =>
    withFiles({ "repo/.claude": "a file" }, ({ context, settings }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual((yield* settings(policyOf(context))).unreadable, [])
      })))

  it.effect("a managed file of the wrong shape keeps what can be read, and hides", () =>
    withFiles(
      { [managed]: { permissions: { deny: "Bash", ask: ["Edit"] }, hooks: hook("gate") } },
      (files) =>
        Effect.gen(function*() {
          const policy = yield* files.settings(policyOf(files.context))
          assert.deepStrictEqual(rules(policy), ["policySettings ask Edit"])
          assert.strictEqual(policy.hooks.length, 1)
          assert.strictEqual(policy.unreadable.length, 1)
        })
    ))
})

describe("layerSettings, trust", () => {
  const brought = {
    permissions: {
      allow: ["Bash", "Read"],
      ask: ["Edit"],
      deny: ["WebFetch"],
      additionalDirectories: ["../other"],
      defaultMode: "acceptEdits",
      hookAllow: "yields"
    },
    hooks: hook("theirs")
  }

  it.effect("what a repository brings loosens nothing before it is trusted", () =>
    withFiles({ [project]: brought }, ({ at, context, settings }) =>
      Effect.gen(function*() {
        const before = yield* settings(policyOf(context), { trusted: false })
        assert.deepStrictEqual(
          rules(before).toSorted(),
          ["projectSettings ask Edit", "projectSettings deny WebFetch"]
        )
        assert.deepStrictEqual([before.hooks, before.directories, before.mode], [[], [], "default"])
        assert.strictEqual(before.hookAllow, "yields")
        assert.include(messages(before), "2 allow rules and 1 working directory and 1 hook are left out")
        for (const { message } of before.diagnostics) assert.include(message, `toolgate trust ${at("repo")}`)

        const after = yield* settings(policyOf(context))
        assert.strictEqual(after.rules.length, 4)
        assert.deepStrictEqual([after.hooks.length, after.directories, after.mode], [1, [at("other")], "acceptEdits"])
        assert.deepStrictEqual(after.diagnostics, [])
      })))

  it.effect("trusting a folder is noticed by the next call", () =>
    withFiles({ [project]: allow("Bash") }, ({ context, settings }) =>
      settings(
        Effect.gen(function*() {
          assert.deepStrictEqual((yield* policyOf(context)).rules, [])
          yield* (yield* Trust).trust(context.cwd)
          assert.deepStrictEqual(rules(yield* policyOf(context)), ["projectSettings allow Bash"])
          yield* (yield* Trust).untrust(context.cwd)
          assert.deepStrictEqual((yield* policyOf(context)).rules, [])
        }),
        { trusted: false }
      )))

  it.effect("local settings are the user's own, unless git tracks them", () =>
    withFiles({ "repo/.git/HEAD": "", [local]: allow("Bash") }, ({ at, context, settings }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(rules(yield* settings(policyOf(context), { trusted: false })), [
          "localSettings allow Bash"
        ])
        writeFileSync(at("repo/.git/index"), tracking(".claude/settings.json"))
        assert.deepStrictEqual(rules(yield* settings(policyOf(context), { trusted: false })), [
          "localSettings allow Bash"
        ])
        writeFileSync(at("repo/.git/index"), tracking(".claude/settings.local.json"))
        const policy = yield* settings(policyOf(context), { trusted: false })
        assert.deepStrictEqual(policy.rules, [])
        assert.include(messages(policy), `1 allow rule is left out, since the file came with a repository`)
        assert.strictEqual((yield* settings(policyOf(context))).rules.length, 1)
        writeFileSync(at("repo/.git/index"), tracking(".claude"))
        assert.deepStrictEqual((yield* settings(policyOf(context), { trusted: false })).rules, [])
        writeFileSync(at("repo/.git/index"), "what is this")
        assert.deepStrictEqual((yield* settings(policyOf(context), { trusted: false })).rules, [])
      })))

  it.effect("outside of a checkout nothing tells whose local settings are, so that they need trust", () =>
    withFiles(
      { [local]: { permissions: { allow: ["Bash"], deny: ["Read"] } } },
      ({ context, settings }) =>
        Effect.gen(function*() {
          const policy = yield* settings(policyOf(context), { trusted: false })
          assert.deepStrictEqual(rules(policy), ["localSettings deny Read"])
          assert.include(messages(policy), "toolgate trust")
          assert.strictEqual((yield* settings(policyOf(context))).rules.length, 2)
        })
    ))

  it.effect("local settings that a link leads to are the repository's", () =>
    withFiles(
      { "repo/.git/HEAD": "", "repo/dot/settings.local.json": allow("Bash") },
      ({ at, context, settings }) =>
        Effect.gen(function*() {
          symlinkSync("dot", at("repo/.claude"))
          const policy = yield* settings(policyOf(context), { trusted: false })
          assert.deepStrictEqual(policy.rules, [])
          assert.include(messages(policy), "reached through a link")
          const refused = yield* Effect.result(settings(grant(context, "localSettings", ["Read"]), { trusted: false }))
          assert.isTrue(Result.isFailure(refused))
        })
    ))

  it.effect("a folder with odd characters is quoted for the shell", () =>
    withFiles(
      { "it's here/.claude/settings.json": allow("Bash") },
      ({ at, context, root, settings }) =>
        Effect.gen(function*() {
          const policy = yield* settings(policyOf({ ...context, cwd: at("it's here") }))
          assert.include(messages(policy), `toolgate trust '${root}/it'\\''s here'`)
        })
    ))

  it.effect("a broken file of an untrusted repository still hides what it may have denied", () =>
    withFiles({ [project]: "{" }, ({ context, settings }) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* settings(policyOf(context), { trusted: false })).unreadable.length, 1)
      })))
})

describe("layerSettings, settings that are not lists", () => {
  const mode = (defaultMode: string) => ({ permissions: { defaultMode } })

  it.effect("the strongest source chooses the mode", () =>
    withFiles({ [user]: mode("acceptEdits") }, ({ context, settings, write }) =>
      settings(
        Effect.gen(function*() {
          assert.strictEqual((yield* policyOf(context)).mode, "acceptEdits")
          write(project, mode("default"))
          assert.strictEqual((yield* policyOf(context)).mode, "default")
          write(local, mode("plan"))
          assert.strictEqual((yield* policyOf(context)).mode, "plan")
          write(managed, mode("manual"))
          assert.strictEqual((yield* policyOf(context)).mode, "default")
          write("etc/managed-settings.d/a.json", mode("dontAsk"))
          assert.strictEqual((yield* policyOf(context)).mode, "dontAsk")
        })
      )))

  it.effect("a mode of the command line is stronger than any of settings", () =>
    withFiles({ [managed]: mode("plan") }, ({ context, settings }) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* settings(policyOf(context), { mode: "acceptEdits" })).mode, "acceptEdits")
      })))

  it.effect("project and local settings can't choose to ask nobody", () =>
    withFiles(
      { [user]: mode("plan"), [local]: mode("bypassPermissions"), [project]: mode("auto") },
      (files) =>
        Effect.gen(function*() {
          const policy = yield* files.settings(policyOf(files.context))
          assert.strictEqual(policy.mode, "plan")
          assert.strictEqual(policy.diagnostics.length, 2)
        })
    ))

  it.effect("an untrusted project can make the mode stricter, and never looser", () =>
    withFiles({ [project]: mode("plan") }, ({ context, settings, write }) =>
      settings(
        Effect.gen(function*() {
          assert.strictEqual((yield* policyOf(context)).mode, "plan")
          write(user, mode("dontAsk"))
          write(project, mode("default"))
          const policy = yield* policyOf(context)
          assert.strictEqual(policy.mode, "dontAsk")
          assert.include(messages(policy), "toolgate trust")
        }),
        { trusted: false }
      )))

  it.effect("a disabled mode is no mode, from wherever it is disabled and wherever it is chosen", () =>
    withFiles({
      [user]: mode("bypassPermissions"),
      [project]: { permissions: { disableBypassPermissionsMode: "disable" } }
    }, ({ context, settings }) =>
      Effect.gen(function*() {
        for (const trusted of [true, false]) {
          const policy = yield* settings(policyOf(context), { trusted, mode: "bypassPermissions" })
          assert.strictEqual(policy.mode, "default")
          assert.deepStrictEqual(policy.disabledModes, ["bypassPermissions"])
          assert.include(messages(policy), "disabled")
        }
      })))

  it.effect("a hook's allow yields when anybody says so, and only managed settings undo it", () =>
    withFiles({ [project]: { permissions: { hookAllow: "yields" } } }, ({ context, settings, write }) =>
      settings(
        Effect.gen(function*() {
          assert.strictEqual((yield* policyOf(context)).hookAllow, "yields")
          write(local, { permissions: { hookAllow: "skips" } })
          assert.strictEqual((yield* policyOf(context)).hookAllow, "yields")
          write(managed, { permissions: { hookAllow: "skips" } })
          assert.strictEqual((yield* policyOf(context)).hookAllow, "skips")
        }),
        { trusted: false }
      )))

  it.effect("working directories are absolute, each from where its file belongs", () =>
    withFiles({
      [user]: { permissions: { additionalDirectories: ["~/notes", "~", "docs"] } },
      [project]: { permissions: { additionalDirectories: ["../other", "/srv", "~other"] } }
    }, ({ at, context, settings }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual((yield* settings(policyOf(context))).directories, [
          at("home/notes"),
          at("home"),
          at("home/docs"),
          at("other"),
          "/srv",
          at("repo/~other")
        ])
      })))
})

describe("layerSettings, managed controls", () => {
  it.effect("managed rules alone may allow, and everybody's deny rules stand", () =>
    withFiles({
      [user]: { permissions: { allow: ["Bash(npm test:*)"], deny: ["Edit"], ask: ["Read"] } },
      [managed]: { ...allow("Bash(git status:*)"), allowManagedPermissionRulesOnly: true }
    }, ({ context, settings }) =>
      settings(
        Effect.gen(function*() {
          const policy = yield* policyOf(context)
          assert.deepStrictEqual(rules(policy).toSorted(), [
            "cliArg deny WebFetch",
            "policySettings allow Bash(git status:*)",
            "userSettings ask Read",
            "userSettings deny Edit"
          ])
          assert.include(messages(policy), "only managed settings may allow anything")
          for (const destination of ["session", "localSettings"] as const) {
            assert.isTrue(Result.isFailure(yield* Effect.result(grant(context, destination, ["Bash"]))))
          }
        }),
        { allowedTools: ["Bash"], disallowedTools: ["WebFetch"] }
      )))

  it.effect("another source can't switch the controls on", () =>
    withFiles(
      { [user]: { ...allow("Bash"), allowManagedPermissionRulesOnly: true } },
      ({ context, settings }) =>
        Effect.gen(function*() {
          const policy = yield* settings(policyOf(context))
          assert.strictEqual(policy.rules.length, 1)
          assert.include(messages(policy), "counts in managed settings alone")
        })
    ))

  const hooks = {
    [user]: { hooks: hook("user") },
    [project]: { hooks: hook("project") },
    [local]: { hooks: hook("local") },
    [managed]: { hooks: hook("managed") }
  }
  const commands = (policy: Policy) =>
    policy.hooks.map(({ hook, order, source }) => `${order} ${source} ${hook.type === "command" ? hook.command : "-"}`)

  it.effect("hooks of all sources are in order, managed ones last", () =>
    withFiles(hooks, ({ context, settings }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(commands(yield* settings(policyOf(context))), [
          "0 userSettings user",
          "1 projectSettings project",
          "2 localSettings local",
          "3 policySettings managed"
        ])
      })))

  it.effect("managed settings can be the only ones with hooks", () =>
    withFiles(
      { ...hooks, "etc/managed-settings.d/a.json": { allowManagedHooksOnly: true } },
      ({ context, settings }) =>
        Effect.gen(function*() {
          assert.deepStrictEqual(commands(yield* settings(policyOf(context))), ["0 policySettings managed"])
        })
    ))

  it.effect("a project switches off its own hooks alone, a person everything but managed ones", () =>
    withFiles(hooks, ({ context, settings, write }) =>
      settings(
        Effect.gen(function*() {
          write(project, { hooks: hook("project"), disableAllHooks: true })
          assert.deepStrictEqual(commands(yield* policyOf(context)), [
            "0 userSettings user",
            "1 localSettings local",
            "2 policySettings managed"
          ])
          write(user, { hooks: hook("user"), disableAllHooks: true })
          assert.deepStrictEqual(commands(yield* policyOf(context)), ["0 policySettings managed"])
          write(local, { hooks: hook("local"), disableAllHooks: false })
          assert.strictEqual((yield* policyOf(context)).hooks.length, 3)
          write(managed, { hooks: hook("managed"), disableAllHooks: true })
          assert.deepStrictEqual(commands(yield* policyOf(context)), [])
        })
      )))
})

describe("layerSettings, changes", () => {
  it.effect("the same policy is given again while nothing changed", () =>
    withFiles({ [user]: allow("Read"), [local]: deny("Bash") }, ({ age, context, settings, write }) =>
      settings(
        Effect.gen(function*() {
          const first = yield* policyOf(context)
          assert.strictEqual(yield* policyOf(context), first)
          age(user)
          assert.strictEqual(yield* policyOf({ ...context, mode: "plan", directories: ["/srv"] }), first)
          write(user, allow("Read"))
          assert.strictEqual(yield* policyOf(context), first)
          const [a, b] = yield* Effect.all([policyOf(context), policyOf(context)], { concurrency: 2 })
          assert.strictEqual(a, b)
        })
      )))

  it.live("a change is in the next policy, however it was made", () =>
    withFiles({ [user]: deny("Bash(a)") }, ({ age, at, context, settings, write }) =>
      settings(
        Effect.gen(function*() {
          const texts = Effect.map(policyOf(context), ({ rules }) => rules.map(({ text }) => text).join())
          age(user)
          assert.strictEqual(yield* texts, "Bash(a)")
          write(user, deny("Bash(b)"))
          assert.strictEqual(yield* texts, "Bash(b)")
          // The same size within the same moment.
          for (const letter of "cdefghijkl") {
            write(user, deny(`Bash(${letter})`))
            assert.strictEqual(yield* texts, `Bash(${letter})`)
          }
          write("home/new.json", deny("Bash(m)"))
          renameSync(at("home/new.json"), at(user))
          assert.strictEqual(yield* texts, "Bash(m)")
          rmSync(at(user))
          assert.strictEqual(yield* texts, "")
          write("etc/managed-settings.d/a.json", deny("Bash(n)"))
          assert.strictEqual(yield* texts, "Bash(n)")
          write(local, deny("Bash(o)"))
          assert.strictEqual(yield* texts, "Bash(o),Bash(n)")
        })
      )))

  it.effect("sessions know nothing of each other's rules", () =>
    withFiles({}, ({ context, settings }) =>
      settings(
        Effect.gen(function*() {
          const other = { ...context, session: "two" }
          yield* policyOf(other)
          yield* grant(context, "session", ["Bash(npm test *)", "Bash(npm test *)"])
          assert.deepStrictEqual(rules(yield* policyOf(context)), ["session allow Bash(npm test *)"])
          assert.deepStrictEqual(rules(yield* policyOf(other)), [])
          assert.strictEqual(yield* policyOf(other), yield* policyOf({ ...context, session: "three" }))
        })
      )))
})

describe("layerSettings, grants", () => {
  it.effect("a granted rule is in its file and in the next policy", () =>
    withFiles({ "repo/.git/HEAD": "" }, ({ at, context, has, read, settings }) =>
      settings(
        Effect.gen(function*() {
          for (
            const [destination, file, mode] of [
              ["localSettings", local, 0o600],
              ["projectSettings", project, 0o644],
              ["userSettings", user, 0o600]
            ] as const
          ) {
            yield* grant(context, destination, ["Bash(npm test *)"])
            yield* grant(context, destination, ["Bash(npm test *)", "Read(//srv/**)"])
            assert.deepStrictEqual(JSON.parse(read(file)), allow("Bash(npm test *)", "Read(//srv/**)"))
            assert.strictEqual(statSync(at(file)).mode & 0o777, mode)
            assert.isFalse(has(`${file}.lock`))
            assert.include(rules(yield* policyOf(context)), `${destination} allow Read(//srv/**)`)
          }
        })
      )))

  it.effect("a file keeps its mode, its comments and its link", () =>
    withFiles(
      { "dotfiles/settings.json": "{\n  // mine\n  \"model\": \"x\"\n}\n" },
      ({ at, context, read, settings }) =>
        Effect.gen(function*() {
          chmodSync(at("dotfiles/settings.json"), 0o640)
          mkdirSync(at("home/.claude"), { recursive: true })
          symlinkSync(at("dotfiles/settings.json"), at(user))
          yield* settings(grant(context, "userSettings", ["Read"]))
          assert.include(read("dotfiles/settings.json"), "// mine")
          assert.include(read("dotfiles/settings.json"), "\"Read\"")
          assert.strictEqual(statSync(at("dotfiles/settings.json")).mode & 0o777, 0o640)
        })
    ))

  it.effect("a file that can't be read is never written", () =>
    withFiles({ [local]: "{ \"permissions\": " }, ({ at, context, read, settings }) =>
      Effect.gen(function*() {
        const refused = yield* Effect.flip(settings(grant(context, "localSettings", ["Read"])))
        assert.include(refused.message, "settings.local.json")
        assert.include(refused.reason, "line 1")
        assert.strictEqual(read(local), "{ \"permissions\": ")

        for (const bytes of [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from("\uFEFF{}", "utf16le")]) {
          writeFileSync(at(local), bytes)
          yield* Effect.flip(settings(grant(context, "localSettings", ["Read"])))
          assert.deepStrictEqual(readFileSync(at(local)), bytes)
        }
      })))

  it.effect("rules are not saved where they could not count", () =>
    withFiles({}, ({ context, has, settings }) =>
      settings(
        Effect.gen(function*() {
          for (
            const destination of ["policySettings", "flagSettings", "cliArg", "command", "projectSettings"] as const
          ) {
            const refused = yield* Effect.flip(grant(context, destination, ["Read"]))
            assert.strictEqual(refused._tag, "StoreFailed")
          }
          assert.isFalse(has(project))
          yield* Effect.flip(grant(context, "localSettings", ["Read", "Bash("]))
          assert.isFalse(has(local))
        }),
        { trusted: false }
      )))

  it.live(
    "of many writers at once, in several processes, none loses what another wrote",
    () =>
      withFiles(
        { [local]: "{\n  \"permissions\": {\n    \"allow\": [] // ours\n  }\n}\n" },
        ({ at, context, read, settings }) =>
          Effect.gen(function*() {
            const writer = new URL("./settings/grantWriter.ts", import.meta.url).pathname
            const names = ["a", "b", "c"]
            const others = names.map((name) =>
              Effect.promise(() => run(process.execPath, [writer, at(local), name, "8"]))
            )
            const ours = Array.from(
              { length: 8 },
              (_, index) => grant(context, "localSettings", [`Skill(here${index})`])
            )
            yield* Effect.all([...others, settings(Effect.all(ours, { concurrency: "unbounded" }))], {
              concurrency: "unbounded"
            })
            const written = (yield* settings(policyOf(context))).rules.map(({ text }) => text)
            const expected = ["here", ...names].flatMap((name) =>
              Array.from({ length: 8 }, (_, index) => `Skill(${name}${index})`)
            )
            assert.deepStrictEqual(written.toSorted(), expected.toSorted())
            assert.include(read(local), "// ours")
          })
      )
  )
})

describe("layerMemory", () => {
  const context = { session: "one", cwd: "/repo", directories: [] }

  it.effect("serves rules given as text, and the same policy each time", () =>
    Effect.gen(function*() {
      const policy = yield* policyOf(context)
      assert.deepStrictEqual(rules(policy), ["userSettings deny Bash(rm *)", "session allow Read(/a)"])
      assert.strictEqual(policy.rules[1]?.base, "/repo")
      assert.deepStrictEqual([policy.mode, policy.trusted, policy.projectRoot], ["plan", true, "/repo"])
      assert.strictEqual(yield* policyOf(context), policy)
    }).pipe(Effect.provide(RuleSourcesLayers.layerMemory({
      mode: "plan",
      texts: { userSettings: { deny: ["Bash(rm *)"] }, session: { allow: ["Read(/a)"] } }
    }))))

  it.effect("keeps grants, those for a session by session", () =>
    Effect.gen(function*() {
      yield* policyOf(context)
      yield* grant(context, "session", ["Bash(a)"])
      yield* grant(context, "localSettings", ["Bash(b)"])
      assert.deepStrictEqual(rules(yield* policyOf(context)), ["session allow Bash(a)", "localSettings allow Bash(b)"])
      assert.deepStrictEqual(rules(yield* policyOf({ ...context, session: "two" })), ["localSettings allow Bash(b)"])
      assert.strictEqual((yield* Effect.flip(grant(context, "policySettings", ["Bash"])))._tag, "StoreFailed")
    }).pipe(Effect.provide(RuleSourcesLayers.layerMemory())))

  it.effect("reads whole files, and knows what a repository brought", () =>
    Effect.gen(function*() {
      const policy = yield* policyOf(context)
      assert.deepStrictEqual(rules(policy), ["projectSettings deny Bash", "policySettings allow Read"])
      assert.deepStrictEqual([policy.mode, policy.trusted, policy.directories], ["plan", false, ["/home/dev/notes"]])
      assert.include(messages(policy), "toolgate trust /repo")
    }).pipe(Effect.provide(RuleSourcesLayers.layerMemory({
      trusted: false,
      home: "/home/dev",
      texts: { projectSettings: { allow: ["Bash"], deny: ["Bash"] }, userSettings: { allow: ["Edit"] } },
      files: {
        policySettings: JSON.stringify({ ...allow("Read"), allowManagedPermissionRulesOnly: true }),
        userSettings: JSON.stringify({ permissions: { defaultMode: "plan", additionalDirectories: ["~/notes"] } })
      }
    }))))

  it.effect("says what is wrong with a rule", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* policyOf(context)).diagnostics[0]?.severity, "error")
    }).pipe(Effect.provide(RuleSourcesLayers.layerMemory({ texts: { userSettings: { deny: [""] } } }))))
})

const run = (program: string, args: ReadonlyArray<string>): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(program, args, (error, _stdout, stderr) => {
      if (error === null) resolve()
      else reject(new Error(stderr))
    })
  })
