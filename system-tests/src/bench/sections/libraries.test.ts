// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { KERNEL, KERNEL_OF_BYTES, type LibraryName } from '../libraries/library.ts';
import { libraries } from './libraries.ts';

/** A library whose searches slow down from `rate` to half of it while recall goes from 0.9 to 1. */
function library(name: LibraryName, rate: number, bytesPerVector: number) {
  const curve = [
    { ef: 10, recall: 0.9, rate },
    { ef: 56, recall: 1, rate: rate / 2 },
  ];
  const build = (efConstruct: number, buildRate: number) => ({ efConstruct, rate: buildRate, bytesPerVector, curve });
  return { name, builds: [build(64, 2 * rate), build(128, rate)] };
}

test('the last rows compare each form of Sextant with the best peer of each column', () => {
  const page = libraries.render({
    rounds: 3,
    sets: [
      {
        set: { name: 'GloVe-100', title: 'GloVe-100', metric: 'Cosine', points: 1000, dimension: 4, queries: 10 },
        libraries: [
          library(KERNEL, 3000, 200),
          library(KERNEL_OF_BYTES, 4000, 50),
          library('hnswlib-node', 1000, 100),
          library('usearch f32', 2000, 400),
        ],
      },
    ],
  });
  const rows = page
    .split('\n')
    .filter((line) => line.includes('/ best peer'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows).toEqual([
    ['', 'sextant / best peer', '1.50 x', '1.50 x', '', '', '1.50 x', '2.00 x', ''],
    ['', 'sextant uint8 / best peer', '2.00 x', '2.00 x', '', '', '2.00 x', '0.50 x', ''],
  ]);
});

test('a recall that is not reached is a dash, and does not count as a peer', () => {
  const slow = library('usearch i8', 9000, 50);
  const builds = slow.builds.map((build) => ({ ...build, curve: build.curve.map((point) => ({ ...point, recall: 0.5 })) }));
  const page = libraries.render({
    rounds: 3,
    sets: [
      {
        set: { name: 'GloVe-100', title: 'GloVe-100', metric: 'Cosine', points: 1000, dimension: 4, queries: 10 },
        libraries: [library(KERNEL, 3000, 200), { name: 'usearch i8', builds }],
      },
    ],
  });
  expect(page).toMatch(/\| usearch i8 +\| - +\| - +\| 0\.5000/);
  expect(page).toMatch(/\| sextant \/ best peer +\| - +\| - +\|/);
});
