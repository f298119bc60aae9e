// SPDX-License-Identifier: Apache-2.0
/** How long a copy is kept for the node that asked for it. */
import { manualClock } from '@sextant/foundation-std';
import type { PackedCollection } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { PackedCopies } from './packed-copies.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function subject(pack: (collection: string) => Promise<Omit<PackedCollection, 'draft'>> = async () => ({ file: 'x', bytes: 7 })) {
  const clock = manualClock();
  const gone: string[] = [];
  const snapshots = {
    pack: async (collection: string): Promise<PackedCollection> => {
      const draft = { directory: `/drafts/${collection}`, [Symbol.asyncDispose]: async () => void gone.push(collection) };
      return { ...(await pack(collection)), draft };
    },
  };
  const copies = new PackedCopies({ snapshots, reached: async () => {}, clock });
  const make = (collection: string, token = collection) => copies.make({ copy: 'make', collection, token, atLeast: 3 });
  return { clock, copies, gone, make };
}

test('a copy is there while it is asked for, and goes when it is not any more', async () => {
  const { clock, copies, gone, make } = subject();
  expect(make('films')).toEqual({ isReady: false });
  await settled();
  for (let look = 0; look < 3; look++) {
    expect(make('films')).toEqual({ isReady: true, draft: 'films', bytes: 7 });
    clock.advance(20_000);
  }
  await settled();
  expect(gone).toEqual([]);
  make('books');
  clock.advance(20_000);
  await settled();
  expect(gone).toEqual(['films']);
  await copies.end('books');
  expect(gone).toEqual(['films', 'books']);
});

test('a copy that could not be made is reported once, and the next attempt begins again', async () => {
  let attempts = 0;
  const { make } = subject(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('the disk is full');
    return { file: 'x', bytes: 1 };
  });
  make('films');
  await settled();
  expect(() => make('films')).toThrow('the disk is full');
  await settled();
  expect(make('films', 'second')).toEqual({ isReady: false });
  await settled();
  expect(make('films', 'second')).toMatchObject({ isReady: true });
});

test('only so many are made at a time', async () => {
  const { copies, make } = subject();
  for (const collection of ['a', 'b', 'c', 'd']) make(collection);
  expect(() => make('e')).toThrow(/Too many snapshots/);
  await copies.end('a');
  expect(make('e')).toEqual({ isReady: false });
  await copies.close();
});
