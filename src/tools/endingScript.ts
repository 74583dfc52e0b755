/**
 * Ends everything that a command started, without us: a part of the shell script
 * that listens to what goes on when we may be gone.
 *
 * @since 0.1.0
 */

/**
 * The commands that end a family, which the variables `group`, `since`,
 * `variable` and `grace` of the script tell, and its standard input: the pipe
 * that the family prints into.
 *
 * **Details**
 *
 * Does what `endProcesses` does, and finds those that `ProcessTable.members`
 * finds by the same five signs. Where there is no `/proc` it ends the process
 * group.
 *
 * @category constants
 * @since 0.1.0
 */
export const endingScript = `
members() {
  if ! [ -r /proc/self/stat ]; then
    kill -s 0 -- "-$group" && echo "-$group"
    return
  fi
  young=
  found=' '
  for folder in /proc/[0-9]*; do
    stat=
    # The name of a process may hold a line break.
    while IFS= read -r line; do stat="$stat$line "; done < "$folder/stat"
    set -- \${stat##*) }
    [ $# -ge 20 ] && [ "\${20}" -ge "$since" ] || continue
    case $1 in Z | X) continue ;; esac
    pid=\${folder#/proc/}
    young="$young $pid:$2"
    if [ "$3" = "$group" ] || [ "$4" = "$group" ] || marked; then found="$found$pid "; fi
  done
  before=
  while [ "$before" != "$found" ]; do
    before=$found
    for one in $young; do
      case $found in *" \${one%:*} "*) continue ;; esac
      case $found in *" \${one#*:} "*) found="$found\${one%:*} " ;; esac
    done
  done
  echo $found
}
marked() {
  [ "$folder/fd/1" -ef "/proc/$$/fd/0" ] || [ "$folder/fd/2" -ef "/proc/$$/fd/0" ] && return 0
  case $(tr '\\0' '\\n' < "$folder/environ") in *"$variable="*) return 0 ;; esac
  return 1
}
signal() {
  for one in $(members); do kill -s "$1" -- "$one"; done
}
signal TERM
sleep "$grace"
tries=0
while [ "$tries" -lt 5 ] && [ -n "$(members)" ]; do
  signal KILL
  sleep 1
  tries=$((tries + 1))
done
`
