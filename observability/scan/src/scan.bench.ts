// SPDX-License-Identifier: Apache-2.0
/**
 * Time and peak memory of a full profile beside DuckDB's own SUMMARIZE, and of the search for wrong cells, on the same file, in the same run:
 *
 *   npm run bench:scan                            1 million rows x 10 columns, 100,000 x 80
 *   npm run bench:scan -- --full                  10 million x 10, 1 million x 80
 *   npm run bench:scan -- --rows=N --columns=N    one table of that size
 *
 * Each measurement runs in a process of its own; its memory is the highest sum of resident sets of that process and its children.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, systemClock } from '@sextant/foundation-std';
import { readFlags } from '@sextant/foundation-testing';
import { findWrongCellsInFile } from './cells/find-in-file.ts';
import { runScan } from './run-scan.ts';
import { type FileFormat, generateTable, MEMORY_BYTES, THREADS, withDuckdb } from './testing/bench-table.ts';
import { fileSource } from './testing/table-files.ts';

const TEMPORARY_BYTES = 32 * 2 ** 30;
const SAMPLING_MS = 50;

type Task = {
  readonly kind: 'scan' | 'summarize' | 'cells';
  readonly path: string;
  readonly format: FileFormat;
  readonly columns: number;
  readonly directory: string;
};
type Figures = { readonly ms: number; readonly bytes: number };

const { values: flags } = readFlags({
  options: { full: { type: 'boolean' }, rows: { type: 'string' }, columns: { type: 'string' }, task: { type: 'string' } },
});
if (flags.task === undefined) await compare(sizes());
else await runTask(JSON.parse(flags.task) as Task); // Written by `measured` below.

function sizes(): readonly { readonly rows: number; readonly columns: number }[] {
  if (flags.rows !== undefined) return [{ rows: Number(flags.rows), columns: Number(flags.columns ?? 10) }];
  const scale = flags.full === true ? 10 : 1;
  return [
    { rows: 1_000_000 * scale, columns: 10 },
    { rows: 100_000 * scale, columns: 80 },
  ];
}

async function compare(tables: ReturnType<typeof sizes>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'sextant-bench-'));
  try {
    for (const { rows, columns } of tables) {
      for (const format of ['parquet', 'csv'] as const) {
        const path = join(directory, `table.${format}`);
        await generateTable({ rows, columns, path, format });
        const { size } = await stat(path);
        process.stdout.write(`${rows} rows x ${columns} columns, ${format}, ${mebibytes(size)}\n`);
        const summarize = await measured({ kind: 'summarize', path, format, columns, directory });
        const scan = await measured({ kind: 'scan', path, format, columns, directory });
        process.stdout.write(`  SUMMARIZE  ${line(summarize)}\n  scan       ${line(scan)}\n`);
        process.stdout.write(
          `  ratio      ${(scan.ms / summarize.ms).toFixed(2)} of the time, ${(scan.bytes / summarize.bytes).toFixed(2)} of the memory\n`,
        );
        if (format === 'csv') {
          const cells = await measured({ kind: 'cells', path, format, columns, directory });
          process.stdout.write(`  wrong cells ${line(cells)}, ${(cells.ms / scan.ms).toFixed(2)} of the time of the scan\n`);
        }
        await rm(path);
      }
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function line({ ms, bytes }: Figures): string {
  return `${(ms / 1000).toFixed(2).padStart(8)} s ${mebibytes(bytes).padStart(12)}`;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

/** In a process of its own, whose memory is sampled from outside. */
async function measured(task: Task): Promise<Figures> {
  const child = fork(new URL(import.meta.url), [`--task=${JSON.stringify(task)}`], { execArgv: ['--no-warnings'] });
  let bytes = 0;
  const sampler = setInterval(() => {
    bytes = Math.max(bytes, residentBytes(child.pid));
  }, SAMPLING_MS);
  try {
    const ms = await new Promise<number>((resolve, reject) => {
      child.once('message', (message) => resolve(Number(message)));
      child.once('exit', (code) => reject(new Error(`the measurement ended with code ${code}`)));
    });
    return { ms, bytes };
  } finally {
    clearInterval(sampler);
    child.kill();
  }
}

/** Of a process and its children, where the system says so (Linux); else zero. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((child) => child !== '');
    return Number(pages) * 4096 + children.reduce((sum, child) => sum + residentBytes(Number(child)), 0);
  } catch {
    return 0;
  }
}

async function runTask(task: Task): Promise<void> {
  const startMs = systemClock.monotonicMs();
  if (task.kind === 'summarize') await withDuckdb(async (execute) => void (await execute(`SUMMARIZE FROM '${task.path}'`)));
  else if (task.kind === 'cells') await findWrongCellsInFile(task.path, { memoryBytes: MEMORY_BYTES, threads: THREADS });
  else await profile(task);
  assert(process.send !== undefined, 'a measurement is a child process');
  process.send(systemClock.monotonicMs() - startMs);
}

async function profile({ path, columns, directory }: Task): Promise<void> {
  const attributes = Array.from({ length: columns }, (_, index) => ({ name: `c${index}`, data_type: 'OTHER' as const, monitored: true }));
  await runScan(
    {
      source: await fileSource(path),
      options: { id_attributes: ['c0'] },
      attributes,
      monitors: [],
      nowMs: systemClock.nowMs(),
      seed: 'bench',
    },
    {
      limits: {
        memoryBytes: MEMORY_BYTES,
        temporaryDirectory: directory,
        temporaryBytes: TEMPORARY_BYTES,
        threads: THREADS,
        timeoutMs: 3_600_000,
      },
      clock: systemClock,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
  );
}
