// SPDX-License-Identifier: Apache-2.0
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { normal } from './chance.ts';
import { byCategory, heldOutScore, type Run, runDetector, totalScore } from './comparison.ts';
import { nullDetector, zScoreDetector } from './detectors.ts';
import { type LabelledSeries, readCorpus } from './nab-corpus.ts';
import { optimise, PROFILES } from './nab-score.ts';
import { ALARM_SCORE, newsOfEpisodes, productDetector } from './product-detector.ts';

const [standard] = PROFILES;
const ROWS = 600;
const stamp = (row: number) => new Date(Date.UTC(2026, 0, 5) + row * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/** A file of hourly noise that jumps for ten rows at each of the given rows. */
function text(seed: number, jumps: readonly number[]): string {
  const random = seededRandom(seed);
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const jump = jumps.some((start) => row >= start && row < start + 10) ? 30 : 0;
    return `${stamp(row)},${50 + normal(random) + jump}`;
  });
  return `timestamp,value\n${lines.join('\n')}\n`;
}

let folder = '';
let corpus: readonly LabelledSeries[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-nab-'));
  const files = { 'calm/a.csv': [], 'jumpy/b.csv': [300], 'jumpy/c.csv': [250, 500] };
  const windows: { [file: string]: string[][] } = {};
  for (const [seed, [name, jumps]] of Object.entries(files).entries()) {
    await mkdir(join(folder, 'data', name.slice(0, name.indexOf('/'))), { recursive: true });
    await writeFile(join(folder, 'data', name), text(seed, jumps));
    windows[name] = jumps.map((start) => [`${stamp(start - 5)}.000000`, `${stamp(start + 25)}.000000`]);
  }
  await writeFile(join(folder, 'windows.json'), JSON.stringify(windows));
  corpus = await readCorpus(folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

test('a corpus is read with its windows as rows', () => {
  expect(corpus.map(({ name, category, values, windows }) => ({ name, category, rows: values.length, windows }))).toEqual([
    { name: 'calm/a.csv', category: 'calm', rows: ROWS, windows: [] },
    { name: 'jumpy/b.csv', category: 'jumpy', rows: ROWS, windows: [{ first: 295, last: 325 }] },
    {
      name: 'jumpy/c.csv',
      category: 'jumpy',
      rows: ROWS,
      windows: [
        { first: 245, last: 275 },
        { first: 495, last: 525 },
      ],
    },
  ]);
  expect(corpus[1]?.timesMs[1]).toBe(Date.UTC(2026, 0, 5, 1));
});

describe('on jumps in noise', () => {
  test('the null detector scores 0', () => {
    const runs = runDetector(nullDetector, corpus);
    for (const profile of PROFILES) expect(totalScore(runs, profile, optimise(runs, profile).threshold)).toBe(0);
  });

  test('the learned detector finds each, early, and little else', () => {
    const runs = runDetector(productDetector, corpus);
    const { threshold } = optimise(runs, standard);
    expect(totalScore(runs, standard, threshold)).toBeGreaterThan(90);
    // After ten rows of 500 have jumped, a jump is no longer one value in a thousand.
    expect(totalScore(runs, standard, ALARM_SCORE)).toBeGreaterThan(60);
    expect(byCategory(runs, standard, threshold)).toMatchObject([
      { category: 'calm', files: 1, windows: 0, score: undefined },
      { category: 'jumpy', files: 2, windows: 3, found: 3, falseAlarms: 2 },
    ]);
  });

  test('three deviations from the last 14 points find them too, and much else', () => {
    const [calm, ...jumpy] = byCategory(runDetector(zScoreDetector, corpus), standard, 3);
    expect(jumpy).toMatchObject([{ found: 3 }]);
    expect(calm?.falseAlarms).toBeGreaterThan(3);
  });
});

test('held out, each category is evaluated with the threshold that is best for the others', () => {
  const [first, second] = corpus.slice(1).map((series) => ({
    series: { ...series, category: series.name },
    windows: [{ first: 300, last: 330 }],
  }));
  const scores = (peak: number) => Array.from({ length: ROWS }, (_, row) => (row === 300 ? peak : 0));
  const runs = [
    { ...first, scores: scores(0.6) },
    { ...second, scores: scores(0.9) },
  ] as Run[]; // Both are there: the corpus has three files.
  expect(totalScore(runs, standard, optimise(runs, standard).threshold)).toBeCloseTo(100, 10);
  expect(heldOutScore(runs, standard)).toBeCloseTo(50, 10);
});

test('what goes on is news once, and again when it gets worse or after the episode', () => {
  const episode = newsOfEpisodes(100);
  expect([0, 50, 60, 70, 200, 310].map((timeMs, index) => episode(timeMs, [2, 1, 2, 3, 1, 2][index] ?? 0))).toEqual([2, 0, 0, 3, 1, 2]);
});
