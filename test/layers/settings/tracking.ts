/** A git index that lists one file. */
export const tracking = (name: string): Uint8Array => {
  const entry = Buffer.alloc(Math.floor((62 + name.length) / 8 + 1) * 8)
  entry.writeUInt16BE(name.length, 60)
  entry.write(name, 62)
  return Buffer.concat([Buffer.from("DIRC\0\0\0\x02\0\0\0\x01", "latin1"), entry, Buffer.alloc(20)])
}
