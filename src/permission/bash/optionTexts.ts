/**
 * Options in which programs that do work of their own name another one: `tar
 * --to-command`, `rsync -e`, `sort --compress-program`, `vim -c '!cmd'`. After
 * their manual pages.
 *
 * @since 0.1.0
 */

/**
 * Options whose values a shell runs, or are run as if by one, as `textsOf` reads
 * them; `?` marks one that only begins like such an option. With `behind`, only
 * what stands behind such a beginning runs.
 *
 * @category models
 * @since 0.1.0
 */
export interface OptionTexts {
  readonly options: string
  readonly behind?: RegExp
}

/**
 * What of `ssh`'s settings runs on this machine.
 *
 * @category tables
 * @since 0.1.0
 */
export const sshSettings: OptionTexts = {
  options: "-o=",
  behind: /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+/i
}

// What an editor of the family of `vi` runs in a shell: `!cmd`, `%!cmd`, `r !cmd`, `w !cmd`, `term cmd`.
const exCommand =
  /^(?:[^|]*\|){0,20}?[\s:]*(?:(?:sil(?:ent)?!?|noa(?:utocmd)?|\d*verb(?:ose)?|(?:arg|buf|tab|win)do)\s+)*(?:(?:(?:[\d%.$,;+-]|'[\w<>]|\/[^/]*\/|\?[^?]*\?)*(?:r(?:ead)?\s*|w(?:rite)?\s+)?)!|ter(?:m(?:inal)?)?!?\s+)/

const sameFor = (names: ReadonlyArray<string>, ...given: ReadonlyArray<OptionTexts>) =>
  names.map((name): readonly [string, ReadonlyArray<OptionTexts>] => [name, given])

/**
 * The options of each program, by its name.
 *
 * @category tables
 * @since 0.1.0
 */
export const optionTexts: ReadonlyMap<string, ReadonlyArray<OptionTexts>> = new Map([
  ...sameFor(["tar", "gtar", "bsdtar"], {
    options:
      "-I= -F= --use-compress-program= --info-script= --new-volume-script= --to-command= --checkpoint? --checkpoint-action= --rsh-command= --rmt-command=",
    // Of what may happen at a checkpoint one thing is to run something.
    behind: /^(?:exec=)?/
  }),
  ...sameFor(["cpio"], { options: "--rsh-command= --rmt-command=" }),
  ...sameFor(["rsync"], { options: "-e= --rsh= --rsync-path=" }),
  ...sameFor(["scp"], { options: "-S=" }, sshSettings),
  ...sameFor(["sftp"], { options: "-S= -D=" }, sshSettings),
  ...sameFor(["sort"], { options: "--compress-program=" }),
  ...sameFor(["split"], { options: "--filter=" }),
  ...sameFor(["sdiff", "diff3"], { options: "--diff-program=" }),
  ...sameFor(["zip"], { options: "-TT= --unzip-command=" }),
  ...sameFor(["rg"], { options: "--pre= --hostname-bin=" }),
  ...sameFor(["ag", "ack", "bat", "batcat", "delta"], { options: "--pager=" }),
  ...sameFor(["fzf"], { options: "--preview=" }),
  ...sameFor(["man"], { options: "-P= --pager= -H?= --html?=" }),
  ...sameFor(["less", "more"], { options: "+=", behind: /^\+?\s*(?:!|\|.)/ }),
  ...sameFor(["vim", "vi", "nvim", "gvim", "ex", "view", "vimdiff"], {
    options: "-c= --cmd= +=",
    behind: exCommand
  }),
  ...sameFor(["nc"], { options: "-e= -c=" }),
  ...sameFor(["ncat"], { options: "-e= -c= --exec= --sh-exec=" }),
  ...sameFor(["socat"], { options: "=", behind: /^(?:EXEC|SYSTEM|SHELL):/i }),
  ...sameFor(["tcpdump"], { options: "-z=" }),
  ...sameFor(["strace"], { options: "-o= --output=", behind: /^[|!]/ }),
  ...sameFor(["gdb"], {
    options: "-ex= --ex= -iex= --eval-command= --init-eval-command=",
    behind: /^\s*(?:!|shell\s|(?:pipe\s|\|)[^|]*\|)/
  }),
  ...sameFor(["lldb"], {
    options: "-o= -O= --one-line= --one-line-before-file=",
    behind: /^\s*(?:platform\s+)?shell\s/
  }),
  ...sameFor(["wget"], { options: "--use-askpass=" }, {
    options: "-e= --execute=",
    behind: /^\s*use_?askpass\s*=/i
  }),
  ...sameFor(["aria2c"], {
    options:
      "--on-bt-download-complete= --on-download-complete= --on-download-error= --on-download-pause= --on-download-start= --on-download-stop="
  }),
  ...sameFor(["yt-dlp", "youtube-dl"], {
    options: "--exec= --exec-before-download= --netrc-cmd=",
    // When it runs may stand before it.
    behind: /^(?:[a-z_]+:)?/
  }),
  ...sameFor(["restic", "rclone"], { options: "--password-command=" }),
  ...sameFor(["borg"], { options: "--rsh=" }),
  ...sameFor(["gpg", "gpg2"], { options: "--photo-viewer= --agent-program= --dirmngr-program=" }),
  ...sameFor(["dpkg"], { options: "--pre-invoke= --post-invoke=" }),
  ...sameFor(["apt", "apt-get", "aptitude"], {
    options: "-o= --option=",
    behind: /^\s*[\w:-]*(?:-Invoke(?:-Success)?|Pre-Install-Pkgs|Dir::Bin::[\w-]+)(?:::)?=/i
  }),
  ...sameFor(["hg"], { options: "--ssh= --remotecmd=" }, {
    options: "--config=",
    behind:
      /^(?:alias\.[^=]*=\s*!|(?:ui\.(?:editor|ssh)|pager\.pager|merge-tools\.[^=]*\.executable|extdiff\.cmd\.[^=]*|hooks\.[^=]*)=)/
  }),
  ...sameFor(["svn"], { options: "--editor-cmd= --diff-cmd= --diff3-cmd= --merge-cmd=" }, {
    options: "--config-option=",
    behind: /^config:(?:tunnels:[^=]*|helpers:[^=]*-cmd)=/
  }),
  ...sameFor(["psql"], { options: "-c= --command=", behind: /^\s*\\!/ }, { options: "-o= --output=", behind: /^\|/ }),
  ...sameFor(["mysql", "mariadb"], { options: "--pager=" }, {
    options: "-e= --execute=",
    behind: /^(?:[^;]*;)*?\s*(?:\\!|system\s)/i
  }),
  ...sameFor(["sqlite3"], {
    options: "-cmd= =",
    behind: /^\s*\.(?:shell\s|system\s|(?:once|output|import)\s+['"]?\|)/
  }),
  ...sameFor(["go"], { options: "-exec= -toolexec= -vettool=" }),
  ...sameFor(["ansible"], { options: "-a= --args=" }),
  ...sameFor(["nodemon"], { options: "-x= --exec=" })
])
