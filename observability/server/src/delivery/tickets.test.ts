// SPDX-License-Identifier: Apache-2.0
/** One ticket for each incident, whatever the tracker does. */
import type { TicketTemplate } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OutboxFixture, openOutboxFixture, PUBLIC_URL } from './testing/outbox-fixture.ts';
import { openTracker, type TestTracker, TOKEN } from './testing/tracker.ts';
import { ticketStatuses } from './ticket-statuses.ts';

let fixture: OutboxFixture;
let tracker: TestTracker;
let templateId: number;

const templateOf = (custom_fields: TicketTemplate['props']['custom_fields'] = {}, change = {}) => ({
  name: 'bug',
  description: null,
  type: 'TRACKER' as const,
  props: { tracker_project_id: '10000', tracker_issue_type_id: '10001', custom_fields, ...change },
});
const hole = (name: string) => `\${${name}}`;
const connect = (change = {}) =>
  fixture.tenant.trackerConnection.put({ base_url: tracker.url, email: null, poll_interval_seconds: 60, api_token: TOKEN, ...change });
const ticketDeliveries = () => fixture.tenant.deliveries.list({ kind: 'TICKET' });
const errors = async () => (await fixture.tenant.backgroundErrors.list(10)).map(({ error_class, message }) => [error_class, message]);

beforeEach(async () => {
  tracker = await openTracker();
  fixture = await openOutboxFixture();
  await connect();
  ({ id: templateId } = await fixture.tenant.ticketTemplates.create(
    templateOf({
      summary: `${hole('severity')}: ${hole('policy.name')} of ${hole('asset.name')}`,
      customfield_1: [{ value: hole('incident.id') }],
      labels: ['data'],
    }),
  ));
  await fixture.notifying([], templateId);
});
afterEach(async () => {
  expect(fixture.logged).toEqual([]);
  await fixture[Symbol.asyncDispose]();
  await tracker[Symbol.asyncDispose]();
});

describe('a ticket', () => {
  test('is made when an incident begins, with what its template says', async () => {
    const id = await fixture.step('NEW', { severity: 'HIGH' });
    await fixture.drain();
    expect(tracker.issues).toHaveLength(1);
    expect(tracker.issues[0]?.fields).toEqual({
      project: { id: '10000' },
      issuetype: { id: '10001' },
      summary: 'HIGH: Filled of Orders <2026> & more',
      description: expect.stringContaining(`${PUBLIC_URL}/console/#/incidents/${id}`),
      customfield_1: [{ value: String(id) }],
      labels: ['data', 'sextant', `sextant-incident-acme-${id}`, expect.stringMatching(/^sextant-d[0-9a-f]{32}$/)],
    });
    const ticket = await fixture.tenant.tickets.find(id);
    expect(ticket).toMatchObject({ key: 'OPS-1', url: `${tracker.url}/browse/OPS-1`, template_id: templateId });
    expect((await fixture.tenant.incidents.get(id)).ticket_id).toBe(ticket?.id);
  });

  test('says why the incident is there, in the description and wherever its template wants it', async () => {
    await fixture.tenant.ticketTemplates.replace(templateId, templateOf({ customfield_2: `Because: ${hole('incident.why')}` }));
    const id = await fixture.step('NEW');
    const why = ['480 of 5,000 rows fail the rule.', 'All 480 failing rows have country = IT.'];
    await fixture.tenant.incidentStories.put(id, { job_id: null, evidence: [], why });
    await fixture.drain();
    const { description, customfield_2 } = tracker.issues[0]?.fields ?? {};
    expect(description).toContain(`Completeness of price fell to 80 %.\n\n${why.join('\n')}\n\nSeverity: LOW`);
    expect(customfield_2).toBe(`Because: ${why.join('\n')}`);
  });

  test('is made once: going on, ending and coming back make comments in it', async () => {
    const id = await fixture.step('NEW');
    await fixture.step('ONGOING', { id });
    await fixture.step('RESOLVED', { id, actor: 'ada@example.com' });
    await fixture.step('REOPENED', { id });
    await fixture.drain();
    expect(tracker.issues).toHaveLength(1);
    expect(tracker.issues[0]?.comments).toEqual([
      expect.stringContaining(`Incident ${id} was resolved by ada@example.com`),
      expect.stringContaining(`Incident ${id} was reopened`),
    ]);
  });

  test('is not made where the monitor wants none', async () => {
    await fixture.notifying([]);
    const id = await fixture.step('NEW');
    await fixture.step('RESOLVED', { id });
    expect(await fixture.tenant.deliveries.list()).toEqual([]);
  });
});

