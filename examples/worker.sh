#!/usr/bin/env bash
# A remote worker for Pawl in a shell script: PAWL_SECRET=… worker.sh PORT [LOG]. Needs socat, which runs it once for each
# connection, curl, and flock and setpriv of util-linux. docs/reference/managers.md has the protocol.
#
# It runs a job before it answers the manager, and reports the outcome with a call, which any manager accepts, so the first one
# may have ended. The work is a process that is killed when no manager has renewed the run in time, or when this script dies.
set -u
capacity=2

work() { # put the work here, with exec, so that this process is killed with the script; $1 is the job, as JSON
    seconds=$(printf '%s' "$1" | grep -o '\\"seconds\\":[0-9.]*' | cut -d: -f2)
    exec sleep "${seconds:-0.002}"
}

answer() { # status, body
    printf 'HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
        "$1" "${#2}" "$2"
}

number() { # name of a number in the JSON on standard input; the managers write plain JSON
    grep -o "\"$1\":[0-9.]*" | head -n 1 | cut -d: -f2
}

text() { # name of a string in the job, one that needs no unescaping
    printf '%s' "$body" | grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d'"' -f4
}

now() { # hundredths of a second on a monotonic clock
    local up rest
    read -r up rest </proc/uptime
    echo $((10#${up/./}))
}

note() {
    if [ -n "${PAWL_LOG:-}" ]; then
        echo "$1 $id $lease_token $(now)0000000" >>"$PAWL_LOG"
    fi
}

# Managers that assigned a job or polled this worker are files, named by the time of contact. Any of them can take calls.
heard_of() { # URL
    printf '%s' "$1" >"$PAWL_STATE/manager-$(printf '%s' "$1" | cksum | cut -d' ' -f1)"
}

ask() { # what, more fields; sets status and sent, prints nothing
    local file url granted=200
    [ "$1" = outcome ] && granted=204
    for file in $(ls -t "$PAWL_STATE"/manager-* | head -n 20); do
        url=$(cat "$file")
        sent=$(now)
        reply=$(curl -s -m 2 -w '\n%{http_code}' -H "Authorization: Bearer $PAWL_SECRET" \
            -H 'Content-Type: application/json' -d "{\"token\":\"$token\"$2}" "$url/jobs/$id/$1" 2>/dev/null)
        status=${reply##*$'\n'}
        case "$status" in
            "$granted" | 400 | 409 | 413) return 0 ;;
            *) ;; # not a manager's answer (perhaps a proxy's), or another manager's tables
        esac
    done
    status=none
    return 1
}

renew() { # extends the lease, counted from the moment the call was sent; fails unless it is granted
    ask renew '' && [ "$status" = 200 ] || return 1
    local seconds
    seconds=$(printf '%s' "$reply" | number leaseSeconds)
    until=$((sent + ${seconds%.*} * 100))
}

kill_work() {
    kill -9 -- "-$child" 2>/dev/null
    wait "$child" 2>/dev/null
}

run() { # the job is in $body; fails if it did not begin
    id=$(printf '%s' "$body" | number id)
    lease_token=$(printf '%s' "$body" | number leaseToken)
    token=$(text token)
    heartbeat=$(printf '%s' "$body" | number heartbeatSeconds)
    deadline=$(printf '%s' "$body" | number deadlineSeconds)
    heard_of "$(text callback)"
    renew || return 1 # no run begins without permission: the job may have been in transit so long that another worker has it
    [ "$(now)" -lt "$until" ] || return 1
    deadline=$(($(now) + ${deadline%.*} * 100))
    note begin
    setsid setpriv --pdeathsig KILL bash "$0" --work "$body" >&2 &
    child=$!
    result=killed
    next=$(($(now) + ${heartbeat%.*} * 50))
    while [ "$result" = killed ]; do
        if ! kill -0 "$child" 2>/dev/null; then
            wait "$child" && result=completed || result=failed
        elif [ "$(now)" -ge "$until" ] || [ "$(now)" -ge "$deadline" ]; then
            break
        elif [ "$(now)" -ge "$next" ]; then
            next=$(($(now) + ${heartbeat%.*} * 50))
            renew || [ "$status" = none ] || break
        else
            sleep 0.1
        fi
    done
    kill_work
    note end
    report
}

report() { # until a manager has recorded it, or the lease has been expired for a minute
    local outcome='"outcome":"completed"'
    [ "$result" = completed ] || outcome="\"outcome\":\"failed\",\"error\":\"the work was or has $result\""
    while [ "$(now)" -lt $((until + 6000)) ]; do
        ask outcome ",$outcome" && return 0
        [ "$(now)" -ge "$until" ] || renew
        sleep 0.5
    done
    return 0
}

serve() {
    trap '' TERM # socat sends it when the manager hangs up; the run continues
    read -r method path _ || exit 0
    length=0
    trusted=no
    manager=
    while IFS=$'\r' read -r header _ && [ -n "$header" ]; do
        case "$(printf '%s' "${header%%:*}" | tr 'A-Z' 'a-z')" in
            content-length) length=${header#*: } ;;
            authorization) [ "${header#*: }" = "Bearer $PAWL_SECRET" ] && trusted=yes ;;
            pawl-callback) manager=${header#*: } ;;
        esac
    done
    if [ "$trusted" = no ]; then
        answer '401 Unauthorized' ''
    elif [ "$method $path" = 'GET /health' ]; then
        [ -z "$manager" ] || heard_of "$manager"
        answer '200 OK' "{\"capacity\": $capacity}"
    elif [ "$method $path" = 'POST /jobs' ] && [ "$length" -le 100000 ]; then
        body=$(head -c "$length")
        for place in $(seq "$capacity"); do
            exec 9>"$PAWL_STATE/place-$place"
            if flock -n 9; then # released by the system, however this ends
                if run; then
                    answer '202 Accepted' ''
                elif [ "$status" = none ]; then
                    answer '503 Service Unavailable' ''
                else
                    answer '409 Conflict' ''
                fi
                return
            fi
        done
        answer '503 Service Unavailable' ''
    else
        answer '404 Not Found' ''
    fi
}

case "${1:-}" in
    --serve) serve ;;
    --work) work "$2" ;;
    *)
        PAWL_STATE=$(mktemp -d)
        export PAWL_SECRET PAWL_STATE PAWL_LOG="${2:-}"
        echo "listening on port $1"
        exec socat "TCP-LISTEN:$1,bind=127.0.0.1,reuseaddr,fork,max-children=20" "EXEC:$0 --serve"
        ;;
esac
