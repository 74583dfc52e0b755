/**
 * Laws about what is not allowed: without a reason, beside a rule, and beyond
 * what a mode is for.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import { bashCall, type DrawnCall, paths } from "../arbitraries/calls.ts"
import { below, oneOf, pick } from "../arbitraries/oneOf.ts"
import { sources } from "../arbitraries/ruleTexts.ts"
import { around } from "../arbitraries/situations.ts"
import * as Law from "../Law.ts"
import { keepRules, type Situation, withRules } from "../Situation.ts"
import { withoutAllowance } from "./calm.ts"

/** Modes that allow nothing which no rule allows. */
const modes = pick("default", "dontAsk", "plan")

const unallowed = (situation: Situation): Situation =>
  keepRules(withoutAllowance(situation), ({ behavior }) => behavior !== "allow")

const call = (tool: string, input: DrawnCall["input"]): DrawnCall => ({ tool, input, about: [tool] })

const edits = (path: string): Arbitrary.Arbitrary<DrawnCall> =>
  Arbitrary.map(pick("Write", "Edit", "NotebookEdit"), (tool) => {
    switch (tool) {
      case "Write":
        return call(tool, { file_path: path, content: "x" })
      case "Edit":
        return call(tool, { file_path: path, old_string: "a", new_string: "b" })
      case "NotebookEdit":
        return call(tool, { notebook_path: `${path}.ipynb`, cell_id: "a", new_source: "x" })
    }
  })

const writes = (path: string): Arbitrary.Arbitrary<DrawnCall> =>
  Arbitrary.map(
    pick("touch", "mkdir -p", "cp src/a.ts", "mv src/a.ts", "tee", "echo x >", "sed -i s/a/b/", "ls 2>>"),
    (start) => bashCall(`${start} ${path}`)
  )

/** Calls that change something, reach another machine, or read what lies outside of the working directory. */
const weighty: Arbitrary.Arbitrary<DrawnCall> = oneOf(
  Arbitrary.flatMap(paths, edits),
  Arbitrary.flatMap(pick("src/a.ts", "/tmp/x", "~/x"), writes),
  Arbitrary.map(
    Arbitrary.all({
      line: pick("npm publish", "rm a.txt", "git push", "python3 a.py", "./a.sh", "cat /etc/passwd", "curl x.test"),
      before: pick("", "ls && ", "true; ", "pwd | ", "if ls; then :; fi\n", "(ls) || ", "ls & ")
    }),
    ({ before, line }) => bashCall(`${before}${line}`)
  ),
  Arbitrary.map(
    Arbitrary.all({ tool: pick("Read", "Grep", "Glob"), path: pick("/etc", "~/.ssh", "..", "/srv/repo/../other") }),
    ({ path, tool }) => call(tool, tool === "Read" ? { file_path: `${path}/passwd` } : { pattern: "a", path })
  ),
  Arbitrary.map(pick("https://example.com", "http://other.test/a"), (url) => call("WebFetch", { url, prompt: "what" })),
  Arbitrary.map(pick("mcp__notes__list", "mcp__notes__drop"), (tool) => call(tool, {}))
)

/**
 * @category laws
 * @since 0.1.0
 */
export const nothingByItself: Law.Law = Law.ofVerdicts({
  name: "what nothing allows is not allowed",
  statement:
    "Where no rule, hook or classifier allows anything, a call that changes something, reaches another machine or " +
    "reads outside of the working directory is not allowed, in any mode that allows nothing by itself.",
  situations: Arbitrary.map(
    Arbitrary.all({ drawn: around(weighty), mode: modes }),
    ({ drawn: { situation }, mode }) => [{ ...unallowed(situation), mode }] satisfies readonly [Situation]
  ),
  holds: ([verdict]) => verdict !== "allow"
})

const beside = (rule: string, ...lines: ReadonlyArray<string>): ReadonlyArray<readonly [string, DrawnCall]> =>
  lines.map((line) => [rule, bashCall(line)])

const besideTools = (rule: string, ...others: ReadonlyArray<DrawnCall>): ReadonlyArray<readonly [string, DrawnCall]> =>
  others.map((other) => [rule, other])

const besideSites = (rule: string, ...urls: ReadonlyArray<string>): ReadonlyArray<readonly [string, DrawnCall]> =>
  urls.map((url) => [rule, call("WebFetch", { url, prompt: "what" })])

const read = (path: string): DrawnCall => call("Read", { file_path: path })
const write = (path: string): DrawnCall => call("Write", { file_path: path, content: "x" })

