// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import type { SqlEngine } from '../expressions/sql-engines.conformance.ts';
import type { PiiKind } from './patterns.ts';
import { containsPii } from './pii-condition.ts';

/** The numbers are those that networks and authorities publish for tests and examples. */
export const FOUND: readonly (readonly [kind: PiiKind, texts: readonly string[]])[] = [
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

export function piiSuite({ dialect, query }: SqlEngine): void {
  async function verdicts(kind: PiiKind, texts: readonly string[]): Promise<readonly (readonly [text: string, found: unknown])[]> {
    const answers: [string, unknown][] = [];
    for (const text of texts) {
      const [row] = await query(`SELECT ${containsPii(dialect, 't', [kind])} FROM (SELECT ${dialect.literal(text)} AS t) AS one`);
      answers.push([text, row?.[0]]);
    }
    return answers;
  }

  describe('personal data is found', () => {
    test.each(FOUND)('%s', async (kind, texts) => {
      expect(await verdicts(kind, texts)).toEqual(texts.map((text) => [text, true]));
    });
  });

  describe('what only resembles personal data is not', () => {
    test.each(NOT_FOUND)('%s', async (kind, texts) => {
      expect(await verdicts(kind, texts)).toEqual(texts.map((text) => [text, false]));
    });
  });

  test('null is neither personal data nor none', async () => {
    expect(await query(`SELECT ${containsPii(dialect, 't')} FROM (SELECT CAST(NULL AS TEXT) AS t) AS one`)).toEqual([[null]]);
  });
}
