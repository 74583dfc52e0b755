import { assert, describe, it } from "@effect/vitest"
import type { SimpleCommand } from "../../../src/domain/ShellCommand.ts"
import { readLine } from "../../../src/permission/bash/readLine.ts"
import { withoutOptions } from "../../../src/permission/bash/withoutOptions.ts"

const texts = ({ inner, words }: SimpleCommand): ReadonlyArray<string> => [
  words.map(({ value }) => value ?? "?").join(" "),
  ...inner.flatMap(texts)
]

const found = (line: string): ReadonlyArray<string> => readLine(line).commands.flatMap(texts)

describe("withoutOptions", () => {
  it("finds the subcommand behind options, with values or without", () => {
    const table: ReadonlyArray<readonly [line: string, form: string]> = [
      ["kubectl -n prod delete pod x", "kubectl delete pod x"],
      ["terraform -chdir=x destroy", "terraform destroy"],
      ["docker --debug push x", "docker push x"],
      ["docker -H x --debug push y", "docker push y"],
      ["gh -R a/b pr merge 1", "gh pr merge 1"],
      ["gh pr -R a/b merge 1", "gh pr merge 1"],
      ["cargo +nightly publish", "cargo publish"],
      ["aws --profile x s3 --region y rm z", "aws s3 rm z"],
      ["systemctl --user stop x", "systemctl stop x"],
      ["npm -w a publish", "npm publish"],
      ["chmod -R 777 x", "chmod 777 x"],
      ["sudo kubectl -n prod delete x", "kubectl delete x"]
    ]
    for (const [line, form] of table) assert.include(found(line), form, line)
  })

  it("leaves what has no options before its subcommand alone", () => {
    for (const line of ["npm test -- --watch", "kubectl delete pod -n x", "gh pr merge 1 --admin", "ls -la x"]) {
      assert.deepStrictEqual(found(line), [line])
    }
  })

  it("is bounded", () => {
    const [command] = readLine(`docker ${"-a b ".repeat(200)}push`).commands
    assert.isAtMost(withoutOptions(command?.words ?? []).length, 16)
  })
})
