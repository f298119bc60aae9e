// SPDX-License-Identifier: Apache-2.0
/** Loaded before a service, in each of its threads: the disk stands still over the first piece of every graph that is saved. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Longer than any deadline of the tests. */
const STILL_MS = 600_000;
const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const graphs = new Set<number>();
const { openSync, writeSync } = fs;

Object.assign(fs, {
  openSync: (...taken: Parameters<typeof openSync>) => {
    const file = openSync(...taken);
    if (/graph-[^/]*\.bin\.new$/.test(String(taken[0]))) graphs.add(file);
    else graphs.delete(file);
    return file;
  },
  // Of several forms the compiler sees the last; all are passed on as they come.
  writeSync: (...taken: Parameters<typeof writeSync>) => {
    if (graphs.has(taken[0])) Atomics.wait(nobody, 0, 0, STILL_MS);
    return writeSync(...taken);
  },
});
syncBuiltinESMExports();
