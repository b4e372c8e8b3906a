#!/bin/sh
# with_display.sh COMMAND...: runs a command with an X server that has no screen, and X11 as SDL's driver. Without Xvfb it
# exits with 77.
command -v Xvfb >/dev/null || { echo "skipped: Xvfb is not installed"; exit 77; }
folder=$(mktemp -d)
Xvfb -displayfd 3 -screen 0 1280x1024x24 3>"$folder/display" >/dev/null 2>&1 &
server=$!
trap 'kill $server; rm -r "$folder"' EXIT
tries=0
while [ ! -s "$folder/display" ] && [ $tries -lt 100 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
[ -s "$folder/display" ] || { echo "skipped: Xvfb does not start"; exit 77; }
DISPLAY=:$(cat "$folder/display") SDL_VIDEODRIVER=x11 "$@"
