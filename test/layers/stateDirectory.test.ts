import { assert, describe, it } from "@effect/vitest"
import { stateDirectory } from "../../src/layers/stateDirectory.ts"

describe("stateDirectory", () => {
  it("is where the platform keeps state, unless variables say otherwise", () => {
    const rows: ReadonlyArray<readonly [platform: string, env: { readonly [name: string]: string }, expected: string]> =
      [
        ["linux", {}, "/home/u/.local/state/toolgate"],
        ["linux", { XDG_STATE_HOME: "/state/" }, "/state/toolgate"],
        ["linux", { XDG_STATE_HOME: "state" }, "/home/u/.local/state/toolgate"],
        ["linux", { XDG_STATE_HOME: "" }, "/home/u/.local/state/toolgate"],
        ["linux", { XDG_STATE_HOME: "/state", TOOLGATE_STATE_DIR: "/own" }, "/own"],
        ["linux", { TOOLGATE_STATE_DIR: "relative" }, "/home/u/.local/state/toolgate"],
        ["darwin", {}, "/home/u/Library/Application Support/toolgate"],
        ["win32", { LOCALAPPDATA: "C:\\Users\\u\\Local" }, "C:\\Users\\u\\Local\\toolgate"]
      ]
    for (const [platform, env, expected] of rows) {
      assert.strictEqual(stateDirectory({ env, home: "/home/u", platform }), expected)
    }
  })
})
