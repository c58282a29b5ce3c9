#!/usr/bin/env bash
# A remote worker for Pawl in a shell script: PAWL_SECRET=… worker.sh PORT [LOG]. Needs socat, which calls it once for each
# connection. docs/managers.md has the protocol.
set -u

answer() { # status, body
    printf 'HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
        "$1" "${#2}" "$2"
}

field() { # name of a number in the job; the manager writes plain JSON
    printf '%s' "$body" | grep -o "\"$1\":[0-9]*" | head -n 1 | cut -d: -f2
}

note() {
    [ -n "${PAWL_LOG:-}" ] && echo "$1 $(field id) $(field leaseToken) $(($(date +%s%N)))" >>"$PAWL_LOG"
}

work() { # put the work here; $body is the job
    note begin
    note end
}

serve() {
    read -r method path _ || exit 0
    length=0
    trusted=no
    while IFS=$'\r' read -r header _ && [ -n "$header" ]; do
        case "$(printf '%s' "${header%%:*}" | tr 'A-Z' 'a-z')" in
            content-length) length=${header#*: } ;;
            authorization) [ "${header#*: }" = "Bearer $PAWL_SECRET" ] && trusted=yes ;;
        esac
    done
    if [ "$trusted" = no ]; then
        answer '401 Unauthorized' ''
    elif [ "$method $path" = 'GET /health' ]; then
        answer '200 OK' '{"capacity": 2}'
    elif [ "$method $path" = 'POST /jobs' ] && [ "$length" -le 100000 ]; then
        body=$(head -c "$length")
        if work >&2; then
            answer '200 OK' '{"outcome": "completed"}'
        else
            answer '200 OK' '{"outcome": "failed", "error": "see the log of the worker"}'
        fi
    else
        answer '404 Not Found' ''
    fi
}

if [ "${1:-}" = --serve ]; then
    serve
else
    export PAWL_SECRET PAWL_LOG="${2:-}"
    echo "listening on port $1"
    exec socat "TCP-LISTEN:$1,bind=127.0.0.1,reuseaddr,fork,max-children=20" "EXEC:$0 --serve"
fi
