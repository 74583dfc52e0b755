/**
 * The thread of one session: it drives the machine and says what comes of it.
 *
 * @since 0.1.0
 */
import { parentPort } from "node:worker_threads"
import { makeMachine } from "./Machine.ts"
import type { Evaluated, FromThread, Said, ToThread } from "./messages.ts"

const port = parentPort
if (port === null) throw new Error("this runs as a thread of a session")
const tell = (message: FromThread): void => port.postMessage(message)

// What is said first goes out at once, in case nothing comes after it; a flood goes out together, in a few messages.
let pieces = 0
let said: Array<Said> = []
let size = 0
let left = 0
let sent = Date.now()
const flush = (): void => {
  if (said.length > 0) tell({ _tag: "Said", said })
  said = []
  size = 0
  sent = Date.now()
}
const mostSaid = 1_000_000

const machine = await makeMachine({
  said: ({ channel, text }) => {
    if (left <= 0) return
    const kept = text.length <= left ? text : `${text.slice(0, left)}\n… what the console got after this is left out\n`
    left -= text.length
    size += kept.length
    const last = said.at(-1)
    if (last?.channel === channel) said[said.length - 1] = { channel, text: last.text + kept }
    else said.push({ channel, text: kept })
    if (++pieces < 100 || size > 16_384 || Date.now() - sent > 50) flush()
  },
  called: (call, tool, json) => {
    flush()
    tell({ _tag: "Called", call, tool, json })
  }
})

let evaluating = false
const end = (evaluated: Evaluated): void => {
  evaluating = false
  flush()
  tell({ _tag: "Ended", evaluated })
}

// Between two slices of work whoever wants something is heard.
let stepping = false
const step = (): void => {
  stepping = false
  if (!evaluating) return
  const reached = machine.step()
  if (reached === undefined) return soon()
  if (reached === "waiting") return flush()
  end(reached)
}
const soon = (): void => {
  if (stepping) return
  stepping = true
  setImmediate(step)
}

port.on("message", (message: ToThread) => {
  switch (message._tag) {
    case "Evaluate": {
      evaluating = true
      left = mostSaid
      pieces = 0
      const failed = machine.begin(message.code, message.tools)
      return failed === undefined ? step() : end(failed)
    }
    case "Settle":
      machine.settle(message.call, message.failed, message.json)
      return soon()
    case "Abandon":
      evaluating = false
      machine.abandon()
      return tell({ _tag: "Abandoned", idle: machine.idle() })
  }
})
