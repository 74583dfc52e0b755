/**
 * Makes shell lines: small syntax trees, drawn from a seed and printed. Words
 * and constructs are those in which commands hide.
 */

/** Draws numbers from a seed; the same seed gives the same lines. */
export interface Dice {
  readonly below: (limit: number) => number
  readonly pick: <A>(items: ReadonlyArray<A>) => A
  readonly chance: (percent: number) => boolean
}

export const dice = (seed: number): Dice => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error("nothing to pick from")
      return item
    },
    chance: (percent) => below(100) < percent
  }
}

/** Programs that are never on the path: the shell itself reports them. */
const programs = ["alpha", "beta", "gamma", "delta", "epsilon", "git", "rm", "npm"]

/** Programs that stand on the path, so that other programs can start them. */
export const startable = ["xone", "xtwo", "xthree"]

const texts = [
  "a",
  "b.txt",
  "-rf",
  "--flag=x",
  "it s",
  "x;y",
  "a|b",
  "(c)",
  "#no",
  "é",
  "*",
  "$v",
  "`q`",
  "a\\b",
  "\"",
  "{a,b}",
  "~"
]
const plain = [
  "a",
  "b.txt",
  "-rf",
  "--flag=x",
  "src/x",
  "a#b",
  "x=y",
  "1",
  "%s",
  "@",
  "a:b",
  "a,b",
  "]",
  "=",
  "a=~",
  "{}",
  "{a",
  "b}"
]

const singly = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const doubly = (text: string): string => `"${text.replace(/[$`"\\]/g, "\\$&")}"`

const ansi = (text: string): string =>
  `$'${text.replace(/[\\']/g, "\\$&").replace(/;/g, "\\x3b").replace(/\|/g, "\\174")}'`

const bare = (text: string): string => text.replace(/[^\w@%+=:,./-]/g, "\\$&")

const word = (draw: Dice, depth: number): string => {
  const kind = draw.below(depth > 0 ? 20 : 13)
  const text = draw.pick(texts)
  switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3:
      return draw.pick(plain)
    case 4:
      return singly(text)
    case 5:
      return doubly(text)
    case 6:
      return text.includes("é") ? "e" : ansi(text)
    case 7:
      return bare(text)
    case 8:
      return `${draw.pick(["a", "x/", "-"])}${singly(text)}${doubly(draw.pick(texts))}`
    case 9:
      return draw.pick([
        "{a,b}",
        "x{1..3}",
        "{a,'b c'}d",
        "{a,{b,c}}",
        "{3..1}",
        "{a..c}",
        "a{,b}",
        "{a,b}{c,d}",
        "{01..03}",
        "{1..7..3}",
        "\\{a,b}",
        "{a,b",
        "{a\\,b,c}",
        "{a}{b,c}",
        "{$v,b}",
        "{-2..2}",
        "{a,\"$v\"}"
      ])
    case 10:
      return draw.pick([
        "$v",
        "\"$v\"",
        "${v}x",
        "\"${v:-d}\"",
        "$#",
        "\"$@\"",
        "${u-}",
        "${#v}",
        "x$v.y",
        "\"$v\"'z'",
        "${v%a}",
        "${v/a/b}",
        "${v:1:1}",
        "$IFS"
      ])
    case 11:
      return draw.pick(["*", "?x", "[ab]", "f*", "~", "~/x", "a~", "'~'", "~+", "\"~/x\""])
    case 12:
      return draw.pick(["a\\\nb", "\"a\\\nb\"", "'a\\\nb'", "\"a\nb\"", "$((1+2))", "\"$((v2 + 1))\"", "a\\\\\\\nb"])
    case 13:
    case 14:
      return `$(${list(draw, depth - 1)})`
    case 15:
      return `"$(${list(draw, depth - 1)})"`
    case 16:
      return `"\${u:-$(${list(draw, depth - 1)})}"`
    case 17:
      return `\`${draw.pick(programs)} ${draw.pick(plain)}\``
    case 18:
      return draw.chance(50) ? `<(${list(draw, depth - 1)})` : `"x$(${simple(draw, 0)})"${singly(text)}`
    default:
      return draw.chance(20) ? `$(( $(${simple(draw, 0)} 1) + 1 ))` : `$(( \${#v} + 1 ))$(${simple(draw, 0)})`
  }
}

const words = (draw: Dice, depth: number): string =>
  Array.from({ length: draw.below(4) }, () => word(draw, depth)).join(draw.pick([" ", " ", "  ", "\t", " \\\n "]))

const programName = (draw: Dice): string => {
  const name = draw.pick(programs)
  switch (draw.below(9)) {
    case 0:
      return singly(name)
    case 1:
      return `${name.slice(0, 1)}''${name.slice(1)}`
    case 2:
      return `\\${name}`
    case 3:
      return `${name.slice(0, 1)}"${name.slice(1)}"`
    case 4:
      return `${name.slice(0, 1)}\\\n${name.slice(1)}`
    default:
      return name
  }
}

