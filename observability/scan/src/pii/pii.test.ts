// SPDX-License-Identifier: Apache-2.0

import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestEngines } from '../expressions/sql-engines.conformance.ts';
import { maskPii } from './mask.ts';
import { PII_PATTERNS, type PiiKind } from './patterns.ts';
import { containsPii } from './pii-condition.ts';

let opened: Awaited<ReturnType<typeof openTestEngines>>;
beforeAll(async () => {
  opened = await openTestEngines();
});
afterAll(() => opened[Symbol.asyncDispose]());

/** The numbers are those that networks and authorities publish for tests and examples. */
const FOUND: readonly (readonly [kind: PiiKind, texts: readonly string[]])[] = [
  [
    'CREDIT_CARD',
    [
      '4111111111111111',
      'paid with 4111 1111 1111 1111 today',
      '5555-5555-5555-4444',
      '2223003122003222',
      '378282246310005',
      '3782 822463 10005',
      '30569309025904',
      '6011111111111117',
      '3530111333300000',
      '4222222222222',
    ],
  ],
  ['IP_ADDRESS', ['192.168.0.1', 'from 8.8.8.8, twice', '255.255.255.255', '2001:db8::1', '2001:0db8:85a3:0000:0000:8a2e:0370:7334']],
  ['SSN', ['123-45-6789', 'SSN 078 05 1120.', '899-99-9999']],
  ['PHONE_NUMBER', ['+1 212-555-0100', '(212) 555-0100', 'call 212.555.0100 now', '+442079460958', '+49 30 901820', '1-212-555-0100']],
  ['ZIP_CODE', ['90210-1234', 'Beverly Hills, CA 90210']],
  ['EMAIL', ['jane.doe@example.com', "mail <o'brien+x@sub.example.co.uk>!", 'a@b.co']],
];

const NOT_FOUND: readonly (readonly [kind: PiiKind, texts: readonly string[]])[] = [
  // A wrong check digit, digits around, no network, too short, and dates.
  [
    'CREDIT_CARD',
    ['4111111111111112', '94111111111111111', '41111111111111110', '9999999999999999', '4111 1111 1111', '2024-01-01 12:00:00', ''],
  ],
  ['IP_ADDRESS', ['256.1.1.1', '1.2.3', '1.2.3.4.5', '12:30:45', 'a::', '01.2.3.4']],
  ['SSN', ['000-12-3456', '666-12-3456', '900-12-3456', '123-00-4567', '123-45-0000', '123456789', '1123-45-6789', '123-45-67890']],
  ['PHONE_NUMBER', ['2125550100', '112-555-0100', '212-155-0100', '12-34-56', '+123', '1.25e10']],
  ['ZIP_CODE', ['90210', '190210-1234', '90210-12345', 'ca 90210', 'XCA 90210']],
  ['EMAIL', ['jane@', '@example.com', 'jane@localhost', 'jane doe', 'a@b..co', 'a@-b.co']],
];

async function verdicts(
  kind: PiiKind,
  texts: readonly string[],
): Promise<readonly (readonly [engine: string, text: string, found: unknown])[]> {
  const answers: [string, string, unknown][] = [];
  for (const { dialect, query } of opened.engines) {
    for (const text of texts) {
      const [row] = await query(`SELECT ${containsPii(dialect, 't', [kind])} FROM (SELECT ${dialect.literal(text)} AS t) AS one`);
      answers.push([dialect.name, text, row?.[0]]);
    }
  }
  return answers;
}

describe('personal data is found', () => {
  test.each(FOUND)('%s', async (kind, texts) => {
    for (const answer of await verdicts(kind, texts)) expect(answer).toEqual([answer[0], answer[1], true]);
  });
});

describe('what only resembles it is not', () => {
  test.each(NOT_FOUND)('%s', async (kind, texts) => {
    for (const answer of await verdicts(kind, texts)) expect(answer).toEqual([answer[0], answer[1], false]);
  });
});

test('null is neither', async () => {
  for (const { dialect, query } of opened.engines) {
    expect(await query(`SELECT ${containsPii(dialect, 't')} FROM (SELECT CAST(NULL AS TEXT) AS t) AS one`)).toEqual([[null]]);
  }
});

describe('masks', () => {
  test.each([
    ['paid with 4111 1111 1111 1111 today', 'paid with **** **** **** **** today'],
    ['a mistyped 4111111111111112', 'a mistyped ****************'],
    ['jane.doe@example.com wrote', '****.***@*******.*** wrote'],
    ['123-45-6789', '***-**-****'],
    ['from 192.168.0.1', 'from ***.***.*.*'],
    ['call (212) 555-0100', 'call (***) ***-****'],
    ['CA 90210', '** *****'],
    ['nothing personal on 2024-01-31, item 90210', 'nothing personal on 2024-01-31, item 90210'],
    ['', ''],
  ])('%s', (text, masked) => {
    expect(maskPii(text)).toBe(masked);
  });

  test('every text in which a kind is found is changed', () => {
    for (const [, texts] of FOUND) for (const text of texts) expect(maskPii(text)).not.toBe(text);
  });

  test('a hostile text ends', () => {
    for (const text of [
      'a'.repeat(200_000),
      `${'a.'.repeat(50_000)}@`,
      '1-'.repeat(100_000),
      ':a'.repeat(50_000),
      `+${'1 '.repeat(50_000)}`,
    ]) {
      expect(maskPii(text).length).toBeLessThanOrEqual(10_001);
    }
  });
});

test.each(PII_PATTERNS.filter(({ signs }) => signs.length > 0))('no $kind is without all of its signs', ({ core, signs }) => {
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(`^(?:${core})$`)), (text) => signs.some((sign) => text.includes(sign))),
    { numRuns: roundsOf({ quick: 100, long: 5000 }) },
  );
});
