/**
 * Paths that mean another file to each process: `/proc/self/cwd/x` is in the
 * folder of whoever opens it, not of whoever looks the path up.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import { gap, wordOf } from "./WordDraft.ts"

/**
 * Says whether a path leads through what differs from process to process.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isOwnView = (path: string): boolean => {
  if (!path.includes("/proc") && !path.includes("/fd/")) return false
  return /\/proc\/+(?:\.\/+)*(?:self|thread-self|[0-9]+)(?:\/|$)|\/dev\/+(?:\.\/+)*fd\/+(?![0-9]+$)/.test(path)
}

/**
 * Returns a word that names a file, unknown where its path is such a one.
 *
 * @category reading
 * @since 0.1.0
 */
export const asOwnView = (word: Word): Word =>
  word.value !== undefined && isOwnView(word.value)
    ? wordOf(word.source, [{ text: word.value, bare: false }, gap], false)
    : word
