// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { readParameters } from './parameters.ts';
import { tokenRequestSchema } from './tenancy-schemas.ts';
import { validate } from './validate.ts';

describe('parameters', () => {
  test('are the same in every spelling', () => {
    expect(readParameters({ clientId: 'a', grantType: 'password', 'old-password': 'x', user_name: 'u' })).toEqual({
      client_id: 'a',
      grant_type: 'password',
      old_password: 'x',
      user_name: 'u',
    });
  });

  test('of the body win over those of the query string', () => {
    expect(readParameters({ username: 'a', tenant: 't' }, { username: 'b' })).toEqual({ username: 'b', tenant: 't' });
  });

  test.each([
    [{ grantType: 'password', username: 'a@b', password: 'p', tenant: 't', redirectUri: 'x' }],
    [{ grant_type: 'refresh_token', refresh_token: 'r', clientId: 'c' }],
  ])('%j ask for a token', (parameters) => {
    expect(() => validate(tokenRequestSchema, readParameters(parameters), 'token')).not.toThrow();
  });

  test.each([
    [{}, 'token: required member `grant_type` is missing'],
    [{ grantType: 'password', username: 'a' }, 'token: `password` is missing, which grant_type password needs'],
    [{ grantType: 'refresh_token' }, 'token: `refresh_token` is missing; give it, or `refresh_token_in` cookie'],
    [
      { grantType: 'authorization_code', code: 'x' },
      'grant_type: expected "password" or "refresh_token", got the string "authorization_code"',
    ],
  ])('%j ask for none', (parameters, message) => {
    expect(() => validate(tokenRequestSchema, readParameters(parameters), 'token')).toThrow(expect.objectContaining({ message }));
  });
});
