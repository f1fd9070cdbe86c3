# Completion of the gossamer command for bash. Installed under share/bash-completion; or load it by
# hand: source gossamer.bash
#
# Words are static where they never change; kernels and recipes are asked of the program itself.

_gossamer_matrix_files() {
  compopt -o filenames 2>/dev/null
  local word=$1
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
    shopt -s extglob
    compgen -f -X '!*.@(mtx|mtx.gz|gsm|npz|npy|txt|txt.gz)' -- "$word"
    compgen -d -- "$word")
}

# The ids in `gossamer info --kernels --json`, and their algorithms.
_gossamer_kernels() {
  "$1" info --kernels --json 2>/dev/null |
    sed -n 's|^ *"id": "\([^"]*\)".*|\1|p' |
    while IFS=/ read -r product format algorithm backend; do
      printf '%s\n%s\n' "$product/$format/$algorithm/$backend" "$algorithm"
    done | sort -u
}

_gossamer_kinds() {
  "$1" generate --list --json 2>/dev/null | sed -n 's|^ *"kind": "\([^"]*\)".*|\1|p'
}

# The parameters of one kind, as "name=".
_gossamer_parameters() {
  "$1" generate --list --json 2>/dev/null |
    sed -n "/\"kind\": \"$2\"/,/\"kind\": /s|^ *\"name\": \"\([^\"]*\)\".*|\1=|p"
}

_gossamer_race="--suite --matrices --label --large --type --threads --seed --time-limit --case-seconds --out --full --fresh --json --help"

_gossamer_options() {
  case $1 in
    info) echo "--why --times --dense --calls --transpose-a --format --on --threads --algorithm" \
      "--memory-limit --tuning --deterministic --type --kernels --machine --json --help" ;;
    multiply) echo "--times --square --vector --dense -o --output --on --threads --algorithm" \
      "--memory-limit --tuning --deterministic --format --type --transpose-a --alpha --check --explain" \
      "--repeat --seed --semiring --mask --complement-mask --threshold --top --add --beta" \
      "--distributed --balance --reorder --decomposition --layers --json --help" ;;
    convert) echo "--to --symmetric --type --threads --json --help" ;;
    compare) echo "--rtol --atol --type --threads --json --help" ;;
    help) echo "info multiply convert compare generate amg explore bench roofline" ;;
    generate) echo "-o --output --seed --type --threads --list --json --help" ;;
    amg) echo "--rhs -o --output --method --smoother --sweeps --cycle --product --strength --coarsest" \
      "--block-size --near-null --tolerance --iterations --reuse --save-levels --seed --type --on" \
      "--threads --json --help" ;;
    "bench spmv" | "bench spmm" | "bench spgemm") echo "$_gossamer_race --on --all-kernels --kernel" \
      "--hyb-splits --ceiling --compare --expected-calls --columns --right --transpose" ;;
    "bench convert") echo "$_gossamer_race --on" ;;
    "bench report") echo "--markdown --baseline --operation --type --threads --cold --kernels --json --help" ;;
    "bench compare") echo "--gate --threshold --by --json --help" ;;
    explore) echo "-o --output --serve --port --operation --case-seconds --records --threads --json --help" ;;
    bench) echo "spmv spmm spgemm convert report compare $_gossamer_race --on --compare --report" ;;
    roofline) echo "--threads --points --operation --type --svg --json --help" ;;
    *) echo "info multiply convert compare generate amg explore bench roofline help --version -V --help" ;;
  esac
}

# The words an option takes; status 1 when the option takes none that can be listed.
_gossamer_values() {
  case $1 in
    --on) echo "reference openmp cuda best" ;;
    --type) echo "f32 f64" ;;
    --format) echo "csr csc coo ell sellp hyb dense" ;;
    --to) echo "mtx mtx.gz gsm npz npy" ;;
    --semiring) echo "plus_times min_plus max_plus or_and plus_pair any_pair plus_first plus_second min_first" \
      "min_second max_first max_second min_times max_times max_min" ;;
    --why) echo "spmv spmm spgemm" ;;
    --suite) echo "smoke standard papers real" ;;
    --memory-limit) echo "512M 1G 2G 4G 8G" ;;
    *) return 1 ;;
  esac
}

_gossamer() {
  local program=$1 word=$2 before=$3 command=${COMP_WORDS[1]:-} values
  COMPREPLY=()
  ((COMP_CWORD == 1)) && command=
  [[ $command == bench ]] && ((COMP_CWORD > 2)) && command="bench ${COMP_WORDS[2]}"
  case $before in
    --times | --mask | --add | -o | --output | --out) _gossamer_matrix_files "$word"; return ;;
    --vector)
      mapfile -t COMPREPLY < <(compgen -W "ones random" -- "$word")
      _gossamer_matrix_files "$word"
      return ;;
    --algorithm) mapfile -t COMPREPLY < <(compgen -W "$(_gossamer_kernels "$program") paper" -- "$word"); return ;;
    --kernel) mapfile -t COMPREPLY < <(compgen -W "$(_gossamer_kernels "$program")" -- "$word"); return ;;
    --threads | --dense | --repeat | --seed | --alpha | --beta | --rtol | --atol | --threshold | --top | --calls | --columns | --time-limit | \
      --case-seconds | --expected-calls | --compare | --tuning) return ;;
  esac
  if values=$(_gossamer_values "$before"); then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    return
  fi
  if [[ -z $command || $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_gossamer_options "$command")" -- "$word")
    return
  fi
  case $command in
    generate)
      if ((COMP_CWORD == 2)); then
        mapfile -t COMPREPLY < <(compgen -W "$(_gossamer_kinds "$program")" -- "$word")
      else
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(
          compgen -W "$(_gossamer_parameters "$program" "${COMP_WORDS[2]}")" -- "$word")
      fi ;;
    bench | help) mapfile -t COMPREPLY < <(compgen -W "$(_gossamer_options "$command")" -- "$word") ;;
    *) _gossamer_matrix_files "$word" ;;
  esac
}

complete -F _gossamer gossamer
