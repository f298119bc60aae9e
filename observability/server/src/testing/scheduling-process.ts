// SPDX-License-Identifier: Apache-2.0
/**
 * One of several processes on a PostgreSQL that start scheduled scans while they lead, and do no more. Arguments: the URL of the database, the
 * milliseconds after which the server ends its silent session, and the number of started scans at which the process stops, as by SIGSTOP from
 * outside. It writes `leads` and `follows` as that changes, `started` and how many, and errors.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@sextant/foundation-std';
import { joinProcesses, openMetadata } from '@sextant/observability-metadata';
import { scheduler } from '../jobs/scheduler.ts';

const TURNS_PER_SILENCE = 10;

const [databaseUrl = '', silence, stopsAt] = process.argv.slice(2);
const silenceMsMax = Number(silence);
const clock = systemClock;
const say = (line: string) => void process.stdout.write(`${line}\n`);
const log = {
  info: () => undefined,
  warn: () => undefined,
  error: (details: object) => say(Object.values(details).map(String).join()),
};
const metadata = await openMetadata({ databaseUrl }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
const onJoin = () => Promise.resolve();
const processes = await joinProcesses({ databaseUrl, clock, onJoin, onNotice: () => undefined, silenceMsMax, log });
let started = 0;
const onEnqueued = () => {
  started += 1;
  say(`started ${started}`);
  if (started === Number(stopsAt)) process.kill(process.pid, 'SIGSTOP');
};
const schedules = scheduler({ metadata, clock, log, leads: () => processes.leads(), onEnqueued });
schedules.wake();
let said: boolean | undefined;
for (;;) {
  await processes.turn();
  const leads = processes.leads();
  if (leads !== said) say(leads ? 'leads' : 'follows');
  said = leads;
  // Its own pause is made for schedules of minutes.
  schedules.wake();
  await sleep(silenceMsMax / TURNS_PER_SILENCE);
}
