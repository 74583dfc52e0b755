import { assert, describe, it } from "@effect/vitest"
import { noInput, unknownInput } from "../../../src/permission/bash/Line.ts"
import { readLine } from "../../../src/permission/bash/readLine.ts"
import { writtenText } from "../../../src/permission/bash/writtenText.ts"

const written = (source: string) => writtenText(readLine(source).commands.at(-1), noInput)

describe("writtenText", () => {
  it("knows what plain commands write", () => {
    assert.deepStrictEqual(written("echo 'rm x' y"), { kind: "text", text: "rm x y\n" })
    assert.deepStrictEqual(written("echo -n a"), { kind: "text", text: "a" })
    assert.deepStrictEqual(written("printf 'a %s\\n' b c"), { kind: "text", text: "a b\na c\n" })
    assert.deepStrictEqual(writtenText(readLine("cat").commands[0], { kind: "text", text: "a" }), {
      kind: "text",
      text: "a"
    })
  })

  it("knows nothing of others", () => {
    for (const source of ["curl x", "echo $x", "echo 'a\\nb'", "printf %q a", "printf -v a b", "cat f", "echo a > f"]) {
      assert.deepStrictEqual(written(source), unknownInput, source)
    }
  })
})
