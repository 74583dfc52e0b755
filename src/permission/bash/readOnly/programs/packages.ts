/**
 * Package managers, where they list what is installed without asking a
 * registry and without running anything of the project. `yarn` and `pnpm` are
 * not here: a project can say which build of them runs.
 *
 * @since 0.1.0
 */
import type { Program, Programs } from "../Program.ts"

const npmList: Program = {
  flags: `
    -a --all -l --long --json -p --parseable -g --global --depth: --omit: --include: --link -w: --workspace:
    --workspaces --no-workspaces --prod --production --package-lock-only
  `,
  operands: "text"
}

const pip: Program = {
  flags: "-V --version -h --help",
  operands: "text",
  stops: true,
  subcommands: {
    list: {
      flags: `
        -l --local --user -e --editable --not-required --include-editable --exclude-editable --exclude: --format: -v
        --verbose -q --quiet --disable-pip-version-check
      `,
      dangers: [[
        `
        -o --outdated -u --uptodate -i: --index-url: --extra-index-url: -f: --find-links: --pre
      `,
        "asks a package index"
      ]],
      operands: "none"
    },
    show: { flags: "-f --files -v --verbose -q --quiet --disable-pip-version-check", operands: "text" },
    freeze: { flags: "-l --local --user --all --exclude: --exclude-editable -q --quiet", operands: "none" }
  }
}

/**
 * Package managers.
 *
 * @category data
 * @since 0.1.0
 */
export const packages: Programs = {
  npm: {
    flags: "-v --version -h --help",
    operands: "text",
    stops: true,
    subcommands: {
      ls: npmList,
      list: npmList,
      ll: npmList,
      root: { flags: "-g --global", operands: "none" },
      prefix: { flags: "-g --global", operands: "none" }
    }
  },
  pip,
  pip3: pip
}
