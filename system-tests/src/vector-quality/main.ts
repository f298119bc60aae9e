/**
 * Which faults of vectors the product raises, and how often it raises one where there is none:
 *
 *   npm run bench:vector-quality            one distance, faults of 1 percent and some clean days; about a minute
 *   npm run bench:vector-quality -- --full  all distances, vectors and levels, 200 clean days; writes docs/reference/benchmarks-vector-quality.md
 *   npm run bench:vector-quality -- --why   names the monitor and the sentence of each violation
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type Plan, qualityPage } from './quality-page.ts';

const PAGE = join(import.meta.dirname, '../../../docs/reference/benchmarks-vector-quality.md');
const QUICK: Plan = { distances: ['Cosine'], vectorSets: ['dense'], levels: [0.01], cleanDays: 20 };
const FULL: Plan = {
  distances: ['Cosine', 'Dot', 'Euclid'],
  vectorSets: ['dense', 'named'],
  levels: [0.01, 0.05, 0.2],
  cleanDays: 200,
};

const { values: flags } = parseArgs({ options: { full: { type: 'boolean' }, why: { type: 'boolean' } } });
await using directory = await temporaryDirectory();
const page = await qualityPage(flags.full === true ? FULL : QUICK, {
  directory: directory.path,
  isTold: flags.why === true,
  onProgress: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(page);
if (flags.full === true) await writeFile(PAGE, page);
