// SPDX-License-Identifier: Apache-2.0
import { manualClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { createLog, type LogLevel } from './log.ts';

function logged(level: LogLevel = 'info') {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  return { lines, log: createLog({ level, clock: manualClock(Date.UTC(2026, 0, 2)), stream }) };
}

test('a line is one JSON object with the level as a word and the time of the clock', () => {
  const { lines, log } = logged();
  log.info({ collection: 'cats' }, 'created');
  expect(lines).toMatchObject([{ level: 'info', time: '2026-01-02T00:00:00.000Z', collection: 'cats', msg: 'created' }]);
});

test('what is less severe than the level is left out', () => {
  const { lines, log } = logged('warn');
  log.info('no');
  log.warn('yes');
  expect(lines).toHaveLength(1);
});

test('credentials never reach the log', () => {
  const { lines, log } = logged();
  const secrets = { authorization: 'Bearer hunter2', 'api-key': 'hunter2', password: 'hunter2', token: 'hunter2', api_key: 'hunter2' };
  log.info(secrets);
  log.info({ headers: secrets });
  log.info({ req: { headers: secrets } });
  expect(lines).toHaveLength(3);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
  expect(JSON.stringify(lines)).toContain('[redacted]');
});
