// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onDuckdb } from '../expressions/sql-engines.conformance.ts';
import { maskPii } from './mask.ts';
import { PII_PATTERNS } from './patterns.ts';
import { FOUND, piiSuite } from './pii.conformance.ts';

onDuckdb(piiSuite);

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
