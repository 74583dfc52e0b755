#!/usr/bin/env node
// Plain syntax on purpose: an old Node must get far enough to say which one is needed.
const needed = [22, 19]
const [major, minor] = process.versions.node.split(".").map(Number)

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.stderr.write(`toolgate needs Node ${needed.join(".")} or later, this is ${process.versions.node}\n`)
  process.exitCode = 2
} else {
  try {
    require("../dist/cli/start.cjs")
  } catch (error) {
    process.stderr.write(`toolgate: it could not start: ${error && error.code ? error.code : error}\n`)
    // Whoever asks a hook goes on after any other exit code.
    process.exitCode = process.argv.includes("hook") ? 2 : 70
  }
}
