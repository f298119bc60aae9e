#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stops a build where data breaks a rule: `gate.sh orders.csv amount`. It delivers the file to the observability service as an asset of its own, scans it,
# and ends with exit code 8 where a monitor raises an alert, as `sextant observe scan --fail-on-alerts` does. Without a history only rules and thresholds
# that need none can speak; here: no empty cell in a column.
#
# SEXTANT_OBSERVABILITY_URL, SEXTANT_TENANT and SEXTANT_OBSERVABILITY_KEY say where and who; SEXTANT the command (sextant).
set -eu
file=$1
column=$2
url=${SEXTANT_OBSERVABILITY_URL:-http://127.0.0.1:6580}
tenant=${SEXTANT_TENANT:-default}
call() {
  curl --silent --show-error --fail-with-body --header "X-TLM-Key: $SEXTANT_OBSERVABILITY_KEY" "$@"
}
# The first string of a member, without a tool for JSON.
member() {
  grep -o "\"$1\":\"\{0,1\}[^\",}]*" | head -n 1 | sed 's/.*:"\{0,1\}//'
}

payload=$(call --header 'Content-Type: text/csv' --data-binary "@$file" "$url/$tenant/uploads?name=$(basename "$file")" | sed 's/.*"payload":\({[^}]*}\).*/\1/')
asset=$(call --header 'Content-Type: application/json' \
  --data "{\"name\": \"build $(date +%s)\", \"type\": \"UPLOAD\", \"payload\": $payload}" \
  "$url/api/backend/$tenant/configuration/projects/0/assets" | member id)
call --request PUT --header 'Content-Type: application/json' --data '{"all": true}' \
  "$url/api/backend/$tenant/configuration/assets/$asset/attributes" > /dev/null
call --header 'Content-Type: application/json' --data "{
  \"type\": \"PREDEFINED_METRIC\", \"name\": \"every $column is there\", \"enabled\": true,
  \"monitor\": {\"predefined_metric\": \"COMPLETENESS\", \"attributes\": [\"$column\"]},
  \"threshold\": {\"threshold_type\": \"STATIC\", \"threshold1\": 100, \"threshold2\": 100}
}" "$url/$tenant/configuration/assets/$asset/monitors" > /dev/null
exec ${SEXTANT:-sextant} observe scan "$asset" --fail-on-alerts
