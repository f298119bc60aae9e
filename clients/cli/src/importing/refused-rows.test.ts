// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type NumberedPoint, sendAccepted } from './refused-rows.ts';

class Refused extends Error {}

/** A service that refuses batches with any of these ids. */
function service(bad: readonly number[]) {
  const stored: unknown[] = [];
  let requests = 0;
  return {
    stored,
    requests: () => requests,
    send: async (points: readonly { readonly id: unknown }[]) => {
      requests += 1;
      const refused = points.find(({ id }) => bad.includes(Number(id)));
      if (refused !== undefined) throw new Refused(`no ${String(refused.id)}`);
      stored.push(...points.map(({ id }) => id));
    },
    refusal: (error: unknown) => (error instanceof Refused ? error.message : undefined),
  };
}

const rows = (count: number): NumberedPoint[] =>
  Array.from({ length: count }, (_, row) => ({ row, point: { id: row, vector: [1], payload: {} } }));

test.each<[readonly number[]]>([[[]], [[0]], [[6]], [[3]], [[0, 1, 5]], [[0, 1, 2, 3, 4, 5, 6]]])(
  'of seven rows %j are at fault',
  async (bad) => {
    const { stored, requests, ...target } = service(bad);
    const refused = await sendAccepted(rows(7), { ...target, firstOnly: false });
    expect(refused.map(({ row, reason }) => [row, reason])).toEqual(bad.map((row) => [row, `no ${row}`]));
    expect(stored).toEqual([0, 1, 2, 3, 4, 5, 6].filter((row) => !bad.includes(row)));
    expect(requests()).toBeLessThanOrEqual(13);
  },
);

test('the first row at fault is found with everything before it in', async () => {
  const { stored, requests, ...target } = service([5, 300]);
  const refused = await sendAccepted(rows(512), { ...target, firstOnly: true });
  expect(refused.map(({ row }) => row)).toEqual([5]);
  expect(stored).toEqual([0, 1, 2, 3, 4]);
  expect(requests()).toBeLessThanOrEqual(20);
});

test('another failure is no fault of a row', async () => {
  const send = async () => {
    throw new Error('gone');
  };
  await expect(sendAccepted(rows(4), { send, refusal: () => undefined, firstOnly: false })).rejects.toThrow('gone');
});
