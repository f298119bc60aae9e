// SPDX-License-Identifier: Apache-2.0
/** Runs a statement without an end in a DuckDB process, and says when it is under way. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProcessClient } from '../engine/duckdb/process-client.ts';

const [directory = ''] = process.argv.slice(2);
const file = join(directory, 'asset.ndjson');
await writeFile(file, '{"id":1}\n');
const client = new ProcessClient({ directory, signal: new AbortController().signal, onProgress: () => undefined });
const open = () =>
  client.call({
    kind: 'open',
    files: { files: [{ link: file, columns: [] }], format: { kind: 'ndjson' } },
    limits: { memoryBytes: 2 ** 29, temporaryBytes: 2 ** 29, threads: 2, spillDirectory: join(directory, 'spill') },
    isOrdered: false,
  });
await open();
const ending = client.call({ kind: 'query', sql: 'SELECT sum(id * range) FROM asset, range(1000000000000)' });
// The process takes requests in turn, and refuses this one once it has begun the other.
await open().catch(() => process.stdout.write('runs\n'));
await ending;
