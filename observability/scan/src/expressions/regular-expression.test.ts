// SPDX-License-Identifier: Apache-2.0
import { chooseSeed } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { likePattern, portablePattern } from './regular-expression.ts';
import { RegularExpressionError } from './regular-expression-parser.ts';
import { openTestEngines } from './sql-engines.conformance.ts';

let opened: Awaited<ReturnType<typeof openTestEngines>>;
beforeAll(async () => {
  opened = await openTestEngines();
});
afterAll(() => opened[Symbol.asyncDispose]());

/** Whether each text matches, on every engine. */
async function matches(pattern: string, texts: readonly string[]): Promise<readonly (readonly unknown[])[]> {
  const answers: unknown[][] = [];
  for (const { dialect, query } of opened.engines) {
    const condition = dialect.regexMatches('t', portablePattern(dialect, pattern));
    const values = texts.map((text, index) => `(${index}, ${dialect.literal(text)})`).join(', ');
    const rows = await query(`SELECT ${condition} FROM (VALUES ${values}) AS texts(place, t) ORDER BY place`);
    answers.push(rows.map(([answer]) => answer));
  }
  return answers;
}

describe('[E5] a pattern means the same on every engine', () => {
  test.each([
    ['a.c', ['abc', 'a\nc', 'ac'], [true, false, false]],
    ['^a$', ['a', 'b\na', 'a\n'], [true, false, false]],
    ['[^a]', ['a', '\n', 'b'], [false, true, true]],
    ['\\d+\\s\\w', ['1 a', '٣ a', '1 é'], [true, false, false]],
    ['\\bcat\\b', ['a cat', 'concat', 'cat_', 'écat'], [true, false, false, true]],
    ['\\Bat', ['cat', 'at'], [true, false]],
    ['(?i)straße[a-c]', ['STRAßEB', 'straßed'], [true, false]],
    ['[\\]\\-\\\\^]', [']', '-', '\\', '^', 'a'], [true, true, true, true, false]],
    ['[]a]x', [']x', 'ax', 'x'], [true, true, false]],
    ['a{2,3}?b|c{2}', ['aab', 'ab', 'cc'], [true, false, true]],
    ['(?:ab)+$', ['abab', 'aba'], [true, false]],
    ['(a|)b', ['b', 'ab', 'a'], [true, true, false]],
    ['\\x41\\u00e9\\.', ['Aé.', 'Aéx'], [true, false]],
    ['', ['', 'a'], [true, true]],
    ['$a', ['a', ''], [false, false]],
    ['a^', ['a', ''], [false, false]],
  ])('%s', async (pattern, texts, expected) => {
    for (const answer of await matches(pattern, texts)) expect(answer).toEqual(expected);
  });

  test('generated patterns match what they match in JavaScript', async () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^b]', '\\d', '\\w', '\\S', '\\.', '^', '$', '\\b', 'é');
    const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 3 },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
        fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(${left}|${right})`),
        fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '*?')).map(([inner, repeat]) => `(?:${inner})${repeat}`),
      ),
    }));
    const texts = ['', 'a', 'ab', 'ba1', 'a.b', 'b\na', '_é a', 'aabb'];
    await fc.assert(
      fc.asyncProperty(patterns, async (pattern) => {
        const expected = texts.map((text) => new RegExp(pattern, 'u').test(text));
        for (const answer of await matches(pattern, texts)) expect(answer).toEqual(expected);
      }),
      { seed: chooseSeed(), numRuns: 80 },
    );
  });
});

describe('[E5] what engines do not share is refused with its place', () => {
  test.each([
    ['(?=a)', 'at character 2: of groups with "(?" only'],
    ['(?<!a)b', 'at character 2: of groups'],
    ['(a)\\1', 'at character 6: \\1 is not available'],
    ['\\p{L}', 'at character 3: \\p is not available'],
    ['a**', 'a repeat cannot be repeated'],
    ['*a', 'at character 1: found * with nothing to repeat'],
    ['^*', 'there is nothing to repeat'],
    ['a{256}', 'repeats go up to 255'],
    ['a{3,2}', 'the upper bound of the repeat is below the lower one'],
    ['(?:a{200}){200}', 'repeats within repeats come to more than 1000'],
    ['(a', 'a group is never closed'],
    ['a)', 'found ")" that opens nowhere'],
    ['[a', 'a set is never closed'],
    ['[z-a]', 'the range z-a runs backwards'],
    ['[[:alpha:]]', 'classes such as [:alpha:]'],
    ['[\\D]', '\\D cannot stand in a set'],
    ['a\\', 'a backslash stands alone'],
    ['\\x00', 'a character that no text may hold'],
    ['('.repeat(40), 'groups nest deeper than 30 levels'],
    ['a'.repeat(1001), 'more than 1000 characters'],
  ])('%s', (pattern, problem) => {
    expect(() => portablePattern(duckdbDialect, pattern)).toThrow(RegularExpressionError);
    expect(() => portablePattern(duckdbDialect, pattern)).toThrow(problem);
  });

  test('any text is a pattern that the engines take, or is refused', async () => {
    const characters = fc.constantFrom(...Array.from('ab01.^$*+?()[]{}|\\-,:=!<>PdwsDWSbBiux \n\'"é'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(characters, { maxLength: 12 }).map((parts) => parts.join('')),
        async (pattern) => {
          try {
            portablePattern(duckdbDialect, pattern);
          } catch (error) {
            expect(error).toBeInstanceOf(RegularExpressionError);
            return;
          }
          const [first, ...others] = await matches(pattern, ['', 'ab', 'a1\n', '-']);
          for (const other of others) expect(other).toEqual(first);
        },
      ),
      { seed: chooseSeed(), numRuns: 200 },
    );
  });
});

test('LIKE matches the whole text, with % and _ and their escapes', async () => {
  const texts = ['ab', 'a%', 'a\nb', 'AB', ''];
  const cases = [
    ['a%', [true, true, true, false, false]],
    ['a_', [true, true, false, false, false]],
    ['a\\%', [false, true, false, false, false]],
    ['%b', [true, false, true, false, false]],
    ['.*', [false, false, false, false, false]],
    ['', [false, false, false, false, true]],
  ] as const;
  for (const [pattern, expected] of cases) {
    for (const answer of await matches(likePattern(pattern), texts)) expect([pattern, answer]).toEqual([pattern, expected]);
  }
});
