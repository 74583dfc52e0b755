import { assert, describe, it } from "@effect/vitest"
import type { Place } from "../../../src/domain/Place.ts"
import type { Word } from "../../../src/domain/ShellCommand.ts"
import { criticalRemovals, isCriticalPath } from "../../../src/permission/path/critical.ts"
import { place, windows } from "./place.ts"

/** Reads words as a shell would: `*` is a glob, `$NAME` unknown, and quotes keep both from it. */
const words = (line: string): ReadonlyArray<Word> =>
  line.split(" ").map((source) => {
    const quoted = /^'.*'$/.test(source)
    const text = source.replace(/["']/g, "")
    const [first = "", ...rest] = quoted ? [text] : text.split(/\*|\$\{?\w+\}?/)
    const glob = !quoted && text.includes("*")
    return {
      source,
      known: [first, ...rest],
      value: rest.length === 0 ? first : undefined,
      splits: rest.length > 0 && !source.startsWith("\""),
      glob,
      tilde: text.startsWith("~") && !quoted
    }
  })

const isCritical = (line: string, at: Place = place(), directory: string | undefined = "."): boolean =>
  criticalRemovals({ words: words(line), directory }, at).length > 0

describe("criticalRemovals", () => {
  const at = place({ cwd: "/home/dev/app", directories: ["/data/ref"] })
  const critical = [
    "rm -rf /",
    "rm -rf /*",
    "rm -rf /e*",
    "rm -rf /etc",
    "rm -rf //etc/",
    "rm -rf /tmp/..",
    "/bin/rm -rf /usr",
    "rmdir /srv",
    "rm -rf ~",
    "rm -rf ~/",
    "rm -rf ~/*",
    "rm -rf ~/.*",
    "rm -rf /home/dev",
    "rm -rf /home/d*",
    "rm -rf $HOME",
    "rm -rf \"$HOME\"/*",
    "rm -rf ${HOME}/",
    "rm -rf .",
    "rm -rf ..",
    "rm -rf *",
    "rm -rf ./*",
    "rm -rf /home/dev/app",
    "rm -rf src/..",
    "rm -rf \"$DIR\"/*",
    "rm -rf \"$DIR\"/",
    "rm -rf $DIR/*",
    "rm -rf /$DIR",
    "rm -rf /data/ref/*",
    "rm -rf build /",
    "rm -- /etc",
    "find / -type f -delete",
    "find . -delete",
    "find -delete"
  ]
  const harmless = [
    "rm -rf build",
    "rm -rf build/*",
    "rm -rf ./node_modules",
    "rm *.log",
    "rm $FILE",
    "rm \"$FILE\"",
    "rm -rf $DIR/build",
    "rm -rf /data/ref",
    "rm -rf /home/dev/other",
    "rm -rf '~'",
    "rm -rf /tmp/build-1",
    "ls /",
    "echo rm -rf /",
    "find . -name x",
    "find . -name x -delete",
    "find build -delete",
    "rm"
  ]
  for (const line of critical) it(`\`${line}\` is critical`, () => assert.isTrue(isCritical(line, at)))
  for (const line of harmless) it(`\`${line}\` is not`, () => assert.isFalse(isCritical(line, at)))

  it("follows the directory that the command runs in", () => {
    assert.isTrue(isCritical("rm -rf *", at, "/etc"))
    assert.isTrue(isCritical("rm -rf etc", at, "/"))
    assert.isFalse(isCritical("rm -rf *", at, "build"))
    assert.isTrue(isCritical("rm -rf *", at, undefined))
    assert.isFalse(isCritical("rm -rf build", at, undefined))
    const target = criticalRemovals({ words: words("rm -rf *"), directory: "build", elsewhere: ["."] }, at)
    assert.strictEqual(target.length, 1)
  })

  it("knows the drives of Windows and the real folders of macOS", () => {
    assert.isTrue(isCriticalPath("C:\\", windows))
    assert.isTrue(isCriticalPath("D:\\Games", windows))
    assert.isFalse(isCriticalPath("C:\\work\\repo\\build", windows))
    assert.isTrue(isCriticalPath("c:\\WORK\\Repo", windows))
    const mac = place({ platform: "darwin" })
    assert.isTrue(isCriticalPath("/private/etc", mac))
    assert.isFalse(isCriticalPath("/private/tmp/x", mac))
  })
})
