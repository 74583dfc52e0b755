import { assert, describe, it } from "@effect/vitest"
import { holdsProtected, isProtected } from "../../../src/permission/path/protected.ts"
import { place } from "./place.ts"

describe("isProtected", () => {
  const at = place({ protectedPaths: ["/home/dev/.local/state/toolgate", "/etc/gate/settings.json"] })
  const isGuarded = [
    "/repo/.git/hooks/pre-commit",
    "/repo/.git",
    "/repo/.vscode/tasks.json",
    "/repo/a/.husky/pre-push",
    "/home/dev/.config/git/config",
    "/repo/.claude/settings.json",
    "/repo/.claude/worktrees",
    "/repo/.claude/worktrees/w/.git/config",
    "/repo/.claude/worktrees/w/.claude/settings.json",
    "/home/dev/.bashrc",
    "/home/dev/.zshrc",
    "/repo/.npmrc",
    "/repo/.yarnrc.yml",
    "/repo/.pnp.cjs",
    "/repo/lefthook.yml",
    "/repo/gradle/wrapper/gradle-wrapper.properties",
    "/repo/.mcp.json",
    "/home/dev/.local/state/toolgate/sessions/1.json",
    "/etc/gate/settings.json"
  ]
  const isOpen = [
    "/repo/src/a.ts",
    "/repo/.gitignore",
    "/repo/.github/workflows/ci.yml",
    "/repo/git/hooks/x",
    "/repo/.claude/worktrees/w/src/a.ts",
    "/home/dev/.config/other",
    "/repo/.GIT/x",
    "/repo/bashrc",
    "/etc/gate/settings.json.bak"
  ]
  for (const path of isGuarded) it(`${path} is protected`, () => assert.isTrue(isProtected(path, at)))
  for (const path of isOpen) it(`${path} is not`, () => assert.isFalse(isProtected(path, at)))

  it("letter case counts for nothing where the disk says so", () => {
    assert.isTrue(isProtected("/repo/.GIT/x", place({ caseInsensitive: true })))
  })

  it("a folder with something protected below it holds it", () => {
    assert.isTrue(holdsProtected("/home/dev/.local", at))
    assert.isFalse(holdsProtected("/home/dev/.cache", at))
  })
})
