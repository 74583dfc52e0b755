/**
 * Programs that start other programs: how their own options are told from the
 * command they run. After their manual pages (GNU coreutils 9, util-linux 2.38,
 * procps 4, findutils 4.9, sudo 1.9, and each project's own).
 *
 * @since 0.1.0
 */

/**
 * How a program carries another one.
 *
 * **Details**
 *
 * `options` lists what the program understands, separated by blanks: `-f` and
 * `--foreground` stand alone, `-k:` and `--kill-after:` take a value, `-i?` and
 * `--replace?` take one only when it is glued on, `--bind::` takes two. `-c=` and `--command=` take a
 * text that a shell runs. `#` is any `-NUMBER`.
 * `operands` is how many words follow before the command, and what fits
 * `optionalOperand` may follow. With `assignments`, words like `A=1` may too. `text`: what follows is joined and
 * given to a shell. `transparent` only where running it is running the command
 * and nothing else, whatever of its options is given; `exactOnly` where no
 * allow rule with a gap may cover it. `appends`: it adds arguments that it
 * reads. `shell`: without a command it starts a shell. `displaces`: the command
 * sees another file system. `delegate`: what it
 * starts runs elsewhere or later. `unknownTakesValue`: only the options without
 * a value are listed.
 *
 * @category models
 * @since 0.1.0
 */
export interface CarrierSpec {
  readonly options?: string
  readonly operands?: number
  readonly optionalOperand?: RegExp
  readonly assignments?: boolean
  readonly text?: boolean
  readonly transparent?: boolean
  readonly exactOnly?: boolean
  readonly delegate?: boolean
  readonly unknownTakesValue?: boolean
  readonly appends?: boolean
  readonly shell?: boolean
  readonly displaces?: boolean
}

/**
 * The programs, by name.
 *
 * @category tables
 * @since 0.1.0
 */
