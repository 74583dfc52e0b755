/**
 * The virtual machine of one session: QuickJS in WebAssembly, which has the
 * language and nothing else. There is no file, network, process or environment
 * to be reached from inside, since none was ever put there.
 *
 * @since 0.1.0
 */
import wasmfile from "@jitl/quickjs-wasmfile-release-sync"
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
  type QuickJSWASMModule
} from "quickjs-emscripten-core"
import { guest } from "./guest.ts"
import { keepDeclarations } from "./keepDeclarations.ts"
import type { Evaluated, Said } from "./messages.ts"

// The package says of its default export that it is the whole module, which is so for CommonJS alone.
const variant = wasmfile as unknown as QuickJSSyncVariant

// Neither the language's own types nor Node's have the value.
declare const WebAssembly: {
  readonly Memory: new(limits: { readonly initial: number; readonly maximum: number }) => Memory
}

type Memory = ReturnType<QuickJSWASMModule["getWasmMemory"]>

/**
 * Who hears of the code.
 *
 * @category models
 * @since 0.1.0
 */
export interface Listener {
  readonly said: (said: Said) => void
  readonly called: (call: number, tool: string, json: string) => void
}

/**
 * A virtual machine.
 *
 * **Details**
 *
 * `begin` starts code. From then on `step` runs what is ready, and gives the end
 * once there is one; `undefined` means that there is more to run, `"waiting"`
 * that it waits for calls. Nothing runs between two of these. `idle` says
 * whether nothing is ready to run.
 *
 * @category models
 * @since 0.1.0
 */
export interface Machine {
  readonly begin: (code: string, tools: ReadonlyArray<string>) => Evaluated | undefined
  readonly step: () => Evaluated | "waiting" | undefined
  readonly settle: (call: number, failed: boolean, json: string) => void
  readonly abandon: () => void
  readonly idle: () => boolean
  /** How many bytes of memory the machine has taken. */
  readonly size: () => number
}

/**
 * Makes a machine. What goes on inside is limited to 64 MiB.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMachine = async (listener: Listener): Promise<Machine> => {
  // INVARIANT: QuickJS's own memory limit counts only the overhead of its pieces here, so the memory itself is limited.
  const memory = new WebAssembly.Memory({ initial: pages(16), maximum: pages(64) })
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory: memory }))
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: 256 * 1024 })
  const vm = runtime.newContext()
  // How much each call handed out that nobody has answered yet.
  const open = new Map<number, number>()
  let handedOut = 0
  const inside = install(vm, {
    said: listener.said,
    called: (call, tool, json) => {
      if (open.size >= mostOpen || (open.size > 0 && handedOut + json.length > mostHandedOut)) return false
      open.set(call, json.length)
      handedOut += json.length
      listener.called(call, tool, json)
      return true
    }
  })
  let running: QuickJSHandle | undefined

  /** Runs something inside. An error that comes out is one of the machine, which can't be trusted after it. */
  const minding = <A>(run: () => A): A | Broken => {
    try {
      return run()
    } catch (error) {
      return { _tag: "Broken", reason: error instanceof RangeError ? "its stack overflowed" : "it broke" }
    }
  }

  const thrown = (error: QuickJSHandle): Evaluated => {
    const text = inside.show(error)
    const full = vm.evalCode("new ArrayBuffer(1048576)", "probe")
    full.dispose()
    return full.error === undefined ? { _tag: "Thrown", text } : { _tag: "Broken", reason: "its memory is full" }
  }

  const end = (): Evaluated => {
    if (running === undefined) return { _tag: "Value", text: "" }
    using promise = running
    running = undefined
    const state = vm.getPromiseState(promise)
    if (state.type === "fulfilled") {
      using holder = state.value
      using value = vm.getProp(holder, "value")
      tellUnheard(value)
      return valueOf(value)
    }
    tellUnheard(vm.undefined)
    return state.type === "rejected"
      ? thrown(state.error)
      : { _tag: "Thrown", text: "the code waits for a promise that nothing will settle" }
  }

  const tellUnheard = (value: QuickJSHandle): void => {
    const text = inside.unheard(value)
    if (text !== "") listener.said({ channel: "stderr", text })
  }

  // A promise in the end stands for what it came to.
  const valueOf = (value: QuickJSHandle): Evaluated => {
    const inner = vm.getPromiseState(value)
    if (inner.type === "rejected") return thrown(inner.error)
    if (inner.type === "pending" || inner.notAPromise === true) return { _tag: "Value", text: inside.show(value) }
    using settled = inner.value
    return { _tag: "Value", text: inside.show(settled) }
  }

  return {
    begin: (code, tools) =>
      minding((): Evaluated | undefined => {
        inside.name(tools)
        const started = vm.evalCode(keepDeclarations(code), "repl", asyncScript)
        if (started.error !== undefined) {
          using error = started.error
          return thrown(error)
        }
        running = started.value
        return undefined
      }),
    step: () =>
      minding((): Evaluated | "waiting" | undefined => {
        runtime.executePendingJobs(slice).dispose()
        if (runtime.hasPendingJob()) return undefined
        return open.size > 0 ? "waiting" : end()
      }),
    settle: (call, failed, json) => {
      handedOut -= open.get(call) ?? 0
      open.delete(call)
      minding(() => inside.settle(call, failed, json))
    },
    abandon: () => {
      open.clear()
      handedOut = 0
      minding(inside.forget)
      running?.dispose()
      running = undefined
    },
    idle: () => !runtime.hasPendingJob(),
    size: () => memory.buffer.byteLength
  }
}

