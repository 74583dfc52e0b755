import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { readRecording } from "../../src/trace/Recording.ts"
import { traceOf } from "../../src/trace/traceOf.ts"
import { tracePage } from "../../src/trace/tracePage.ts"
import { conversation, hostile } from "./recordings.ts"

const runs = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const executablePath = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "chromium")).find(runs)
const unable = executablePath === undefined ? " (skipped: no chromium is in PATH)" : ""

// A machine that is busy is slow: this ends what never happens, sooner than the limit of a test, which has no word for it.
const patience = 400_000

const trace = traceOf(readRecording(conversation).events)
const last = trace.steps.length

describe.skipIf(executablePath === undefined)(`the page in a browser${unable}`, () => {
  let folder: string
  let file: string
  let browser: Browser
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "toolgate-page-"))
    file = join(folder, "trace.html")
    writeFileSync(file, tracePage(trace, ["line 3 is not JSON, it is left out"]))
    browser = await chromium.launch({ executablePath: executablePath ?? "", timeout: patience })
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a page, and fails if it asks for anything, complains about anything or shows a dialog. */
  const visit = async (
    use: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
    path?: string
  ): Promise<void> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
    context.setDefaultTimeout(patience)
    const seen: Array<string> = []
    const page = await context.newPage()
    page.on("console", (message) => seen.push(message.text()))
    page.on("pageerror", (error) => seen.push(error.message))
    page.on("request", (request) => seen.push(request.url()))
    page.on("dialog", (dialog) => {
      seen.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    const url = pathToFileURL(path ?? file).href
    try {
      await page.goto(url)
      await use(page)
      assert.deepStrictEqual(seen.filter((one) => one.split("#")[0] !== url), [])
    } finally {
      await context.close()
    }
  }

  const step = async (page: Page): Promise<number> =>
    Number(await page.getByRole("slider", { name: "Step" }).inputValue())
  const until = (page: Page, selector: string) => page.locator(selector).waitFor({ state: "attached" })
  const atLeast = (number: number) => `.watching #s${number}:not(.future)`
  const playing = "document.body.classList.contains('playing')"

  it("opens with the whole trace readable, its parties, calls and problems", () =>
    visit(async (page) => {
      assert.strictEqual(await page.locator(".step").count(), last)
      assert.isTrue(await page.getByRole("heading", { level: 1 }).isVisible())
      assert.deepStrictEqual(await page.locator(".lanes span").allTextContents(), [
        "you",
        "host",
        "model",
        "gate",
        "tool",
        "disk"
      ])
      assert.isTrue(await page.getByText("line 3 is not JSON").isVisible())
      assert.strictEqual(await page.locator(".future, .present").count(), 0)
    }))

  it("shows where a denied call leaves the path, and what it did not come to", () =>
    visit(async (page) => {
      const rail = page.getByRole("list", { name: "Stages of call 2: denied at permission" })
      assert.deepStrictEqual(await rail.locator(".never").allInnerTexts(), [
        "execute\n, not reached",
        "result\n, not reached",
        "postHook\n, not reached"
      ])
      assert.strictEqual(await rail.locator(".ended").innerText(), "permission")
      assert.deepStrictEqual(await page.locator(".ghost .title").allInnerTexts(), [
        "execute not reached",
        "result not reached",
        "postHook not reached"
      ])
    }))

  it("plays and pauses by the space bar, faster on +, to the end and from the start again", () =>
    visit(async (page) => {
      for (const key of ["+", "+", "+", "+"]) await page.keyboard.press(key)
      assert.strictEqual(await page.getByRole("combobox", { name: "Speed" }).inputValue(), "4")
      await page.keyboard.press("Space")
      await until(page, atLeast(3))
      await page.keyboard.press("Space")
      assert.isFalse(await page.evaluate(playing))
      assert.isTrue(await page.getByRole("button", { name: "Play", exact: true }).isVisible())

      await page.keyboard.press("End")
      await page.keyboard.press("ArrowLeft")
      await page.keyboard.press("Space")
      await until(page, "body:not(.playing)")
      assert.strictEqual(await step(page), last)
      await page.keyboard.press("Space")
      await until(page, `.playing #s${last}.future`)
    }))

  it("steps, jumps and shows all again by keyboard alone", () =>
    visit(async (page) => {
      const keys = [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["ArrowLeft", 1], ["End", last]] as const
      for (const [key, expected] of [...keys, ["ArrowRight", last], ["Home", 1]] as const) {
        await page.keyboard.press(key)
        assert.strictEqual(await step(page), expected, key)
        assert.strictEqual(await page.locator("[aria-current=step]").count(), 1)
        assert.strictEqual(await page.locator(".future").count(), last - expected)
      }
      assert.match(await page.getByRole("status").innerText(), /^Step 1: you to host/)
      await page.keyboard.press("Escape")
      assert.strictEqual(await page.locator(".future, .present").count(), 0)
    }))

  it("counts steps, turns and calls, and shows the call's stages as it goes", () =>
    visit(async (page) => {
      const denied = trace.steps.findIndex(({ missed }) => missed !== undefined) + 1
      await page.locator(`#s${denied} .meta a`).click()
      assert.strictEqual(await step(page), denied)
      assert.strictEqual(
        await page.locator(".counter").innerText(),
        `Step ${denied} of ${last}, turn 1 of 3, call 2 of 3`
      )
      assert.strictEqual(await page.locator(".now-rail .current").innerText(), "permission")
      assert.deepStrictEqual(await page.locator(".lanes .active").allInnerTexts(), ["gate"])
    }))

  it("every control has a name, can be reached by Tab and shows that it has the focus", () =>
    visit(async (page) => {
      const names: Array<string> = []
      await page.locator(".dock").evaluate("document.querySelector('.first').focus()")
      for (let count = 0; count < 8; count++) {
        names.push(
          await page.evaluate<string>(
            "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
          )
        )
        assert.isTrue(await page.evaluate("document.activeElement.matches(':focus-visible')"))
        assert.notStrictEqual(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none")
        await page.keyboard.press("Tab")
      }
      assert.deepStrictEqual(names, [
        "First step",
        "Step back",
        "Play",
        "Step forward",
        "Last step",
        "Step",
        "Speed",
        "Show the whole trace"
      ])
    }))

  it("a control that has the focus does what it does once", () =>
    visit(async (page) => {
      await page.getByRole("button", { name: "Step forward" }).focus()
      await page.keyboard.press("Space")
      await page.keyboard.press("Enter")
      assert.strictEqual(await step(page), 2)
      await page.getByRole("slider").focus()
      await page.keyboard.press("ArrowRight")
      assert.strictEqual(await step(page), 3)
      await page.getByRole("slider").fill("7")
      assert.strictEqual(await page.locator("[aria-current=step]").getAttribute("id"), "s7")
    }))

  it("moves a token along the arrow, and none where motion is to be reduced", async () => {
    await visit(async (page) => {
      await page.keyboard.press("ArrowRight")
      assert.strictEqual(await page.locator(".present .token").count(), 1)
    })
    await visit(async (page) => {
      await page.keyboard.press("ArrowRight")
      assert.strictEqual(await page.locator(".token").count(), 0)
      assert.strictEqual(await page.evaluate("document.getAnimations().length"), 0)
      await page.keyboard.press("Space")
      await until(page, atLeast(2))
    }, { reducedMotion: "reduce" })
  })

  it("nothing is wider than the window, down to 320 pixels", async () => {
    for (const width of [1280, 1000, 700, 390, 320]) {
      await visit(async (page) => {
        const wide = "document.documentElement.scrollWidth"
        assert.isAtMost(await page.evaluate<number>(wide), width)
        await page.keyboard.press("End")
        assert.isAtMost(await page.evaluate<number>(wide), width)
      }, { viewport: { width, height: 800 } })
    }
  })

  it("every text can be read against its ground, light and dark, on paper too", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await visit(async (page) => {
        for (const media of ["screen", "print"] as const) {
          await page.emulateMedia({ media, colorScheme })
          assert.deepStrictEqual(await page.evaluate(contrasts), [], `${colorScheme}, ${media}`)
        }
      }, { colorScheme, reducedMotion: "reduce" })
    }
  })

  it("without scripts all of it is there, and long texts unfold", () =>
    visit(async (page) => {
      assert.isFalse(await page.locator(".dock").isVisible())
      assert.strictEqual(await page.locator(".step .title").filter({ visible: true }).count(), last)
      const fold = page.locator("details").first()
      assert.isFalse(await fold.locator("pre").isVisible())
      await fold.locator("summary").click()
      assert.isTrue(await fold.locator("pre").isVisible())
    }, { javaScriptEnabled: false }))

  it("on paper the controls are gone and what was folded is open", () =>
    visit(async (page) => {
      await page.emulateMedia({ media: "print" })
      assert.isFalse(await page.locator(".dock").isVisible())
      assert.isTrue(await page.locator("details pre").first().isVisible())
      assert.strictEqual(await page.locator(".peek").filter({ visible: true }).count(), 0)
    }))

  it("its policy runs no script but its own", async () => {
    const context = await browser.newContext()
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    await page.goto(pathToFileURL(file).href)
    const blocked = page.evaluate(
      "new Promise((done) => addEventListener('securitypolicyviolation', done, { once: true }))"
    )
    await page.evaluate(
      "const own = document.createElement('script'); own.textContent = 'window.evil = true'; document.body.append(own)"
    )
    await blocked
    assert.isUndefined(await page.evaluate("window.evil"))
    await context.close()
  })

  it("texts that want to be more are shown as they are", async () => {
    const path = join(folder, "hostile.html")
    const events = hostile.map((text, at) => ({ at, event: { _tag: "TurnEnded", id: text, reason: text } } as const))
    writeFileSync(path, tracePage(traceOf(events), []))
    await visit(
      async (page) => {
        const texts = await page.locator("pre.said").allTextContents()
        assert.strictEqual(texts.length, hostile.length)
        assert.deepStrictEqual(texts.slice(0, 7), hostile.slice(0, 7))
        assert.deepStrictEqual(texts.slice(7, 10), [
          "<U+202E>gnp.exe",
          "<NUL><ESC>[2J<BEL>",
          "line<U+2028>separator<U+2029>"
        ])
        assert.strictEqual(await page.locator("img, h1 ~ h1").count(), 0)
      },
      { viewport: { width: 390, height: 800 } },
      path
    )
  })
})

/** The texts whose contrast is below 4.5, what is greyed on purpose left out. */
const contrasts = `(() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number)
  const light = (color) => {
    const [r, g, b] = numbers(color).map((n) => n / 255).map((n) => n <= .04045 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4)
    return .2126 * r + .7152 * g + .0722 * b
  }
  const ground = (element) => {
    const { backgroundColor } = getComputedStyle(element)
    return numbers(backgroundColor)[3] === 0 ? ground(element.parentElement) : backgroundColor
  }
  return [...document.querySelectorAll("body *")].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "") &&
    element.checkVisibility() && !element.closest(".never, .ghost, .peek, script, option")
  ).flatMap((element) => {
    const [one, other] = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a)
    const contrast = (one + .05) / (other + .05)
    return contrast < 4.5 ? [element.className + " " + element.textContent.slice(0, 40) + " " + contrast.toFixed(2)] : []
  })
})()`
