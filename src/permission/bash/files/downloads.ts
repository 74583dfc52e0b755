/**
 * `curl` and `wget`: what they write, and what they send away.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"
import { uses } from "../readOnly/filesIn.ts"
import type { Program } from "../readOnly/Program.ts"
import { hasFlag, type Option, valuesOf } from "../readOnly/readArguments.ts"
import { below, gap, namedIn, tailOf, unwritten } from "../readOnly/tailOf.ts"

/**
 * `curl`. A value with `@` before it is a file that is sent.
 *
 * @category data
 * @since 0.1.0
 */
export const curl: Program = {
  flags: `
    -o> --output> --output-dir: -O --remote-name --remote-name-all -J --remote-header-name -d: --data: --data-ascii:
    --data-binary: --data-raw: --data-urlencode: --json: -F: --form: --form-string: -T< --upload-file< -K< --config<
    -b: --cookie: -c> --cookie-jar> -D> --dump-header> -E< --cert< --key< --cacert< --capath< --netrc-file< --trace>
    --trace-ascii> --stderr> --libcurl> --etag-save> --etag-compare< --hsts: --alt-svc: -H: --header: -A:
    --user-agent: -u: --user: -X: --request: -x: --proxy: -e: --referer: -m: --max-time: --connect-timeout: --retry:
    --retry-delay: --retry-max-time: --resolve: --connect-to: -w: --write-out: -r: --range: -y: -Y: -z: -C:
    --continue-at: -t: -Q: -P: -U: --url: --limit-rate: --max-redirs: --max-filesize: --interface: --ciphers:
    --tls-max: --unix-socket: --proto: --proto-redir: --proto-default: --noproxy: --oauth2-bearer: --aws-sigv4:
    --dns-servers: --variable: --url-query: --parallel-max: -f --fail -s --silent -S --show-error -L --location -i
    --include -I --head -k --insecure -v --verbose -g --globoff -G --get -N --no-buffer -n --netrc -q -R -Z -# -0 -1
    -2 -3 -4 -6 -a -B -j -l -M -p --compressed --create-dirs --http1.1 --http2 --fail-with-body --progress-bar
    --path-as-is --tcp-nodelay --tlsv1.2 --tlsv1.3 --ssl-reqd --location-trusted --no-progress-meter
    --retry-all-errors --retry-connrefused -V --version --help
  `,
  files: (given) => {
    const folder = given.options.find(({ name }) => name === "--output-dir")?.taken[0]
    const saved = hasFlag(given, "-O --remote-name --remote-name-all")
      ? uses("edit", given.operands.map(savedAs(folder)))
      : []
    const addresses = [...given.operands, ...given.options.filter(({ name }) => name === "--url").flatMap(valuesOf)]
    const cookies = given.options.filter(({ name }) => name === "-b" || name === "--cookie").flatMap(valuesOf)
    return [
      ...saved,
      ...given.options.flatMap(sent),
      ...uses("read", addresses.flatMap(local)),
      // What has no `=` in it is no cookie but a file of them.
      ...uses("read", cookies.filter(({ known }) => !known.join("").includes("=")))
    ]
  }
}

/**
 * `wget`, which saves what it gets.
 *
 * @category data
 * @since 0.1.0
 */
export const wget: Program = {
  flags: `
    -O> --output-document> -o> --output-file> -a> --append-output> -i< --input-file< -P: --directory-prefix:
    --post-file< --body-file< --load-cookies< --save-cookies> --config< --certificate< --private-key<
    --ca-certificate< --post-data: --body-data: --method: --header: --user: --password: -U: --user-agent: --referer:
    -e: -t: --tries: -T: --timeout: -w: --wait: -Q: -l: --level: -A: -R: -D: -I: -X: -B: --limit-rate: --max-redirect:
    -q --quiet -v -nv -nc -c --continue -N -S -r --recursive -p -k -m --mirror -np -nd -nH -x -b -d -F -E -H -K -L
    --no-check-certificate --no-verbose --spider --show-progress --no-clobber --no-parent --content-disposition
    --version --help
  `,
  files: (given) => {
    const folder =
      given.options.filter(({ name }) => name === "-P" || name === "--directory-prefix").flatMap(valuesOf)[0]
    return hasFlag(given, "-O --output-document --spider") ? [] : uses("edit", given.operands.map(savedAs(folder)))
  }
}

const savedAs = (folder: Word | undefined) => (address: Word): Word => {
  const name = /[^/]\/([^/?#]+)(?:[?#]|$)/.exec(address.value ?? "")?.[1]
  return below(folder, unwritten(name ?? "."))
}

// `file:///etc/x` and its spellings, on this machine whatever the host; braces and brackets may be any text.
const local = (address: Word): ReadonlyArray<Word> => {
  const text = address.known.join(gap).replace(
    /%([0-9a-f]{2})/gi,
    (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))
  )
  const path = /^file:(?:\/\/[^/\uFFFC]*)?(.*)$/is.exec(text)?.[1]
  return path === undefined ? [] : [namedIn(path.replace(/\{[^}]*\}|\[[^\]]*\]/g, gap))]
}

const sent = (option: Option) =>
  valuesOf(option).flatMap((word) => {
    if (
      !/^(-d|-F|-H|--(data|form|json|header|variable|url-query|data-(ascii|binary|urlencode)))$/.test(option.name)
    ) return []
    const at = /^[^@<]*[@<]/.exec(word.known[0])
    return at === null ? [] : uses("read", [tailOf(word, at[0].length)])
  })
