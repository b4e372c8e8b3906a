#!/bin/sh
# cross_models.sh: puts every model and picture there is for tests into build/cross/models.tar, those of ../shared too where it
# exists, with what build/release/palfrey says of them (answers.txt). tests/cross.sh compares that with another processor.
set -eu
cd "$(dirname "$0")/.."
models=build/cross/models
rm -rf build/cross
mkdir -p $models
cp -R tests/data/models tests/data/images tests/fuzz/seeds games/sample/models $models
rm -rf $models/seeds/zip $models/seeds/replay
if [ -d ../shared/corpus ]; then
  cp -R ../shared/corpus $models
else
  echo "without the models of ../shared, which is absent"
fi
sh tests/model_answers.sh $models build/release/palfrey >build/cross/answers.txt
tar -C build -cf build/cross/models.tar cross/models cross/answers.txt
