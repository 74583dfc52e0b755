/**
 * Programs of which some subcommands start another program: `docker exec`,
 * `npm exec`, `poetry run`.
 *
 * @since 0.1.0
 */
import type { CarrierSpec } from "./carriers.ts"

const container: CarrierSpec = {
  options:
    "-d -i -t -P -q --detach --interactive --tty --rm --init --privileged --read-only --publish-all --no-healthcheck --oom-kill-disable --sig-proxy? --disable-content-trust? --quiet --no-deps --service-ports --use-aliases --build --remove-orphans -T --no-TTY --no-tty --entrypoint=",
  operands: 1,
  unknownTakesValue: true,
  displaces: true,
  delegate: true
}

const image: CarrierSpec = {
  options:
    "-c -C -e -f -i -p -u -w --bind: --cleanenv --compat --contain --containall --fakeroot --ipc --net --no-home --no-init --no-privs --nv --nvccli --pid --rocm --userns --uts --writable --writable-tmpfs",
  operands: 1,
  unknownTakesValue: true,
  displaces: true,
  delegate: true
}

const remainder: CarrierSpec = { options: "--", unknownTakesValue: false, delegate: true }

/**
 * By program, then by subcommand. Options that stand before the subcommand are
 * passed over, with their values where the word after them is no subcommand.
 *
 * @category tables
 * @since 0.1.0
 */
