// SPDX-License-Identifier: Apache-2.0
/**
 * A process that delivers is killed between every two steps of a delivery, again and again over one outbox. In the end every message has
 * arrived, in its order, and each incident has one ticket.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@sextant/foundation-std';
import { isLongRun } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OutboxFixture, openOutboxFixture } from './testing/outbox-fixture.ts';
import { openReceiver, type Receiver } from './testing/receiver.ts';
import { openTracker, type TestTracker, TOKEN } from './testing/tracker.ts';

const PROCESS = fileURLToPath(new URL('./testing/delivery-process.ts', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'sextant-outbox-crash-'));
let fixture: OutboxFixture;
let receiver: Receiver;
let tracker: TestTracker;

beforeAll(async () => {
  receiver = await openReceiver();
  tracker = await openTracker();
  fixture = await openOutboxFixture({ directory, clock: systemClock });
  await fixture.channel('ops', { type: 'WEBHOOK', addresses: [receiver.url] });
  const connection = { base_url: tracker.url, email: null, poll_interval_seconds: 60, api_token: TOKEN };
  await fixture.tenant.trackerConnection.put(connection);
  const props = { tracker_project_id: '10000', tracker_issue_type_id: '1', custom_fields: {} };
  const { id } = await fixture.tenant.ticketTemplates.create({ name: 'bug', description: null, type: 'TRACKER', props });
  await fixture.notifying(['ops'], id);
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await fixture[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await tracker[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

const started: ChildProcess[] = [];

type Deliverer = { readonly child: ChildProcess; readonly ended: Promise<unknown> };

function start(dieAfter: 'claimed' | 'sent' | 'never'): Deliverer {
  const child = spawn(process.execPath, [PROCESS, directory, dieAfter], { stdio: ['ignore', 'ignore', 'inherit'] });
  started.push(child);
  return { child, ended: once(child, 'exit') };
}

type Kill = readonly [step: string, arrange: (kill: () => void) => void];

/** Steps that only the other side sees: there the process is killed from here. */
const KILLS: readonly Kill[] = [
  [
    'the ticket is made, and its answer has not arrived',
    (kill) => {
      tracker.intercept = ({ method, path }, _response, afterwards) => {
        if (method !== 'POST' || !path.endsWith('/issue')) return false;
        afterwards();
        return killed(kill);
      };
    },
  ],
];

/** A comment is lost or doubled as a ticket is. From inside, `sent` is what has arrived; until the ticket is made a process leaves no more than one that dies when it has claimed. */
const MORE_KILLS: readonly Kill[] = [
  [
    'the comment is made, and its answer has not arrived',
    (kill) => {
      tracker.intercept = ({ method, path }, _response, afterwards) => {
        if (method !== 'POST' || !path.endsWith('/comment')) return false;
        afterwards();
        return killed(kill);
      };
    },
  ],
  [
    'a message has arrived, and its answer has not',
    (kill) => {
      receiver.answer = () => kill();
    },
  ],
  [
    'the tracker was asked for the ticket',
    (kill) => {
      tracker.intercept = ({ path }) => path.includes('/search') && killed(kill);
    },
  ],
  [
    'the ticket was asked for, and is not made',
    (kill) => {
      tracker.intercept = ({ method, path }) => method === 'POST' && path.endsWith('/issue') && killed(kill);
    },
  ],
];

function killed(kill: () => void): true {
  kill();
  return true;
}

function answerAgain(): void {
  receiver.answer = (response) => void response.writeHead(204).end();
  tracker.intercept = () => false;
}

test('no message is lost and no ticket is made twice, wherever the process dies', async () => {
  const incidents: number[] = [];
  const open = async () => {
    const id = await fixture.step('NEW');
    await fixture.step('RESOLVED', { id });
    incidents.push(id);
  };
  // What one that only claims leaves, one that sends leaves too.
  for (const dieAfter of isLongRun() ? (['claimed', 'sent'] as const) : (['sent'] as const)) {
    await open();
    expect(await start(dieAfter).ended).toEqual([null, 'SIGKILL']);
  }
  for (const [step, arrange] of isLongRun() ? [...MORE_KILLS, ...KILLS] : KILLS) {
    await open();
    let deliverer: Deliverer | undefined;
    arrange(() => deliverer?.child.kill('SIGKILL'));
    deliverer = start('never');
    expect([step, await deliverer.ended]).toEqual([step, [null, 'SIGKILL']]);
    answerAgain();
  }

  const last = start('never');
  try {
    const pending = () => fixture.tenant.deliveries.list({ status: 'PENDING' });
    await expect.poll(pending).toEqual([]);
  } finally {
    last.child.kill('SIGKILL');
    await last.ended;
  }
  expect(await fixture.tenant.deliveries.list({ status: 'FAILED' })).toEqual([]);
  expect(await fixture.tenant.backgroundErrors.list(100)).toEqual([]);

  for (const id of incidents) {
    const label = `sextant-incident-acme-${id}`;
    const issues = tracker.issues.filter(({ fields }) => (fields.labels as readonly string[]).includes(label));
    expect([id, issues.map(({ key }) => key)]).toEqual([id, [(await fixture.tenant.tickets.find(id))?.key]]);
    expect([id, issues[0]?.comments]).toEqual([id, [expect.stringContaining(`Incident ${id} was resolved`)]]);
  }
  // A message that arrived twice has the same id, and nobody heard of the end before the beginning.
  const announced = receiver.received.map(({ text, headers }) => {
    const { type, data } = JSON.parse(text) as { type: string; data: { incident: { id: number } } };
    return { type, incident: data.incident.id, id: headers['webhook-id'] };
  });
  for (const incident of incidents) {
    const messages = [...new Map(announced.filter((each) => each.incident === incident).map((each) => [each.id, each.type])).values()];
    expect(messages).toEqual(['incident.opened', 'incident.resolved']);
  }
});
