// SPDX-License-Identifier: Apache-2.0
/** The process of a client: takes what it is to send, then sends it as often as asked, and says what that took. */
import { encodeRequests, sendLoad } from './http-load.ts';
import type { LoadReply, LoadRequest } from './load-process.ts';

let port = 0;
let requests: readonly Buffer[] = [];

process.on('message', (request: LoadRequest) => void respond(request));

async function respond(request: LoadRequest): Promise<void> {
  process.send?.(await answer(request));
}

async function answer(request: LoadRequest): Promise<LoadReply> {
  if (request.kind === 'take') {
    port = request.target.port;
    requests = encodeRequests(request.target, request.bodies);
    return { kind: 'taken' };
  }
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const latenciesMs = await sendLoad(port, requests, request.options);
  const wallSeconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { kind: 'sent', run: { latenciesMs, wallSeconds, processorSeconds: (user + system) / 1e6 } };
}
