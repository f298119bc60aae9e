// SPDX-License-Identifier: Apache-2.0
import { ServiceError } from '@sextant/contracts-vector';
import { type Clock, manualClock } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { JsonText } from '../json-text.ts';
import { answerBatch, answerPart, type BatchPart, type Helper } from './batch.ts';

/** Each search takes a millisecond of this clock, here or there. */
function surroundings() {
  const clock = manualClock();
  const here: number[] = [];
  const there: number[] = [];
  const answer = (refused: readonly number[], log: number[]) => async (search: number) => {
    clock.advance(1);
    log.push(search);
    if (refused.includes(search)) throw new ServiceError('point_not_found', { id: search });
    return new JsonText(`[${search}]`);
  };
  const helper =
    (refused: readonly number[] = []): Helper =>
    (part) =>
      answerPart(part, part.searches as readonly number[], answer(refused, there));
  return { clock, here, there, answerHere: (refused: readonly number[] = []) => answer(refused, here), helper };
}

const batchOf = (count: number) => ({
  operation: 'search_batch' as const,
  collection: 'cats',
  searches: Array.from({ length: count }, (_, index) => index),
});
const textsOf = (answers: readonly JsonText[]) => answers.map(({ text }) => text);
const expected = (count: number) => Array.from({ length: count }, (_, index) => `[${index}]`);

describe('a batch', () => {
  test.each([0, 1, 4, 5, 100, 1000])('of %i searches is answered in order, whoever answers', async (count) => {
    const { clock, here, there, answerHere, helper } = surroundings();
    const answers = await answerBatch(batchOf(count), { clock, helpers: [helper(), helper(), helper()] }, answerHere());
    expect(textsOf(answers)).toEqual(expected(count));
    expect([...here, ...there].sort((a, b) => a - b)).toEqual(batchOf(count).searches);
  });

  test('is shared where it would take long here', async () => {
    const { clock, here, there, answerHere, helper } = surroundings();
    await answerBatch(batchOf(400), { clock, helpers: [helper()] }, answerHere());
    expect(there.length).toBeGreaterThan(50);
    expect(here.length).toBeGreaterThan(50);
  });

  test('stays here where it is done in no time', async () => {
    const { here, there, answerHere, helper } = surroundings();
    const still: Clock = manualClock();
    await answerBatch(batchOf(400), { clock: still, helpers: [helper()] }, answerHere());
    expect(there).toEqual([]);
    expect(here).toHaveLength(400);
  });

  test('is handed over in short parts', async () => {
    const { clock, answerHere, helper } = surroundings();
    const lengths: number[] = [];
    const watched: Helper = (part) => {
      lengths.push(part.searches.length);
      return helper()(part);
    };
    await answerBatch(batchOf(400), { clock, helpers: [watched] }, answerHere());
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2);
  });
});

describe('a search that is refused', () => {
  test.each([
    ['early', [3, 200]],
    ['late', [399]],
    ['in a part of another thread', [150, 151, 152, 153, 154, 155, 156]],
  ])('%s refuses the batch, with the reason of the first of several', async (_name, refused) => {
    const { clock, answerHere, helper } = surroundings();
    const answers = answerBatch(batchOf(400), { clock, helpers: [helper(refused), helper(refused)] }, answerHere(refused));
    await expect(answers).rejects.toEqual(new ServiceError('point_not_found', { id: refused[0] ?? 0 }));
  });
});

describe('a helper', () => {
  test('that goes leaves its part to this thread', async () => {
    const { clock, answerHere, helper } = surroundings();
    let parts = 0;
    const leaving: Helper = (part) => (parts++ < 3 ? helper()(part) : Promise.resolve(undefined));
    expect(textsOf(await answerBatch(batchOf(300), { clock, helpers: [leaving] }, answerHere()))).toEqual(expected(300));
    expect(parts).toBeGreaterThan(3);
  });

  test('that fails is a failure of the batch', async () => {
    const { clock, answerHere } = surroundings();
    const failing: Helper = () => Promise.reject(new Error('out of order'));
    await expect(answerBatch(batchOf(300), { clock, helpers: [failing] }, answerHere())).rejects.toThrow('out of order');
  });

  test('is sent vectors without the buffer that they share with others', async () => {
    const { clock } = surroundings();
    const shared = new Float32Array(1000);
    const searches = Array.from({ length: 100 }, (_, index) => ({
      query: { recommend: { positive: [shared.subarray(index, index + 3)] } },
      limit: 1,
    }));
    const sent: BatchPart[] = [];
    const watched: Helper = async (part) => {
      sent.push(part);
      return { kind: 'answered', texts: part.searches.map(() => '[]') };
    };
    const answer = async () => {
      clock.advance(1);
      return new JsonText('[]');
    };
    await answerBatch({ operation: 'search_batch', collection: 'cats', searches }, { clock, helpers: [watched] }, answer);
    const sentSearches = sent.flatMap((part) => part.searches as (typeof searches)[number][]);
    expect(sentSearches.length).toBeGreaterThan(0);
    for (const { query } of sentSearches) expect(query.recommend.positive[0]?.buffer.byteLength).toBe(12);
  });
});
