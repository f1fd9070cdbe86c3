# Sourced by tools/tidy: where the changes that are looked at begin.

# Where the changes begin: GOSSAMER_TIDY_SINCE, a merge base, or as far back as a shallow clone goes.
first_commit() {
  local name base
  if [[ -n ${GOSSAMER_TIDY_SINCE:-} ]]; then echo "$GOSSAMER_TIDY_SINCE"; return; fi
  for name in origin/main main; do
    base=$(git merge-base HEAD "$name" 2>/dev/null) || continue
    if [[ $base != "$(git rev-parse HEAD)" ]]; then echo "$base"; return; fi
  done
  for name in HEAD~10 HEAD~5 HEAD~2 HEAD~1; do
    if git rev-parse --quiet --verify "$name^{commit}"; then return; fi
  done
  git hash-object -t tree /dev/null # the only commit: everything is new
}
