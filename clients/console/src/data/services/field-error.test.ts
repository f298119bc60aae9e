// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@sextant/sdk';
import { describe, expect, test } from 'vitest';
import { fieldError, memberError } from './field-error.ts';

function refusal(message: string, field: string | undefined): ApiError {
  return new ApiError(message, { code: 'bad_request', service: 'observability', status: 400, field });
}

describe('what is said at a field', () => {
  test('the words of the service without the name of the field', () => {
    expect(fieldError(refusal('name: must not be empty', 'name'), 'name')).toBe('must not be empty');
  });

  test('the same of a member of a connection, of which no colon follows the name', () => {
    const error = refusal('payload.region is not the name of a region', 'payload.region');
    expect(fieldError(error, 'payload.region')).toBe('is not the name of a region');
  });

  test.each([
    ['another field', refusal('tags: expected an array', 'tags'), 'name'],
    ['the whole request', refusal('not now', undefined), 'name'],
    ['no refusal at all', new Error('name: no'), 'name'],
    ['a field whose name begins alike', refusal('names: no', 'names'), 'name'],
  ])('nothing about %s', (_, error, field) => {
    expect(fieldError(error, field)).toBeUndefined();
    expect(memberError(error, field)).toBeUndefined();
  });

  test.each([
    ['tags[2]: must not be empty', 'tags[2]', 'tags', '[2]: must not be empty'],
    ['threshold.threshold1: expected a number', 'threshold.threshold1', 'threshold', 'threshold1: expected a number'],
    ['threshold: needs a bound', 'threshold', 'threshold', 'needs a bound'],
    ['body: addresses[1]: expected a mailbox', undefined, 'addresses', '[1]: expected a mailbox'],
    ['the required member `name` is missing', 'name', 'name', 'the required member `name` is missing'],
  ])('%s stands at the member that holds the place', (message, field, member, said) => {
    expect(memberError(refusal(message, field), member)).toBe(said);
  });
});
