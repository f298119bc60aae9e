// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { regularExpressionSuite } from './regular-expression.conformance.ts';
import { portablePattern } from './regular-expression.ts';
import { RegularExpressionError } from './regular-expression-parser.ts';
import { onDuckdb } from './sql-engines.conformance.ts';

onDuckdb((engine) => regularExpressionSuite(engine));

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
});
