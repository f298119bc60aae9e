// SPDX-License-Identifier: Apache-2.0
/**
 * How well wrong cells are found without rules and without labels:
 *
 *   npm run bench:cells                                        faults put into clean tables; writes docs/reference/benchmarks-cells.md
 *   npm run bench:cells -- --development                       the same from the seeds that the detectors were developed with, printed alone
 *   npm run bench:cells -- --dirty a.csv                       what is proposed in one table, and the suggested rules
 *   npm run bench:cells -- --dirty a.csv --clean b.csv         any pair of tables
 *   npm run bench:cells -- --dirty a.csv --clean b.csv --json  the same for programs
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFlags } from '@sextant/foundation-testing';
import { injectionPage } from './injection.ts';
import { differences, scoresByColumn, search } from './pair.ts';
import { scoreOf } from './score.ts';
import { parseCsv, type TextTable } from './text-table.ts';

const PAGE = join(import.meta.dirname, '../../../docs/reference/benchmarks-cells.md');
const DEVELOPMENT_SEEDS = [5, 7];
const REPORT_SEEDS = [101, 102];

const { values: flags } = readFlags({
  options: { dirty: { type: 'string' }, clean: { type: 'string' }, json: { type: 'boolean' }, development: { type: 'boolean' } },
});

if (flags.dirty !== undefined && flags.clean !== undefined) await comparePair(flags.dirty, flags.clean);
else if (flags.dirty !== undefined) await propose(flags.dirty);
else if (flags.clean !== undefined || flags.json === true) {
  process.stderr.write('Name the tables: --dirty a.csv --clean b.csv\n');
  process.exitCode = 2;
} else await inject();

async function inject(): Promise<void> {
  const page = await injectionPage(flags.development === true ? DEVELOPMENT_SEEDS : REPORT_SEEDS, (line) =>
    process.stderr.write(`${line}\n`),
  );
  process.stdout.write(page);
  if (flags.development !== true) await writeFile(PAGE, page);
}

async function propose(path: string): Promise<void> {
  const { cells, rules } = await search(await readCsv(path));
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ cells, rules }, null, 2)}\n`);
    return;
  }
  for (const { row, name, value, score, reason, repair } of cells) {
    const instead = repair === null ? '' : `; perhaps ${JSON.stringify(repair)}`;
    process.stdout.write(`row ${row + 1}, ${name}: ${JSON.stringify(value ?? '')} (${score.toFixed(2)}) ${reason}${instead}\n`);
  }
  for (const { expression, support, exceptions } of rules)
    process.stdout.write(`${support} rows follow, ${exceptions} break: ${expression}\n`);
}

async function comparePair(dirtyPath: string, cleanPath: string): Promise<void> {
  const [dirty, clean] = [await readCsv(dirtyPath), await readCsv(cleanPath)];
  const wrong = differences(dirty, clean);
  const { proposed, rules, ms } = await search(dirty);
  const columns = scoresByColumn(dirty, proposed, wrong);
  const result = {
    ...scoreOf(proposed, wrong),
    columns,
    rules,
    seconds: ms / 1000,
    peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
  };
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  for (const { column, ...score } of [...columns, { column: 'all', ...scoreOf(proposed, wrong) }]) {
    const figures = `precision ${score.precision.toFixed(3)}  recall ${score.recall.toFixed(3)}  f1 ${score.f1.toFixed(3)}`;
    process.stdout.write(`${column.padEnd(28)} ${figures}  (${score.wrong} wrong, ${score.proposed} proposed, ${score.hits} both)\n`);
  }
}

async function readCsv(path: string): Promise<TextTable> {
  const [columns = [], ...rows] = parseCsv(await readFile(path, 'utf8'));
  return { name: path, columns, rows };
}
