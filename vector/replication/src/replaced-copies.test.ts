// SPDX-License-Identifier: Apache-2.0
import { manualClock } from '@sextant/foundation-std';
import type { Transfer } from '@sextant/vector-collection';
import { describe, expect, test } from 'vitest';
import { GoneNodes } from './gone-nodes.ts';
import { isDecider, lostCopies, lostRecovery, nextReplacement, type PlacedShards } from './replaced-copies.ts';

/** The dead ones have an exclamation mark. */
const members = (...nodes: readonly string[]) =>
  nodes.map((name) => ({ node: name.replace('!', ''), isDead: name.endsWith('!'), silentMs: name.endsWith('!') ? 600_000 : 0 }));
const films = (placement: readonly (readonly string[])[], transfers: readonly Transfer[] = []) => ({
  name: 'films',
  shards: placement.map((nodes, number) => ({ number, nodes })),
  transfers,
});
const next = (collections: readonly PlacedShards[], met: ReturnType<typeof members>, ...gone: readonly string[]) =>
  nextReplacement({ collections, members: met, gone: new Set(gone), newId: () => 'new' });
const move = (shard: number, from: string, to: string): Transfer => ({ id: 'new', shard, from, to, isMove: true });
const begin = (shard: number, from: string, to: string) => ({
  kind: 'begin_transfer',
  collection: 'films',
  transfer: move(shard, from, to),
});

describe('the next copy', () => {
  test.each([
    ['nobody is gone', [['a', 'b']], members('a', 'b', 'c'), [], undefined],
    ['a node is dead and not gone yet', [['a', 'b']], members('a', 'b!', 'c'), [], undefined],
    ['one is gone', [['a', 'b']], members('a', 'b!', 'c'), ['b'], begin(0, 'b', 'c')],
    ['one was removed', [['a', 'b']], members('a', 'c'), ['b'], begin(0, 'b', 'c')],
    ['the only copy is gone', [['b']], members('a', 'b!', 'c'), ['b'], undefined],
    ['the other copy is on a node that is dead', [['a', 'b']], members('a!', 'b!', 'c'), ['b'], undefined],
    ['every node that lives has a copy', [['a', 'b']], members('a', 'b!'), ['b'], undefined],
    ['the only other node is dead', [['a', 'b']], members('a', 'b!', 'c!'), ['b'], undefined],
    [
      'some shards have lost more than others',
      [
        ['a', 'b', 'd'],
        ['b', 'c', 'd'],
      ],
      members('a', 'b!', 'c!', 'd', 'e'),
      ['b', 'c'],
      begin(1, 'b', 'e'),
    ],
    ['nodes hold different numbers of shards', [['a', 'b'], ['c'], ['a']], members('a', 'b!', 'c', 'd'), ['b'], begin(0, 'b', 'd')],
  ] as const)('where %s', (_, placement, met, gone, expected) => {
    expect(next([films(placement)], met, ...gone)).toEqual(expected);
  });

  test('is one of a shard by its number, which keys have given it', () => {
    const shards = [
      { number: 3, nodes: ['a', 'c'] },
      { number: 7, nodes: ['b', 'c'] },
    ];
    expect(next([{ ...films([]), shards }], members('a', 'b!', 'c'), 'b')).toEqual(begin(7, 'b', 'a'));
  });

  test.each([
    ['whose copy is complete', ['b'], begin(0, 'b', 'c')],
    ['whose copy is not', [], { kind: 'abort_resharding', collection: 'films', id: 'halves' }],
  ] as const)('waits for no new shard on a node that is gone, %s', (_, ready, expected) => {
    const resharding = { id: 'halves', shards: [{ number: 1, nodes: ['b'], ready }] };
    expect(next([{ ...films([['a', 'b']]), resharding }], members('a', 'b!', 'c'), 'b')).toEqual(expected);
  });

  test('waits for the transfer that is on its way, of any collection', () => {
    const other = { ...films([['a']], [move(0, 'a', 'c')]), name: 'other' };
    expect(next([films([['a', 'b']]), other], members('a', 'b!', 'c'), 'b')).toBeUndefined();
  });

  test('comes after a transfer whose target is gone has been given up', () => {
    const stranded = { ...move(0, 'a', 'b'), id: 'stranded' };
    expect(next([films([['a', 'c']], [stranded])], members('a', 'b!', 'c'), 'b')).toEqual({
      kind: 'end_transfer',
      collection: 'films',
      id: 'stranded',
      isDone: false,
    });
  });

  test('goes to no node whose disk is full', () => {
    const met = members('a', 'b!', 'c').map((member) => ({ ...member, isFull: member.node === 'c' }));
    expect(next([films([['a', 'b']])], met, 'b')).toBeUndefined();
    expect(next([films([['a', 'b']])], [...met, ...members('d')], 'b')).toEqual(begin(0, 'b', 'd'));
  });

  test('is counted as lost until it is there', () => {
    expect(lostCopies([films([['a', 'b'], ['b']]), films([['c']])], new Set(['b']))).toBe(2);
  });

  test('is decided on by the first node that lives', () => {
    const met = members('a!', 'b', 'c');
    expect(['a', 'b', 'c'].filter((node) => isDecider(node, met))).toEqual(['a', 'b']);
    expect(isDecider('c', met)).toBe(false);
  });
});