describe('a tracker that answers badly', () => {
  test('made the ticket and did not say so: it is found, not made again', async () => {
    let lost = 0;
    tracker.intercept = ({ method, path }, response, afterwards) => {
      if (method !== 'POST' || path !== '/rest/api/2/issue' || lost > 0) return false;
      lost += 1;
      afterwards();
      response.destroy();
      return true;
    };
    const id = await fixture.step('NEW');
    await fixture.drain();
    const [pending] = await ticketDeliveries();
    expect(pending?.status).toBe('PENDING');
    // The tracker finds what is new a moment later than it has it.
    expect(Date.parse(pending?.next_attempt_at ?? '') - fixture.clock.nowMs()).toBeGreaterThanOrEqual(30_000);
    fixture.clock.advance(30_000);
    await fixture.drain();
    expect(tracker.issues).toHaveLength(1);
    expect((await fixture.tenant.tickets.find(id))?.key).toBe('OPS-1');
  });

  test('was left when the service stopped: it is asked again when it has had time to find what it made', async () => {
    const asked = new Promise<void>((resolve) => {
      tracker.intercept = ({ method }, _response, afterwards) => {
        if (method !== 'POST') return false;
        afterwards();
        resolve();
        return true;
      };
    });
    await fixture.step('NEW');
    const outbox = fixture.outbox({ graceMs: 10 });
    outbox.wake();
    await asked;
    const stopped = outbox.stop();
    fixture.clock.advance(10);
    await stopped;
    tracker.intercept = () => false;
    await fixture.metadata.platform.deliveries.releaseLeases();
    await fixture.drain();
    expect(await ticketDeliveries()).toMatchObject([{ status: 'PENDING', attempts: 1 }]);
    fixture.clock.advance(60_000);
    await fixture.drain();
    expect(await ticketDeliveries()).toMatchObject([{ status: 'DELIVERED', attempts: 2 }]);
    expect(tracker.issues).toHaveLength(1);
  });

  test('made a comment and did not say so: it is not made again', async () => {
    let lost = 0;
    tracker.intercept = ({ method, path }, response, afterwards) => {
      if (method !== 'POST' || !path.endsWith('/comment') || lost > 0) return false;
      lost += 1;
      afterwards();
      response.writeHead(502).end();
      return true;
    };
    const id = await fixture.step('NEW');
    await fixture.step('RESOLVED', { id });
    await fixture.drain();
    fixture.clock.advance(5000);
    await fixture.drain();
    expect(tracker.issues[0]?.comments).toHaveLength(1);
    expect(await fixture.tenant.deliveries.list({ status: 'PENDING' })).toEqual([]);
  });

  test('is reported in the background errors at once, and tried again', async () => {
    tracker.intercept = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    const id = await fixture.step('NEW');
    await fixture.drain();
    fixture.clock.advance(5000);
    await fixture.drain();
    expect(await errors()).toEqual([
      ['INTEGRATION_TRACKER', expect.stringMatching(new RegExp(`The ticket of incident ${id} .* is retried: the tracker answered 503`))],
    ]);
    tracker.intercept = () => false;
    fixture.clock.advance(60_000);
    await fixture.drain();
    expect((await fixture.tenant.tickets.find(id))?.key).toBe('OPS-1');
  });

  test('refuses a field: its own words are reported, and a replay with the mended template works', async () => {
    await fixture.tenant.ticketTemplates.replace(templateId, templateOf({ priority: 'none' }));
    const id = await fixture.step('NEW');
    await fixture.drain();
    expect(await errors()).toEqual([['INTEGRATION_TRACKER', expect.stringContaining('priority: Priority name is not valid')]]);
    const [failed] = await ticketDeliveries();
    expect(failed).toMatchObject({ status: 'FAILED', attempts: 1 });
    await fixture.tenant.ticketTemplates.replace(templateId, templateOf());
    await fixture.tenant.deliveries.replay(failed?.id ?? '');
    await fixture.drain();
    expect((await fixture.tenant.tickets.find(id))?.key).toBe('OPS-1');
    expect(tracker.issues[0]?.fields.summary).toBe(`Filled on Orders <2026> & more (incident ${id})`);
  });
});