export const subcommandCarriers: ReadonlyMap<string, Readonly<Record<string, CarrierSpec>>> = new Map(Object.entries({
  docker: { exec: container, run: container, create: container },
  podman: { exec: container, run: container, create: container, unshare: remainder },
  nerdctl: { exec: container, run: container, create: container },
  "docker-compose": { exec: container, run: container },
  "podman-compose": { exec: container, run: container },
  kubectl: { exec: { ...container, options: "-i -t -q --stdin --tty --quiet" }, run: container, debug: container },
  oc: { exec: { ...container, options: "-i -t -q --stdin --tty --quiet" }, rsh: container },
  lxc: { exec: { operands: 1, unknownTakesValue: true, delegate: true } },
  apptainer: { exec: image, shell: image },
  singularity: { exec: image, shell: image },
  toolbox: { run: { options: "-c: --container: -d: --distro: -r: --release:", delegate: true } },
  distrobox: { enter: { ...remainder, unknownTakesValue: true } },
  flatpak: {
    run: { options: "--devel --runtime? --command= --user --system", operands: 1, delegate: true },
    "enter": { operands: 1, delegate: true }
  },
  npm: {
    exec: {
      options: "-y -q -c= -p: --yes --no --silent --package: --call= -w: --workspace: --workspaces",
      delegate: true
    },
    x: {
      options: "-y -q -c= -p: --yes --no --silent --package: --call= -w: --workspace: --workspaces",
      delegate: true
    }
  },
  pnpm: {
    exec: {
      options: "-r -c --recursive --parallel --no-bail --resume-from: --report-summary --filter:",
      delegate: true
    },
    dlx: { options: "-c --package: --silent --allow-build:", delegate: true }
  },
  yarn: {
    exec: { options: "-s", delegate: true },
    dlx: { options: "-p: --package: -q --quiet", delegate: true },
    run: { options: "-s -T -B --silent --inspect? --inspect-brk?", delegate: true }
  },
  bun: {
    x: { options: "--bun --silent --verbose --no-install", delegate: true },
    exec: { text: true, delegate: true }
  },
  poetry: { run: remainder },
  pipenv: { run: remainder },
  pdm: { run: remainder },
  rye: { run: remainder },
  hatch: { run: remainder },
  uv: {
    run: {
      options:
        "-q -v -n -m --quiet --verbose --offline --isolated --no-cache --no-sync --frozen --locked --all-extras --no-dev --dev --active --exact --no-project --module --script",
      unknownTakesValue: true,
      delegate: true
    }
  },
  conda: {
    run: {
      options: "-v --no-capture-output --live-stream --dev --debug-wrapper-scripts -n: -p: --name: --prefix: --cwd:",
      delegate: true
    }
  },
  mamba: { run: { options: "-v --no-capture-output --live-stream -n: -p: --name: --prefix: --cwd:", delegate: true } },
  micromamba: { run: { options: "-a: -e: -n: -p: --name: --prefix: --cwd: -d --detach", delegate: true } },
  bundle: { exec: { options: "--keep-file-descriptors --gemfile:", delegate: true } },
  rbenv: { exec: remainder },
  pyenv: { exec: remainder },
  nodenv: { exec: remainder },
  asdf: { exec: remainder },
  volta: { run: { options: "--node: --npm: --yarn: --bundled-npm --no-yarn --env:", delegate: true } },
  fnm: { exec: { options: "--using: --", delegate: true } },
  nvm: {
    exec: { options: "--silent", operands: 1, delegate: true },
    run: { options: "--silent", operands: 1, delegate: true }
  },
  rustup: { run: { options: "--install", operands: 1, delegate: true } },
  mise: {
    exec: { options: "-C: -j: -q --cd: --jobs: --raw --command= -c= --", delegate: true, operands: 0 },
    x: { options: "-C: -j: -q --cd: --jobs: --raw --command= -c= --", delegate: true }
  },
  direnv: { exec: { operands: 1, delegate: true } },
  devbox: { run: { options: "-q -l --quiet --list --pure", unknownTakesValue: true, delegate: true } },
  nix: {
    develop: { options: "-c --command --impure --pure-eval --offline", unknownTakesValue: true, delegate: true },
    shell: { options: "-c --command --impure --offline", unknownTakesValue: true, delegate: true },
    run: { unknownTakesValue: true, operands: 1, delegate: true }
  },
  guix: { shell: remainder, environment: remainder },
  op: { run: { ...remainder, unknownTakesValue: true } },
  doppler: {
    run: { options: "--command= --fallback-only --preserve-env? --", unknownTakesValue: true, delegate: true }
  },
  infisical: { run: { options: "--command= --", unknownTakesValue: true, delegate: true } },
  chamber: { exec: { ...remainder, operands: 1 } },
  teller: { run: remainder },
  vagrant: { ssh: { options: "-c= --command= -p --plain", delegate: true } },
  heroku: { run: { options: "-a: --app: -r: --remote: -s: --size: --exit-code -x --no-tty", delegate: true } },
  fly: { ssh: { options: "-C= --command= -a: --app:", delegate: true } },
  flyctl: { ssh: { options: "-C= --command= -a: --app:", delegate: true } },
  gcloud: { "compute ssh": { options: "--command= --zone: --project:", operands: 1, delegate: true } },
  ip: { "netns exec": { operands: 1, delegate: true }, "vrf exec": { operands: 1, delegate: true } },
  tmux: {
    "new-session": { options: "-A -d -D -E -P -X -c: -e: -f: -F: -n: -s: -t: -x: -y:", text: true, delegate: true },
    new: { options: "-A -d -D -E -P -X -c: -e: -f: -F: -n: -s: -t: -x: -y:", text: true, delegate: true },
    "new-window": { options: "-a -b -d -k -P -S -c: -e: -F: -n: -t:", text: true, delegate: true },
    neww: { options: "-a -b -d -k -P -S -c: -e: -F: -n: -t:", text: true, delegate: true },
    "split-window": { options: "-b -d -f -h -I -v -P -Z -c: -e: -l: -p: -t: -F:", text: true, delegate: true },
    splitw: { options: "-b -d -f -h -I -v -P -Z -c: -e: -l: -p: -t: -F:", text: true, delegate: true },
    "run-shell": { options: "-b -C -c: -d: -t:", text: true, delegate: true },
    run: { options: "-b -C -c: -d: -t:", text: true, delegate: true },
    "send-keys": { options: "-F -H -K -l -M -R -X -c: -N: -t:", text: true, delegate: true },
    send: { options: "-F -H -K -l -M -R -X -c: -N: -t:", text: true, delegate: true }
  },
  perf: {
    stat: { unknownTakesValue: true, delegate: true },
    record: { options: "-g -a", unknownTakesValue: true, delegate: true }
  }
}))
