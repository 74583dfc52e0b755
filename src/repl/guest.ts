/**
 * The part of a session that lives inside the virtual machine.
 *
 * @since 0.1.0
 */

/**
 * What the guest hands to its host, as text.
 *
 * @category models
 * @since 0.1.0
 */
export type Tell = (kind: "said" | "called", first: string, second: string, third: string) => void

/**
 * What the host asks of the guest.
 *
 * @category models
 * @since 0.1.0
 */
export interface Guest {
  /** Makes `tools` hold a function for each name, which come as JSON. */
  readonly name: (json: string) => void
  readonly settle: (call: number, failed: boolean, json: string) => void
  /** Forgets the calls that nobody will answer any more. */
  readonly forget: () => void
  /** Returns, as JSON of a text, which calls failed with nobody waiting for them, but for the value of the code. */
  readonly unheard: (value: unknown) => string
  /** Returns a value as JSON of the text that shows it. */
  readonly show: (value: unknown) => string
}

/**
 * Makes `console` and `tools`, inside.
 *
 * **Details**
 *
 * INVARIANT: its text is what runs in the virtual machine, so that it refers to
 * nothing outside itself but the language's own.
 *
 * @category constructors
 * @since 0.1.0
 */
export const guest = (tell: Tell): Guest => {
  const { parse, stringify } = JSON
  const { assign, create, defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf } = Object
  const { apply, deleteProperty, ownKeys } = Reflect
  const functionText = Function.prototype.toString
  const longest = 1_000_000

  // What the code makes of the language's own objects must not reach what comes here.
  const { Error: OwnError, Promise: OwnPromise, TypeError: OwnTypeError } = globalThis
  let waiting: Record<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }> =
    create(null)
  const define = (holder: object, key: string, descriptor: PropertyDescriptor): unknown =>
    defineProperty(holder, key, assign(create(null), descriptor))
  let last = 0
  const call = (name: string, input: unknown) =>
    watched(
      name,
      new OwnPromise((resolve, reject) => {
        const json = input === undefined ? "{}" : stringify(input)
        if (json === undefined) throw new OwnTypeError(`the input of \`tools.${name}\` can't be written as JSON`)
        const id = ++last
        tell("called", `${id}`, stringify(name), json)
        waiting[id] = { resolve, reject }
      })
    )

  // A promise with a constructor of its own is asked for `then` by whoever awaits it, and so is what comes of that.
  let failed: Array<{ readonly name: string; readonly promise: unknown; readonly error: unknown; heard: boolean }> = []
  const ownThen = OwnPromise.prototype.then
  const constructor = freeze(assign(create(null), { [Symbol.species]: OwnPromise }))
  const watched = (name: string, promise: object): unknown => {
    let heard = false
    let failure: (typeof failed)[number] | undefined
    const failing = (error: unknown): void => {
      if (!heard) failed[failed.length] = failure = { name, promise, error, heard }
    }
    apply(ownThen, promise, [undefined, failing])
    define(promise, "constructor", { value: constructor })
    return define(promise, "then", {
      value: (...given: ReadonlyArray<unknown>) => {
        heard = true
        if (failure !== undefined) failure.heard = true
        return watched(name, apply(ownThen, promise, given))
      }
    })
  }

  const startsWith = String.prototype.startsWith
  const caller = (name: string): unknown => freeze((input: unknown) => call(name, input))
  // A server is connected to when one of its tools is called, and names none before.
  const later = new Proxy(create(null), {
    get: (_, key) => typeof key === "string" && apply(startsWith, key, ["mcp__"]) ? caller(key) : undefined
  })
  const tools: Record<string, unknown> = create(later)
  const name = (json: string): void => {
    const given: ReadonlyArray<string> = parse(json)
    const old = ownKeys(tools)
    for (let at = 0; at < old.length; at++) deleteProperty(tools, old[at] ?? "")
    for (let at = 0; at < given.length; at++) {
      const name = given[at] ?? ""
      define(tools, name, { value: caller(name), enumerable: true, configurable: true })
    }
  }

  const settle = (id: number, failed: boolean, json: string): void => {
    const settled = waiting[id]
    if (settled === undefined) return
    delete waiting[id]
    const value: unknown = parse(json)
    if (!failed) return settled.resolve(value)
    const error = new OwnError(`${value}`)
    // Where it came from is in here, which says nothing to whoever called.
    define(error, "stack", { value: "", writable: true, configurable: true })
    settled.reject(error)
  }

  // A value is shown as JSON where it has that form, and readably where it has not.
  const shown = (value: unknown): string => {
    let left = longest
    const inside: Array<object> = []
    const spend = (text: string): string => {
      left -= text.length
      return left >= 0 ? text : `${text.slice(0, Math.max(text.length + left, 0))}…`
    }
    const scalar = (value: unknown): string | undefined => {
      if (typeof value === "string") return stringify(value)
      if (typeof value === "bigint") return `${value}n`
      if (typeof value === "number" && Object.is(value, -0)) return "-0"
      if (typeof value === "function") return functionName(value)
      return typeof value === "object" && value !== null ? undefined : String(value)
    }
    const functionName = (value: object): string => {
      const own = getOwnPropertyDescriptor(value, "name")?.value
      const kind = `${apply(functionText, value, [])}`.startsWith("class") ? "class" : "Function"
      return typeof own === "string" && own !== "" ? `[${kind}: ${own}]` : `[${kind}]`
    }
    const errorText = (error: Error, indent: string): string => {
      const stack = `${error.stack ?? ""}`.split("\n").filter((line) => line.trim() !== "")
      const head = `${error.name}${error.message === "" ? "" : `: ${error.message}`}`
      const rest = stack.length > 10 ? [...stack.slice(0, 10), "    …"] : stack
      const cause = error.cause === undefined ? [] : [`  [cause]: ${write(error.cause, `${indent}  `)}`]
      return [spend(head), ...rest.map((line) => spend(line.trimEnd())), ...cause].join(`\n${indent}`)
    }
    const title = (value: object): string => {
      const maker = getPrototypeOf(value)
      if (maker === null || maker === Object.prototype) return ""
      const name: unknown = getOwnPropertyDescriptor(maker, "constructor")?.value?.name
      return typeof name === "string" && name !== "" ? name : "Object"
    }
    // Short parts share rows, as many as fit.
    const rows = (parts: ReadonlyArray<string>, indent: string): string => {
      if (parts.some((part) => part.length > 12 || part.includes("\n"))) return parts.join(`,\n${indent}  `)
      let text = ""
      let width = 0
      for (const part of parts) {
        const fits = width > 0 && width + part.length + 2 < 72
        text += text === "" ? part : fits ? `, ${part}` : `,\n${indent}  ${part}`
        width = fits ? width + part.length + 2 : part.length
      }
      return text
    }
    const enclosed = (
      head: string,
      [open, close]: readonly [string, string],
      parts: ReadonlyArray<string>,
      indent: string
    ) => {
      const before = head === "" ? open : `${head} ${open}`
      if (parts.length === 0) return `${before}${close}`
      const line = parts.join(", ")
      const spaces = open === "{" && head !== "" ? " " : ""
      if (line.length + before.length < 72 && !line.includes("\n")) return `${before}${spaces}${line}${spaces}${close}`
      return `${before}\n${indent}  ${rows(parts, indent)}\n${indent}${close}`
    }
    const each = (values: Iterable<unknown>, size: number, indent: string, part: (value: unknown) => string) => {
      const parts: Array<string> = []
      for (const value of values) {
        if (left <= 0) {
          parts.push(`… ${size - parts.length} more`)
          break
        }
        left -= indent.length + 4
        parts.push(part(value))
      }
      return parts
    }
    const properties = (value: object, keys: ReadonlyArray<string | symbol>, indent: string) =>
      each(keys, keys.length, indent, (key) => {
        const property = getOwnPropertyDescriptor(value, key as string)
        const label = typeof key === "symbol" ? `[${String(key)}]` : stringify(key)
        const text = property === undefined || "value" in property ? write(property?.value, `${indent}  `) : "[Getter]"
        return `${spend(label)}: ${text}`
      })
    const write = (value: unknown, indent: string): string => {
      const text = scalar(value)
      if (text !== undefined) return spend(text)
      const object = value as object
      if (inside.includes(object)) return spend("[Circular]")
      if (inside.length >= 40) return spend("[…]")
      inside.push(object)
      try {
        return compound(object, indent)
      } finally {
        inside.pop()
      }
    }
    const compound = (value: object, indent: string): string => {
      const deeper = (member: unknown) => write(member, `${indent}  `)
      if (value instanceof Error) return errorText(value, indent)
      if (Array.isArray(value)) return enclosed("", ["[", "]"], each(value, value.length, indent, deeper), indent)
      if (value instanceof Date) return spend(Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString())
      if (value instanceof RegExp) return spend(String(value))
      if (value instanceof Promise) return spend("Promise {}")
      if (value instanceof Map) {
        const parts = each(value, value.size, indent, (entry) => {
          const [key, member] = entry as readonly [unknown, unknown]
          return `${deeper(key)} => ${deeper(member)}`
        })
        return enclosed(`Map(${value.size})`, ["{", "}"], parts, indent)
      }
      if (value instanceof Set) {
        return enclosed(`Set(${value.size})`, ["{", "}"], each(value, value.size, indent, deeper), indent)
      }
      if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
        const numbers = value as Uint8Array
        const head = `${title(value)}(${numbers.length})`
        return enclosed(head, ["[", "]"], each(numbers, numbers.length, indent, deeper), indent)
      }
      const keys = ownKeys(value).filter((key) => getOwnPropertyDescriptor(value, key)?.enumerable === true)
      return enclosed(title(value), ["{", "}"], properties(value, keys, indent), indent)
    }
    return typeof value === "string" ? spend(value) : write(value, "")
  }

  const textOf = (value: unknown): string => {
    if (typeof value === "string" && value.length < longest) return value
    try {
      return shown(value)
    } catch {
      return "[a value that can't be shown]"
    }
  }
  const show = (value: unknown): string => stringify(textOf(value))

  const forget = (): void => {
    waiting = create(null)
    failed = []
  }

  const mostUnheard = 10
  const unheard = (value: unknown): string => {
    let text = ""
    let count = 0
    for (let at = 0; at < failed.length; at++) {
      const { error, heard, name, promise } = failed[at] ?? {}
      if (heard === true || promise === value) continue
      if (++count <= mostUnheard) text += `\`tools.${name}\` failed, and nothing awaited it: ${textOf(error)}\n`
    }
    failed = []
    return stringify(count > mostUnheard ? `${text}… and so did ${count - mostUnheard} more calls\n` : text)
  }

  const say = (channel: "stdout" | "stderr") => (...values: ReadonlyArray<unknown>): void => {
    tell("said", channel, stringify(`${values.map(textOf).join(" ")}\n`), "")
  }
  const [out, err] = [say("stdout"), say("stderr")]
  const console = { log: out, info: out, debug: out, warn: err, error: err }
  for (const [key, value] of [["console", console], ["tools", tools]] as const) {
    define(globalThis, key, { value, writable: true, configurable: true })
  }
  return { name, settle, forget, unheard, show }
}
