/**
 * A place for tests.
 *
 * @since 0.1.0
 */
import type { Place } from "../../../src/domain/Place.ts"

/** Makes a place on Linux in `/repo`, changed as told. */
export const place = (changes: Partial<Place> = {}): Place => ({
  cwd: "/repo",
  projectRoot: "/repo",
  home: "/home/dev",
  directories: [],
  platform: "linux",
  caseInsensitive: false,
  protectedPaths: [],
  ...changes
})

/** A place on Windows. */
export const windows: Place = place({
  cwd: "C:\\work\\repo",
  projectRoot: "C:\\work\\repo",
  home: "C:\\Users\\dev",
  platform: "win32",
  caseInsensitive: true
})
