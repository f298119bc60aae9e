// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { ApiError, errorCatalogue } from './errors.ts';

describe('an error', () => {
  test.each([
    [new ApiError('unauthorized'), 401, 'Unauthorized'],
    [new ApiError('no_role', { tenant: 'a' }), 403, 'Forbidden'],
    [new ApiError('not_found', { what: 'Asset', id: 'x1' }), 404, 'Not Found'],
    [new ApiError('bad_request', { reason: 'name: expected a string, got 1' }), 400, 'Bad Request'],
    [new ApiError('conflict', { reason: 'A project "a" already exists.' }), 409, 'Conflict'],
    [new ApiError('internal'), 500, 'Internal Server Error'],
    [new ApiError('shutting_down'), 503, 'Service Unavailable'],
  ])('%s has its status and the phrase of it', (error, status, description) => {
    expect(error.status).toBe(status);
    expect(error.body).toEqual({ message: error.message, description });
  });

  test('says what it is about', () => {
    expect(new ApiError('not_found', { what: 'Asset', id: 'x1' }).message).toBe('Asset not found: x1');
  });

  test('says when to come back, where that helps', () => {
    expect(new ApiError('rate_limited', { seconds: 7 }).retryAfterSeconds).toBe(7);
    expect(new ApiError('internal').retryAfterSeconds).toBeUndefined();
  });

  test('is in the catalogue, each under one code', () => {
    const codes = errorCatalogue().map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(errorCatalogue().every(({ description }) => description.length > 0)).toBe(true);
  });
});
