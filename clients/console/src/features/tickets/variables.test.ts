// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { variable, variableBegun, withVariable } from './variables.ts';

/** A text with the caret at `|`. */
function at(marked: string): readonly [text: string, caret: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

const OPEN = '$' + '{';

describe('a variable that is being written', () => {
  test.each([
    [`${OPEN}|`, ''],
    [`see ${OPEN}inc|`, 'inc'],
    [`${OPEN}incident.na|me}`, 'incident.na'],
    ['|', undefined],
    ['$|', undefined],
    [`${OPEN}a b|`, undefined],
    [`${variable('link')}|`, undefined],
    [`|${OPEN}link`, undefined],
  ])('%s', (marked, begun) => {
    expect(variableBegun(...at(marked))).toBe(begun);
  });
});

describe('a variable that is chosen', () => {
  test.each([
    ['|', `${OPEN}link}|`],
    ['a | b', `a ${OPEN}link}| b`],
    [`see ${OPEN}li| now`, `see ${OPEN}link}| now`],
    [`${OPEN}inc|ident.id} now`, `${OPEN}link}| now`],
    [`${variable('tenant')}|`, `${OPEN}tenant}${OPEN}link}|`],
  ])('%s becomes %s', (marked, expected) => {
    const { text, caret } = withVariable(...at(marked), 'link');
    expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(expected);
  });
});
