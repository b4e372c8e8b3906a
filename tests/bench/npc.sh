#!/bin/sh
# Runs the benchmark "npc" on the release build: memory and load times of the models, then whole runs of a game with 1, 100
# and 500 NPCs of one model, and of the sample.
set -eu
programs=build/release
others=
for model in ../shared/corpus/md2/sydney/sydney.md2 ../shared/corpus/md2/faerie/faerie.md2; do
  [ ! -e "$model" ] || others="$others $model"
done
# shellcheck disable=SC2086 # a list of files
"$programs/tests/bench_npc" games/sample "$@" $others

# The whole game, from the start of the process to its first picture; the paper's loaded for 105 s, and drew 5 pictures a
# second on a phone, 15 to 17 in an emulator.
line() {
  printf '{"bench":"npc","case":"%s","impl":"%s","value":%s,"unit":"%s","rounds":1}\n' "$@"
}
line game-load m3ge-2007 105000 ms
before=$(date +%s%N)
"$programs/palfrey" --headless --frames 1 games/sample
line game-load palfrey $((($(date +%s%N) - before) / 1000000)) ms
line frame-phone m3ge-2007 200 ms
line frame-emulator m3ge-2007 62 ms

# One frame's time and the bytes on the GPU, from the lines the runtime writes after a run.
run() {
  name=$1
  shift
  "$programs/palfrey" --headless --frames 600 --size 640x360 --stats "$@" 2>&1 >/dev/null | awk -v name="$name" '
    $1 == "times:" {
      printf "{\"bench\":\"npc\",\"case\":\"%s-frame-median\",\"impl\":\"palfrey\",\"value\":%s,\"unit\":\"ms\",\"rounds\":600}\n", name, $3
      printf "{\"bench\":\"npc\",\"case\":\"%s-frame-p99\",\"impl\":\"palfrey\",\"value\":%s,\"unit\":\"ms\",\"rounds\":600}\n", name, $7
    }
    $1 == "assets:" {
      printf "{\"bench\":\"npc\",\"case\":\"%s-gpu\",\"impl\":\"palfrey\",\"value\":%s,\"unit\":\"KB\",\"rounds\":1}\n", name, $5
    }'
}
# The games of this benchmark stand beside the sample's models, in copies.
games=build/bench
rm -rf $games && mkdir -p $games/crowd
cp -r games/sample/models tests/bench/games/crowd/main.lua $games/crowd
cp -r games/sample $games/sample_crowd
mv $games/sample_crowd/main.lua $games/sample_crowd/sample.lua
cp tests/bench/games/sample_crowd/main.lua $games/sample_crowd
for count in 1 100 500; do run "crowd-$count" $games/crowd "$count"; done
run sample games/sample
run sample-and-100 $games/sample_crowd
