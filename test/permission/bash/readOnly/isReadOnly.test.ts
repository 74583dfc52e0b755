import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { isReadOnly, type Looking } from "../../../../src/permission/bash/readOnly/isReadOnly.ts"
import { commandOf } from "./commandOf.ts"

const look = (line: string): Looking => isReadOnly(commandOf(line))

const reads = (line: string): string => {
  const looking = look(line)
  return looking.readOnly ? looking.reads.map((word) => word.value ?? word.known.join("…")).join(" ") : looking.why
}

interface Group {
  readonly looks: ReadonlyArray<string>
  readonly more: ReadonlyArray<string>
}

const groups: Readonly<Record<string, Group>> = {
  "listing and measuring": {
    looks: [
      "ls",
      "ls -la",
      "ls -lahtr --color=auto src",
      "ls *.ts",
      "ls --sort=size",
      "pwd",
      "pwd -P",
      "cd src",
      "cd",
      "stat -c %s f",
      "du -sh .",
      "du -d 1",
      "df -h",
      "df -h /",
      "realpath f",
      "readlink -f f",
      "basename a/b .b",
      "dirname a/b",
      "which -a node",
      "whereis ls",
      "seq 1 10",
      "seq -1 5",
      "sleep 1",
      "expr 1 + 2",
      "true",
      "false",
      "md5sum f",
      "sha256sum -c f",
      "cksum f",
      "b2sum f",
      "base64 -d f",
      "numfmt --to=iec 1024",
      "ls -- -x"
    ],
    more: [
      "ls --frobnicate",
      "cd -",
      "cd a b",
      "du --files0-from=f",
      "base64 -o out f",
      "df --sync",
      "pwd x",
      "ls --colo"
    ]
  },
  text: {
    looks: [
      "cat f",
      "cat -A f g",
      "head -5 f",
      "head -n5 f",
      "head -n -5 f",
      "tail -f f",
      "tail -100 f",
      "tail -20f f",
      "tail +5 f",
      "wc -l src/*.py",
      "wc -lw f",
      "sort f",
      "sort -k2,2nr -t: f",
      "sort -rn",
      "sort -- -o",
      "sort --reverse f",
      "uniq -c",
      "uniq f",
      "cut -d: -f1 f",
      "cut -d ' ' -f 1",
      "tr a-z A-Z",
      "tr -d '\\n'",
      "paste -sd, f",
      "column -t -s, f",
      "comm -12 a b",
      "cmp a b",
      "diff -u a b",
      "diff -r --no-dereference a b",
      "diff -U5 a b",
      "nl f",
      "od -c f",
      "hexdump -C f",
      "xxd f",
      "xxd -l 16 f",
      "xxd -ps f",
      "xxd -l16",
      "strings f",
      "tac f",
      "rev f",
      "fold -w 80 f",
      "fmt f",
      "expand f",
      "pr f",
      "tsort f",
      "shuf -n1 f",
      "join a b",
      "bc -l"
    ],
    more: [
      "sort -o out f",
      "sort -oout f",
      "sort -no out f",
      "sort f -o out",
      "sort --output=out f",
      "sort --output out f",
      "sort --outp=out f",
      "sort --compress-program=./x f",
      "sort --compress-program ./x f",
      "sort -T dir f",
      "sort --files0-from=f",
      "sort -t -o f",
      "sort *",
      "sort $x",
      "sort \"$x\"",
      "wc --files0-from=f",
      "uniq a b",
      "uniq a*",
      "xxd a b",
      "xxd -r a b",
      "diff -l a b",
      "shuf -o out f",
      "strings @f",
      "diff3 --diff-program=./x a b c"
    ]
  },
  search: {
    looks: [
      "grep -rn foo src",
      "grep foo",
      "grep -e foo f",
      "grep -A3 -B 3 foo f",
      "grep --include=*.ts -r foo .",
      "grep -5 foo f",
      "egrep foo f",
      "fgrep foo f",
      "zgrep foo f",
      "rg foo",
      "rg -n foo src",
      "rg -g '*.ts' foo",
      "rg --glob=*.ts foo",
      "rg --files",
      "rg -e foo -- -x",
      "fd foo",
      "fdfind -e ts foo src",
      "ag foo src",
      "tree -L 2",
      "find . -name '*.ts'",
      "find src -type f -newer x -size +1k",
      "find . ( -name a -o -name b ) -print0",
      "find -L . -maxdepth 2",
      "find src/* -type f",
      "find ./* -type f",
      "find . -printf '%p\\n'",
      "find"
    ],
    more: [
      "rg --pre ./x foo",
      "rg --pre=./x foo",
      "rg --hostname-bin=./x foo",
      "rg -z foo",
      "rg -nz foo",
      "rg foo *",
      "rg $x",
      "fd -x rm",
      "fd foo -X rm",
      "fd -l foo",
      "fd foo --exec=rm",
      "ag --pager=./x foo",
      "tree -o out",
      "tree -R -L 2",
      "find . -delete",
      "find . -exec rm {} +",
      "find . -execdir rm {} ';'",
      "find . -ok rm {} ';'",
      "find . -fprint out",
      "find . -fprintf out '%p'",
      "find . -fls out",
      "find . -fprint0 out",
      "find *",
      "find . -name *.ts",
      "find $x",
      "find \"$x\"",
      "find . -name a -o -delete",
      "find -files0-from f",
      "find . -frob"
    ]
  },
  scripts: {
    looks: [
      "sed -n 1,20p f",
      "sed 's/a/b/g' f",
      "sed -e 's/a/b/' -e '/x/d' f",
      "sed 's/[^/]*$//'",
      "sed 's/[/]/x/'",
      "sed -E 's#a|b#c#gI;p' f",
      "sed '/a/,/b/{s/x/y/;p}' f",
      "sed ':a;N;$!ba;s/\\n/ /g' f",
      "sed '$!N;y/ab/cd/' f",
      "sed 'a w out' f",
      "sed '1i e rm' f",
      "sed -n '/w/p' f",
      "sed 's/w/e/' f",
      "sed --sandbox 's/a/b/w out' f",
      "sed '#w out' f",
      "sed 5q f",
      "sed '\\,a,d' f",
      "sed 's/\\/w/x/' f",
      "awk '{print $1}' f",
      "awk -F: '$3 > 100 {print $1}' f",
      "awk 'NR==1 || NR>5 {print}' f",
      "awk '{s+=$1} END {print s}' f",
      "awk '/a|b/ {n++} END {print n}' f",
      "jq . f",
      "jq -r '.a[] | .b' f",
      "jq --arg x 1 '.[$x]' f",
      "jq --slurpfile a f . g",
      "yq .a f"
    ],
    more: [
      "sed -i 's/a/b/' f",
      "sed -i.bak 's/a/b/' f",
      "sed -ni 1p f",
      "sed --in-place 's/a/b/' f",
      "sed -f s f",
      "sed -Ei 's/a/b/' f",
      "sed 's/a/b/w out.txt' f",
      "sed 's/a/b/gw out.txt' f",
      "sed 's/a/b/e' f",
      "sed 's/a/b/ge' f",
      "sed '1e touch x' f",
      "sed e f",
      "sed 'w out' f",
      "sed '1,3w out' f",
      "sed 'W out' f",
      "sed 'r /etc/passwd' f",
      "sed 'R f' f",
      "sed 's/a/b/;w out' f",
      "sed -e 's/a/b/' -e 'w out' f",
      "sed '/a/{w out' f",
      "sed 'a\\' -e 'w out' -e e f",
      "sed \"s/a/$x/\" f",
      "sed 's,[,],w out' f",
      "sed 's/x' f",
      "sed 's/a/b/zz' f",
      "sed $x f",
      "awk 'BEGIN{system(\"rm x\")}'",
      "awk '{print > \"out\"}' f",
      "awk '{print | \"sh\"}' f",
      "awk '{printf \"%s\", $1 >> \"out\"}' f",
      "awk '{\"date\" | getline d}' f",
      "awk -f p f",
      "awk '@load \"filefuncs\"' f",
      "awk -i inplace '{print}' f",
      "gawk -o out '{print}' f",
      "awk 'BEGIN{ARGV[1]=\"/etc/passwd\"}' f",
      "awk \"$x\" f",
      "awk '{print \"a;\" > \"f\"}' f",
      "jq -f s f",
      "jq 'import \"a\" as $a; .' f",
      "jq -L d . f",
      "jq \"$x\" f",
      "yq -i .a f",
      "yq 'load(\"f\")' f",
      "yq -s .a f",
      "sed 's/[\\]/]/w out/' f"
    ]
  },
  git: {
    looks: [
      "git status",
      "git status -sb",
      "git log --oneline -5",
      "git log -p -n 3 -- src",
      "git log --format=%H main..dev",
      "git log -S foo --since=yesterday",
      "git diff",
      "git diff --cached --stat HEAD~1",
      "git diff main...dev -- src",
      "git show HEAD:f",
      "git show --stat HEAD",
      "git blame -L 1,5 f",
      "git branch",
      "git branch -a -vv",
      "git branch --list 'a*'",
      "git branch --contains HEAD",
      "git branch --show-current",
      "git tag",
      "git tag -l 'v*'",
      "git tag -n5",
      "git remote",
      "git remote -v",
      "git remote get-url origin",
      "git remote show -n origin",
      "git ls-files -o --exclude-standard",
      "git ls-tree -r HEAD",
      "git ls-remote origin",
      "git rev-parse --show-toplevel",
      "git rev-parse --abbrev-ref HEAD",
      "git rev-list --count HEAD",
      "git describe --tags",
      "git merge-base a b",
      "git stash list",
      "git stash show -p",
      "git reflog",
      "git reflog show HEAD",
      "git shortlog -sn",
      "git cat-file -p HEAD",
      "git for-each-ref --format='%(refname)'",
      "git worktree list",
      "git config --get user.name",
      "git config --list",
      "git config user.name",
      "git grep -n foo",
      "git grep foo -- src",
      "git --no-pager log",
      "git -P diff",
      "git count-objects -v",
      "git symbolic-ref HEAD",
      "git show-ref",
      "git name-rev HEAD",
      "git version",
      "git --version"
    ],
    more: [
      "git push",
      "git fetch",
      "git commit -m x",
      "git -c core.pager=./x log",
      "git -c core.fsmonitor=x status",
      "git -C x status",
      "git --git-dir=x log",
      "git --git-dir x log",
      "git --work-tree=x status",
      "git --exec-path=./x status",
      "git -p log",
      "git --paginate log",
      "git --config-env=a=b log",
      "git --bare log",
      "git diff --output=out",
      "git diff --output out",
      "git log --output=out",
      "git show --output=out",
      "git diff --ext-diff",
      "git log -p --ext-diff",
      "git show --textconv",
      "git log --show-signature",
      "git log --format=%G?",
      "git log --pretty=format:%GG",
      "git log --out=out",
      "git grep -O foo",
      "git grep -O./x foo",
      "git grep -nO foo",
      "git grep --open-files-in-pager=./x foo",
      "git branch foo",
      "git branch -v foo",
      "git branch -D foo",
      "git branch -v -D foo",
      "git branch -m a b",
      "git branch -u origin/x",
      "git branch --edit-description",
      "git branch -f a b",
      "git tag v1",
      "git tag -a v1",
      "git tag -d v1",
      "git tag -v v1",
      "git remote add a b",
      "git remote show origin",
      "git remote remove a",
      "git remote update",
      "git ls-remote --upload-pack=./x origin",
      "git ls-remote ext::sh",
      "git ls-remote https://x.invalid/a",
      "git ls-remote -o x origin",
      "git stash",
      "git stash pop",
      "git stash drop",
      "git reflog expire --all",
      "git reflog delete x",
      "git cat-file --textconv HEAD:f",
      "git cat-file --filters HEAD:f",
      "git worktree add x",
      "git config user.name me",
      "git config --unset a.b",
      "git config -e",
      "git config edit",
      "git config --add a.b c",
      "git symbolic-ref HEAD x",
      "git symbolic-ref -d x",
      "git diff $x",
      "git log *",
      "git $x",
      "git frob",
      "git for-each-ref --format=%(signature)",
      "git blame --textconv f"
    ]
  },
  system: {
    looks: [
      "uname -a",
      "id",
      "whoami",
      "who",
      "w",
      "uptime",
      "free -h",
      "nproc",
      "arch",
      "hostname",
      "hostname -I",
      "date",
      "date +%F",
      "date -u +%s",
      "date -d yesterday +%F",
      "cal",
      "locale",
      "groups",
      "tty",
      "ps aux",
      "ps -ef",
      "ps -o pid,cmd -p 1",
      "pgrep -f x",
      "lsof -i :8080",
      "lsof -ti:8080",
      "lsof -nP -iTCP -sTCP:LISTEN",
      "ss -tlnp",
      "netstat -tulpn",
      "ifconfig",
      "ifconfig eth0",
      "ifconfig -a",
      "tput cols",
      "file f",
      "man ls",
      "man -k foo",
      "man 3 printf",
      "last -5",
      "printenv PATH",
      "getconf PAGE_SIZE",
      "nm f",
      "readelf -h f",
      "objdump -d f"
    ],
    more: [
      "date 01010101",
      "date -s now",
      "date --set=now",
      "date -us now",
      "date -f f",
      "hostname evil",
      "hostname -F f",
      "ss -K",
      "ss -tK",
      "ss -D f",
      "ifconfig eth0 down",
      "ifconfig -a up",
      "tput init",
      "tput reset",
      "tput -S",
      "tput $x",
      "file -C -m f",
      "file -m f x",
      "file -f f",
      "file -z f",
      "man -P ./x ls",
      "man -P./x ls",
      "man --pager=./x ls",
      "man -H./x ls",
      "man -l f",
      "man ./f",
      "man -C f ls",
      "lsof -Db",
      "nm --plugin=./x f",
      "nm @f",
      "uptime x",
      "date *"
    ]
  },
  shell: {
    looks: [
      "echo hi",
      "echo -e $x *",
      "printf '%s' $x",
      "printf '%s\\n' a",
      "test -f x",
      "[ -f x ]",
      "[ \"$x\" = y ]",
      "[ -z \"$x\" ]",
      "help cd",
      "type ls",
      "command -v git",
      "command -V git",
      "history",
      "history 5",
      "env",
      "alias",
      "umask",
      "ulimit -a",
      "jobs",
      "exit 1",
      "read -r line",
      ": $x",
      "printf '%%n'"
    ],
    more: [
      "printf -v x y",
      "printf '%n' PATH",
      "printf '%5n' PATH",
      "printf $x",
      "printf \"$x\" PATH",
      "test -v 'a[$(rm x)]'",
      "[ -v 'a[$(rm x)]' ]",
      "[ \"$x\" \"$y\" ]",
      "[ $x = y ]",
      "command rm x",
      "command git status",
      "history -c",
      "history -w",
      "history -d 1",
      "env rm x",
      "env -i",
      "alias x=y",
      "umask 0",
      "ulimit -n 1",
      "read PATH",
      "read -a IFS",
      "read 'a[$(rm x)]'",
      "read http_proxy",
      "export X=1",
      "eval ls",
      "exec ls",
      "source f",
      ". f",
      "set -e",
      "read $x"
    ]
  },
  "packages, containers and GitHub": {
    looks: [
      "npm ls",
      "npm list --depth=0",
      "npm root -g",
      "pip list",
      "pip show x",
      "pip3 freeze",
      "docker ps -a",
      "docker images",
      "docker logs -f --tail 5 x",
      "docker inspect x",
      "docker image ls",
      "docker container ls",
      "docker version",
      "podman ps",
      "gh pr list",
      "gh pr view 5 --comments",
      "gh pr diff 5",
      "gh pr checks",
      "gh issue list -L 5",
      "gh run view 5 --log",
      "gh pr view 5 --repo a/b",
      "gh auth status",
      "node --version",
      "python3 -V",
      "cargo-less --version".replace("cargo-less", "make"),
      "tar --help"
    ],
    more: [
      "npm install",
      "npm view x",
      "npm outdated",
      "npm run x",
      "npm --prefix x ls",
      "pip install x",
      "pip list -o",
      "docker -H tcp://10.0.0.5:2375 ps",
      "docker --host=x ps",
      "docker --context x ps",
      "docker -c x ps",
      "docker --config x ps",
      "docker run x",
      "docker exec x ls",
      "docker rm x",
      "docker image rm x",
      "podman --url x ps",
      "gh pr create",
      "gh pr merge 5",
      "gh pr view 5 --web",
      "gh pr list -w",
      "gh pr view -R evil.example/a/b 5",
      "gh pr view https://evil.example/a/b/pull/1",
      "gh api x",
      "gh auth status -t",
      "gh auth status --show-token",
      "gh run rerun 5",
      "node -e 1",
      "node --version x",
      "node $x",
      "yarn --version",
      "cargo --version",
      "pnpm --version",
      "go version",
      "python3 -c 1"
    ]
  },
  archives: {
    looks: [
      "zcat f",
      "gzip -l f",
      "gzip -dc f",
      "gunzip -c f",
      "unzip -l f",
      "unzip -p f x",
      "xzcat f",
      "zipinfo f",
      "tar -tf a.tgz",
      "tar -tzvf a.tgz x"
    ],
    more: [
      "gzip f",
      "gunzip f",
      "gzip -dk f",
      "unzip f",
      "unzip -d x f",
      "unzip -o f",
      "gzip -cr f",
      "gzip -c $x",
      "tar -xf a",
      "tar -tf host:a",
      "tar -tf a --to-command=./x",
      "tar -tf a -I ./x",
      "tar xf a",
      "tar -cf a b"
    ]
  },
  "what is not known": {
    looks: [],
    more: [
      "rm x",
      "./ls",
      "/bin/ls",
      "curl x",
      "toString",
      "__proto__",
      "constructor",
      "frob",
      "$x",
      "\"$x\" ls",
      "python3 x.py",
      "tee f",
      "xargs ls"
    ]
  }
}

