// SPDX-License-Identifier: Apache-2.0
/**
 * Which faults of vectors the product raises, and how often it raises one where there is none:
 *
 *   npm run bench:vector-quality            one distance, faults of 1 percent and some clean days; about two minutes
 *   npm run bench:vector-quality -- --full  all distances, vectors and levels, 200 clean days of the first; writes docs/reference/benchmarks-vector-quality.md
 *   npm run bench:vector-quality -- --distance Dot --vectors named --levels 5,20 --days 100   another part of it, printed alone
 *   npm run bench:vector-quality -- --vectors real                            embeddings of real texts by a real model
 *
 * `--faults "stale: text changed,a lost topic"` does only these. `--why` says of each violation what was measured and expected.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readFlags, temporaryDirectory } from '@sextant/foundation-testing';
import { type Plan, qualityPage } from './quality-page.ts';

const PAGE = join(import.meta.dirname, '../../../docs/reference/benchmarks-vector-quality.md');
const FULL: Plan = {
  distances: ['Cosine', 'Dot', 'Euclid'],
  vectorSets: ['dense', 'named'],
  levels: [0.01, 0.05, 0.2],
  cleanDays: 200,
};

const { values: flags } = readFlags({
  options: {
    full: { type: 'boolean' },
    why: { type: 'boolean' },
    distance: { type: 'string', default: 'Cosine' },
    vectors: { type: 'string', default: 'dense' },
    levels: { type: 'string', default: '1' },
    days: { type: 'string', default: '10' },
    faults: { type: 'string' },
  },
});
const part: Plan = {
  distances: FULL.distances.filter((distance) => distance === flags.distance),
  vectorSets: (['dense', 'named', 'real'] as const).filter((vectorSet) => vectorSet === flags.vectors),
  levels: flags.levels.split(',').map((percent) => Number(percent) / 100),
  cleanDays: Number(flags.days),
  ...(flags.faults !== undefined && { faults: flags.faults.split(',') }),
};
await using directory = await temporaryDirectory();
const page = await qualityPage(flags.full === true ? FULL : part, {
  directory: directory.path,
  isTold: flags.why === true,
  onProgress: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(page);
if (flags.full === true) await writeFile(PAGE, page);
