// SPDX-License-Identifier: Apache-2.0
import { PassThrough } from 'node:stream';
import { Command } from '@commander-js/extra-typings';
import { systemClock } from '@sextant/foundation-std';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  NotReadyError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '@sextant/sdk';
import { expect, test } from 'vitest';
import { CommandFailure } from './failure.ts';
import { run } from './run.ts';
import { createTerminal } from './terminal/terminal.ts';

const about = { service: 'vector', operation: 'GET /x' } as const;
const refusal = (status: number) => ({ ...about, status, code: `http_${status}` }) as const;

async function ended(error: Error, signal = new AbortController().signal) {
  const program = new Command('sextant').action(() => Promise.reject(error));
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal = createTerminal({ streams: { stdout: new PassThrough(), stderr }, clock: systemClock, asJson: () => false });
  const code = await run({ program, argv: [], terminal, signal });
  return { code, said: String(stderr.read()) };
}

test.each<[Error, number, string]>([
  [new CommandFailure('bad_data', 'broken', { advice: 'Mend it.' }), 7, 'Mend it.'],
  [new ConnectionError('not reached', { ...about, mayHaveArrived: false }), 3, 'sextant serve'],
  [new ConnectionError('not reached (SELF_SIGNED_CERT_IN_CHAIN)', { ...about, mayHaveArrived: false }), 3, 'NODE_EXTRA_CA_CERTS'],
  [new TimeoutError('late', about), 3, '--timeout'],
  [new NotReadyError('starting', refusal(412)), 3, 'Try again'],
  [new RateLimitError('busy', refusal(429)), 3, 'Try again'],
  [new ServerError('leaving', refusal(503)), 3, 'Try again'],
  [new AuthenticationError('who?', refusal(401)), 4, 'SEXTANT_API_KEY'],
  [new PermissionError('no', refusal(403)), 4, 'Use a credential'],
  [new NotFoundError('gone', { ...refusal(404), code: 'collection_not_found' }), 5, 'sextant collections list'],
  [new NotFoundError('gone', { ...refusal(404), service: 'observability' }), 5, 'gone'],
  [new ApiError('taken', refusal(409)), 6, 'taken'],
  [new ServerError('Not implemented: snapshots', refusal(501)), 6, 'SERVICE_CAPABILITIES'],
  [new ServerError('no memory', refusal(507)), 6, 'no memory'],
  [new ServerError('Internal error', refusal(500)), 1, 'Internal error'],
  [new TypeError('a fault of ours'), 1, 'a fault of ours'],
])('%o ends with exit code %i', async (error, code, sentence) => {
  const { code: actual, said } = await ended(error);
  expect(actual).toBe(code);
  expect(said).toContain(error.message);
  expect(said).toContain(sentence);
});

test('Ctrl-C is 130, whatever broke under it', async () => {
  const { code, said } = await ended(new TypeError('terminated'), AbortSignal.abort());
  expect(code).toBe(130);
  expect(said).toContain('interrupted');
});
