// SPDX-License-Identifier: Apache-2.0
import { chooseSeed } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { likePattern, portablePattern } from './regular-expression.ts';
import { RegularExpressionError } from './regular-expression-parser.ts';
import type { SqlEngine } from './sql-engines.conformance.ts';

/** Whether each text matches. */
async function matches({ dialect, query }: SqlEngine, pattern: string, texts: readonly string[]): Promise<readonly unknown[]> {
  const condition = dialect.regexMatches('t', portablePattern(dialect, pattern));
  const values = texts.map((text, index) => `(${index}, ${dialect.literal(text)})`).join(', ');
  const rows = await query(`SELECT ${condition} FROM (VALUES ${values}) AS texts(place, t) ORDER BY place`);
  return rows.map(([answer]) => answer);
}

/** What a pattern of any characters matches is compared with the other engines, as nothing else says what it should. */
export function regularExpressionSuite(engine: SqlEngine, others: readonly SqlEngine[] = []): void {
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
      expect(await matches(engine, pattern, texts)).toEqual(expected);
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
          expect(await matches(engine, pattern, texts)).toEqual(expected);
        }),
        { seed: chooseSeed(), numRuns: 80 },
      );
    });
  });

  test('any text is a pattern that every engine takes, or is refused', async () => {
    const characters = fc.constantFrom(...Array.from('ab01.^$*+?()[]{}|\\-,:=!<>PdwsDWSbBiux \n\'"é'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(characters, { maxLength: 12 }).map((parts) => parts.join('')),
        async (pattern) => {
          try {
            portablePattern(engine.dialect, pattern);
          } catch (error) {
            expect(error).toBeInstanceOf(RegularExpressionError);
            return;
          }
          const texts = ['', 'ab', 'a1\n', '-'];
          const answer = await matches(engine, pattern, texts);
          for (const other of others) expect(await matches(other, pattern, texts)).toEqual(answer);
        },
      ),
      { seed: chooseSeed(), numRuns: 200 },
    );
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
      expect([pattern, await matches(engine, likePattern(pattern), texts)]).toEqual([pattern, expected]);
    }
  });
}
