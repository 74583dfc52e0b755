/**
 * Reads a `sed` script: whether it only edits text on its way to standard
 * output, and which files it opens by itself.
 *
 * @since 0.1.0
 */

/**
 * What a script does besides editing text.
 *
 * @category models
 * @since 0.1.0
 */
export interface SedScript {
  /** Why it does more than edit text, or undefined. */
  readonly more: string | undefined
  readonly reads: ReadonlyArray<string>
  readonly writes: ReadonlyArray<string>
  /** The commands that it starts; an empty text where those are what it reads. */
  readonly runs: ReadonlyArray<string>
}

/**
 * Reads a script.
 *
 * **Details**
 *
 * The commands `e`, `w`, `W`, `r`, `R` and the flags `e` and `w` of `s` run,
 * write and read. Reading stops at what is not understood, which counts as more
 * than editing.
 *
 * **Example** (A script that writes a file)
 *
 * ```ts
 * import { readSedScript } from "toolgate/permission/bash/readOnly/readSedScript"
 *
 * readSedScript("s/a/b/w out.txt").writes // => ["out.txt"]
 * ```
 *
 * @category parsing
 * @since 0.1.0
 */
export const readSedScript = (text: string): SedScript => {
  const script = new Script(text)
  while (script.more !== unclear && !script.done()) script.command()
  return script
}

const unclear = "has a script that is not understood"

class Script implements SedScript {
  more: string | undefined = undefined
  readonly reads: Array<string> = []
  readonly writes: Array<string> = []
  readonly runs: Array<string> = []
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  done(): boolean {
    this.skip(/[\s;}]*/y)
    return this.at >= this.text.length
  }

  command(): void {
    if (!this.addresses()) return this.fail(unclear)
    const name = this.next()
    if (name === "{") return
    if ("=dDgGhHnNpPxFz".includes(name)) return this.end()
    if ("lLqQ".includes(name)) {
      this.skip(/[ \t]*/y)
      this.skip(/[0-9]*/y)
      return this.end()
    }
    if (name === "#") return this.line(false)
    if (":btT".includes(name)) return this.label()
    if ("aic".includes(name)) return this.line(true)
    if (name === "y") return this.parts(2) ? this.end() : this.fail(unclear)
    if (name === "s") return this.parts(2) ? this.flags() : this.fail(unclear)
    this.beyond(name)
  }

  // INVARIANT: whatever follows a label on its line has to be a command of its own, since `sed` may read on after a blank.
  private label(): void {
    this.skip(/[ \t]*/y)
    this.skip(/[^\s;}]*/y)
    this.end()
  }

  // What opens files or runs: the rest of the line is the file's name, or the command.
  private beyond(name: string): void {
    const rest = this.rest()
    if (name === "e") return this.start(rest)
    if ("wW".includes(name)) {
      this.writes.push(rest)
      return this.fail(`\`${name}\` writes a file`)
    }
    if ("rR".includes(name)) {
      this.reads.push(rest)
      return this.fail(`\`${name}\` reads another file`)
    }
    this.fail(unclear)
  }

  private start(command: string): void {
    this.runs.push(command)
    this.fail("`e` runs a command")
  }

  private fail(why: string): void {
    this.more = why === unclear ? why : this.more ?? why
  }

  private rest(): string {
    this.skip(/[ \t]*/y)
    const from = this.at
    this.skip(/[^\n]*/y)
    return this.text.slice(from, this.at)
  }

  private addresses(): boolean {
    if (!this.address()) return false
    this.skip(/[ \t]*/y)
    if (this.peek() === ",") {
      this.at++
      this.skip(/[ \t]*/y)
      if (!this.address()) return false
      this.skip(/[ \t]*/y)
    }
    this.skip(/[! \t]*/y)
    return this.at < this.text.length
  }

  private address(): boolean {
    const sign = this.peek()
    if (sign === "/" || sign === "\\") {
      if (sign === "\\") this.at++
      if (!this.parts(1)) return false
      this.skip(/[IM]*/y)
      return true
    }
    this.skip(/[0-9$+~]*/y)
    return true
  }

  // Reads `/…/` or `/…/…/` with whatever delimiter stands first.
  private parts(count: number): boolean {
    const delimiter = this.next()
    if (delimiter === "" || delimiter === "\\" || delimiter === "\n") return false
    for (let part = 0; part < count; part++) {
      if (!this.part(delimiter, part === 0)) return false
    }
    return true
  }

  private part(delimiter: string, pattern: boolean): boolean {
    while (this.at < this.text.length) {
      const sign = this.next()
      if (sign === delimiter) return true
      if (sign === "\n" && pattern) return false
      if (sign === "\\") this.at++
      else if (sign === "[" && pattern && !this.brackets()) return false
    }
    return false
  }

  // A delimiter between brackets is a plain character. A backslash before the closing one is read in two ways, and
  // refused.
  private brackets(): boolean {
    const inside = /\^?\]?(?:\[:[a-z]+:\]|[^\]\\[\n]|\\[^\]\n])*\]/y
    inside.lastIndex = this.at
    const length = inside.exec(this.text)?.[0].length ?? 0
    this.at += length
    return length > 0
  }

  private flags(): void {
    this.skip(/[gpiImM0-9]*/y)
    if (this.peek() === "e" && /^e[gpiImM0-9]*w/.test(this.text.slice(this.at))) {
      this.start("")
      this.skip(/[egpiImM0-9]*/y)
    }
    return "we".includes(this.peek()) && this.peek() !== "" ? this.beyond(this.next()) : this.end()
  }

  private line(continues: boolean): void {
    while (this.at < this.text.length) {
      const sign = this.next()
      if (sign === "\\" && continues) this.at++
      else if (sign === "\n") break
    }
  }

  private end(): void {
    this.skip(/[ \t]*/y)
    const sign = this.peek()
    if (sign !== "" && !/[;\n}#]/.test(sign)) this.fail(unclear)
  }

  private skip(of: RegExp): void {
    of.lastIndex = this.at
    this.at += of.exec(this.text)?.[0].length ?? 0
  }

  private peek(): string {
    return this.text.charAt(this.at)
  }

  private next(): string {
    return this.text.charAt(this.at++)
  }
}
