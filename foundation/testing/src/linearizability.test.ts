// SPDX-License-Identifier: Apache-2.0
/** The checker of histories: it lets through what could have happened in some order, and finds what could not. */
import { type Random, seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { isLinearizable, type RegisterAction, type RegisterOperation, type RegisterValue } from './linearizability.ts';
import { roundsOf } from './long-run.ts';
import { chooseSeed } from './seed.ts';

const NEVER = Number.POSITIVE_INFINITY;
const at = (calledMs: number, answeredMs: number, action: RegisterAction): RegisterOperation => ({ action, calledMs, answeredMs });
const write = (value: RegisterValue): RegisterAction => ({ kind: 'write', value });
const read = (found: RegisterValue): RegisterAction => ({ kind: 'read', found });
const writeIf = (expected: RegisterValue, value: number): RegisterAction => ({ kind: 'write_if', expected, value });

describe('a history of one point', () => {
  test.each<[string, readonly RegisterOperation[], boolean]>([
    ['nothing', [], true],
    ['a read of what was written before', [at(0, 1, write(1)), at(2, 3, read(1))], true],
    ['a stale read', [at(0, 1, write(1)), at(2, 3, write(2)), at(4, 5, read(1))], false],
    ['a read of nothing after a write', [at(0, 1, write(1)), at(2, 3, read(undefined))], false],
    ['a read of what nobody wrote', [at(0, 1, read(7))], false],
    ['reads on both sides of a write that goes on', [at(0, 9, write(1)), at(1, 2, read(undefined)), at(3, 4, read(1))], true],
    ['a read that goes back while a write goes on', [at(0, 9, write(1)), at(1, 2, read(1)), at(3, 4, read(undefined))], false],
    [
      'two reads that saw two writes in two orders',
      [at(0, 9, write(1)), at(0, 9, write(2)), at(1, 2, read(1)), at(3, 4, read(2)), at(5, 6, read(1))],
      false,
    ],
    ['a deletion', [at(0, 1, write(1)), at(2, 3, write(undefined)), at(4, 5, read(undefined))], true],
    ['a point that comes back after its deletion', [at(0, 1, write(1)), at(2, 3, write(undefined)), at(4, 5, read(1))], false],
    ['a condition that held', [at(0, 1, write(1)), at(2, 3, writeIf(1, 2)), at(4, 5, read(2))], true],
    ['a condition that did not hold and wrote', [at(0, 1, write(1)), at(2, 3, writeIf(9, 2)), at(4, 5, read(2))], false],
    [
      'of two with one condition both written',
      [at(0, 1, write(1)), at(2, 5, writeIf(1, 2)), at(2, 5, writeIf(1, 3)), at(6, 7, read(2)), at(8, 9, read(3))],
      false,
    ],
    [
      'a write that nobody answered and that was done later',
      [at(0, 1, write(1)), at(2, NEVER, write(2)), at(3, 4, read(1)), at(5, 6, read(2))],
      true,
    ],
    ['one that was done before it was called', [at(0, 1, read(2)), at(2, NEVER, write(2))], false],
    [
      'one that was done twice',
      [at(0, 1, write(1)), at(2, NEVER, write(2)), at(3, 4, read(2)), at(5, 6, write(3)), at(7, 8, read(2))],
      false,
    ],
    ['one with a condition that was read', [at(0, 1, write(1)), at(2, NEVER, writeIf(1, 2)), at(3, 4, read(2)), at(5, 6, read(1))], false],
  ])('%s', (_, operations, expected) => {
    expect(isLinearizable(operations)).toBe(expected);
  });
});

test('histories of a register that does one thing at a time pass, and with one stale read they do not', () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  for (let round = 0; round < roundsOf({ quick: 200, long: 20_000 }); round++) {
    const operations = history(random);
    expect(isLinearizable(operations), `seed ${seed}, round ${round}`).toBe(true);
    const endMs = Math.max(...operations.map(({ answeredMs }) => (answeredMs === NEVER ? 0 : answeredMs)));
    // Two values in a row, both answered: the first cannot be read any more.
    const stale = [at(endMs + 1, endMs + 2, write(-1)), at(endMs + 3, endMs + 4, write(-2)), at(endMs + 5, endMs + 6, read(-1))];
    expect(isLinearizable([...operations, ...stale.slice(0, 2)]), `seed ${seed}, round ${round}`).toBe(true);
    expect(isLinearizable([...operations, ...stale]), `seed ${seed}, round ${round}`).toBe(false);
  }
});

