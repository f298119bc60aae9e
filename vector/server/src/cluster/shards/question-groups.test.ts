// SPDX-License-Identifier: Apache-2.0
/** Which questions go together, and what becomes of those that are given up. */
import { expect, test } from 'vitest';
import type { QuestionGroup, ShardAnswer, ShardQuestion } from './question.ts';
import { QuestionGroups } from './question-groups.ts';

const question = (shard: string, request?: unknown): ShardQuestion => ({
  read: 'count',
  shard,
  atLeast: 1,
  ...(request === undefined ? {} : { request }),
});
const never = new AbortController().signal;

type Sent = { readonly address: string; readonly group: QuestionGroup; readonly signal: AbortSignal };

/** @param answer to each question, by the name of its shard */
function groups(answer: (shard: string) => Promise<ShardAnswer> = async (shard) => ({ result: shard })) {
  const sent: Sent[] = [];
  const opened = new QuestionGroups((address, group, signal) => {
    sent.push({ address, group, signal });
    return Promise.all(group.questions.map(({ shard }) => answer(shard)));
  });
  return { opened, sent };
}

test('what is asked of one node in one moment is one group, and a later question another', async () => {
  const { opened, sent } = groups();
  const shared = { limit: 3 };
  const answers = await Promise.all([
    opened.ask('b', question('0', shared), never),
    opened.ask('c', question('1', shared), never),
    opened.ask('b', question('2', shared), never),
    opened.ask('b', question('3', { limit: 4 }), never),
    opened.ask('b', question('4'), never),
  ]);
  await opened.ask('b', question('5'), never);
  expect(answers).toEqual(['0', '1', '2', '3', '4'].map((result) => ({ result })));
  expect(sent.map(({ address, group }) => ({ address, ...group }))).toEqual([
    {
      address: 'b',
      questions: [{ ...question('0'), request: 0 }, { ...question('2'), request: 0 }, { ...question('3'), request: 1 }, question('4')],
      requests: [shared, { limit: 4 }],
    },
    { address: 'c', questions: [{ ...question('1'), request: 0 }], requests: [shared] },
    { address: 'b', questions: [question('5')], requests: [] },
  ]);
});

test('a large batch is several groups, which several threads of the node can take', async () => {
  const { opened, sent } = groups();
  const shards = Array.from({ length: 40 }, (_, index) => String(index));
  const answers = await Promise.all(shards.map((shard) => opened.ask('b', question(shard), never)));
  expect(answers).toEqual(shards.map((result) => ({ result })));
  expect(sent.map(({ group }) => group.questions.length)).toEqual([16, 16, 8]);
});

test('a question is given up alone, and the exchange ends with the last one', async () => {
  const { opened, sent } = groups(() => new Promise(() => undefined));
  const [first, second] = [new AbortController(), new AbortController()];
  const [one, other] = [opened.ask('b', question('0'), first.signal), opened.ask('b', question('1'), second.signal)];
  await Promise.resolve();
  first.abort(new Error('not needed'));
  await expect(one).rejects.toThrow('not needed');
  expect(sent.map(({ signal }) => signal.aborted)).toEqual([false]);
  second.abort(new Error('late'));
  await expect(other).rejects.toThrow('late');
  expect(sent.map(({ signal }) => signal.aborted)).toEqual([true]);
});

test('a question that is given up at once does not go', async () => {
  const { opened, sent } = groups();
  await expect(opened.ask('b', question('0'), AbortSignal.abort(new Error('not needed')))).rejects.toThrow('not needed');
  expect(sent).toEqual([]);
});

test('where the exchange fails, every question does, and a list of answers that is too short fails those without one', async () => {
  const failing = new QuestionGroups(() => Promise.reject(new Error('the connection failed')));
  const asked = [failing.ask('b', question('0'), never), failing.ask('b', question('1'), never)];
  for (const each of asked) await expect(each).rejects.toThrow('the connection failed');
  const short = new QuestionGroups(async () => [{ result: 1 }]);
  const [answered, unanswered] = await Promise.allSettled([short.ask('b', question('0'), never), short.ask('b', question('1'), never)]);
  expect(answered).toEqual({ status: 'fulfilled', value: { result: 1 } });
  expect(unanswered).toMatchObject({ status: 'rejected', reason: new Error('a question of the group has no answer') });
});
