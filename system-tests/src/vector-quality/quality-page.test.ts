// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { keptResults, merge, readReported } from './kept-results.ts';
import { nameOf, type PieceResult, piecesOf } from './piece.ts';
import { qualityPage } from './quality-page.ts';

const PAGE = join(import.meta.dirname, '../../../docs/reference/benchmarks-vector-quality.md');

const RESULT: PieceResult = {
  distance: 'Cosine',
  vectorSet: 'dense',
  seed: 12,
  level: 0.01,
  faults: ['zero vectors', 'a lost topic'],
  cleanDays: 5,
  raised: { 'zero vectors': ['number of zero vectors is 41'], 'a lost topic': [] },
  falseIncidents: [],
  processorSeconds: 100,
  peakMegabytes: 400,
};

test('the page holds what the reported results say, and no word besides that another run would lose', async () => {
  expect(await readFile(PAGE, 'utf8')).toBe(qualityPage(await readReported()));
});

test('a fault is reported with the seeds that raised it, and those that did not are named', () => {
  const other: PieceResult = { ...RESULT, seed: 13, raised: { 'zero vectors': ['41'], 'a lost topic': ['0.09'] } };
  const page = qualityPage([RESULT, other]);
  expect(page).toMatch(/\| zero vectors +\| yes +\|/);
  expect(page).toMatch(/\| a lost topic +\| 1 of 2, not 12 +\|/);
  expect(qualityPage([RESULT])).toMatch(/\| a lost topic +\| no +\|/);
});

test('real texts are explained where there are some', () => {
  expect(qualityPage([RESULT])).not.toContain('real texts');
  expect(qualityPage([RESULT, { ...RESULT, vectorSet: 'real' }])).toContain('The real texts are some 12,000 paragraphs');
});

test('clean days count once for each collection and seed, and a false incident is told with its sentence', () => {
  const later: PieceResult = { ...RESULT, level: 0.05, cleanDays: 0 };
  const alarm: PieceResult = { ...RESULT, seed: 13, cleanDays: 0, falseIncidents: ['recall of searches is 90 %'] };
  const page = qualityPage([RESULT, later, alarm]);
  expect(page).toMatch(/\| Cosine, dense +\| 12, 13 +\| 25 +\| 1 +\|/);
  expect(page).toContain('- Cosine, dense, seed 13: recall of searches is 90 %');
});

test('results of a part replace those of the same collection, seed and level, and leave the others', () => {
  const others = [
    { ...RESULT, seed: 13 },
    { ...RESULT, level: 0.05 },
    { ...RESULT, vectorSet: 'named' },
  ] as const;
  const again = { ...RESULT, cleanDays: 20 };
  expect(merge([RESULT, ...others], [again])).toHaveLength(4);
  expect(merge([RESULT, ...others], [again])).toEqual(expect.arrayContaining([again, ...others]));
});

test('a piece that was measured is found again, and one of another part is not', async () => {
  await using directory = await temporaryDirectory();
  const kept = keptResults(join(directory.path, 'results'));
  expect(await kept.find(RESULT)).toBeUndefined();
  await kept.keep(RESULT);
  expect(await kept.find(RESULT)).toEqual(RESULT);
  for (const part of [{ seed: 13 }, { level: 0.05 }, { distance: 'Dot' }, { faults: ['zero vectors'] }, { cleanDays: 6 }] as const)
    expect(await kept.find({ ...RESULT, ...part }), JSON.stringify(part)).toBeUndefined();
});

test('each piece of a plan has a name of its own, and clean days are lived through once', () => {
  const pieces = piecesOf({
    distances: ['Cosine', 'Dot'],
    vectorSets: ['dense', 'named'],
    seeds: [11, 12],
    levels: [0.01, 0.05],
    faults: ['zero vectors'],
    cleanDays: 20,
  });
  expect(new Set(pieces.map(nameOf)).size).toBe(16);
  expect(pieces.filter(({ cleanDays }) => cleanDays === 20)).toHaveLength(8);
});