describe('what is missing', () => {
  test.each([
    ['the connection', () => fixture.tenant.trackerConnection.delete(), 'no connection to a tracker'],
    ['the right token', () => connect({ api_token: 'wrong' }), 'API token'],
  ])('%s: the ticket is given up with a sentence', async (_name, spoil, words) => {
    await spoil();
    await fixture.step('NEW');
    await fixture.drain();
    expect(await errors()).toEqual([['INTEGRATION_TRACKER', expect.stringContaining(words)]]);
  });

  test('a ticket that was never made gets no comments', async () => {
    await connect({ api_token: 'wrong' });
    const id = await fixture.step('NEW');
    await fixture.drain();
    await fixture.step('RESOLVED', { id });
    expect(await fixture.tenant.deliveries.list({ kind: 'TICKET_COMMENT' })).toEqual([]);
  });
});

describe('the status of a ticket', () => {
  const statuses = () =>
    ticketStatuses({
      metadata: fixture.metadata,
      means: fixture.means,
      random: seededRandom(1),
      leads: () => true,
      log: { error: () => undefined },
    });
  const ticketOf = (id: number) => fixture.tenant.tickets.find(id);
  const requestsFor = (key: string) =>
    tracker.requests.filter(({ path }) => new URL(path, tracker.url).searchParams.get('jql')?.includes(`"${key}"`)).length;

  test('is read at the interval of the connection while the incident is open', async () => {
    const id = await fixture.step('NEW');
    await fixture.drain();
    const poller = statuses();
    await poller.turn();
    expect(requestsFor('OPS-1')).toBe(0);
    fixture.clock.advance(60_000);
    for (const issue of tracker.issues) issue.status = 'In Progress';
    await poller.turn();
    await poller.turn();
    expect(requestsFor('OPS-1')).toBe(1);
    expect(await ticketOf(id)).toMatchObject({ status: 'In Progress', last_error: null });
    await fixture.step('RESOLVED', { id });
    fixture.clock.advance(60_000);
    await poller.turn();
    expect(requestsFor('OPS-1')).toBe(1);
    await poller.stop();
  });

  test('of a deleted ticket is an error that is reported once, and the others are read', async () => {
    const [first, second] = [await fixture.step('NEW'), await fixture.step('NEW')];
    await fixture.drain();
    const gone = (await ticketOf(first))?.key;
    tracker.intercept = ({ path }, response) => {
      const isSearch = new URL(path, tracker.url).searchParams.get('jql')?.includes(`"${gone}"`) === true;
      if (!isSearch && !path.startsWith(`/rest/api/2/issue/${gone}?`)) return false;
      response.writeHead(isSearch ? 400 : 404).end('{}');
      return true;
    };
    for (let turn = 0; turn < 3; turn += 1) {
      fixture.clock.advance(60_000);
      await statuses().turn();
    }
    expect(await ticketOf(first)).toMatchObject({ status: null, last_error: expect.stringContaining('404') });
    expect(await ticketOf(second)).toMatchObject({ status: 'To Do' });
    expect(await errors()).toEqual([['INTEGRATION_TRACKER', expect.stringContaining(`ticket ${gone} of incident ${first}`)]]);
  });

  test('is asked of a dead tracker once for all tickets', async () => {
    for (let count = 0; count < 5; count += 1) await fixture.step('NEW');
    await fixture.drain();
    const before = tracker.requests.length;
    tracker.intercept = (_request, response) => {
      response.destroy();
      return true;
    };
    fixture.clock.advance(60_000);
    await statuses().turn();
    expect(tracker.requests.length - before).toBe(1);
    expect(await fixture.metadata.platform.due.tickets(10)).toEqual([]);
  });

  test('is read of many with one request', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push(await fixture.step('NEW'));
    await fixture.drain();
    const before = tracker.requests.length;
    for (const issue of tracker.issues) issue.status = 'Done';
    fixture.clock.advance(60_000);
    await statuses().turn();
    expect(tracker.requests.length - before).toBe(1);
    for (const id of ids) expect(await ticketOf(id)).toMatchObject({ status: 'Done', last_error: null });
  });

  test('is asked less and less often of a tracker that fails, and at the interval again once it answers', async () => {
    await fixture.step('NEW');
    await fixture.drain();
    let isDown = true;
    tracker.intercept = (_request, response) => {
      if (isDown) response.writeHead(503, { 'retry-after': '1' }).end('{}');
      return isDown;
    };
    const poller = statuses();
    const asked = async (minutes: number) => {
      const before = tracker.requests.length;
      for (let minute = 0; minute < minutes; minute += 1) {
        fixture.clock.advance(60_000);
        await poller.turn();
      }
      return tracker.requests.length - before;
    };
    const [first, second] = [await asked(60), await asked(60)];
    expect(first).toBeLessThan(15);
    expect(second).toBeLessThan(4);
    isDown = false;
    await asked(60);
    expect(await asked(10)).toBe(10);
    await poller.stop();
  });
});
