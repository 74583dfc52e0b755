import { assert, describe, it } from "@effect/vitest"
import { isSafeVariable } from "../../../src/permission/bash/safeVariables.ts"

describe("isSafeVariable", () => {
  it("takes variables that only change how a program prints", () => {
    for (const name of ["LANG", "LC_ALL", "TZ", "NO_COLOR", "FORCE_COLOR", "NODE_ENV", "CI", "TERM", "COLUMNS"]) {
      assert.isTrue(isSafeVariable(name), name)
    }
  })

  it("takes none that names a program, a library or a file", () => {
    for (
      const name of [
        "PATH",
        "LD_PRELOAD",
        "BASH_ENV",
        "IFS",
        "HOME",
        "PAGER",
        "EDITOR",
        "GIT_DIR",
        "GIT_SSH_COMMAND",
        "NODE_OPTIONS",
        "PYTHONPATH",
        "AWS_PROFILE",
        "LC_",
        "XLANG",
        "LOCPATH",
        "TERMINFO",
        "PS4"
      ]
    ) assert.isFalse(isSafeVariable(name), name)
  })
})
