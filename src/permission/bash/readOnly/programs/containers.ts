/**
 * `docker` and `podman`, where they only tell of what is there on the daemon
 * that they are set up for.
 *
 * @since 0.1.0
 */
import type { Program, Programs } from "../Program.ts"

const list = "-a --all -f: --filter: --format: --no-trunc -q --quiet --help"

const ps: Program = { flags: `${list} -n: --last: -l --latest -s --size`, operands: "none" }
const images: Program = { flags: `${list} --digests --tree`, operands: "text" }
const inspect: Program = { flags: "-f: --format: -s --size --type: --help", operands: "text" }
const logs: Program = {
  flags: "--details -f --follow --since: -n: --tail: -t --timestamps --until: --help",
  operands: "text"
}
const history: Program = { flags: "--format: -H --human --no-trunc -q --quiet --help", operands: "text" }
const stats: Program = { flags: "-a --all --format: --no-stream --no-trunc --help", operands: "text" }
const port: Program = { flags: "--help", operands: "text" }
const plain: Program = { flags: list, operands: "none" }

const daemon = "takes another daemon or configuration"

const docker: Program = {
  flags: "-v --version --help",
  dangers: [
    ["-H: --host: -c: --context: --config: --tls --tlscacert: --tlscert: --tlskey: --tlsverify", daemon],
    ["--url: --connection: --identity: -r --remote --root: --runroot: --storage-driver: --module:", daemon],
    ["-D --debug -l: --log-level:", "changes how it runs"]
  ],
  operands: "text",
  stops: true,
  subcommands: {
    ps,
    images,
    inspect,
    logs,
    history,
    stats,
    port,
    version: { flags: "-f: --format: --help", operands: "none" },
    info: { flags: "-f: --format: --help", operands: "none" },
    container: {
      flags: "--help",
      operands: "text",
      stops: true,
      subcommands: { ls: ps, list: ps, ps, inspect, logs, stats, port }
    },
    image: {
      flags: "--help",
      operands: "text",
      stops: true,
      subcommands: { ls: images, list: images, inspect, history }
    },
    network: { flags: "--help", operands: "text", stops: true, subcommands: { ls: plain, list: plain, inspect } },
    volume: { flags: "--help", operands: "text", stops: true, subcommands: { ls: plain, list: plain, inspect } }
  }
}

/**
 * Containers.
 *
 * @category data
 * @since 0.1.0
 */
export const containers: Programs = { docker, podman: docker }