test('of small histories it says what trying every order says', () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const found = { yes: 0, no: 0 };
  for (let round = 0; round < roundsOf({ quick: 3000, long: 200_000 }); round++) {
    const operations = smallHistory(random);
    const expected = isSomeOrderRight(operations, undefined);
    expect(isLinearizable(operations), `seed ${seed}, round ${round}: ${JSON.stringify(operations)}`).toBe(expected);
    found[expected ? 'yes' : 'no'] += 1;
  }
  // Otherwise the test has shown less than it says.
  expect(Math.min(found.yes, found.no)).toBeGreaterThan(100);
});

test('many operations that nobody answered do not make the search long', () => {
  const operations = Array.from({ length: 40 }, (_, turn): readonly RegisterOperation[] => {
    const ms = turn * 100;
    const [one, other] = [3 * turn + 1, 3 * turn + 2];
    return [
      at(ms, NEVER, write(undefined)),
      at(ms, NEVER, write(one)),
      at(ms, NEVER, writeIf(one - 3, other)),
      at(ms + 10, ms + 20, read(turn % 2 === 0 ? one : undefined)),
      at(ms + 10, ms + 40, write(3 * turn + 3)),
      at(ms + 30, ms + 50, writeIf(one, -one)),
    ];
  }).flat();
  expect(isLinearizable(operations)).toBe(true);
  const stale = [at(5000, 5001, write(-1)), at(5002, 5003, write(-2)), at(5004, 5005, read(-1))];
  expect(isLinearizable([...operations, ...stale])).toBe(false);
});

/** Few values, so that operations meet the values of others. */
function smallHistory(random: Random): readonly RegisterOperation[] {
  const value = () => [undefined, 1, 2][random.integer(3)];
  return Array.from({ length: 2 + random.integer(5) }, () => {
    const calledMs = random.integer(12);
    const action = [read(value()), write(value()), writeIf(value(), 1 + random.integer(2))][random.integer(3)] ?? read(undefined);
    return at(calledMs, action.kind !== 'read' && random.integer(3) === 0 ? NEVER : calledMs + 1 + random.integer(8), action);
  });
}

/** Without any cleverness: each operation that nothing else has ended before is done next, in turn; unanswered ones may be left over. */
function isSomeOrderRight(left: readonly RegisterOperation[], held: RegisterValue): boolean {
  if (left.every(({ answeredMs }) => answeredMs === NEVER)) return true;
  const endMs = Math.min(...left.map(({ answeredMs }) => answeredMs));
  return left.some((operation) => {
    if (operation.calledMs > endMs) return false;
    const { action } = operation;
    if (action.kind === 'read' && action.found !== held) return false;
    const isWritten = action.kind === 'write' || (action.kind === 'write_if' && action.expected === held);
    const rest = left.filter((each) => each !== operation);
    return isSomeOrderRight(rest, isWritten ? action.value : held);
  });
}

/** Each operation is done at a moment within its time, and some are not answered; half of these are not done. */
function history(random: Random): readonly RegisterOperation[] {
  const moments = Array.from({ length: 40 }, (_, index) => {
    const doneMs = index * 10;
    const isAnswered = random.integer(8) > 0;
    return {
      calledMs: doneMs - random.integer(35),
      answeredMs: isAnswered ? doneMs + random.integer(35) : NEVER,
      isDone: isAnswered || random.integer(2) === 0,
      kind: random.integer(4),
      value: index + 1,
    };
  });
  let held: RegisterValue;
  return moments.map(({ calledMs, answeredMs, isDone, kind, value }) => {
    const seen = held;
    const action =
      [read(seen), write(value), write(undefined), writeIf(random.integer(2) === 0 ? seen : value - 3, value)][kind] ?? read(seen);
    if (isDone) {
      if (action.kind === 'write') held = action.value;
      if (action.kind === 'write_if' && action.expected === seen) held = value;
    }
    return at(calledMs, answeredMs, action);
  });
}
