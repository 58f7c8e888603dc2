#!/bin/sh
# Asks the gateway of this container for /health with the container's own wget: a Node process each 10 s would take more
# of a small container's processor than the gateway itself does when it is idle. A demand for an admin token counts as alive.
port=${LEASEHOLD_ADMIN_PORT:-${LEASEHOLD_PORT:-$PORT}}
# Only the gateway's own reader knows what a config file says.
if [ -z "$port" ] && [ -n "$LEASEHOLD_CONFIG" ]; then exec node dist/cli/main.js health; fi
scheme=http
if [ -n "$LEASEHOLD_TLS_CERT" ] && [ -z "$LEASEHOLD_ADMIN_PORT" ]; then scheme=https; fi
said=$(wget -q -S -O /dev/null -T 3 --no-check-certificate "$scheme://127.0.0.1:${port:-8080}/health" 2>&1) && exit 0
case $said in *" 401"*) exit 0 ;; esac
exit 1
