import { assert, describe, it } from "@effect/vitest"
import { mayGoOn } from "../../src/tools/mayGoOn.ts"

describe("mayGoOn", () => {
  it("work goes on, waiting and git do not", () => {
    const commands = ["make", "npm test | tee log", "for i in 1 2; do sleep 1; make $i; done"]
    assert.deepStrictEqual(commands.filter((command) => !mayGoOn(command)), [])
    const ended = [
      "sleep 5",
      "  sleep 5; make",
      "trap '' TERM; sleep 300",
      "make && sleep 3",
      "cd a && git pull",
      "if true"
    ]
    assert.deepStrictEqual(ended.filter(mayGoOn), [])
  })
})
