#!/usr/bin/env bash
# The step of action.yml: installs purecl unless there is one, checks the files that
# CHECK_FILES matches, writes CHECK_SARIF, and ends as purecl check does: 1 where a kernel
# has errors, 2 where there is nothing to check or a file cannot be read.
set -uo pipefail
shopt -s globstar nullglob

program=${CHECK_PROGRAM:-}
if [ -z "$program" ]; then
	bin=$(mktemp -d)
	GOBIN=$bin go install "github.com/purecl/purecl/cmd/purecl@${CHECK_VERSION:-latest}" || exit 2
	program=$bin/purecl
fi

files=()
while read -r pattern; do
	for word in $pattern; do # patterns are split and expanded here
		files+=("$word")
	done
done <<<"$CHECK_FILES"
if [ ${#files[@]} -eq 0 ]; then
	echo "::error::no file matches '$CHECK_FILES'"
	exit 2
fi

read -r -a options <<<"$CHECK_OPTIONS"
sarif=${CHECK_SARIF:-purecl.sarif}
# The log shows what the annotations come from; the second run writes them.
"$program" check "${options[@]}" -- "${files[@]}"
status=$?
"$program" check --sarif "${options[@]}" -- "${files[@]}" >"$sarif" 2>/dev/null
echo "sarif=$sarif" >>"${GITHUB_OUTPUT:-/dev/null}"
exit $status
