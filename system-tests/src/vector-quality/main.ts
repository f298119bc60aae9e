/**
 * Which faults of vectors the product raises, and how often it raises one where there is none:
 *
 *   npm run bench:vector-quality            one distance, faults of 1 percent and some clean days; about a minute
 *   npm run bench:vector-quality -- --full  all distances, vectors and levels, 200 clean days of the first; writes docs/reference/benchmarks-vector-quality.md
 *   npm run bench:vector-quality -- --why   says of each violation what was measured and expected
 *   npm run bench:vector-quality -- --days 200 --distance Dot   as many clean days, another distance
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type Plan, qualityPage } from './quality-page.ts';

const PAGE = join(import.meta.dirname, '../../../docs/reference/benchmarks-vector-quality.md');
const DISTANCES = ['Cosine', 'Dot', 'Euclid'] as const;
const QUICK: Plan = { distances: ['Cosine'], vectorSets: ['dense'], levels: [0.01], cleanDays: 20 };
const FULL: Plan = {
  distances: DISTANCES,
  vectorSets: ['dense', 'named'],
  levels: [0.01, 0.05, 0.2],
  cleanDays: 200,
};

const { values: flags } = parseArgs({
  options: { full: { type: 'boolean' }, why: { type: 'boolean' }, days: { type: 'string' }, distance: { type: 'string' } },
});
await using directory = await temporaryDirectory();
const distances = DISTANCES.filter((distance) => distance === (flags.distance ?? 'Cosine'));
const quick = { ...QUICK, distances, cleanDays: Number(flags.days ?? QUICK.cleanDays) };
const page = await qualityPage(flags.full === true ? FULL : quick, {
  directory: directory.path,
  isTold: flags.why === true,
  onProgress: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(page);
if (flags.full === true) await writeFile(PAGE, page);
