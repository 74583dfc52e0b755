/**
 * Sizes, for people and models to read.
 *
 * @since 0.1.0
 */

/**
 * Returns a number of bytes in words.
 *
 * **Example** (Half a megabyte more)
 *
 * ```ts
 * import { showSize } from "toolgate/tools/showSize"
 *
 * showSize(1_572_864) // => "1.5 MB"
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const showSize = (bytes: number): string => {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`
  const unit = bytes < 1024 ** 2 ? 1 : bytes < 1024 ** 3 ? 2 : 3
  const number = bytes / 1024 ** unit
  return `${number < 10 ? Math.round(number * 10) / 10 : Math.round(number)} ${["KB", "MB", "GB"][unit - 1]}`
}
