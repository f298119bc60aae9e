// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run bench:vector -- [sections]`: measures the sections named, or all, prints them, and writes docs/reference/benchmarks.md. The figures of
 * each section are kept as JSON in docs/reference/benchmarks/, so that a section that is not measured stays on the page as it was.
 *
 *   --quick       small parts of the vectors, a few minutes (the default)
 *   --full        everything, about an hour on two cores
 *   --points n    no more than n points of any set
 *   --no-write    print only
 */
import { readFlags } from '@sextant/foundation-testing';
import { installPeers } from './libraries/install.ts';
import { busyShare, thisMachine } from './machine.ts';
import { keepFigures, renderRun, writePage } from './page.ts';
import { FULL, limited, QUICK } from './scale.ts';
import { isSectionName, measureSection, needsPeers, SECTION_NAMES } from './sections/index.ts';

const { values, positionals } = readFlags({
  options: {
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    points: { type: 'string' },
    write: { type: 'boolean', default: true },
  },
  allowPositionals: true,
  allowNegative: true,
});
if (values.quick && values.full) throw new Error('--quick and --full exclude each other');
const unknown = positionals.find((name) => !isSectionName(name));
if (unknown !== undefined) throw new Error(`there is no section "${unknown}"; there are ${SECTION_NAMES.join(', ')}`);
const whole = values.full ? FULL : QUICK;
const points = values.points === undefined ? undefined : Number(values.points);
if (points !== undefined && !(Number.isInteger(points) && points >= 1000)) throw new Error('--points must be a whole number from 1000');
const scale = points === undefined ? whole : limited(whole, points);

const named = positionals.filter(isSectionName);
const wanted = named.length > 0 ? named : SECTION_NAMES;
if (wanted.some(needsPeers)) installPeers();
for (const name of wanted) {
  console.log(`--- ${name}`);
  const circumstances = { section: name, scale, machine: thisMachine(), busyShare: await busyShare() };
  const run = { ...circumstances, figures: await measureSection(name, scale) };
  console.log(`\n${renderRun(run)}\n`);
  if (values.write) {
    await keepFigures(run);
    await writePage();
  }
}