const redirect = (draw: Dice, depth: number): string =>
  draw.pick([
    ">out",
    ">>out",
    "2>&1",
    "</dev/null",
    "2>/dev/null",
    "&>out",
    ">|out",
    "<<<'x'",
    "3>&1",
    ">&2",
    `<<< "$(${depth > 0 ? simple(draw, 0) : "true"})"`
  ])

export const simple = (draw: Dice, depth: number): string => {
  const before = draw.chance(15) ? `${draw.pick(["A=1 ", "B='x y' ", "v=$v ", "C= ", "D=~ ", "E={a,b} "])}` : ""
  const after = draw.chance(20) ? ` ${redirect(draw, depth)}` : ""
  return `${before}${programName(draw)} ${words(draw, depth)}${after}`.trimEnd()
}

const carried = (draw: Dice, depth: number): string => {
  const inner = `${draw.pick(startable)} ${Array.from({ length: draw.below(3) }, () => word(draw, 0)).join(" ")}`
  const text = list(draw, depth - 1)
  switch (draw.below(14)) {
    case 0:
      return `timeout ${draw.pick(["5", "-k 1 5", "--signal=TERM 5s", "--foreground 5"])} ${inner}`
    case 1:
      return `env ${draw.pick(["", "A=1 ", "-u FOO ", "A=1 B=2 "])}${inner}`
    case 2:
      return `nice ${draw.pick(["", "-n 5 ", "-5 ", "--adjustment=5 "])}${inner}`
    case 3:
      return `printf 'p q\\n' | xargs ${draw.pick(["", "-n1 ", "-I{} ", "-0 ", "-r "])}${draw.pick(startable)} ${
        draw.pick(["a", "{}", "x{}y"])
      }`
    case 4:
      return `bash -c ${singly(text)} ${draw.pick(["", "name", "name 'a b'"])}`
    case 5:
      return `eval ${draw.chance(50) ? singly(text) : doubly(text)}`
    case 6:
      return `bash <<'END'\n${text}\nEND\n`
    case 7:
      return `command ${draw.pick(["", "-p "])}${inner}`
    case 8:
      return `sh -ec ${singly(simple(draw, 0))}`
    case 9:
      return `echo ${singly(simple(draw, 0))} | bash`
    case 10:
      return `nohup ${inner}`
    case 11:
      return `find . -maxdepth 0 -exec ${draw.pick(startable)} a {} ${draw.pick(["\\;", "+"])}`
    case 12:
      return `setsid -w ${inner}`
    default:
      return `exec ${inner}`
  }
}

const compound = (draw: Dice, depth: number): string => {
  const body = (): string => list(draw, depth - 1)
  switch (draw.below(16)) {
    case 0:
      return `( ${body()} )`
    case 1:
      return `{ ${body()}; }`
    case 2:
      return `if ${body()}; then ${body()}; else ${body()}; fi`
    case 3:
      return `for i in ${words(draw, depth - 1)} z; do ${body()}; done`
    case 4:
      return `while ! true; do ${body()}; done; until true; do ${body()}; done`
    case 5:
      return `case ${draw.pick(["a", "b", "$v"])} in a|b) ${body()} ;; *) ${body()} ;; esac`
    case 6:
      return `fun${depth}() { ${body()}; }; fun${depth} ${words(draw, 0)}`
    case 7:
      return `[[ ${draw.pick(["-n x", "a == a", "-z \"$v\"", "x =~ ^x"])} && -n $(${simple(draw, 0)}) ]] ${
        draw.pick(["&&", "||"])
      } ${body()}`
    case 8:
      return `{ ${body()}; } ${redirect(draw, 0)}`
    case 9:
      return `cat <<END\nx $(${simple(draw, 0)}) \`${draw.pick(programs)} q\` \\$(no)\nEND\n`
    case 10:
      return `cat <<'END' | ${simple(draw, 0)}\n$(no) \`no\`\nEND\n`
    case 11:
      return `cd ${draw.pick(["one", "two", "..", ".", "one/three", "none", "-- one", "../one", "'two'", "~"])} ${
        draw.pick(["&&", ";", "||"])
      } ${body()}`
    case 12:
      return `arr=(a $(${simple(draw, 0)}) "b c"); ${simple(draw, 0)} "\${arr[@]}"`
    case 13:
      return `pushd one ${draw.pick(["&&", ";"])} ${body()}; popd`
    case 14:
      return `! time ${draw.pick(["", "-p "])}${simple(draw, 0)}`
    default:
      return carried(draw, depth)
  }
}

const command = (draw: Dice, depth: number): string =>
  depth > 0 && draw.chance(45)
    ? compound(draw, depth)
    : depth > 0 && draw.chance(15)
    ? carried(draw, depth)
    : simple(draw, depth)

const separator = (draw: Dice, before: string): string =>
  before.endsWith("\n") ? "" : draw.pick([" && ", " || ", "; ", " | ", "\n", " |& ", " ;", "&& ", "|", " # note; no\n"])

/** Returns a list of commands as text. */
export const list = (draw: Dice, depth: number): string => {
  let text = command(draw, depth)
  const more = depth > 0 ? draw.below(3) : 0
  for (let count = 0; count < more; count++) text += separator(draw, text) + command(draw, depth - 1)
  return text.endsWith("\n") && text.includes("<<") ? text : text
}