describe("isReadOnly", () => {
  for (const [name, { looks, more }] of Object.entries(groups)) {
    it(`${name}: what only looks is known`, () => {
      const wrong = looks.map((line) => [line, look(line)] as const).filter(([, looking]) => !looking.readOnly)
      assert.deepStrictEqual(wrong, [])
    })

    it(`${name}: what writes, runs or reaches out is not read-only`, () => {
      assert.deepStrictEqual(more.filter((line) => look(line).readOnly), [])
    })
  }

  it("a reason is one line that names what was written", () => {
    const all = Object.values(groups).flatMap(({ more }) => more)
    for (const line of [...all, "sort -o 'a\nb' x", "'a\nb\u001b[1m'"]) {
      const looking = look(line)
      if (looking.readOnly) continue
      assert.match(looking.why, /^[^\p{C}]+[^.\p{C}]$/u)
    }
    assert.strictEqual(reads("sort -o f g"), "`sort -o` writes a file")
    assert.strictEqual(reads("sort $x"), "`$x` may become a flag of `sort`")
    assert.strictEqual(reads("git push"), "`git push` is not known to only look")
    assert.strictEqual(reads("ls --frob"), "`ls --frob` is not a flag known to only look")
  })

  it("the files that are read are told apart from patterns, scripts and values", () => {
    assert.strictEqual(reads("grep -n foo a b"), "a b")
    assert.strictEqual(reads("grep -f pats -e x a"), "pats a")
    assert.strictEqual(reads("grep -fpats a"), "pats a")
    assert.strictEqual(reads("grep --file=pats a"), "pats a")
    assert.strictEqual(reads("head -n 5 a"), "a")
    assert.strictEqual(reads("sed -n 1p a"), "a")
    assert.strictEqual(reads("sed -e p a b"), "a b")
    assert.strictEqual(reads("awk '{print}' a"), "a")
    assert.strictEqual(reads("jq --slurpfile x f . g"), "f g")
    assert.strictEqual(reads("find a b -name c -newer d"), "a b")
    assert.strictEqual(reads("git show HEAD:.env"), "HEAD:.env .env")
    assert.strictEqual(reads("cat $x"), "…")
    assert.strictEqual(reads("cat - a"), "a")
    assert.strictEqual(reads("echo a"), "")
  })

  it("a program that looks around without being told where looks at its folder", () => {
    for (const line of ["ls", "find -name x", "rg foo", "grep -r foo", "du -sh", "tree", "git grep foo"]) {
      assert.strictEqual(reads(line), ".")
    }
    assert.strictEqual(reads("grep foo"), "")
    assert.strictEqual(reads("cd"), "~")
  })

  it("only safe variables may stand before it", () => {
    const setting = (name: string): Looking => {
      const command = commandOf("ls")
      const [value = commandOf("x").words[0]] = command.words
      if (value === undefined) return { readOnly: false, why: "no word" }
      return isReadOnly({ ...command, assignments: [{ name, value }] })
    }
    assert.isTrue(setting("LANG").readOnly)
    for (const name of ["PATH", "IFS", "LD_PRELOAD", "GIT_PAGER", "FOO"]) assert.isFalse(setting(name).readOnly)
  })

  const all = Object.values(groups).flatMap(({ looks, more }) => [...looks, ...more])
  const Line = Schema.Literals(all)
  const Flag = Schema.Literals(["--frobnicate", "--frobnicate=x", "-\u00a7", "--"])

  it.prop("a flag that nobody knows never turns no into yes", { line: Line, flag: Flag, at: Schema.Int }, (drawn) => {
    const words = drawn.line.split(" ")
    const at = 1 + Math.abs(drawn.at) % words.length
    const flag = drawn.flag === "--" ? "--frobnicate" : drawn.flag
    // The words of a condition are no flags: one that stands between two may make them harmless.
    if (look(drawn.line).readOnly || /^(?:test|\[)$/.test(words[0] ?? "")) return
    assert.isFalse(look([...words.slice(0, at), flag, ...words.slice(at)].join(" ")).readOnly)
  })

  it.prop("any words are answered", { words: Schema.Array(Schema.String), line: Line }, ({ line, words }) => {
    const [program = ""] = line.split(" ")
    const looking = look([program, ...words].join(" "))
    assert.isBoolean(looking.readOnly)
  })
})

describe("where options end", () => {
  it("words behind the first operand are no flags of programs that stop there", () => {
    for (
      const line of [
        "unzip x.zip -l a",
        "unzip x.zip a -p",
        "xxd a.bin -p",
        "uniq a -c",
        "git -- status",
        "git stash -- list",
        "git stash -- show",
        "git worktree -- list",
        "git remote -- show -n",
        "find -- . -delete",
        "find -- . -exec rm"
      ]
    ) {
      assert.isFalse(look(line).readOnly, line)
    }
    assert.strictEqual(reads("awk '{print}' -v /etc/passwd"), "-v /etc/passwd")
  })

  it("`--` hides no starting point of `find`", () => {
    assert.strictEqual(reads("find -- /etc -type f"), "/etc")
    assert.strictEqual(reads("find -L -- a b"), "a b")
  })

  it("values behind an operand are files where a system takes them for that", () => {
    assert.strictEqual(reads("head a.txt -n /etc/passwd"), "/etc/passwd a.txt")
    assert.strictEqual(reads("grep foo a.txt -A 3"), "a.txt")
  })

  it("a search that follows links may read anything", () => {
    for (
      const line of ["grep -R x .", "grep -nR x src", "rg -L x", "rg --follow x", "ag -f x", "diff -r a b", "diff . a"]
    ) {
      assert.isFalse(look(line).readOnly, line)
    }
    for (const line of ["grep -rn x .", "rg x", "diff a b", "diff -r --no-dereference a b", "diff -rq a b"]) {
      assert.isTrue(look(line).readOnly, line)
    }
  })

  it("the letters of `tree` take the words behind their cluster", () => {
    for (const line of ["tree -Lo 2 f", "tree -Po x f", "tree -aLo 2 f", "tree -L2o f", "tree -Ho . f", "tree -Ro"]) {
      assert.isFalse(look(line).readOnly, line)
    }
    for (const line of ["tree -L 2", "tree -L2 src", "tree -aL 2", "tree -aI node_modules -L 1 src"]) {
      assert.isTrue(look(line).readOnly, line)
    }
  })
})
