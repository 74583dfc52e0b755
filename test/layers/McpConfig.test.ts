import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { McpConfiguration } from "../../src/domain/McpEntry.ts"
import * as McpConfigLayers from "../../src/layers/McpConfig.ts"
import type { McpConfigOptions } from "../../src/layers/McpConfig.ts"
import * as TrustLayers from "../../src/layers/Trust.ts"
import { McpConfig } from "../../src/services/McpConfig.ts"
import { Trust } from "../../src/services/Trust.ts"
import { tracking } from "./settings/tracking.ts"
import { type Files, withFiles } from "./settings/withFiles.ts"

interface Options extends Partial<McpConfigOptions> {
  readonly trusted?: boolean
}

const configured = (
  files: { readonly [name: string]: unknown },
  check: (configuration: McpConfiguration, files: Files) => void,
  { trusted = true, ...options }: Options = {}
): Effect.Effect<void> =>
  withFiles(files, (made) =>
    made.settings(
      Effect.flatMap(McpConfig, ({ servers }) => servers(made.context)).pipe(
        Effect.map((configuration) => check(configuration, made)),
        Effect.provide(
          McpConfigLayers.layerFiles({
            home: made.at("home"),
            platform: "linux",
            managedRoot: made.at("etc"),
            environment: {},
            ...options
          }).pipe(Layer.provide(NodeServices.layer))
        )
      ),
      { trusted }
    ))

const refusals = ({ entries }: McpConfiguration) =>
  Object.fromEntries(entries.map(({ name, refused }) => [name, refused?.because]))

const one = { command: "one" }

const named = (...names: ReadonlyArray<string>) => ({
  mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }]))
})

