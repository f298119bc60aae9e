#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the root file system of the images: root-file-system.sh NODE APP TARGET, where APP is a folder in which npm has installed the package.
# What is copied is what runs: Node.js, the package, the shared libraries that both load, and a user. Needs GNU tools, ldd and strip.
set -eu
node=$1 app=$2 target=$3

mkdir -p "$target/usr/local/bin" "$target/app" "$target/etc" "$target/proc" "$target/dev" "$target/data"
mkdir -p -m 1777 "$target/tmp"
chmod 1777 "$target/tmp"
printf 'root:x:0:0::/:/nologin\nsextant:x:10001:10001::/nonexistent:/nologin\n' >"$target/etc/passwd"
printf 'root:x:0:\nsextant:x:10001:\n' >"$target/etc/group"

cp -L "$node" "$target/usr/local/bin/node"
cp -a "$app/node_modules" "$target/app/node_modules"
ln -sfn node_modules/@sextant/sextant "$target/app/sextant"

# lmdb brings binaries for other versions of Node.js and for another C library, and works without those that unpack faster what it does not pack.
rm -rf "$target"/app/node_modules/@lmdb/*/node.abi*.node "$target"/app/node_modules/@lmdb/*/*.musl.node "$target"/app/node_modules/@msgpackr-extract
rm -rf "$target"/app/node_modules/@duckdb/*-musl
# The sources of its binary.
rm -rf "$target"/app/node_modules/lmdb/dependencies "$target"/app/node_modules/lmdb/src "$target"/app/node_modules/node-addon-api
# What browsers load of it, and its tests.
find "$target"/app/node_modules/msgpackr/dist -type f ! -name node.cjs -delete
# What people and compilers read.
find "$target/app/node_modules" \( -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.ts' -o -name 'README*' -o -name 'CHANGELOG*' \) -delete
find "$target/app/node_modules" -depth -type d \( -name '.[!b]*' -o -name test \) -exec rm -rf {} +

programs=$(find "$target/usr/local/bin/node" "$target/app/node_modules" -type f \( -name node -o -name '*.node' -o -name '*.so' \))
# Symbols serve debuggers alone.
for program in $programs; do strip --strip-unneeded "$program"; done
# Each library under the path by which the loader finds it; those of the package are there.
for program in $programs; do ldd "$program"; done |
  sed -nE 's/^\t(.* => )?(\/[^ ]+) \(0x[0-9a-f]+\)$/\2/p' | sort -u | grep -v "^$target" |
  while read -r library; do cp -L --parents "$library" "$target"; done

# Packages that are mounted, such as ONNX Runtime, still name these parts of the C library, which is one by now.
libc=$(ldd "$target/usr/local/bin/node" | sed -nE 's/.*libc\.so\.6 => ([^ ]+) .*/\1/p')
for part in librt.so.1 libpthread.so.0 libdl.so.2; do cp -L --parents "$(dirname "$libc")/$part" "$target"; done
