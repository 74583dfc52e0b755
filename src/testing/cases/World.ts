/**
 * The world of a case: the pipeline, with every service as the case has it.
 *
 * @since 0.1.0
 */
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import type { CallContext } from "../../domain/CallContext.ts"
import type { CallEvent } from "../../domain/CallEvent.ts"
import type { Answer } from "../../domain/Question.ts"
import * as ApproverLayers from "../../layers/Approver.ts"
import { questionText } from "../../layers/approver/questionText.ts"
import * as ClassifierLayers from "../../layers/Classifier.ts"
import * as DenialTrackerLayers from "../../layers/DenialTracker.ts"
import * as PathResolverLayers from "../../layers/PathResolver.ts"
import * as ResultStoreLayers from "../../layers/ResultStore.ts"
import * as RuleSourcesLayers from "../../layers/RuleSources.ts"
import * as SessionStoreLayers from "../../layers/SessionStore.ts"
import * as TasksLayers from "../../layers/Tasks.ts"
import * as TrustLayers from "../../layers/Trust.ts"
import { layer as layerPipeline, type Pipeline } from "../../pipeline.ts"
import { Approver } from "../../services/Approver.ts"
import type { PathResolver } from "../../services/PathResolver.ts"
import { RuleSources } from "../../services/RuleSources.ts"
import type { SessionStore } from "../../services/SessionStore.ts"
import type { Tasks } from "../../services/Tasks.ts"
import type { Case } from "./Case.ts"
import * as CaseTools from "./CaseTools.ts"
import type { Need } from "./Check.ts"
import * as MovedFiles from "./MovedFiles.ts"
import type { SeenHook, SeenQuestion, Start } from "./Observation.ts"
import * as Root from "./Root.ts"
import type { SettingsFiles } from "./settingsFiles.ts"
import * as StubHooks from "./StubHooks.ts"

/** What a world notes while calls go through it. */
interface Notebook {
  readonly events: Array<{ readonly at: number; readonly event: CallEvent }>
  readonly starts: Array<Start>
  readonly questions: Array<SeenQuestion>
  readonly hooks: Array<SeenHook>
}

/**
 * What a world is made of. Settings lie in a folder of their own where the
 * working directory is gone.
 *
 * @category models
 * @since 0.1.0
 */
export interface Parts {
  readonly case: Case
  readonly context: CallContext
  readonly root: Root.Root
  readonly settingsRoot: Root.Root
  readonly settings: SettingsFiles
  readonly needs: ReadonlySet<Need>
  readonly notebook: Notebook
}

/**
 * Layer that gives the pipeline of a case. Decisions are made on the paths of
 * the case, on no disk at all; what runs works in the case's folder.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (parts: Parts): Layer.Layer<Pipeline | RuleSources | SessionStore | Tasks> => {
  const { case: one, context, needs, notebook, root } = parts
  const stores = Layer.mergeAll(SessionStoreLayers.layerFiles(root.state), TasksLayers.layerFiles(root.state)).pipe(
    Layer.provideMerge(NodeServices.layer)
  )
  const results = ResultStoreLayers.layerFiles(resultFolder(one, root))
  const services = Layer.mergeAll(
    CaseTools.layer(one, root, needs, notebook.starts).pipe(Layer.provide(results)),
    rules(parts),
    StubHooks.layer(root, notebook.hooks),
    ClassifierLayers.layerStatic,
    approver(one, notebook.questions),
    results,
    DenialTrackerLayers.layerSession()
  ).pipe(Layer.provideMerge(paths(one.given)))
  return layerPipeline(context).pipe(Layer.provideMerge(services), Layer.provideMerge(stores))
}

const resultFolder = ({ given }: Case, root: Root.Root): string => {
  const folder = given.settings?.resultDirectory
  if (folder === undefined) return root.state
  if (folder !== "unwritable") return root.real(folder)
  // Nobody can make a folder below a file, not even a user for whom no mode counts.
  Root.write(root, "/unwritable", "")
  return root.real("/unwritable/results")
}

const rules = (
  { case: { given }, settings, settingsRoot }: Parts
): Layer.Layer<RuleSources, never, FileSystem.FileSystem | Path.Path | SessionStore> => {
  const trusted = given.settings?.trusted === false ? [] : ["/", given.cwd]
  const files = RuleSourcesLayers.layerSettings(settings.options).pipe(
    Layer.provide([
      MovedFiles.layer(settingsRoot),
      given.platform === "win32" ? NodePath.layerWin32 : NodePath.layerPosix,
      TrustLayers.layerMemory(trusted)
    ])
  )
  return Layer.effect(
    RuleSources,
    Effect.map(RuleSources, (sources) => ({
      ...sources,
      policy: (context) => Effect.map(sources.policy(context), settings.beside)
    }))
  ).pipe(Layer.provide(files))
}

const approver = ({ given }: Case, questions: Array<SeenQuestion>): Layer.Layer<Approver> =>
  given.settings?.interactive === false ?
    ApproverLayers.layerDeny("there is no terminal to ask at") :
    Layer.succeed(Approver, {
      ask: Effect.fnUntraced(function*(question) {
        const from = yield* Clock.currentTimeMillis
        // Long enough for a second question to come in between, were it to.
        yield* Effect.sleep(given.batch === undefined ? 0 : 50)
        const { hidden, rows } = questionText(question, { columns: 80, height: 24, gutter: "| " })
        const to = yield* Clock.currentTimeMillis
        questions.push({ question, text: rows.map(({ text }) => text).join("\n"), hidden, from, to })
        const answer: Answer = given.userAnswers?.[question.id] === "allow"
          ? { _tag: "Once" }
          : { _tag: "Denied" }
        return answer
      })
    })

const paths = ({ fs = {}, home = "/home/dev", platform = "linux" }: Case["given"]): Layer.Layer<PathResolver> => {
  const files = Object.fromEntries(
    Object.entries(fs).flatMap(([path, entry]) => typeof entry === "string" ? [[path, entry]] : [])
  )
  return PathResolverLayers.layerVirtual(files, {
    home,
    platform,
    ...(typeof fs["caseInsensitive"] === "boolean" ? { caseInsensitive: fs["caseInsensitive"] } : {})
  })
}