describe("McpConfig.layerFiles", () => {
  it.effect("nothing is configured, and nothing is wrong, where there is no file", () =>
    configured({}, ({ diagnostics, entries }) => {
      assert.deepStrictEqual(entries, [])
      assert.deepStrictEqual(diagnostics, [])
    }))

  it.effect("a project's servers wait until the folder is trusted, whatever its settings enable", () =>
    configured({
      "repo/.mcp.json": named("a"),
      "repo/.claude/settings.json": { enableAllProjectMcpServers: true, mcpServers: { b: one } }
    }, (found, { at }) => {
      assert.deepStrictEqual(refusals(found), { a: "untrusted", b: "untrusted" })
      assert.include(found.entries[0]?.refused?.why, `toolgate trust ${at("repo")}`)
    }, { trusted: false }))

  it.effect("in a trusted folder they wait until somebody enables them", () =>
    configured({
      "repo/.mcp.json": named("a", "b", "c"),
      "home/.claude/settings.json": { enabledMcpjsonServers: ["a", "c"], disabledMcpjsonServers: ["c"] }
    }, (found) => {
      assert.deepStrictEqual(refusals(found), { a: undefined, b: "unapproved", c: "disabled" })
    }))

  it.effect("one that was enabled by a near name is told so, where no server has that name", () =>
    configured({
      "repo/.mcp.json": named("github", "notes", "notes2"),
      "home/.claude/settings.json": { enabledMcpjsonServers: ["gihub", "notes2"] }
    }, ({ entries }) => {
      const whys = Object.fromEntries(entries.map(({ name, refused }) => [name, refused?.why]))
      assert.match(whys["github"] ?? "", /add `github` to .* \(`gihub` is enabled, and no server has that name\)$/)
      assert.match(whys["notes"] ?? "", /add `notes` to .*settings\.local\.json`$/)
      assert.isUndefined(whys["notes2"])
    }))

  it.effect("all of them at once, too", () =>
    configured({
      "repo/.mcp.json": named("a", "b"),
      "home/.claude/settings.json": { enableAllProjectMcpServers: true }
    }, (found) => assert.deepStrictEqual(refusals(found), { a: undefined, b: undefined })))

  it.effect("the command line beats the user's for a project, that the project's own, and those the user's for all", () =>
    configured({
      "home/.claude.json": named("user", "project", "flag"),
      "repo/.mcp.json": { mcpServers: { project: { command: "from-project" }, flag: { command: "from-project" } } },
      "home/.claude/settings.json": {
        enableAllProjectMcpServers: true,
        mcpServers: { user: { command: "from-settings" } }
      }
    }, ({ entries }) => {
      assert.deepStrictEqual(
        Object.fromEntries(entries.map(({ config, name, scope }) => [name, [scope, Object(config).command]])),
        {
          flag: ["flag", "from-flag"],
          project: ["project", "from-project"],
          user: ["user", "user"]
        }
      )
    }, { flags: ["{ \"mcpServers\": { \"flag\": { \"command\": \"from-flag\" } } }"] }))

  it.effect("a server that a repository only offers hides none of the user's own", () =>
    configured({
      "home/.claude.json": named("a"),
      "repo/.mcp.json": { mcpServers: { a: { command: "theirs" } } }
    }, ({ entries }) => {
      assert.strictEqual(entries.length, 1)
      assert.strictEqual(entries[0]?.scope, "user")
    }))

  it.effect("variables are expanded, and one that is missing costs its server alone", () =>
    configured({
      "home/.claude.json": {
        mcpServers: {
          a: { command: "a", args: ["${KEY}", "${NONE:-else}"], env: { ROOT: "${CLAUDE_PROJECT_DIR}" } },
          b: { url: "https://example.com/${NONE}" }
        }
      }
    }, ({ entries }, { at }) => {
      assert.deepStrictEqual(entries[0]?.config, { command: "a", args: ["k", "else"], env: { ROOT: at("repo") } })
      assert.deepStrictEqual(Object(entries[0]?.written).args, ["${KEY}", "${NONE:-else}"])
      assert.deepStrictEqual(entries[1]?.refused, {
        because: "broken",
        why: "`url` uses `${NONE}`, which is not set: set it, or write `${NONE:-default}`"
      })
    }, { environment: { KEY: "k" } }))

  it.effect("a file that can't be read is one problem, with its place, and costs no other file", () =>
    configured({
      "home/.claude.json": named("a"),
      "repo/.mcp.json": "{ \"mcpServers\": {\n  \"b\": \n} }"
    }, ({ diagnostics, entries }, { at }) => {
      assert.deepStrictEqual(entries.map(({ name }) => name), ["a"])
      assert.strictEqual(diagnostics.length, 1)
      assert.deepInclude(diagnostics[0]?.origin, { file: at("repo/.mcp.json"), line: 3 })
    }))

  it.effect("a flag's file that is not there is a problem", () =>
    configured({}, ({ diagnostics }) => {
      assert.strictEqual(diagnostics[0]?.message, "it is not there")
    }, { flags: ["/nowhere/servers.json"] }))

  it.effect("a file without `mcpServers` that names servers is read as one", () =>
    configured({ "repo/.mcp.json": { a: one }, "home/.claude.json": { theme: "dark" } }, (found) => {
      assert.deepStrictEqual(found.entries.map(({ name }) => name), ["a"])
      assert.deepStrictEqual(found.diagnostics, [])
    }))

  it.effect("a `managed-mcp.json` names the only servers there are", () =>
    configured({ "etc/managed-mcp.json": named("m"), "home/.claude.json": named("a") }, (found) => {
      assert.deepStrictEqual(found.entries.map(({ name, scope }) => [name, scope]), [["m", "managed"]])
    }))

  it.effect("one that can't be read leaves none", () =>
    configured({ "etc/managed-mcp.json": "{", "home/.claude.json": named("a") }, ({ diagnostics, entries }) => {
      assert.deepStrictEqual(entries, [])
      assert.strictEqual(diagnostics.length, 1)
    }))

  it.effect("managed settings that can't be read forbid every server", () =>
    configured({ "etc/managed-settings.json": "{", "home/.claude.json": named("a") }, (found) => {
      assert.deepStrictEqual(refusals(found), { a: "forbidden" })
    }))

  it.effect("settings deny servers by name, command line and address, from wherever they come", () =>
    configured({
      "repo/.claude/settings.json": {
        deniedMcpServers: [{ serverName: "a" }, { serverCommand: ["npx", "x"] }, { serverUrl: "https://*.evil.com/*" }]
      },
      "home/.claude.json": {
        mcpServers: {
          a: one,
          b: { command: "npx", args: ["x"] },
          c: { url: "https://mcp.evil.com/mcp" },
          d: { command: "npx", args: ["y"] }
        }
      }
    }, (found) => {
      assert.deepStrictEqual(refusals(found), { a: "forbidden", b: "forbidden", c: "forbidden", d: undefined })
    }, { trusted: false }))

  it.effect("a list of what is allowed allows nothing else; a command line in it makes names count for nothing", () =>
    configured({
      "etc/managed-settings.json": {
        allowManagedMcpServersOnly: true,
        allowedMcpServers: [{ serverName: "a" }, { serverName: "b" }, { serverCommand: ["good"] }]
      },
      "home/.claude/settings.json": { allowedMcpServers: [{ serverName: "d" }] },
      "home/.claude.json": {
        mcpServers: {
          a: { command: "bad" },
          b: { url: "https://b.com" },
          c: { command: "good" },
          d: { url: "https://d.com" }
        }
      }
    }, (found) => {
      assert.deepStrictEqual(refusals(found), { a: "forbidden", b: undefined, c: undefined, d: "forbidden" })
    }))

  it.effect("a server can be switched off where it is configured", () =>
    configured({
      "home/.claude.json": { mcpServers: { a: { ...one, disabled: true }, b: { ...one, enabled: false } } }
    }, (found) => assert.deepStrictEqual(refusals(found), { a: "disabled", b: "disabled" })))

  it.effect("a server whose tools would have another one's names is refused", () =>
    configured({ "home/.claude.json": named("a.b", "a b", "") }, (found) => {
      assert.deepStrictEqual(refusals(found), { "a.b": undefined, "a b": "broken", "": "broken" })
    }))

  it.effect("servers for one project are those of that project", () =>
    withFiles({}, ({ at, settings, context, write }) =>
      Effect.gen(function*() {
        write("home/.claude.json", {
          projects: {
            [at("repo")]: { ...named("mine"), enabledMcpjsonServers: ["theirs"] },
            "/elsewhere": named("other")
          }
        })
        write("repo/.mcp.json", named("theirs"))
        const found = yield* settings(
          Effect.flatMap(McpConfig, ({ servers }) => servers(context)).pipe(
            Effect.provide(
              McpConfigLayers.layerFiles({
                home: at("home"),
                platform: "linux",
                managedRoot: at("etc"),
                environment: {}
              })
                .pipe(Layer.provide(NodeServices.layer))
            )
          )
        )
        assert.deepStrictEqual(found.entries.map(({ name, scope }) => [name, scope]), [
          ["mine", "local"],
          ["theirs", "project"]
        ])
        assert.deepStrictEqual(refusals(found), { mine: undefined, theirs: undefined })
      })))
})

describe("McpConfig.layerFiles, of a folder that was trusted", () => {
  const servers = (...given: ReadonlyArray<readonly [string, unknown]>) => ({ mcpServers: Object.fromEntries(given) })

  /** The refusals, after the folder was trusted with servers and then written over. */
  const after = (
    trusted: ReadonlyArray<readonly [string, unknown]>,
    files: { readonly [name: string]: unknown },
    check: (configuration: McpConfiguration, files: Files) => void
  ) =>
    withFiles(files, (made) =>
      Effect.gen(function*() {
        const trust = yield* Trust
        yield* trust.trust(made.at("repo"), trusted.map(([name, written]) => ({ name, written })))
        const config = McpConfigLayers.layerFiles({
          home: made.at("home"),
          platform: "linux",
          managedRoot: made.at("etc"),
          environment: { KEY: "one" }
        }).pipe(Layer.provide([NodeServices.layer, Layer.succeed(Trust, trust)]))
        const found = Effect.flatMap(McpConfig, ({ servers }) => servers(made.context))
        check(yield* made.settings(Effect.provide(found, config)), made)
      }).pipe(Effect.provide(TrustLayers.layerFiles(made.at("state")).pipe(Layer.provide(NodeServices.layer)))))

  const all = { "home/.claude/settings.json": { enableAllProjectMcpServers: true } }

  it.effect("a server counts as it was then, before variables are expanded", () =>
    after([["a", { command: "${KEY}" }]], {
      ...all,
      "repo/.mcp.json": servers(["a", { command: "${KEY}" }], ["b", one])
    }, (found, { at }) => {
      assert.deepStrictEqual(refusals(found), { a: undefined, b: "unseen" })
      assert.strictEqual(
        found.entries[1]?.refused?.why,
        "it was not shown when the folder was trusted: look at it with `toolgate mcp get b`, " +
          `then run \`toolgate trust ${at("repo")}\` to trust it as it is now`
      )
    }))

  it.effect("one that changed is refused, with what changed, though settings enable it by name", () =>
    after([["a", one], ["b c", one], ["d", one]], {
      ...all,
      "repo/.mcp.json": servers(
        ["a", { command: "curl", args: ["x"] }],
        ["b c", { ...one, "then do as I say": 1 }],
        ["d", one]
      )
    }, (found) => {
      assert.deepStrictEqual(refusals(found), { a: "changed", "b c": "changed", d: undefined })
      assert.match(
        found.entries[0]?.refused?.why ?? "",
        /^it changed since the folder was trusted, by `command`, `args`: look at it with `toolgate mcp get a`, then run /
      )
      assert.match(found.entries[1]?.refused?.why ?? "", /^it changed since the folder was trusted: .* get 'b c'`, /)
    }))

  it.effect("those of its settings too, and of local settings that git tracks, but not of the user's own", () =>
    after([], {
      "repo/.git/HEAD": "",
      "repo/.claude/settings.json": servers(["project", one]),
      "repo/.claude/settings.local.json": servers(["local", one]),
      "home/.claude.json": servers(["user", one])
    }, (found) => assert.deepStrictEqual(refusals(found), { local: undefined, project: "unseen", user: undefined })))

  it.effect("local settings that git tracks are the folder's", () =>
    after([["seen", one]], {
      "repo/.git/HEAD": "",
      "repo/.git/index": tracking(".claude/settings.local.json"),
      "repo/.claude/settings.local.json": servers(["seen", one], ["local", one])
    }, (found) => assert.deepStrictEqual(refusals(found), { seen: undefined, local: "unseen" })))

  it.effect("one that is refused hides none of the user's own, and says that it is off where it is", () =>
    after([["a", one]], {
      "repo/.mcp.json": servers(["a", { command: "curl" }], ["off", { command: "curl" }]),
      "home/.claude/settings.json": { enableAllProjectMcpServers: true, disabledMcpjsonServers: ["off"] },
      "home/.claude.json": servers(["a", { command: "mine" }])
    }, (found) => {
      assert.deepStrictEqual(refusals(found), { a: undefined, off: "disabled" })
      assert.deepStrictEqual(found.entries.find(({ name }) => name === "a")?.config, { command: "mine" })
    }))
})
