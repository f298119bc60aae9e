// SPDX-License-Identifier: Apache-2.0
/** A recovery of a snapshot that stands still in the middle, with its node. */
import { ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildServer, pauseProcess } from '@sextant/foundation-testing';
import { OFTEN, until } from '../until.ts';
import { vectorApi } from '../vector-api.ts';

/** Each of them is one write of the recovery, of which a few at a time are on their way. */
const POINTS = 40;
const PAYLOAD = 'x'.repeat(150_000);
const POINTS_PER_WRITE = 4;
const SETTLED_MS = 500;
/** Of recoveries that end before their node can be stopped. */
const TRIES_MAX = 5;
/** Only what hangs takes so long, on however busy a machine. */
const PATIENCE_MS = 120_000;

/** A collection whose recovery takes a while, and its snapshot. */
export async function slowSnapshot(
  server: ChildServer,
  collection: string,
  config: object = {},
): Promise<{ readonly file: Blob; readonly count: number }> {
  const { call } = vectorApi(server.client);
  await call('PUT', `/collections/${collection}`, { vectors: { size: 1, distance: 'Dot' }, ...config });
  for (let first = 0; first < POINTS; first += POINTS_PER_WRITE) {
    const points = Array.from({ length: POINTS_PER_WRITE }, (_, place) => ({
      id: first + place,
      vector: [place],
      payload: { text: PAYLOAD },
    }));
    await call('PUT', `/collections/${collection}/points`, { points });
  }
  const { name } = await call<{ readonly name: string }>('POST', `/collections/${collection}/snapshots`);
  return { file: await (await fetch(`${server.address}/collections/${collection}/snapshots/${name}`)).blob(), count: POINTS };
}

type Pausing = {
  /** What `slowSnapshot` has made. */
  readonly file: Blob;
  readonly target: string;
  /** Recovers it. */
  readonly node: ChildServer;
  /** Another one. */
  readonly observer: ChildServer;
};

/**
 * Stops the node (SIGSTOP) before it has written all points; a recovery that has ended before is removed, and another one tried.
 * @returns what the recovery comes to, and the description of the incomplete collection
 */
export async function pausedRecovery({
  file,
  target,
  node,
  observer,
}: Pausing): Promise<{ readonly outcome: Promise<string>; readonly described: unknown }> {
  const path = `/collections/${target}`;
  const describe = async () => {
    const { body } = await observer.client.request('GET', path);
    return (body as { readonly result?: { readonly points_count: number } }).result;
  };
  const isRecovering = async () => {
    const { body } = await observer.client.request('POST', `${path}/points/count`, {});
    return JSON.stringify(body).includes('is being recovered from a snapshot');
  };
  for (let tries = 1; ; tries++) {
    const form = new FormData();
    form.set('snapshot', file, 'taken.snapshot');
    const outcome = fetch(`${node.address}${path}/snapshots/upload`, { method: 'POST', body: form }).then(
      async (reply) => `answered ${reply.status}: ${await reply.text()}`,
      () => 'no answer',
    );
    let described: Awaited<ReturnType<typeof describe>>;
    const hasPoints = async () => {
      described = (await describe()) ?? described;
      return (described?.points_count ?? 0) > 0 ? true : undefined;
    };
    const hasBegun = until('the first points are written', PATIENCE_MS, hasPoints, OFTEN);
    await Promise.race([hasBegun, outcome.then((said) => (said.startsWith('answered 200') ? hasBegun : Promise.reject(new Error(said))))]);
    await pauseProcess(node.pid);
    // What it has sent before arrives meanwhile.
    await sleep(SETTLED_MS);
    if (await isRecovering()) return { outcome, described };
    process.kill(node.pid, 'SIGCONT');
    const said = await outcome;
    ok(said.startsWith('answered 200') && tries < TRIES_MAX, `try ${tries} ${said}`);
    await until('the collection is removed', PATIENCE_MS, async () =>
      (await observer.client.request('DELETE', path)).status === 200 ? true : undefined,
    );
  }
}
