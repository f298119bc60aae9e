// SPDX-License-Identifier: Apache-2.0
/**
 * Which faults of vectors the product raises, and how often it raises one where there is none:
 *
 *   npm run bench:vector-quality              one collection of one seed, faults of 1 percent and some clean days; about two minutes
 *   npm run bench:vector-quality -- --full    all distances, vectors, levels and seeds; hours, after an interruption it goes on
 *   npm run bench:vector-quality -- --distance Dot --vectors named --levels 5,20 --seeds 12,13 --days 100   another part of it
 *   npm run bench:vector-quality -- --vectors real      embeddings of real texts by a real model
 *   npm run bench:vector-quality -- --page              writes the page from the reported results
 *
 * `--report` adds a part's results to docs/reference/benchmarks/vector-quality.json and to the page, as `--full` does with each piece. `--fault "a lost topic"`, once
 * or more, does only these. Pieces that were measured before, by the same code, are not measured again.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readFlags, temporaryDirectory } from '@sextant/foundation-testing';
import { FAULTS } from './faults.ts';
import { cacheFolder, keptResults, readReported, report } from './kept-results.ts';
import { DISTANCES, type PieceResult, type Plan, piecesOf, VECTOR_SETS } from './piece.ts';
import { qualityPage, resultTables } from './quality-page.ts';
import { runPiece } from './run-piece.ts';
import { prebuiltMonitors } from './watched-collection.ts';

const PAGE = join(import.meta.dirname, '../../../docs/reference/benchmarks-vector-quality.md');
const FAULT_NAMES = FAULTS.map(({ name }) => name);
const FULL: Plan = {
  distances: DISTANCES,
  vectorSets: ['dense', 'named'],
  seeds: [11, 12, 13],
  levels: [0.01, 0.05, 0.2],
  faults: FAULT_NAMES,
  cleanDays: 20,
};

const { values: flags } = readFlags({
  options: {
    full: { type: 'boolean' },
    page: { type: 'boolean' },
    report: { type: 'boolean' },
    distance: { type: 'string', default: 'Cosine' },
    vectors: { type: 'string', default: 'dense' },
    seeds: { type: 'string', default: '11' },
    levels: { type: 'string', default: '1' },
    days: { type: 'string', default: '10' },
    fault: { type: 'string', multiple: true, default: FAULT_NAMES },
  },
});
const part = (): Plan => ({
  distances: chosen('distance', flags.distance.split(','), DISTANCES),
  vectorSets: chosen('vectors', flags.vectors.split(','), Object.keys(VECTOR_SETS).filter(isVectorSet)),
  seeds: flags.seeds.split(',').map(Number),
  levels: flags.levels.split(',').map((percent) => Number(percent) / 100),
  faults: chosen('fault', flags.fault, FAULT_NAMES),
  cleanDays: Number(flags.days),
});
if (flags.page === true) {
  await writeFile(PAGE, qualityPage(await readReported()));
} else {
  const isReported = flags.full === true || flags.report === true;
  process.stdout.write(resultTables(await measured(flags.full === true ? FULL : part(), isReported)));
}

async function measured(plan: Plan, isReported: boolean): Promise<readonly PieceResult[]> {
  await using directory = await temporaryDirectory();
  const kept = keptResults(await cacheFolder());
  const monitors = await prebuiltMonitors(directory.path);
  const results: PieceResult[] = [];
  for (const piece of piecesOf(plan)) {
    const onProgress = (line: string) => process.stderr.write(`${line}\n`);
    const folder = join(directory.path, randomBytes(4).toString('hex'));
    await mkdir(folder);
    const result = (await kept.find(piece)) ?? (await runPiece(piece, { directory: folder, monitors, onProgress }));
    await kept.keep(result);
    results.push(result);
    if (isReported) await writeFile(PAGE, qualityPage(await report([result])));
  }
  return results;
}

function isVectorSet(name: string): name is keyof typeof VECTOR_SETS {
  return Object.hasOwn(VECTOR_SETS, name);
}

function chosen<Name extends string>(flag: string, names: readonly string[], known: readonly Name[]): readonly Name[] {
  const unknown = names.find((name) => !known.some((each) => each === name));
  if (unknown !== undefined) throw new Error(`--${flag}: there is no "${unknown}"; there are: ${known.join(', ')}`);
  return known.filter((name) => names.includes(name));
}
