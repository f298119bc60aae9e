// SPDX-License-Identifier: Apache-2.0
import { errorCatalogue } from '@sextant/contracts-vector';
import { ApiError, ConnectionError, NotReadyError, type SextantError, type SextantErrorCode, TimeoutError } from '@sextant/sdk';
import { expect, test } from 'vitest';
import { toolsFor } from './server.ts';
import { toolFailure } from './tool-failure.ts';

const names = toolsFor({ readOnly: false }).map(({ name }) => name);
const OF_OTHER_INTERFACES = /`sextant|--[a-z]|SEXTANT_|SERVICE_|(?:GET|PUT|POST|DELETE) \//;
/** A setting is named to whoever runs the service, and an agent can pass it on; a request or a command it cannot make. */
const CALLS_OF_OTHERS = /`sextant|(?:GET|PUT|POST|PATCH|DELETE) \//;
const facts = { service: 'vector', operation: 'search' } as const;
const answered = (status: number, service: 'vector' | 'observability', code: SextantErrorCode = `http_${status}`) =>
  new ApiError('no', { status, service, operation: 'search', code });

test.each<[string, SextantError]>([
  ['no service', new ConnectionError('no', { ...facts, mayHaveArrived: false })],
  ['a slow service', new TimeoutError('no', facts)],
  ['a service that starts', new NotReadyError('no', { ...facts, status: 412, code: 'http_412' })],
  ...[400, 401, 403, 404, 501, 503, 507].flatMap((status): [string, SextantError][] => [
    [`${status} of the vector service`, answered(status, 'vector', status === 404 ? 'collection_not_found' : undefined)],
    [`${status} of the observability service`, answered(status, 'observability')],
  ]),
])('%s: an agent reads of tools alone', (_name, error) => {
  const { message, advice = '' } = toolFailure(error);
  expect(message).toBe('no');
  expect(advice).not.toMatch(OF_OTHER_INTERFACES);
  for (const [name] of advice.matchAll(/\b[a-z]+_[a-z_]+\b/g)) expect(names).toContain(name);
});

test('the sentences of the vector service, which are passed on, name no request and no command', () => {
  const sentences = errorCatalogue().map(({ message }) => message);
  expect(sentences.length).toBeGreaterThan(40);
  expect(sentences.filter((sentence) => CALLS_OF_OTHERS.test(sentence))).toEqual([]);
});
