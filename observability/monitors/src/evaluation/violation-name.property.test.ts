// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { violationName } from './violation-name.ts';

const part = fc.oneof(fc.constantFrom('a', 'a.b', 'segment=a', 'rule=1', '%2E', '.', ''), fc.string());
const subject = fc.record({
  attribute: fc.option(part),
  segment: fc.option(part),
  ruleId: fc.option(fc.nat().map(String)),
  parentId: fc.option(part),
});

test('[E19] two subjects of one monitor never share a name', () => {
  fc.assert(
    fc.property(subject, subject, (one, two) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(two));
      expect(violationName('DQ_RULES_VIOLATION', one)).not.toBe(violationName('DQ_RULES_VIOLATION', two));
    }),
  );
});

test('[E19] a monitor is part of the name', () => {
  const whole = { attribute: null, segment: null, ruleId: null, parentId: null };
  expect(violationName('1', whole)).toBe('DATA.1');
  expect(violationName('2', { ...whole, attribute: 'a.b', segment: 'c=d' })).toBe('FEATURE.2.a%2Eb.segment=c=d');
});
