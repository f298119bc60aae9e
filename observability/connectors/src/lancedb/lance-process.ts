// SPDX-License-Identifier: Apache-2.0
/** A process that reads one directory of LanceDB: its engine is native code, and what it does with a hostile table must not end the service. */
import { assert, systemClock } from '@sextant/foundation-std';
import { SourceError, type VectorPoint } from '../connector.ts';
import { connectLance } from './lance-client.ts';
import type { LanceAnswer, LanceRequest } from './lance-messages.ts';
import { type OpenedLanceTable, openLanceTable } from './lance-table.ts';

const MEMORY_POLL_MS = 200;

const memoryBytesMax = Number(process.argv[2]);
let opened: OpenedLanceTable | undefined;
let pages: AsyncGenerator<readonly VectorPoint[], undefined> | undefined;

process.on('message', (request: LanceRequest) => {
  void answer(request)
    .catch(refusal)
    .then((reply) => process.send?.(reply));
});
// The parent is gone, and nobody waits for more.
process.on('disconnect', () => process.exit(0));
// The heap's limit knows nothing of what native code takes.
systemClock.every(MEMORY_POLL_MS, () => {
  if (process.memoryUsage.rss() <= memoryBytesMax) return;
  const reason = `reading the table takes more than ${Math.round(memoryBytesMax / 2 ** 20)} MiB of memory`;
  process.send?.({ kind: 'ended', reason } satisfies LanceAnswer, () => process.exit(1));
});

async function answer(request: LanceRequest): Promise<LanceAnswer> {
  switch (request.kind) {
    case 'list':
      return { kind: 'names', names: await (await connectLance(request.directory)).tableNames({ limit: request.limit }) };
    case 'open': {
      const database = await connectLance(request.directory);
      opened = await openLanceTable(await database.openTable(request.table), request.table, request.id);
      return { kind: 'table', table: opened.summary };
    }
    case 'page': {
      assert(opened !== undefined, 'a table is opened before its pages are asked for');
      if (request.isFirst || pages === undefined) pages = opened.pages();
      return { kind: 'page', points: (await pages.next()).value };
    }
    case 'nearest':
      assert(opened !== undefined, 'a table is opened before it is searched');
      return { kind: 'nearest', found: await opened.nearest(request.searches) };
  }
}

const SENTENCE_MAX = 200;

/** The engine adds the lines of its own source to each reason. */
function refusal(error: unknown): LanceAnswer {
  if (error instanceof SourceError) return { kind: 'refused', reason: error.message, member: error.member };
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split(/\s+Caused by:|, \/|\n/, 1);
  return { kind: 'refused', reason: `LanceDB: ${reason.slice(0, SENTENCE_MAX)}`, member: undefined };
}