describe('a node is gone', () => {
  const AFTER_MS = 60_000;
  function watched({ afterMs }: { readonly afterMs: number | undefined } = { afterMs: AFTER_MS }) {
    const clock = manualClock();
    const nodes = new GoneNodes({ afterMs, clock });
    let gone: ReadonlySet<string> = new Set();
    const watch = (ms: number, met: ReturnType<typeof members>, placed: readonly string[] = []) => {
      for (const endMs = clock.monotonicMs() + ms; clock.monotonicMs() < endMs; ) {
        clock.advance(2000);
        gone = nodes.look(met, placed);
      }
      return [...gone];
    };
    return { clock, watch };
  }

  test('when it has been seen dead for long enough, and not any more when it is back', () => {
    const { watch } = watched();
    expect(watch(AFTER_MS, members('a', 'b!'))).toEqual([]);
    expect(watch(4000, members('a', 'b!'))).toEqual(['b']);
    expect(watch(2000, members('a', 'b'))).toEqual([]);
    expect(watch(AFTER_MS, members('a', 'b!'))).toEqual([]);
  });

  test('not where it was back for a moment between two looks', () => {
    const { watch } = watched();
    const flapping = members('a', 'b!').map((member) => ({ ...member, silentMs: 20_000 }));
    expect(watch(2 * AFTER_MS, flapping)).toEqual([]);
  });

  test('not by a time in which nobody could look', () => {
    const { clock, watch } = watched();
    expect(watch(AFTER_MS - 4000, members('a', 'b!'))).toEqual([]);
    clock.advance(10 * AFTER_MS);
    expect(watch(AFTER_MS - 4000, members('a', 'b!'))).toEqual([]);
  });

  test('soon where it was removed, also where dead nodes are waited for', () => {
    const { watch } = watched({ afterMs: undefined });
    expect(watch(10_000, members('a', 'c!'), ['a', 'b'])).toEqual([]);
    expect(watch(4000, members('a', 'c!'), ['a', 'b'])).toEqual(['b']);
  });
});

test('a recovery is given up whose node is gone, and no other', () => {
  const recovery = (collection: string, node?: string) => ({ collection, id: `of ${collection}`, ...(node === undefined ? {} : { node }) });
  const recoveries = [recovery('films', 'a'), recovery('books'), recovery('songs', 'b')];
  expect(lostRecovery(recoveries, new Set(['c']))).toBeUndefined();
  expect(lostRecovery(recoveries, new Set(['b']))).toEqual({ kind: 'end_recovery', collection: 'songs', id: 'of songs', isDone: false });
});
