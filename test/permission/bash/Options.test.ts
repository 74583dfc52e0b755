import { assert, describe, it } from "@effect/vitest"
import type { CarrierSpec } from "../../../src/permission/bash/carriers.ts"
import { carriers } from "../../../src/permission/bash/carriers.ts"
import { laterTexts, passOptions, textsOf } from "../../../src/permission/bash/Options.ts"
import { optionTexts } from "../../../src/permission/bash/optionTexts.ts"
import { subcommandCarriers } from "../../../src/permission/bash/subcommandCarriers.ts"
import { anyWords, certainWord } from "../../../src/permission/bash/WordDraft.ts"

const spec: CarrierSpec = { options: "-a -b: -c? -t= # --all --base: --call? --text= --alike --alias" }

const words = (text: string) => text.split(" ").map((word) => word === "$x" ? anyWords(word) : certainWord(word, word))

describe("passOptions", () => {
  it("passes over options and their values", () => {
    const at = (text: string) => passOptions(words(text), 0, spec).at
    assert.strictEqual(at("-a cmd"), 1)
    assert.strictEqual(at("-ab value cmd"), 2)
    assert.strictEqual(at("-abvalue cmd"), 1)
    assert.strictEqual(at("-c cmd"), 1)
    assert.strictEqual(at("-cvalue cmd"), 1)
    assert.strictEqual(at("-12 cmd"), 1)
    assert.strictEqual(at("--all --base value --call=x cmd"), 4)
    assert.strictEqual(at("--base=value cmd"), 1)
    assert.strictEqual(at("--bas value cmd"), 2)
    assert.strictEqual(at("-a -- -b cmd"), 2)
    assert.strictEqual(at("cmd -a"), 0)
    assert.strictEqual(at("-b"), 1)
  })

  it("is not certain behind what it doesn't know", () => {
    for (const text of ["--strange cmd", "-z cmd", "$x cmd", "-a $x cmd", "-b $x cmd", "--ali cmd cmd", "-a- cmd"]) {
      const passed = passOptions(words(text), 0, spec)
      assert.isTrue(!passed.certain || text.startsWith("--ali"), text)
    }
    assert.isTrue(passOptions(words("--strange value cmd"), 0, { ...spec, unknownTakesValue: true }).certain)
  })

  it("gathers the texts that a shell runs", () => {
    const texts = (text: string) => passOptions(words(text), 0, spec).texts.map(({ value }) => value)
    assert.deepStrictEqual(texts("-t one -ttwo --text three --text=four cmd"), ["one", "two", "three", "four"])
    assert.deepStrictEqual(laterTexts(words("a -t one b --text two"), 0, spec).map(({ value }) => value), [
      "one",
      "two"
    ])
  })
})

describe("textsOf", () => {
  const texts = (text: string, options = "-t= -T?= -TU= --text= -exec= --html?= +=") =>
    textsOf(words(text), options).map(({ value }) => value)

  it("gathers what options give wherever they stand", () => {
    assert.deepStrictEqual(texts("-t one -vttwo --text three --tex=four"), ["one", "two", "three", "four"])
    assert.deepStrictEqual(texts("-exec one -exec=two -TUthree -TU four"), ["one", "two", "three", "four"])
    assert.deepStrictEqual(texts("-T -Tone --html --html=two -- three"), ["one", "two"])
    assert.deepStrictEqual(texts("a +one b"), ["one"])
    assert.deepStrictEqual(texts("one -v +two", "="), ["one"])
  })
})

describe("the tables of carriers", () => {
  it("are written in the form that they are read in", () => {
    const all = [...carriers.values(), ...[...subcommandCarriers.values()].flatMap((table) => Object.values(table))]
    for (const { options = "" } of [...all, ...[...optionTexts.values()].flat()]) {
      for (const option of options.split(" ")) {
        assert.match(option, /^(?:|#|-|--|\+?=|--?[\w./-][\w.+/-]*(?:::|\?=|[:?=])?)$/, options)
      }
    }
  })

  it("call nothing transparent that also asks for an exact rule", () => {
    for (const [name, carrier] of carriers) {
      assert.isFalse(carrier.transparent === true && carrier.exactOnly === true, name)
    }
  })
})
