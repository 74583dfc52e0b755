import { assert, describe, it } from "@effect/vitest"
import { destroys } from "../../../../src/permission/bash/readOnly/destroys.ts"
import { commandOf } from "./commandOf.ts"

const warned = [
  "rm -rf a",
  "rm -r a",
  "rm -f a",
  "rm --recursive a",
  "/bin/rm -fr a",
  "rimraf a",
  "find . -delete",
  "git reset --hard",
  "git -C x reset --hard HEAD~1",
  "git clean -fd",
  "git clean --force",
  "git push --force",
  "git push -f",
  "git push origin +main",
  "git push origin :main",
  "git push --delete origin x",
  "git push --force-with-lease",
  "git checkout -- .",
  "git checkout .",
  "git checkout -f",
  "git restore .",
  "git branch -D x",
  "git branch -d -f x",
  "git stash drop",
  "git stash clear",
  "git reflog expire --all",
  "git filter-branch x",
  "dd if=/dev/zero of=/dev/sda",
  "mkfs.ext4 /dev/sda",
  "mkfs /dev/sda",
  "shred a",
  "truncate -s 0 a",
  "chmod -R 777 .",
  "chmod -R a+rwx .",
  "chown -R me .",
  "kill -9 -1",
  "kill -s KILL -1",
  "killall node",
  "pkill node",
  "docker system prune -a",
  "docker volume rm x",
  "docker rm -f x",
  "docker compose down -v",
  "podman rmi x",
  "psql -c 'DROP DATABASE x'",
  "psql -c 'drop table x;'",
  "mysql -e 'TRUNCATE TABLE x'",
  "sqlite3 f 'DELETE FROM x;'",
  "terraform destroy",
  "terraform apply -destroy",
  "kubectl delete pod x",
  "kubectl -n x delete pod y".replace("-n x ", ""),
  "helm uninstall x",
  "aws s3 rm s3://x",
  "aws s3 rb s3://x",
  "aws ec2 terminate-instances x",
  "gh repo delete x",
  "npm unpublish x",
  "rsync -a --delete a b",
  "redis-cli FLUSHALL",
  "reboot",
  "crontab -r",
  "dropdb x",
  "gcloud x delete y"
]

const quiet = [
  "rm a",
  "ls -rf",
  "git status",
  "git reset --soft HEAD",
  "git clean -n",
  "git push",
  "git push origin main",
  "git checkout main",
  "git restore --staged a",
  "git branch -d x",
  "git stash",
  "dd if=a of=b",
  "chmod +x a",
  "chmod -R 644 a",
  "kill 5",
  "kill -9 5",
  "docker ps",
  "docker rm x",
  "psql -c 'select 1'",
  "sqlite3 f 'DELETE FROM x WHERE a = 1'",
  "terraform plan",
  "kubectl get pods",
  "echo rm -rf /",
  "truncate",
  "$x -rf",
  "rm -- -rf",
  "toString"
]

describe("destroys", () => {
  it("warns of what destroys", () => {
    assert.deepStrictEqual(warned.filter((line) => destroys(commandOf(line)) === undefined), [])
  })

  it("is quiet about the rest", () => {
    assert.deepStrictEqual(quiet.filter((line) => destroys(commandOf(line)) !== undefined), [])
  })

  it("says it in one line", () => {
    for (const line of warned) assert.match(destroys(commandOf(line)) ?? "", /^[a-z][^\n.]+[^\n.]$/)
  })
})
