/**
 * What a failed file operation means to a person.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"

/**
 * Says in a few words why a file operation failed, without the path.
 *
 * @category formatting
 * @since 0.1.0
 */
export const whyFailed = (error: unknown): string => {
  const code = errno(error)
  const known = code === undefined ? undefined : reasons[code]
  return known ?? (code === undefined ? "failed for a reason that the system does not name" : `failed with ${code}`)
}

const errno = (error: unknown): string | undefined => {
  let current = error
  for (let depth = 0; depth < 5 && Predicate.isObject(current); depth++) {
    if (Predicate.hasProperty(current, "code") && Predicate.isString(current.code)) return current.code
    current = Predicate.hasProperty(current, "cause") ? current.cause : undefined
  }
  return undefined
}

const reasons: { readonly [code: string]: string } = {
  EACCES: "may not be opened by this user",
  EPERM: "may not be changed by this user",
  ENOENT: "is not there",
  ENOSPC: "has no space left on its disk",
  EDQUOT: "is beyond this user's disk quota",
  EROFS: "is on a read-only file system",
  ENOTDIR: "has a file where a folder should be",
  EISDIR: "is a folder",
  ELOOP: "is a loop of links",
  EMFILE: "could not be opened, too many files are open",
  ENFILE: "could not be opened, too many files are open",
  ENAMETOOLONG: "has too long a name",
  EFBIG: "is too big",
  EIO: "failed with an error of the disk"
}