/** Rules that allow, and calls that look much like what each is about. */
const near: ReadonlyArray<readonly [rule: string, call: DrawnCall]> = [
  ...beside("Bash(npm run build)", "npm run build:all", "npm run build --watch", "npm run", "npm  run 'build '"),
  ...["Bash(npm test *)", "Bash(npm test:*)"].flatMap((rule) =>
    beside(
      rule,
      "npm tests",
      "npm test-all",
      "NPM test",
      "./npm test",
      "'npm test'",
      "npm -g test",
      "FOO=1 npm test",
      "PATH=. npm test",
      "sudo npm test",
      "npm test; npm publish",
      "npm test & npm publish",
      "npm test | npm publish",
      "npm test \"$(npm publish)\"",
      "npm test <(npm publish)",
      "npm test > /etc/x",
      "npm test > .git/config",
      "npm test 2> ../x"
    )
  ),
  ...beside("Bash(* --version)", "npm --version x", "npm --version; npm publish"),
  ...beside("Bash(git * main)", "git push origin mainly", "git push origin main -f"),
  ...beside("Read(//etc/**)", "touch /etc/x", "cp /etc/hosts /tmp/x", "rm /etc/hosts"),
  ...besideTools("Read(//etc/hosts)", read("/etc/passwd"), read("/etc/hosts.bak"), read("/etc/hosts/../passwd")),
  ...besideTools("Read(//etc/*.conf)", read("/etc/deep/a.conf"), read("/etc/a.conf.bak"), write("/etc/a.conf")),
  ...besideTools("Read(//**)", write("/srv/repo/src/a.ts"), write("/tmp/y")),
  ...besideTools(
    "Read(//srv/repo/**)",
    read("/srv/repo/out/passwd"),
    read("/srv/repo/../other/a"),
    read("/srv/repo2/a")
  ),
  ...besideTools("Edit(//srv/repo/src/*.ts)", write("src/deep/a.ts"), write("src/a.tsx"), write("src/../a.ts")),
  ...besideTools("Edit(//srv/repo/out/**)", write("/srv/repo/out/x")),
  ...besideTools("Read", write("src/a.ts"), bashCall("npm publish")),
  ...besideTools("Bash", write("src/a.ts"), read("/etc/passwd")),
  ...besideSites(
    "WebFetch(domain:example.com)",
    "https://example.com.evil.test",
    "https://evil-example.com",
    "https://evil.test/example.com",
    "https://example.com@evil.test",
    "https://sub.example.com",
    "https://example.co"
  ),
  ...besideSites("WebFetch(domain:*.example.com)", "https://example.com", "https://evilexample.com"),
  ...besideTools("mcp__notes__list", call("mcp__notes__drop", {}), call("mcp__notes__list_all", {})),
  ...["mcp__notes", "mcp__notes__*"].flatMap((rule) => besideTools(rule, call("mcp__notes2__list", {})))
]

/**
 * @category laws
 * @since 0.1.0
 */
export const ruleAllowsItsOwn: Law.Law = Law.ofVerdicts({
  name: "an allow rule allows nothing beside what it is about",
  statement:
    "Where one rule alone allows something, a call that only looks like what it is about is not allowed: a longer " +
    "word, another variable, a second command, a redirection, a neighbouring file or one behind a link, an edit where " +
    "reading is allowed, another host, another server.",
  situations: Arbitrary.map(
    Arbitrary.all({
      drawn: around(Arbitrary.map(below(near.length), (at) => ({ ...(near[at] ?? near[0])?.[1] ?? read("/x"), at }))),
      mode: pick("default", "dontAsk"),
      source: sources()
    }),
    ({ drawn: { call, situation }, mode, source }) =>
      [
        withRules({ ...unallowed(situation), mode, files: { ...situation.files, "/srv/repo/out": "-> /etc" } }, {
          source,
          behavior: "allow",
          text: near[call.at]?.[0] ?? ""
        })
      ] satisfies readonly [Situation]
  ),
  holds: ([verdict]) => verdict !== "allow"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const planChangesNothing: Law.Law = Law.ofVerdicts({
  name: "a plan changes nothing without a person",
  statement:
    "In the mode `plan` no edit and no command that is known to write is allowed, whatever rules and classifiers " +
    "allow, as long as no hook allows.",
  situations: Arbitrary.map(
    Arbitrary.all({
      drawn: around(Arbitrary.flatMap(pick("src/a.ts", "a.txt", "/tmp/x"), (path) => oneOf(edits(path), writes(path)))),
      source: sources()
    }),
    ({ drawn: { situation }, source }) =>
      [
        withRules(
          { ...withoutAllowance(situation), classifier: situation.classifier, mode: "plan" },
          ...["Bash", "Edit", "Write", "NotebookEdit"].map((text) => ({ source, behavior: "allow", text }) as const)
        )
      ] satisfies readonly [Situation]
  ),
  holds: ([verdict]) => verdict !== "allow"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const acceptedEditsStayInside: Law.Law = Law.ofVerdicts({
  name: "edits that are accepted stay inside the working directories",
  statement:
    "In the mode `acceptEdits`, where nothing else allows it, no file is changed outside of the working directories, " +
    "by a link that leads out of them, or among the protected ones inside.",
  situations: Arbitrary.map(
    around(Arbitrary.flatMap(
      pick(
        "/etc/x",
        "/tmp/y",
        "~/x",
        "../x",
        "/srv/repo/../x",
        "/srv/repository/x",
        "out/x",
        "src/../out/x",
        ".git/x",
        "src/../.git/hooks/x",
        ".claude/x"
      ),
      (path) => oneOf(edits(path), writes(path))
    )),
    ({ situation }) =>
      [
        { ...unallowed(situation), mode: "acceptEdits", files: { ...situation.files, "/srv/repo/out": "-> /etc" } }
      ] satisfies readonly [Situation]
  ),
  holds: ([verdict]) => verdict !== "allow"
})
