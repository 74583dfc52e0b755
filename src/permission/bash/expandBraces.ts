/**
 * Expands `{a,b}` and `{1..3}` in a word, as bash does before anything else.
 *
 * @since 0.1.0
 */

/**
 * One unit of a word: an unquoted character, or something that brace expansion
 * carries along as it is (quoted text, an expansion, a wildcard).
 *
 * @category models
 * @since 0.1.0
 */
export type Unit<A> = string | A

const most = 64

/**
 * Says whether a text could hold braces that expand: a pair of them around a
 * comma or two dots.
 *
 * @category reading
 * @since 0.1.0
 */
export const mayExpand = (text: string): boolean => {
  const open = text.indexOf("{")
  const close = open < 0 ? -1 : text.lastIndexOf("}")
  if (close < open || close < 0) return false
  const between = text.slice(open + 1, close)
  return between.includes(",") || between.includes("..")
}

/**
 * Returns the words that brace expansion makes, or undefined when there are
 * too many of them or when the braces hold what can't be resolved.
 *
 * @category expanding
 * @since 0.1.0
 */
export const expandBraces = <A>(units: ReadonlyArray<Unit<A>>): ReadonlyArray<ReadonlyArray<Unit<A>>> | undefined => {
  const open = nextGroup(units, 0)
  if (open === undefined) return [units]
  const { at, end, commas } = open
  const middle = commas.length > 0
    ? alternatives(units, at, end, commas)
    : sequence(units.slice(at + 1, end))
  const after = expandBraces(units.slice(end + 1))
  if (middle === undefined || after === undefined || middle.length * after.length > most) return undefined
  const head = units.slice(0, at)
  return middle.flatMap((inside) => after.map((rest) => [...head, ...inside, ...rest]))
}

interface Group {
  readonly at: number
  readonly end: number
  readonly commas: ReadonlyArray<number>
}

// A brace is a group when its own level has a comma or two dots before it closes.
const nextGroup = <A>(units: ReadonlyArray<Unit<A>>, from: number): Group | undefined => {
  for (let at = from; at < units.length; at++) {
    if (units[at] !== "{" || (at === 0 && units[1] === "}")) continue
    let level = 0
    let dots = false
    const commas: Array<number> = []
    for (let end = at + 1; end < units.length; end++) {
      const unit = units[end]
      if (unit === "{") level++
      else if (unit === "}" && level > 0) level--
      else if (unit === "}" && (commas.length > 0 || dots)) return { at, end, commas }
      else if (level > 0) continue
      else if (unit === ",") commas.push(end)
      else if (unit === "." && units[end + 1] === ".") dots = true
    }
  }
  return undefined
}

const alternatives = <A>(
  units: ReadonlyArray<Unit<A>>,
  at: number,
  end: number,
  commas: ReadonlyArray<number>
): ReadonlyArray<ReadonlyArray<Unit<A>>> | undefined => {
  const all: Array<ReadonlyArray<Unit<A>>> = []
  let from = at + 1
  for (const to of [...commas, end]) {
    const some = expandBraces(units.slice(from, to))
    if (some === undefined || all.length + some.length > most) return undefined
    all.push(...some)
    from = to + 1
  }
  return all
}

const range = /^(?:(-?\d+)\.\.(-?\d+)|([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))(?:\.\.(-?\d+))?$/

const sequence = <A>(units: ReadonlyArray<Unit<A>>): ReadonlyArray<ReadonlyArray<Unit<A>>> | undefined => {
  const text = units.every((unit) => typeof unit === "string") ? units.join("") : ""
  const found = range.exec(text)
  if (found === null) return undefined
  const numbers = found[1] !== undefined
  const [left, right] = [found[1] ?? found[3] ?? found[5] ?? "", found[2] ?? found[4] ?? found[6] ?? ""]
  if (text.length > 24) return undefined
  const [first, last] = numbers ? [Number(left), Number(right)] : [left.charCodeAt(0), right.charCodeAt(0)]
  const step = Math.max(1, Math.abs(Number(found[7] ?? 1)))
  if (Math.abs(last - first) / step >= most) return undefined
  const padded = numbers && /^-?0\d/.test(left) || numbers && /^-?0\d/.test(right)
  const width = padded ? Math.max(left.length, right.length) : 0
  const all: Array<ReadonlyArray<string>> = []
  for (let n = first; first <= last ? n <= last : n >= last; n += first <= last ? step : -step) {
    all.push([...(numbers ? pad(n, width) : String.fromCharCode(n))])
  }
  return all
}

const pad = (n: number, width: number): string =>
  n < 0 ? `-${String(-n).padStart(width - 1, "0")}` : String(n).padStart(width, "0")
