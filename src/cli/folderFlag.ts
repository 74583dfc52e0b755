/**
 * Flags that name a folder.
 *
 * @since 0.1.0
 */
import type * as Flag from "effect/cli/Flag"
import * as Param from "effect/cli/Param"
import * as Primitive from "effect/cli/Primitive"
import * as Effect from "effect/Effect"

/**
 * Makes a flag whose value is a folder that is there. An empty name, as of a
 * variable that nobody set, is not the folder that one is in.
 *
 * @category flags
 * @since 0.1.0
 */
export const folderFlag = (name: string): Flag.Flag<string> =>
  Param.makeSingle({ kind: Param.flagKind, name, typeName: "directory", primitiveType: named })

const there = Primitive.Path("directory", true)

// The same kind of value in all else, so that shells go on completing folders.
const named: Primitive.Primitive<string> = Object.assign(Object.create(there), {
  parse: (value: string) => value === "" ? Effect.fail("a folder that is there") : there.parse(value)
})
