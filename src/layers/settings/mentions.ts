/**
 * Whether git's index lists a file. Git itself is not asked: a repository's own
 * configuration could make it run programs.
 *
 * @since 0.1.0
 */

/**
 * Whether an index lists a path. What can't be read for certain counts as
 * listed, and so does a path that differs in case alone.
 *
 * **Details**
 *
 * Of a split or sparse index, which leaves paths to another file or out, nothing
 * can be said.
 *
 * @category searching
 * @since 0.1.0
 */
export const mentions = (index: Uint8Array, path: string): boolean => {
  const wanted = path.toLowerCase()
  // A repository names its files by hashes of 20 bytes or, rarely, of 32.
  return lists(index, 20, wanted) ?? lists(index, 32, wanted) ?? true
}

const lists = (index: Uint8Array, hash: number, wanted: string): boolean | undefined => {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength)
  const end = index.length - hash
  if (end < 12 || view.getUint32(0) !== signature("DIRC")) return undefined
  const version = view.getUint32(4)
  if (version < 2 || version > 4) return undefined

  let found = false
  let offset = 12
  let previous = ""
  for (let left = view.getUint32(8); left > 0; left--) {
    const start = offset
    const flags = start + 40 + hash
    if (flags + 2 > end) return undefined
    offset = flags + ((view.getUint16(flags) & 0x4000) === 0 ? 2 : 4)
    if (version === 4) {
      const strip = readVariable(index, offset)
      previous = previous.slice(0, Math.max(0, previous.length - strip.value))
      offset = strip.offset
    }
    const stop = index.indexOf(0, offset)
    if (stop < 0 || stop > end) return undefined
    const written = latin1(index.subarray(offset, stop))
    const name = version === 4 ? previous + written : written
    previous = name
    const listed = name.toLowerCase()
    // An entry that the path lies in is another repository, brought along with all it holds.
    found ||= listed === wanted || wanted.startsWith(`${listed}/`)
    offset = version === 4 ? stop + 1 : start + (Math.floor((stop - start) / 8) + 1) * 8
  }
  return readExtensions(view, offset, end, found)
}

const readExtensions = (view: DataView, from: number, end: number, found: boolean): boolean | undefined => {
  let offset = from
  let unsure = false
  while (offset + 8 <= end) {
    const name = view.getUint32(offset)
    unsure ||= name === signature("link") || name === signature("sdir")
    offset += 8 + view.getUint32(offset + 4)
  }
  return offset === end ? found || unsure : undefined
}

const readVariable = (bytes: Uint8Array, from: number): { readonly value: number; readonly offset: number } => {
  let offset = from
  let byte = bytes[offset++] ?? 0
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0 && offset < bytes.length) {
    byte = bytes[offset++] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, offset }
}

const signature = (text: string): number => [...text].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0)

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
