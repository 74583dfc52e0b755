/**
 * What the shell itself offers that only looks, or only steers the line.
 *
 * @since 0.1.0
 */
import { isPlainVariable } from "../../safeVariables.ts"
import { checkConditional } from "../checkConditional.ts"
import type { Programs } from "../Program.ts"
import type { Arguments } from "../readArguments.ts"

/**
 * Shell builtins.
 *
 * @category data
 * @since 0.1.0
 */
export const builtins: Programs = {
  ":": { style: "anything" },
  echo: { style: "anything" },
  help: { flags: "-d -m -s", operands: "text" },
  type: { flags: "-a -f -p -P -t", operands: "text" },
  // `command name` runs it, `command -v name` says where it is
  command: {
    flags: "-v -V -p",
    operands: "text",
    stops: true,
    check: ({ options }) => options.some(({ name }) => name !== "-p") ? undefined : "runs the program it names"
  },
  test: { style: "anything", check: checkConditional },
  "[": { style: "anything", check: checkConditional },
  printf: { style: "anything", check: (given) => ofPrintf(given) },
  read: {
    flags: "-r -s -n: -N: -t: -d: -p: -u: -a:",
    dangers: [["-e -i:", "starts the line editor"]],
    operands: "text",
    check: (given) => ofRead(given)
  },
  history: {
    flags: "",
    dangers: [
      ["-c -d:", "forgets what was run"],
      ["-a -n -r -w", "writes or reads the history file"],
      ["-s -p", "changes the history"]
    ],
    operands: "text",
    check: ({ operands }) =>
      operands.every((word) => word.value !== undefined && /^[0-9]+$/.test(word.value))
        ? undefined
        : "takes a number to only look"
  },
  env: { flags: "-0 --null --help --version", operands: "none" },
  alias: { flags: "-p", operands: "none" },
  umask: { flags: "-p -S", operands: "none" },
  ulimit: { flags: "-a -S -H", operands: "none" },
  jobs: { flags: "-l -n -p -r -s", operands: "text" },
  dirs: { flags: "-l -p -v", operands: "none" },
  times: { operands: "none" },
  exit: { operands: "text" },
  return: { operands: "text" },
  break: { operands: "text" },
  continue: { operands: "text" }
}

// INVARIANT: bash's `%n` and `-v` set a variable, so a format that could hold either is refused.
const ofPrintf = ({ operands }: Arguments): string | undefined => {
  const [first, second, ...rest] = operands
  const format = first?.value === "--" ? second : first
  if (format === undefined) return undefined
  if (format.known[0].startsWith("-") && format.known[0] !== "-") return "with a flag may set a variable"
  if (format.value === undefined) {
    const alone = rest.length === 0 && (format === second || second === undefined)
    const plain = format.known[0] !== "" && !format.splits
    return alone && plain && !/%[^%]*n/.test(format.known.join("%"))
      ? undefined
      : "has a format that is only known when it runs"
  }
  return /%[-+ #0'*.\d]*[hlLjzt]*n/.test(format.value.replaceAll("%%", "")) ? "`%n` sets a variable" : undefined
}

const ofRead = ({ operands, options }: Arguments): string | undefined => {
  const arrays = options.filter((option) => option.name === "-a").flatMap((
    option
  ) => [option.attached, ...option.taken])
  const names = [...operands, ...arrays].filter((word) => word !== undefined)
  return names.every((word) => word.value !== undefined && isPlainVariable(word.value))
    ? undefined
    : "may set a variable that something looks at"
}
