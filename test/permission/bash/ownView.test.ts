import { assert, describe, it } from "@effect/vitest"
import { isOwnView } from "../../../src/permission/bash/ownView.ts"
import { readLine } from "../../../src/permission/bash/readLine.ts"

describe("isOwnView", () => {
  it("knows the paths that each process sees in its own way", () => {
    for (
      const path of [
        "/proc/self/cwd/x",
        "//proc//thread-self/root",
        "/proc/12/cwd",
        "/a/../proc/./self/cwd",
        "/dev/fd/../cwd"
      ]
    ) {
      assert.isTrue(isOwnView(path), path)
    }
    for (const path of ["/proc/cpuinfo", "/proc/meminfo", "src/proc.ts", "/dev/fd/3", "/dev/null"]) {
      assert.isFalse(isOwnView(path), path)
    }
  })

  it("leaves a redirection and a directory unknown", () => {
    const [command] = readLine("cat < /proc/self/cwd/.env").commands
    assert.isUndefined(command?.redirects[0]?.target.value)
    assert.isUndefined(readLine("cd /proc/self && cat cwd/.env").commands.at(-1)?.directory)
  })
})
