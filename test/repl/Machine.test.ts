import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeMachine } from "../../src/repl/Machine.ts"
import type { Evaluated, Said } from "../../src/repl/messages.ts"

/** A machine whose only tool answers at once with what it was asked. */
const machine = async (answer = (json: string): readonly [failed: boolean, content: unknown] => [false, json]) => {
  const said: Array<Said> = []
  const calls: Array<readonly [call: number, tool: string, json: string]> = []
  const made = await makeMachine({ said: (piece) => said.push(piece), called: (...call) => calls.push(call) })
  const run = (code: string): Evaluated => {
    const failed = made.begin(code, ["Echo"])
    if (failed !== undefined) return failed
    for (;;) {
      const reached = made.step()
      if (typeof reached === "object") return reached
      const call = reached === "waiting" ? calls.shift() : undefined
      if (call !== undefined) {
        const [failed, content] = answer(call[2])
        made.settle(call[0], failed, JSON.stringify(content))
      }
    }
  }
  const value = (code: string): string => {
    const evaluated = run(code)
    assert.strictEqual(evaluated._tag, "Value", `${code}: ${JSON.stringify(evaluated)}`)
    return evaluated._tag === "Value" ? evaluated.text : ""
  }
  const thrown = (code: string): string => {
    const evaluated = run(code)
    assert.strictEqual(evaluated._tag, "Thrown", `${code}: ${JSON.stringify(evaluated)}`)
    return evaluated._tag === "Thrown" ? evaluated.text : ""
  }
  return { ...made, run, value, thrown, said }
}

const withMachine = (use: (made: Awaited<ReturnType<typeof machine>>) => void) => async () => use(await machine())

