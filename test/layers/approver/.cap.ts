import { fileURLToPath } from "node:url"
import { inTerminal, keys } from "./inTerminal.ts"
import { question } from "./question.ts"
const program = fileURLToPath(new URL("askOnce.ts", import.meta.url))
const { HOME = "/", PATH = "" } = process.env
const s = inTerminal(process.execPath, [program, JSON.stringify(question), "/tmp/cap.json", "", "", "1"], { cwd: "/tmp", env: { HOME, PATH, TERM: "xterm-256color", LANG: "C.UTF-8" } })
const text = await s.sees("Deny, and say why")
s.types(keys.escape); s.types("\u0003")
console.log(text); console.log(JSON.stringify(text))
await s.exit