export const carriers: ReadonlyMap<string, CarrierSpec> = new Map(Object.entries<CarrierSpec>({
  timeout: {
    options: "-k: -s: -v -f -p --kill-after: --signal: --preserve-status --foreground --verbose",
    operands: 1,
    transparent: true
  },
  gtimeout: {
    options: "-k: -s: -v -f -p --kill-after: --signal: --preserve-status --foreground --verbose",
    operands: 1
  },
  time: { options: "-p -v --portability --verbose", transparent: true },
  gtime: { options: "-p -v -f: -o: -a -q --portability --verbose --format: --output: --append --quiet" },
  nice: { options: "-n: # --adjustment:", transparent: true },
  nohup: { options: "", transparent: true },
  stdbuf: { options: "-i: -o: -e: --input: --output: --error:", transparent: true },
  command: { options: "-p", transparent: true },
  builtin: { options: "", transparent: true },
  noglob: { options: "", transparent: true },
  nocorrect: { options: "" },
  exec: { options: "-c -l -a:" },
  gdb: { options: "--args -q -quiet --quiet -batch --batch -nx --nx -ex: --ex: -x: --command:", delegate: true },
  lldb: { options: "-- -b --batch -o: --one-line: -s: --source: -Q", delegate: true },
  env: {
    options:
      "- -i -0 -v -u: -C: -S= --ignore-environment --null --debug --unset: --chdir: --split-string= --block-signal? --default-signal? --ignore-signal? --list-signal-handling --argv0: -a:",
    assignments: true
  },
  sudo: {
    shell: true,
    options:
      "-A -b -B -E -e -H -i -k -K -l -n -N -P -S -s -V -v -a: -C: -c: -D: -g: -h: -p: -R: -r: -T: -t: -U: -u: --askpass --background --bell --edit --login --non-interactive --preserve-env? --preserve-groups --remove-timestamp --reset-timestamp --set-home --shell --stdin --validate --list --no-update --close-from: --chdir: --group: --host: --prompt: --chroot: --role: --command-timeout: --type: --other-user: --user:",
    assignments: true
  },
  doas: { shell: true, options: "-n -s -L -a: -C: -u:" },
  run0: {
    options:
      "-u: -g: -D: --unit: --property: --description: --slice: --slice-inherit --user: --group: --nice: --chdir: --setenv: --background: --no-ask-password --pipe --pty",
    assignments: true
  },
  pkexec: { options: "-u: --user: --disable-internal-agent --keep-cwd" },
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  setpriv: {
    options: "-d --no-new-privs --clear-groups --keep-groups --init-groups --reset-env --dump",
    unknownTakesValue: true
  },
  runuser: {
    shell: true,
    options:
      "-c= --command= --session-command= -u: --user: -g: --group: -G: --supp-group: -s: --shell: -T -P --pty -f --fast -l - --login -m -p --preserve-environment -w: --whitelist-environment:"
  },
  su: {
    shell: true,
    options:
      "-c= --command= --session-command= -g: --group: -G: --supp-group: -s: --shell: -T -P --pty -f --fast -l - --login -m -p --preserve-environment -w: --whitelist-environment:",
    operands: 1
  },
  xargs: {
    options:
      "-0 -o -p -r -t -x -a: -d: -E: -e? -I: -i? -L: -l? -n: -P: -s: --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --arg-file: --delimiter: --eof? --replace? --max-lines? --max-args: --max-procs: --max-chars: --process-slot-var: -J: -R: -S:",
    transparent: true,
    appends: true
  },
  parallel: {
    options:
      "-0 -k -u -t -p -v -X -m -q -x -P: -j: -I: -a: -d: -C: -n: -N: -L: -S: -s: -E: --jobs: --keep-order --group --ungroup --line-buffer --lb --dry-run --dryrun --verbose --bar --progress --eta --halt: --halt-on-error: --colsep: --delimiter: --arg-file: --joblog: --results: --retries: --timeout: --delay: --load: --memfree: --nice: --sshlogin: --tag --no-notice --will-cite --null --pipe --max-args: --max-replace-args: --xargs --colour --color --shuf --silent --no-run-if-empty -r --env: --workdir: --wd: --tempdir: --tmpdir: --block: --linebuffer",
    text: true,
    appends: true,
    delegate: true
  },
  watchexec: {
    options:
      "-c? -h -N -n -p -q -r -v -V -1 --clear? --help --notify --no-process-group --postpone --quiet --restart --verbose? --no-vcs-ignore --no-project-ignore --no-global-ignore --no-default-ignore --no-discover-ignore --no-meta --timings --print-events --emit-events-to: --stdin-quit",
    text: true,
    delegate: true,
    unknownTakesValue: true
  },
  watch: {
    options:
      "-b -c -C -d? -e -g -n: -p -q: -r -t -w -x -s: --beep --color --no-color --differences? --errexit --chgexit --interval: --precise --equexit: --no-rerun --no-title --no-wrap --exec --shotsdir:",
    text: true,
    exactOnly: true
  },
  setsid: { options: "-c -f -w --ctty --fork --wait", exactOnly: true },
  ionice: {
    options: "-c: -n: -t -p: -P: -u: --class: --classdata: --ignore --pid: --pgid: --uid:",
    exactOnly: true
  },
  flock: {
    options:
      "-s -x -e -u -n -o -F -w: -E: -c= --shared --exclusive --unlock --nonblock --nb --no-fork --close --verbose --wait: --timeout: --conflict-exit-code: --command=",
    operands: 1,
    exactOnly: true
  },
  chroot: { displaces: true, shell: true, options: "--userspec: --groups: --skip-chdir", operands: 1 },
  unshare: {
    shell: true,
    options:
      "-i? -m? -n? -p? -u? -U? -C? -T? -f -r -c -R: -w: -S: -G: --ipc? --mount? --net? --pid? --uts? --user? --cgroup? --time? --fork --kill-child? --mount-proc? --map-root-user --map-current-user --map-auto --map-user: --map-group: --map-users: --map-groups: --propagation: --setgroups: --root: --wd: --setuid: --setgid: --keep-caps --monotonic: --boottime:"
  },
  nsenter: {
    displaces: true,
    shell: true,
    options:
      "-a -m? -u? -i? -n? -p? -U? -C? -T? -F -Z -e -t: -S: -G: -r? -w? -W: --all --target: --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --setuid: --setgid: --root? --wd? --wdns: --no-fork --preserve-credentials --follow-context --env"
  },
  strace: {
    options:
      "-c -C -D -DD -DDD -d -f -ff -F -h -i -k -n -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -z -Z -A -a: -b: -e: -E: -I: -o: -O: -p: -P: -s: -S: -u: -U: -X: --output: --trace: --string-limit: --follow-forks --summary --summary-only --env: --user:"
  },
  ltrace: {
    options: "-b -c -C -f -h -i -L -r -S -t -tt -ttt -T -V -a: -A: -D: -e: -F: -l: -n: -o: -p: -s: -u: -w: -x: -X:"
  },
  runcon: { options: "-c -t: -u: -r: -l: --compute --type: --user: --role: --range:", optionalOperand: /:/ },
  "ssh-agent": { options: "-c -D -d -k -s -a: -E: -O: -P: -t:" },
  chrt: {
    options:
      "-a -b -d -f -i -m -o -r -R -v -G -T: -P: -D: -p --all-tasks --batch --deadline --fifo --idle --max --other --rr --reset-on-fork --verbose --sched-runtime: --sched-period: --sched-deadline: --pid",
    optionalOperand: /^\d+$/
  },
  taskset: { options: "-a -c -p --all-tasks --cpu-list --pid", operands: 1 },
  numactl: { options: "-a -l -s -H --all --localalloc --show --hardware --balancing", unknownTakesValue: true },
  prlimit: {
    options:
      "-p: --pid: --raw --noheadings --verbose --output: -o: -c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? -u? -v? -x? -y? --core? --data? --nice? --fsize? --memlock? --rss? --nofile? --nproc? --rtprio? --stack? --cpu? --as? --locks?"
  },
  setarch: {
    options:
      "-B -F -I -L -R -S -T -X -Z -3 -v -p: --32bit --fdpic-funcptrs --short-inode --addr-compat-layout --addr-no-randomize --whole-seconds --sticky-timeouts --read-implies-exec --mmap-page-zero --3gb --4gb --uname-2.6 --verbose --pid: --show?",
    optionalOperand:
      /^(?:x86_64|i[3-6]86|linux(?:32|64)|aarch64|arm\w*|ppc\w*|s390x?|mips\w*|sparc\w*|ia64|alpha\w*|uname26)$/
  },
  linux32: { options: "-R -v" },
  linux64: { options: "-R -v" },
  i386: { options: "-R -v" },
  x86_64: { options: "-R -v" },
  screen: {
    options: "-4 -6 -a -A -d -D -i -l -L -m -M -O -q -Q -r -R -U -v -x -X -c: -e: -h: -p: -s: -S: -t: -T:",
    delegate: true
  },
  sshpass: { options: "-e -v -h -V -p: -f: -d: -P:" },
  mosh: {
    options:
      "-4 -6 -a -n -o -h -v --ssh= --client: --server: --predict: --predict-overwrite --family: --port: -p: --bind-server: --no-ssh-pty --no-init --local --experimental-remote-ip:",
    operands: 1,
    delegate: true
  },
  script: {
    shell: true,
    options:
      "-c= -a -e -f -q -E: -I: -O: -B: -T: -t? -m: -o: --command= --append --return --flush --force --quiet --echo: --log-in: --log-out: --log-io: --log-timing: --timing? --logging-format: --output-limit:",
    operands: 1
  },
  "systemd-run": {
    options:
      "-P -t -q -r -G -S -d -u: -p: -E: -H: -M: --scope --user --system --no-block --wait --pty --pipe --quiet --remain-after-exit --collect --same-dir --shell --slice-inherit --no-ask-password --send-sighup --ignore-failure --unit: --property: --description: --slice: --uid: --gid: --nice: --working-directory: --setenv: --service-type: --on-active: --on-boot: --on-startup: --on-unit-active: --on-unit-inactive: --on-calendar: --timer-property: --path-property: --socket-property: --host: --machine: --background: --expand-environment:"
  },
  "systemd-inhibit": { options: "--no-pager --list", unknownTakesValue: true },
  caffeinate: { options: "-d -i -m -s -u -t: -w:" },
  torsocks: {
    options: "-d -i -q -a: -P: -u: -p: --shell --isolate --address: --port: --user: --pass: --quiet --debug"
  },
  torify: {},
  proxychains: { options: "-q -f:" },
  proxychains4: { options: "-q -f:" },
  tsocks: {},
  firejail: {
    options:
      "--quiet --private --noprofile --net? --x11? --appimage --debug --seccomp --caps.drop? --noroot --nosound --no3d"
  },
  bwrap: {
    options:
      "--unshare-all --unshare-user --unshare-user-try --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup --unshare-cgroup-try --share-net --die-with-parent --new-session --clearenv --as-pid-1 --disable-userns --assert-userns-disabled --bind:: --bind-try:: --dev-bind:: --dev-bind-try:: --ro-bind:: --ro-bind-try:: --bind-fd:: --ro-bind-fd:: --symlink:: --setenv:: --file:: --bind-data:: --ro-bind-data:: --chmod:: --dev: --file-label: --perms: --remount-ro: --size: --uid: --userns: --userns2: --userns-block-fd:",
    unknownTakesValue: true
  },
  "dbus-run-session": { options: "--config-file: --dbus-daemon:" },
  "dbus-launch": {
    options:
      "--sh-syntax --csh-syntax --auto-syntax --binary-syntax --close-stderr --exit-with-session --exit-with-x11 --autolaunch: --config-file:"
  },
  "xvfb-run": {
    options:
      "-a -l -d -e: -f: -n: -p: -s: -w: --auto-servernum --auto-display --listen-tcp --error-file: --auth-file: --server-num: --xauth-protocol: --server-args: --wait:"
  },
  entr: { options: "-a -c -cc -d -dd -n -p -r -s -x -z", appends: true },
  catchsegv: {},
  rlwrap: {
    options:
      "-a? -A? -b: -c -C: -d: -D: -e: -E -f: -F: -g: -H: -i -I -l: -m? -M: -n -N -o -O: -p? -P: -q: -r -R -s: -S: -t: -T -U -w: -W -X -z:"
  },
  unbuffer: { options: "-p" },
  expect_unbuffer: { options: "-p" },
  chpst: { options: "-v -P -0 -1 -2 -u: -U: -b: -e: -/: -C: -n: -l: -L: -m: -d: -o: -p: -f: -c: -t: -r:" },
  softlimit: { options: "-a: -c: -d: -f: -l: -m: -o: -p: -r: -s: -t:" },
  setuidgid: { operands: 1 },
  envuidgid: { operands: 1 },
  envdir: { operands: 1 },
  setlock: { options: "-n -N -x -X", operands: 1 },
  faketime: { options: "-m -f -p: --exclude-monotonic --date-prog: --disable-monotonic", operands: 1 },
  eatmydata: { options: "--" },
  fakeroot: { options: "-u -b: -f: -i: -l: -s: --lib: --faked: --unknown-is-real --fd-base:" },
  fakechroot: {
    displaces: true,
    options: "-s -l: -d: -e: -c: -b: --use-system-libs --lib: --elfloader: --environment: --config-dir: --bindir:"
  },
  proot: { options: "-0 -S: -r: -b: -q: -w: -v: -k: -R:" },
  newgrp: { operands: 1 },
  sg: { operands: 1, text: true },
  cpulimit: {
    options:
      "-q -v -z -i -l: -p: -e: -b -f --quiet --verbose --lazy --include-children --limit: --pid: --exe: --background --foreground"
  },
  perf: { delegate: true, options: "", unknownTakesValue: true, operands: 1 },
  valgrind: { options: "-v -q -d -h", unknownTakesValue: false },
  hyperfine: { options: "-i -N", text: true, delegate: true, unknownTakesValue: true },
  choom: { options: "-n: -p: --adjust: --pid:" },
  busybox: {},
  toybox: {},
  winpty: { options: "-Xallow-non-tty -Xplain" },
  arch: { options: "-32 -64 -arm64 -arm64e -x86_64 -c -d: -e:" },
  "start-stop-daemon": { unknownTakesValue: true },
  "with-contenv": {},
  "tini": { options: "-g -v -s -w -p: -e:" },
  "dumb-init": { options: "-c -v -r: --single-child --verbose --rewrite:" },
  "aws-vault": { delegate: true, operands: 2, unknownTakesValue: true },
  chronic: { options: "-v -e" },
  ifne: { options: "-n" },
  lckdo: { options: "-w -W: -e -q -s -x", operands: 1 },
  ts_run: {},
  npx: {
    options:
      "-y -q -c= -p: --yes --no --no-install --quiet --ignore-existing --prefer-offline --prefer-online --offline --silent --package: --call= --workspace: -w: --workspaces --cache: --userconfig:",
    delegate: true
  },
  bunx: { options: "--bun --verbose --silent --no-install -p: --package:", delegate: true },
  pnpx: { options: "-c --package: --silent", delegate: true },
  uvx: {
    options: "-q -v -n --quiet --verbose --offline --isolated --no-cache",
    unknownTakesValue: true,
    delegate: true
  },
  pipx: { operands: 1, options: "--spec: --pip-args: --python: --no-cache", delegate: true },
  "cross-env": { assignments: true, delegate: true },
  "cross-env-shell": { assignments: true, text: true, delegate: true },
  "env-cmd": {
    options:
      "-f: -e: -r: --file: --environments: --rc-file: --fallback --no-override --silent --use-shell -x --expand-envs",
    delegate: true
  },
  dotenv: { options: "-e: -v: -c? -o --override", delegate: true },
  concurrently: { text: true, delegate: true, unknownTakesValue: true },
  "nix-shell": { options: "--run= --command= -p --pure", unknownTakesValue: true, delegate: true },
  mise: { delegate: true },
  direnv: { delegate: true }
}))