describe("Machine", () => {
  it(
    "state stays, and everything may be declared again",
    withMachine(({ value }) => {
      assert.strictEqual(
        value("const a = 1; let b = a + 1; class C { at() { return 7 } }; function f() { return b }"),
        "undefined"
      )
      assert.strictEqual(value("[a, b, new C().at(), f()]"), "[1, 2, 7, 2]")
      assert.strictEqual(value("const a = 5; class C {}; a"), "5")
      assert.strictEqual(value("globalThis.d = await Promise.resolve(9); d"), "9")
    })
  )

  it(
    "values are shown as JSON where they have that form, and readably where they have not",
    withMachine(({ value }) => {
      const plain = { a: [1, "two", null, true, { b: "\n\"" }], "": {} }
      assert.deepStrictEqual(JSON.parse(value(JSON.stringify(plain))), plain)
      const long = Array.from({ length: 300 }, (_, n) => ({ n, text: "x".repeat(n) }))
      assert.deepStrictEqual(JSON.parse(value(JSON.stringify(long))), long)
      assert.strictEqual(value("'a text\\nas it is'"), "a text\nas it is")
      for (
        const [code, text] of [
          ["undefined", "undefined"],
          ["-0", "-0"],
          ["10n", "10n"],
          ["Symbol('s')", "Symbol(s)"],
          ["(function f() {})", "[Function: f]"],
          ["(class A {})", "[class: A]"],
          ["new Date(0)", "1970-01-01T00:00:00.000Z"],
          ["new Date(NaN)", "Invalid Date"],
          ["/a/g", "/a/g"],
          ["new Map([[1, { a: 2 }]])", "Map(1) { 1 => {\"a\": 2} }"],
          ["new Set(['a'])", "Set(1) { \"a\" }"],
          ["new Uint8Array(2)", "Uint8Array(2) [0, 0]"],
          ["[Promise.resolve(1)]", "[Promise {}]"],
          ["class P { constructor() { this.x = 1 } }; new P", "P { \"x\": 1 }"],
          ["const o = {}; o.self = o; o", "{\"self\": [Circular]}"],
          ["{ get a() { throw 1 } }", "{\"a\": [Getter]}"],
          ["Object.create(null)", "{}"],
          ["[,1]", "[undefined, 1]"],
          ["new Proxy({}, { ownKeys() { throw 1 } })", "[a value that can't be shown]"],
          ["({ [Symbol('k')]: 1 })", "{[Symbol(k)]: 1}"]
        ] as const
      ) assert.strictEqual(value(code), text, code)
      assert.match(
        value("new TypeError('why', { cause: 'this' })"),
        /^TypeError: why\n.*repl:1.*\n {2}\[cause\]: "this"$/s
      )
    })
  )

  it(
    "a value of any size is shown in part",
    withMachine(({ value }) => {
      for (
        const code of [
          "'x'.repeat(5e6)",
          "new Array(1e9)",
          "Array.from({ length: 3e5 }, (_, i) => i)",
          "let d = []; for (let i = 0; i < 1e4; i++) d = [d]; d"
        ]
      ) {
        assert.isBelow(value(code).length, 2_500_000, code)
      }
      assert.match(value("new Array(1e9)"), /… \d+ more/)
    })
  )

  it(
    "what is thrown is told, with where",
    withMachine(({ thrown }) => {
      assert.match(thrown("\n\nnull.x"), /^TypeError: .*repl:3:/s)
      assert.match(thrown("let x = ;"), /^SyntaxError: .*repl:1:9/s)
      assert.match(thrown("await Promise.reject(new Error('no'))"), /^Error: no/)
      assert.strictEqual(thrown("throw { code: 1 }"), "{\"code\": 1}")
      assert.match(thrown("(function f() { f() })()"), /^InternalError: stack overflow/)
    })
  )

  it(
    "a promise in the end stands for what it came to",
    withMachine(({ thrown, value }) => {
      assert.strictEqual(value("Promise.resolve(4)"), "4")
      assert.strictEqual(value("(async () => ({ a: 1 }))()"), "{\"a\": 1}")
      assert.match(thrown("Promise.reject(new Error('no'))"), /^Error: no/)
      assert.strictEqual(value("new Promise(() => {})"), "Promise {}")
    })
  )

  it(
    "calls that wait are as many as can be kept",
    withMachine(({ abandon, begin, value }) => {
      const flood = "let done = 0, refused = []; " +
        "const calls = Array.from({ length: 2500 }, () => tools.Echo({}).then(() => done++, (e) => refused.push(e.message)))"
      const told = "too many calls wait already: await some of them before making another"
      const shown = "await Promise.all(calls); [done, refused.length, ...new Set(refused)]"
      assert.deepStrictEqual(JSON.parse(value(`${flood}; ${shown}`)), [2000, 500, told])
      assert.strictEqual(begin(flood, ["Echo"]), undefined)
      abandon()
      assert.strictEqual(value("0"), "0")
      assert.deepStrictEqual(JSON.parse(value(`${flood}; ${shown}`)), [2000, 500, told])
    })
  )

  it("one large input is handed out alone, and several only together with what fits", async () => {
    const { value } = await machine(() => [false, 1])
    const large = (count: number, size: number) =>
      value(
        `const text = "x".repeat(${size}); const each = Array.from({ length: ${count} }, () => tools.Echo({ text })); ` +
          "(await Promise.allSettled(each)).map(({ status }) => status).join()"
      )
    assert.strictEqual(large(1, 17e6), "fulfilled")
    assert.strictEqual(large(3, 7e6), "fulfilled,fulfilled,rejected")
    assert.strictEqual(large(2, 7e6), "fulfilled,fulfilled")
  })

  it(
    "a promise that nothing will settle is told at once",
    withMachine(({ thrown, value }) => {
      const told = "the code waits for a promise that nothing will settle"
      assert.strictEqual(thrown("await new Promise(() => {})"), told)
      assert.strictEqual(thrown("await { then() {} }"), told)
      assert.strictEqual(value("1"), "1")
    })
  )

  it(
    "the console is heard in order, on two channels",
    withMachine(({ said, value }) => {
      value("console.log('a', { b: 1 }); console.warn('c'); console.info('d\\0'); console.error(); console.debug(1)")
      assert.deepStrictEqual(said, [
        { channel: "stdout", text: "a {\"b\": 1}\n" },
        { channel: "stderr", text: "c\n" },
        { channel: "stdout", text: "d\0\n" },
        { channel: "stderr", text: "\n" },
        { channel: "stdout", text: "1\n" }
      ])
    })
  )

  it("calls give what was answered, whatever it holds", async () => {
    const hostile = "\0 \ud800 \u2028 '\"`${x}` </script> {\"__proto__\":{\"polluted\":1}}"
    const { thrown, value } = await machine((json) => json.includes("fail") ? [true, hostile] : [false, hostile])
    const shown = value("await tools.Echo({})")
    assert.strictEqual(shown, hostile)
    assert.strictEqual(
      value("try { await tools.Echo({ fail: 1 }) } catch (e) { [e instanceof Error, e.message] }"),
      `[\n  true,\n  ${JSON.stringify(hostile)}\n]`
    )
    assert.strictEqual(thrown("await tools.Echo({ fail: 1 })"), `Error: ${hostile}`)
    assert.strictEqual(value("({}).polluted"), "undefined")
  })

  it("blocks that are no text come as they are, and pollute nothing", async () => {
    const { value } = await machine(
      () => [false, JSON.parse("[{\"type\":\"document\",\"__proto__\":{\"polluted\":1}}]")]
    )
    assert.strictEqual(
      value("const [block] = await tools.Echo(); [block.type, ({}).polluted, block.polluted]"),
      "[\"document\", undefined, undefined]"
    )
  })

  it(
    "inputs go out as JSON, or the call is not made",
    withMachine(({ thrown, value }) => {
      assert.strictEqual(value("tools.Echo()"), "{}")
      assert.strictEqual(
        value("tools.Echo({ at: new Date(0), skip: undefined, ['__proto__']: 1 })"),
        "{\"at\":\"1970-01-01T00:00:00.000Z\",\"__proto__\":1}"
      )
      assert.match(
        thrown("await tools.Echo(() => 1)"),
        /^TypeError: the input of `tools.Echo` can't be written as JSON/
      )
      assert.match(thrown("await tools.Echo({ toJSON() { throw new Error('mine') } })"), /^Error: mine/)
      assert.match(thrown("await tools.Echo({ get a() { throw new Error('mine') } })"), /^Error: mine/)
      assert.match(thrown("const c = {}; c.c = c; await tools.Echo(c)"), /circular/)
      assert.match(thrown("await tools.Echo(1n)"), /^TypeError/)
      assert.match(thrown("await tools.Nope({})"), /^TypeError/)
    })
  )

  it(
    "what nobody waits for has ended when the call does",
    withMachine(({ said, value }) => {
      assert.strictEqual(value("[1, 2].forEach(async (n) => console.log(await tools.Echo({ n }))); 'begun'"), "begun")
      assert.deepStrictEqual(said.map(({ text }) => text), ["{\"n\":1}\n", "{\"n\":2}\n"])
    })
  )

  it("a call that fails with nothing awaiting it is told of, once and in the same cell", async () => {
    const unawaited = [
      "tools.Echo(); 1",
      "tools.Echo().then(() => 2); 1",
      "tools.Echo().finally(() => {}); 1",
      "const p = tools.Echo(); await Promise.resolve(); 1",
      "tools.Echo().then(() => { throw null }, (e) => { throw e }); 1",
      "Promise.prototype.then = () => {}; tools.Echo(); 1"
    ]
    for (const code of unawaited) {
      const { said, value } = await machine(() => [true, "no"])
      assert.strictEqual(value(code), "1", code)
      const told = { channel: "stderr", text: "`tools.Echo` failed, and nothing awaited it: Error: no\n" } as const
      assert.deepStrictEqual(said, [told], code)
      value("2")
      assert.strictEqual(said.length, 1, code)
    }
  })

  it("a call whose failure somebody hears of is not told of", async () => {
    const awaited = [
      "await tools.Echo().catch(() => 1)",
      "tools.Echo().catch(() => 2); 1",
      "tools.Echo().then(() => 2).finally(() => {}).catch(() => 3); 1",
      "try { await tools.Echo() } catch { 1 }",
      "const p = tools.Echo(); await Promise.resolve(); await p.then(() => 2, () => 1)",
      "const all = await Promise.allSettled([tools.Echo(), tools.Echo()]); all.length - 1",
      "await Promise.any([tools.Echo(), 1])"
    ]
    for (const code of awaited) {
      const { said, value } = await machine(() => [true, "no"])
      assert.strictEqual(value(code), "1", code)
      assert.deepStrictEqual(said, [], code)
    }
    for (const code of ["tools.Echo()", "await tools.Echo()", "Promise.all([tools.Echo(), tools.Echo()])"]) {
      const { said, thrown } = await machine(() => [true, "no"])
      assert.match(thrown(code), /^Error: no/, code)
      assert.deepStrictEqual(said, [], code)
    }
  })

  it("of many calls that fail unawaited the first are told of, also where the code throws", async () => {
    const { said, thrown } = await machine(() => [true, "no"])
    assert.match(thrown("for (let n = 0; n < 13; n++) tools.Echo(); throw new Error('mine')"), /^Error: mine/)
    const lines = said.map(({ text }) => text).join("").trim().split("\n")
    assert.strictEqual(lines.length, 11)
    assert.strictEqual(lines.at(-1), "… and so did 3 more calls")
  })

  it(
    "nothing of the host is inside",
    withMachine(({ run, value }) => {
      const names =
        "process require module exports Buffer fetch XMLHttpRequest WebSocket Deno Bun std os scriptArgs print "
        + "setTimeout setInterval setImmediate navigator window self global Worker WebAssembly performance tell guest"
      assert.strictEqual(value(`${JSON.stringify(names.split(" "))}.filter((name) => name in globalThis)`), "[]")
      for (
        const code of [
          "this.constructor.constructor('return process')()",
          "[].constructor.constructor('return this.process.env')()",
          "(async () => {}).constructor('return process')()",
          "(function* () {}).constructor('return process')().next()",
          "tools.Echo.constructor('return process')()",
          "console.log.constructor('return process')()",
          "new Function('return process')()",
          "(0, eval)('process')",
          "Reflect.construct(Function, ['return process'])()",
          "await import('node:fs')",
          "await import('data:text/javascript,1')",
          "await import('/etc/passwd')",
          "require('fs')",
          "(() => { try { null.x } catch (e) { return e.constructor.constructor('return process')() } })()",
          "Promise.prototype.then.constructor('return process')()",
          "JSON.parse.constructor('return process.mainModule')()"
        ]
      ) assert.strictEqual(run(code)._tag, "Thrown", code)
    })
  )

  it(
    "what the code does to the language's own objects stays its own trouble",
    withMachine(({ run }) => {
      for (
        const code of [
          "Promise.prototype.then = () => { throw 1 }",
          "JSON.stringify = JSON.parse = () => 'x'",
          "Map.prototype.get = Map.prototype.set = () => { throw 1 }",
          "Array.prototype.map = Array.prototype.join = Array.prototype[Symbol.iterator] = () => { throw 1 }",
          "Object.prototype.then = (resolve) => resolve('mine')",
          "Object.prototype.toJSON = () => { throw 1 }",
          "Error.prepareStackTrace = () => { throw 1 }; new Error('x').stack",
          "Error.prototype.toString = Error.prototype.message = 1",
          "globalThis.Promise = globalThis.Error = globalThis.Map = undefined",
          "delete globalThis.console; globalThis.tools = 1",
          "Object.freeze(globalThis)",
          "Symbol.prototype.toString = String.prototype.split = () => { throw 1 }"
        ]
      ) {
        assert.include(["Value", "Thrown"], run(code)._tag, code)
        for (const after of ["({ a: 1 })", "throw new Error('x')", "await tools.Echo({})", "new Map([[1, 2]])"]) {
          assert.include(["Value", "Thrown"], run(after)._tag, `${code}; ${after}`)
        }
      }
    })
  )

  it(
    "threads' memory and what never ends a promise are only values",
    withMachine(({ run, value }) => {
      assert.strictEqual(value("typeof Atomics"), "undefined")
      for (
        const code of [
          "new SharedArrayBuffer(16)",
          "let p = Promise.resolve(); p.then = 1; p",
          "({ then(resolve) { resolve(this) } })",
          "new Proxy(Promise.resolve(1), {})",
          "const r = Promise.withResolvers(); r.resolve(r.promise); r",
          "new WeakRef({})",
          "new FinalizationRegistry(() => {})",
          "(async function* () { yield 1 })()"
        ]
      ) assert.include(["Value", "Thrown"], run(code)._tag, code)
    })
  )

  it("a full memory ends the session, one piece too many does not", async () => {
    const { size, thrown, value } = await machine()
    assert.match(thrown("new Uint8Array(1e9)"), /out of memory/)
    assert.match(thrown("'x'.repeat(2 ** 30)"), /./)
    assert.strictEqual(value("1"), "1")
    const { run, size: full } = await machine()
    assert.deepStrictEqual(run("let all = []; while (true) all.push(new Array(10000).fill(1))"), {
      _tag: "Broken",
      reason: "its memory is full"
    })
    assert.isAtMost(size(), 64 * 1024 * 1024)
    assert.isAtMost(full(), 64 * 1024 * 1024)
  })

  it("depth that the machine does not notice ends the session alone", async () => {
    const deep = await machine()
    const code = "let it = [1].values(); for (let i = 0; i < 1e5; i++) it = it.map((x) => x); it.next()"
    assert.deepInclude(deep.run(code), { _tag: "Broken" })
    const { value } = await machine()
    assert.strictEqual(value("1"), "1")
  })

  it("a thousand calls leave the memory as it was", async () => {
    const { size, value, thrown } = await machine()
    const round = (n: number): void => {
      assert.strictEqual(
        value(`const text = 'x'.repeat(10000); await tools.Echo({ n: ${n}, text }); text.length`),
        "10000"
      )
      thrown("await Promise.reject(new Error('x'))")
    }
    for (let n = 0; n < 20; n++) round(n)
    const before = size()
    for (let n = 0; n < 1_000; n++) round(n)
    assert.strictEqual(size(), before)
  })

  it.effect.prop(
    "any text is code that ends in a value or in an error",
    { code: Schema.String },
    ({ code }) =>
      Effect.promise(async () => {
        shared ??= await machine()
        const { _tag } = shared.run(code)
        assert.include(["Value", "Thrown"], _tag)
      })
  )
})

let shared: Awaited<ReturnType<typeof machine>> | undefined
