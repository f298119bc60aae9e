// SPDX-License-Identifier: Apache-2.0
import { parseJson } from '@sextant/foundation-std';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRows } from './delimited-rows.ts';
import { jsonRecords } from './json-records.ts';

const cell = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', ';', '\n', '\r', ' ', 'ä', '𝒳'), maxLength: 8 });
const separator = fc.constantFrom(',', ';', '\t', '|');

test('rows come back as they were written, whatever their cells hold', () => {
  const rows = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 9 }));
  fc.assert(
    fc.property(rows, separator, fc.constantFrom('\n', '\r\n'), (written, between, end) => {
      const text = written.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(between) + end).join('');
      const { rows } = parseRows(text, { separator: between, quote: '"', escape: '"' });
      expect(rows.map(({ fields }) => fields)).toEqual(written);
    }),
  );
});

test('records come back from lines, from an array, and from a text that is cut', () => {
  const record = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 5 }).filter((name) => name !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
  );
  fc.assert(
    fc.property(fc.array(record, { maxLength: 9 }), fc.nat(), (written, cut) => {
      const lines = written.map((value) => `${JSON.stringify(value)}\n`);
      const expected = written.map((value) => parseJson(JSON.stringify(value)));
      expect(jsonRecords(lines.join(''))).toEqual(expected);
      expect(jsonRecords(JSON.stringify(written, null, 1))).toEqual(expected);
      const kept = cut % (written.length + 1);
      expect(jsonRecords(lines.slice(0, kept).join('') + (lines[kept] ?? '').slice(0, 1))).toEqual(expected.slice(0, kept));
    }),
  );
});
