// SPDX-License-Identifier: Apache-2.0
import type { TicketTemplate } from '@sextant/sdk';
import { describe, expect, test } from 'vitest';
import { fieldProblems, NEW_TEMPLATE, nextKey, templateBodyOf, templateFormOf } from './template-form.ts';

function template(custom_fields: TicketTemplate['props']['custom_fields'], description: string | null = null): TicketTemplate {
  const props = { tracker_project_id: '10000', tracker_issue_type_id: '1', custom_fields };
  return { id: 1, name: 'Data defect', description, type: 'TRACKER', props };
}

describe('a template that is opened and saved', () => {
  test.each([
    ['no fields', template({})],
    ['texts', template({ summary: 'a\nb', empty: '' }, 'why')],
    ['an empty description', template({}, '')],
    ['texts that look like JSON', template({ a: '{"b": 1}', c: 'null' })],
    ['everything else', template({ priority: { name: 'High' }, labels: ['a'], points: 3, done: false, none: null })],
  ])('stays what it was: %s', (_, stored) => {
    const { id: _id, ...body } = stored;
    expect(templateBodyOf(templateFormOf(stored), stored)).toEqual(body);
  });

  test('a description that is emptied is empty', () => {
    const stored = template({}, 'why');
    expect(templateBodyOf({ ...templateFormOf(stored), description: '' }, stored).description).toBe('');
  });
});

describe('fields', () => {
  const row = (key: number, name: string, value = '', kind: 'text' | 'json' = 'text') => ({ key, name, kind, value });

  test.each([
    ['fine ones', [row(0, 'a'), row(1, 'b', '[1]', 'json')], []],
    ['no name', [row(0, ' ')], [0]],
    ['a name that comes twice', [row(3, 'a'), row(5, 'a')], [5]],
    ['what is no JSON', [row(0, 'a', '{', 'json'), row(1, 'b', '', 'json')], [0, 1]],
    ['a text that is no JSON', [row(0, 'a', '{')], []],
  ])('%s', (_, fields, keys) => {
    expect([...fieldProblems(fields).keys()]).toEqual(keys);
  });

  test('a new row has a key of its own', () => {
    expect(nextKey([])).toBe(0);
    expect(nextKey([row(4, 'a'), row(2, 'b')])).toBe(5);
  });

  test('those of a new template are in order', () => {
    expect(fieldProblems(NEW_TEMPLATE.fields).size).toBe(0);
  });
});