type Broken = Extract<Evaluated, { readonly _tag: "Broken" }>

const pages = (mebibytes: number): number => mebibytes * 16

/** A script whose declarations stay, with `await` at the top level: QuickJS's own flag, which the library does not name. */
const asyncScript = 1 << 7

/**
 * So many calls wait at once, with so many characters of input in all, unless it is
 * one alone: what waits is kept outside, where no memory limit reaches.
 */
const mostOpen = 2_000
const mostHandedOut = 16_000_000

/** So many jobs run before anybody else is heard. */
const slice = 1_000

interface Inside {
  readonly name: (tools: ReadonlyArray<string>) => void
  readonly settle: (call: number, failed: boolean, json: string) => void
  readonly forget: () => void
  readonly unheard: (value: QuickJSHandle) => string
  readonly show: (value: QuickJSHandle) => string
}

/** Who hears of the code from inside, and may refuse to hear of another call. */
type Inner = Pick<Listener, "said"> & { readonly called: (...call: Parameters<Listener["called"]>) => boolean }

const install = (vm: QuickJSContext, { called, said }: Inner): Inside => {
  using tell = vm.newFunction("tell", (...handles) => {
    const [kind = "", first = "", second = "", third = ""] = handles.map((handle) => vm.getString(handle))
    if (kind === "said") said({ channel: first === "stderr" ? "stderr" : "stdout", text: parsed(second) })
    else if (!called(Number(first), parsed(second), third)) return { error: vm.newError(tooMany) }
    return vm.undefined
  })
  using make = vm.unwrapResult(vm.evalCode(`(${String(guest)})`, "repl"))
  const made = vm.unwrapResult(vm.callFunction(make, vm.undefined, tell))
  const [name, settle, forget, unheard, show] = ["name", "settle", "forget", "unheard", "show"].map((key) =>
    vm.getProp(made, key)
  )
  const call = (method: QuickJSHandle | undefined, ...given: ReadonlyArray<QuickJSHandle>): QuickJSHandle => {
    if (method === undefined) throw new Error("the guest lacks a part")
    return vm.unwrapResult(vm.callFunction(method, vm.undefined, ...given))
  }
  const text = (handle: QuickJSHandle): string => {
    using json = handle
    return parsed(vm.getString(json))
  }
  // Text crosses as JSON, which has no character that would end it early.
  return {
    name: (tools) => {
      using json = vm.newString(JSON.stringify(tools))
      call(name, json).dispose()
    },
    settle: (id, failed, text) => {
      using json = vm.newString(text)
      using number = vm.newNumber(id)
      call(settle, number, failed ? vm.true : vm.false, json).dispose()
    },
    forget: () => call(forget).dispose(),
    unheard: (value) => text(call(unheard, value)),
    show: (value) => text(call(show, value))
  }
}

const tooMany = "too many calls wait already: await some of them before making another"

const parsed = (json: string): string => String(JSON.parse(json))
