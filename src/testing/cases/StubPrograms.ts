/**
 * Programs that stand in for those that a command line of a case had better not
 * start.
 *
 * @since 0.1.0
 */
import * as Root from "./Root.ts"

/**
 * Writes the programs into the case's folder.
 *
 * @category writing
 * @since 0.1.0
 */
export const write = (root: Root.Root): void => {
  for (const name of names) Root.write(root, `/.programs/${name}`, "#!/bin/sh\nexit 0\n", 0o755)
}

/**
 * The environment of a command line: the programs above before all others.
 *
 * @category getters
 * @since 0.1.0
 */
export const environment = (root: Root.Root): { readonly [name: string]: string | undefined } => ({
  PATH: `${root.real("/.programs")}:${process.env["PATH"] ?? "/usr/bin:/bin"}`,
  LANG: process.env["LANG"],
  HOME: root.home,
  TMPDIR: root.path,
  TOOLGATE_CASE: root.marker
})

// Package managers, version control and clouds, whatever reaches over the network, and what changes the machine.
const names: ReadonlyArray<string> = [
  "apt apt-get brew bun cargo gem go make npm npx pip pip3 pnpm yarn",
  "aws az docker doctl gcloud gh git heroku kubectl podman terraform",
  "curl mysql nc psql rsync scp ssh wget",
  "chown crontab dd doas mkfs mount reboot shutdown su sudo systemctl umount useradd"
].flatMap((line) => line.split(" "))
