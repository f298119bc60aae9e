// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, openPeer, type Peer, type Request } from '../testing/wire.ts';
import { createTracker } from './tracker.ts';

let peer: Peer;
beforeAll(async () => {
  peer = await openPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());
beforeEach(() => {
  peer.requests.length = 0;
});

const json = (body: unknown, status = 200): Answer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const answering = (answer: Answer) => {
  peer.answer = () => answer;
};
const tracker = (email: string | null = 'ops@example.com', path = '/tracker/') =>
  createTracker(peer.wire, { base_url: `${peer.url}${path}`, email, api_token: 'tökén' });
const last = (): Request => peer.requests.at(-1) ?? { method: '', path: '', headers: {}, body: undefined };

describe('the credential', () => {
  test('is a password beside an e-mail address, and a bearer token alone', async () => {
    answering(json({ displayName: 'Ada' }));
    expect(await tracker().whoAmI()).toBe('Ada');
    expect(last()).toMatchObject({ method: 'GET', path: '/tracker/rest/api/2/myself' });
    expect(last().headers.authorization).toBe(`Basic ${Buffer.from('ops@example.com:tökén', 'utf8').toString('base64')}`);
    await createTracker(peer.wire, { base_url: peer.url, email: null, api_token: 'token' }).whoAmI();
    expect(last()).toMatchObject({ path: '/rest/api/2/myself', headers: { authorization: 'Bearer token' } });
  });
});

describe('issues', () => {
  test('are created with their fields', async () => {
    answering(json({ id: '10000', key: 'OPS-24', self: 'x' }, 201));
    const fields = { project: { id: '10000' }, issuetype: { id: '1' }, summary: 's', customfield_10014: [{ value: 'x' }] };
    expect(await tracker().create(fields)).toBe('OPS-24');
    expect(last()).toMatchObject({ method: 'POST', path: '/tracker/rest/api/2/issue', body: { fields } });
    expect(tracker().browseUrl('OPS-24')).toBe(`${peer.url}/tracker/browse/OPS-24`);
  });

  test('are found by a label, in both editions of the API', async () => {
    const found = json({ issues: [{ id: '1', key: 'OPS-1' }] });
    answering(found);
    expect(await tracker().findByLabel('sextant-d1')).toBe('OPS-1');
    expect(new URL(last().path, peer.url).searchParams.get('jql')).toBe('labels = "sextant-d1"');
    peer.answer = ({ path }) =>
      path.includes('/search/jql?') ? found : json({ errorMessages: ['The requested API has been removed.'] }, 410);
    expect(await tracker().findByLabel('sextant-d1')).toBe('OPS-1');
    answering(json({ issues: [] }));
    expect(await tracker().findByLabel('sextant-d1')).toBeUndefined();
  });

  test('have a status', async () => {
    answering(json({ key: 'OPS-1', fields: { status: { name: 'In Progress' } } }));
    expect(await tracker().status('OPS-1')).toBe('In Progress');
    expect(last().path).toBe('/tracker/rest/api/2/issue/OPS-1?fields=status');
  });

  test('have statuses, which one search reads of many', async () => {
    const issue = (key: string, name: string) => ({ key, fields: { status: { name } } });
    answering(json({ issues: [issue('OPS-1', 'To Do'), issue('OPS-2', 'Done')] }));
    expect(await tracker().statuses(['OPS-1', 'OPS-2', 'OPS-3'])).toEqual(
      new Map([
        ['OPS-1', 'To Do'],
        ['OPS-2', 'Done'],
      ]),
    );
    const { searchParams } = new URL(last().path, peer.url);
    expect(Object.fromEntries(searchParams)).toEqual({ jql: 'key in ("OPS-1", "OPS-2", "OPS-3")', fields: 'status', maxResults: '3' });
    answering(json({ errorMessages: ["An issue with key 'OPS-3' does not exist for field 'key'."] }, 400));
    expect(await tracker().statuses(['OPS-1', 'OPS-3'])).toEqual(new Map());
    answering(json({}, 503));
    await expect(tracker().statuses(['OPS-1'])).rejects.toMatchObject({ status: 503 });
  });

  test('have comments, of which the newest are looked through', async () => {
    answering(json({ comments: [{ body: 'Resolved.\n\nSextant d7' }] }));
    expect(await tracker().hasComment('OPS-1', 'd7')).toBe(true);
    expect(await tracker().hasComment('OPS-1', 'd8')).toBe(false);
    answering(json({ id: '1' }, 201));
    await tracker().comment('OPS-1', 'words');
    expect(last()).toMatchObject({ method: 'POST', path: '/tracker/rest/api/2/issue/OPS-1/comment', body: { body: 'words' } });
  });
});

describe('what the tracker refuses', () => {
  test('is reported with the names of its fields, and is permanent', async () => {
    answering(
      json({ errorMessages: ['Bad issue.'], errors: { summary: 'You must specify a summary.', customfield_1: 'is required' } }, 400),
    );
    await expect(tracker().create({})).rejects.toMatchObject({
      name: 'TrackerRefusal',
      isPermanent: true,
      status: 400,
      message: 'the tracker answered 400: Bad issue.; summary: You must specify a summary.; customfield_1: is required',
      fields: { summary: 'You must specify a summary.', customfield_1: 'is required' },
    });
  });

  test.each([
    [401, true, /API token/],
    [403, true, /API token/],
    [404, true, /404/],
    [408, false, /408/],
    [429, false, /429/],
    [500, false, /500/],
    [503, false, /503/],
  ])('with %i is for good: %s', async (status, isPermanent, words) => {
    peer.answer = () => ({ status, body: '<html>no</html>', headers: status === 429 ? { 'retry-after': '7' } : {} });
    const failure: unknown = await tracker()
      .create({})
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ isPermanent, message: expect.stringMatching(words) });
    if (status === 429) expect(failure).toMatchObject({ retryAfterMs: 7000 });
  });

  test.each([
    ['a page to log in', '<html>Log in</html>'],
    ['a list', '[]'],
    ['an issue without a key', '{"id": "1"}'],
    ['a key that is none', '{"key": "../../x"}'],
  ])('or answers with %s is no success', async (_name, body) => {
    answering({ status: 200, body });
    await expect(tracker().create({})).rejects.toMatchObject({ name: 'DeliveryFailure' });
  });
});
