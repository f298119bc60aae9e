// SPDX-License-Identifier: Apache-2.0
/** The administration of two nodes whose changes go by way of a log, here one storage that takes a change for its newest state alone. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '@sextant/contracts-vector';
import { manualClock } from '@sextant/foundation-std';
import { openSystemStorage } from '@sextant/vector-storage';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { admin, GOOD, here, OTHER } from './administration.fixture.ts';
import { AuthAdministration } from './administration.ts';
import type { AuthChange } from './auth-state.ts';
import { createAuthoriser } from './authorise.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'auth-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function twoNodes() {
  const store = openSystemStorage({ directory: join(root, 'system') });
  const nodes: AuthAdministration[] = [];
  let revision = 0;
  let isAway = false;
  const commit = async (change: AuthChange) => {
    await Promise.resolve();
    if (isAway) throw new ServiceError('log_unavailable');
    if (change.revision !== revision) throw new ServiceError('credentials_changed');
    revision += 1;
    store.write([...change.changes, { kind: 'put', key: 'auth-revision', value: revision }]);
    for (const node of nodes) await node.reload();
  };
  const clock = manualClock(Date.UTC(2026, 0, 1));
  const open = (name: string) => {
    mkdirSync(join(root, name));
    const options = { store, clock, dataDirectory: join(root, name), jwtSecret: undefined, sharedSecret: 'a secret of all nodes' };
    const auth = new AuthAdministration({ ...options, initiallyEnforced: false, commit });
    nodes.push(auth);
    return auth;
  };
  return {
    north: open('north'),
    east: open('east'),
    clock,
    cutOff: () => {
      isAway = true;
    },
    [Symbol.dispose]: () => store.close(),
  };
}

test('one of two nodes creates the admin, and both know who it is', async () => {
  using nodes = twoNodes();
  const { north, east, clock } = nodes;
  const replies = await Promise.all([
    north.createAdmin({ password: GOOD, caller: here }),
    east.createAdmin({ password: OTHER, caller: here }),
  ]);
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const isNorth = replies[0]?.status === 200;
  const { body } = await (isNorth ? north : east).login({ password: isNorth ? GOOD : OTHER, address: '127.0.0.1' });
  const credential = (body as { readonly token: string }).token;
  const authorise = createAuthoriser({ clock });
  for (const node of [north, east]) expect(await authorise(node.snapshot(), { ...here, credential }, 'admin_jwt')).toEqual(admin);
});

test('tokens that both make at once have numbers of their own', async () => {
  using nodes = twoNodes();
  const { north, east } = nodes;
  await north.createAdmin({ password: GOOD, caller: here });
  await east.setEnforced({ enabled: true, principal: admin });
  const body = { name: 'a', permission: 'read' };
  const made = await Promise.all([north, east, north, east].map((node) => node.createToken(body, admin)));
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const listed = await Promise.all([north, east].map(async (node) => (await node.listTokens()).body as { readonly id: number }[]));
  for (const list of listed) expect(list.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

test('a change that the log does not take changes nothing', async () => {
  using nodes = twoNodes();
  const { north, cutOff } = nodes;
  await north.createAdmin({ password: GOOD, caller: here });
  cutOff();
  await expect(north.setEnforced({ enabled: true, principal: admin })).rejects.toMatchObject({ code: 'log_unavailable' });
  expect(north.snapshot().enforced).toBe(false);
});
