/**
 * Programs that tell about the machine, its users, processes and sockets.
 *
 * @since 0.1.0
 */
import type { Programs } from "../Program.ts"
import { atMost, noResponseFile } from "./text.ts"

/**
 * The machine and what runs on it.
 *
 * @category data
 * @since 0.1.0
 */
export const system: Programs = {
  arch: { flags: "--help --version", operands: "none" },
  cal: {
    flags: `
    -1 -3 -A: -B: -b -C -d: -e -H: -h -J -j -m -M -N -n: -p -S -s -w -y -Y --help --version
  `,
    operands: "text"
  },
  ncal: { flags: "-1 -3 -A: -B: -b -C -d: -e -H: -h -J -j -m -M -N -n: -p -S -s -w -y -Y", operands: "text" },
  date: {
    flags: `
      -d: --date: --debug -I? --iso-8601? --resolution -R --rfc-email --rfc-2822 --rfc-3339: -r< --reference< -u --utc
      --universal --help --version
    `,
    dangers: [
      ["-s: --set:", "sets the clock"],
      ["-f< --file<", "reads dates from a file, or sets the clock"]
    ],
    operands: "text",
    check: ({ operands }) =>
      operands.some((word) => !word.known[0].startsWith("+"))
        ? "with anything but a format may set the clock"
        : undefined
  },
  free: {
    flags: `
      -b --bytes -k --kibi -m --mebi -g --gibi --tebi --pebi --kilo --mega --giga --tera --peta -h --human --si -l
      --lohi -t --total -s: --seconds: -c: --count: -v --committed -w --wide -L --line --help -V --version
    `,
    operands: "none"
  },
  getconf: { flags: "-a -v:", operands: "text" },
  groups: { flags: "--help --version", operands: "text" },
  hostname: {
    flags: `
      -a --alias -A --all-fqdns -d --domain -f --fqdn --long -i --ip-address -I --all-ip-addresses -s --short -y --yp
      --nis -h --help -V --version
    `,
    dangers: [["-F< --file< -b --boot", "sets the host's name"]],
    operands: "none"
  },
  id: {
    flags: "-a -Z --context -g --group -G --groups -n --name -r --real -u --user -z --zero -p -P -F --help --version",
    operands: "text"
  },
  ifconfig: {
    flags: "-a -s -v",
    operands: "text",
    check: (given) =>
      given.options.length > 0 && given.operands.length > 0
        ? "with arguments may set up a network device"
        : atMost(1, "with arguments may set up a network device")(given)
  },
  last: {
    flags: `
      -a --hostlast -d --dns -f< --file< -F --fulltimes -i --ip -n: --limit: -R --nohostname -s: --since: -t: --until:
      -p: --present: -w --fullnames -x --system --time-format: -h --help -V --version
    `,
    digits: true,
    operands: "text"
  },
  locale: {
    flags: `
      -a --all-locales -m --charmaps -c --category-name -k --keyword-name -v --verbose --help --usage -V --version
    `,
    operands: "text"
  },
  logname: { flags: "--help --version", operands: "none" },
  lsblk: {
    flags: `
      -A --noempty -D --discard -E: --dedup: -I: --include: -J --json -M --merge -O --output-all -P --pairs -S --scsi
      -T? --tree? -a --all -b --bytes -d --nodeps -e: --exclude: -f --fs -i --ascii -l --list -m --perms -n
      --noheadings -o: --output: -p --paths -r --raw -s --inverse -t --topology -w: --width: -x: --sort: -y --shell -z
      --zoned -h --help -V --version
    `,
    operands: "text"
  },
  lscpu: {
    flags: `
      -a --all -b --online -B --bytes -C? --caches? -c --offline -J --json -e? --extended? -p? --parse? -x --hex -y
      --physical --output-all -h --help -V --version
    `,
    operands: "none"
  },
  lsof: {
    flags: `
      -? -h -a -b -c: -C -d: -E -e: -f -F? -g? -i? -l -L -M -n -N -o? -O -p: -P -Q -r? -R -s? -S? -t -T? -u: -U -v -V
      -w -x? -X -Z?
    `,
    dangers: [["-D:", "may write its cache"], ["-k< -m<", "reads another kernel's memory"], [
      "-A<",
      "reads another name list"
    ]],
    digits: true,
    operands: "text"
  },
  netstat: {
    flags: `
      -r --route -i --interfaces -I? -g --groups -s --statistics -M --masquerade -v --verbose -W --wide -n --numeric
      --numeric-hosts --numeric-ports --numeric-users -N --symbolic -e --extend -p --programs --program -o --timers -c
      --continuous -l --listening -a --all -F --fib -C --cache -Z --context -t --tcp -u --udp -U --udplite -S --sctp
      -w --raw -x --unix -4 --inet -6 --inet6 -A: --protocol: -f: -h --help -V --version
    `,
    operands: "text"
  },
  nproc: { flags: "--all --ignore: --help --version", operands: "none" },
  pgrep: {
    flags: `
      -d: --delimiter: -l --list-name -a --list-full -v --inverse -w --lightweight -c --count -f --full -g: --pgroup:
      -G: --group: -i --ignore-case -n --newest -o --oldest -O: --older: -P: --parent: -s: --session: -t: --terminal:
      -u: --euid: -U: --uid: -x --exact -F< --pidfile< -L --logpidfile -r: --runstates: -A --ignore-ancestors
      --cgroup: --ns: --nslist: -h --help -V --version
    `,
    operands: "text"
  },
  pidof: { flags: "-c -d: -h -n -q -s -w -x -z -o: -S: --help --version", operands: "text" },
  printenv: { flags: "-0 --null --help --version", operands: "text" },
  ps: {
    flags: `
      -a -A -d -e -f -F -H -j -l -L -m -M -N -o: -O: -p: -q: -s: -t: -T -u: -U: -g: -G: -C: -V -w -x -y -Z -c -r -E -X
      -S -P -h --context --cols: --columns: --cumulative --deselect --forest --format: --Group: --group: --headers
      --info --lines: --no-headers --no-heading --noheaders --pid: --ppid: --quick-pid: --rows: --sid: --sort: --tty:
      --user: --User: --version --width: --help?
    `,
    digits: true,
    operands: "text"
  },
  pstree: {
    flags: `
      -a --arguments -A --ascii -c --compact-not -C: --color: -g --show-pgids -G --vt100 -h --highlight-all -H:
      --highlight-pid: -l --long -n --numeric-sort -N: --ns-sort: -p --show-pids -s --show-parents -S --ns-changes -t
      --thread-names -T --hide-threads -u --uid-changes -U --unicode -V --version -Z
    `,
    operands: "text"
  },
  ss: {
    flags: `
      -h --help -V --version -n --numeric -r --resolve -a --all -l --listening -o --options -e --extended -m --memory
      -p --processes -T --threads -i --info --tipcinfo -s --summary --tos --cgroup -b --bpf -E --events -Z --context
      -z --contexts -4 --ipv4 -6 --ipv6 -0 --packet -t --tcp -M --mptcp -S --sctp -u --udp -d --dccp -w --raw -x
      --unix --tipc --vsock --xdp -f: --family: -A: --query: --socket: -F< --filter< -H --no-header -O --oneline -Q
      --no-queues -B --bound-inactive --inet-sockopt
    `,
    dangers: [
      ["-K --kill", "closes the sockets that it finds"],
      ["-D> --diag>", "writes a file"],
      ["-N: --net:", "switches to another network"]
    ],
    operands: "text"
  },
  tput: {
    flags: "-V -x",
    dangers: [["-S", "reads what to do from its input"], ["-T:", "takes another terminal's description"]],
    operands: "text",
    check: ({ operands }) =>
      operands.some((word) => word.value === undefined || /^(init|reset)$/.test(word.value))
        ? "may run what the terminal's description names"
        : undefined
  },
  tty: { flags: "-s --silent --quiet --help --version", operands: "none" },
  uname: {
    flags: `
      -a --all -s --kernel-name -n --nodename -r --kernel-release -v --kernel-version -m --machine -p --processor -i
      --hardware-platform -o --operating-system --help --version
    `,
    operands: "none"
  },
  uptime: { flags: "-p --pretty -s --since -r --raw -h --help -V --version", operands: "none" },
  vmstat: {
    flags: `
      -a --active -f --forks -m --slabs -n --one-header -s --stats -d --disk -D --disk-sum -p: --partition: -S:
      --unit: -w --wide -t --timestamp -y --no-first -h --help -V --version
    `,
    operands: "text"
  },
  w: {
    flags: `
      -h --no-header -u --no-current -s --short -f --from -o --old-style -i --ip-addr -p --pids --help -V --version
    `,
    operands: "text"
  },
  who: {
    flags: `
      -a --all -b --boot -d --dead -H --heading --ips -l --login --lookup -m -p --process -q --count -r --runlevel -s
      --short -t --time -T -w --mesg -u --users --message --writable --help --version
    `,
    operands: "reads"
  },
  whoami: { flags: "--help --version", operands: "none" },
  users: { flags: "--help --version", operands: "none" },
  file: {
    flags: `
      -v --version -b --brief -c --checking-printout -e: --exclude: --exclude-quiet: -E -F: --separator: -h
      --no-dereference -i --mime -I -k --keep-going -l --list -L --dereference -n --no-buffer -N --no-pad -0 --print0
       -P: --parameter: -r --raw --apple --extension --mime-encoding --mime-type --help
    `,
    dangers: [
      ["-C --compile", "writes a file"],
      ["-m< --magic-file<", "takes its tests from another file"],
      ["-f< --files-from<", "reads the files that another file names"],
      ["-z --uncompress -Z --uncompress-noreport", "runs the programs that unpack archives"],
      ["-s --special-files", "reads devices"],
      ["-S --no-sandbox", "leaves its sandbox"],
      ["-p --preserve-date", "sets the time of its files"]
    ],
    operands: "reads"
  },
  man: {
    flags: `
      -a --all -f --whatis -k --apropos -K --global-apropos -w --where --path --location -W --where-cat --location-cat
      -i --ignore-case -I --match-case -s: -S: --sections: -L: --locale: -e: --extension: -d --debug -D --default  --regex --wildcard --names-only --no-subpages --no-hyphenation --nh --no-justification --nj -7 --ascii
      -? --help --usage -V --version
    `,
    dangers: [
      ["-P: --pager:", "runs the program it names"],
      ["-H: --html:", "runs a browser"],
      ["-C< --config-file<", "takes another configuration"],
      ["-M< --manpath< -m: --systems: -l< --local-file<", "formats pages from elsewhere"],
      ["-p: --preprocessor: -T? --troff-device? -t --troff -X? --gxditview? -Z --ditroff", "runs other formatters"],
      ["-u --update -c --catman", "writes its index or its pages"],
      ["-E: --encoding: -R: --recode:", "changes how pages are made"],
      ["-r: --prompt:", "gives text to the pager"]
    ],
    operands: "text",
    check: ({ operands }) =>
      operands.some((word) => word.value === undefined || word.value.includes("/"))
        ? "may format a page from elsewhere"
        : undefined
  },
  apropos: {
    flags: `
    -a --and -e --exact -r --regex -w --wildcard -l --long -s: --sections: -h --help -V --version
  `,
    operands: "text"
  },
  whatis: { flags: "-r --regex -w --wildcard -l --long -s: --sections: -h --help -V --version", operands: "text" },
  nm: {
    flags: `
      -a --debug-syms -A --print-file-name -B -C --demangle? --no-demangle -D --dynamic -e -f: --format: -g
      --extern-only -j --just-symbols -l --line-numbers -n --numeric-sort -o -p --no-sort -P --portability -r
      --reverse-sort -S --print-size -s --print-armap --quiet --size-sort --special-syms --synthetic -t: --radix: -u
      --undefined-only -U --defined-only -W --no-weak --with-symbol-versions -h --help -V --version
    `,
    dangers: [["--plugin:", "runs the code it names"]],
    operands: "reads",
    check: noResponseFile
  },
  size: {
    flags: "-A -B -G --format: -o -d -x --radix: -t --totals --common -f -h -H --help -v -V --version",
    operands: "reads",
    check: noResponseFile
  },
  readelf: {
    flags: `
      -a --all -h --file-header -l --program-headers --segments -S --section-headers --sections -g --section-groups -t
      --section-details -e --headers -s --syms --symbols --dyn-syms --lto-syms -C --demangle? --no-demangle -n --notes
      -r --relocs -u --unwind -d --dynamic -V --version-info -A --arch-specific -c --archive-index -D --use-dynamic
      -x: --hex-dump: -p: --string-dump: -R: --relocated-dump: -z --decompress -I --histogram -W --wide -T
      --silent-truncation -H --help -v --version
    `,
    operands: "reads",
    check: noResponseFile
  },
  objdump: {
    flags: `
      -a --archive-headers -f --file-headers -p --private-headers -h --headers --section-headers -x --all-headers -d
      --disassemble? -D --disassemble-all -S --source -s --full-contents -g --debugging -G --stabs -t --syms -T
      --dynamic-syms -r --reloc -R --dynamic-reloc -v --version -i --info -H --help -j: --section: -M:
      --disassembler-options: -m: --architecture: -b: --target: -l --line-numbers -F --file-offsets -C --demangle? -w
      --wide -z --disassemble-zeroes --start-address: --stop-address: --no-addresses --prefix-addresses
      --show-raw-insn --no-show-raw-insn
    `,
    operands: "reads",
    check: noResponseFile
  }
}
