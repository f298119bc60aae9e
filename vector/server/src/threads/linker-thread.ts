// SPDX-License-Identifier: Apache-2.0
/** A linker thread: helps the indexer to build large graphs. */
import { workerData } from 'node:worker_threads';
import { createLog } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { GraphLinker } from '@sextant/vector-collection';
import { BroadcastListener } from './broadcast.ts';
import { MemoryReturn } from './memory-return.ts';
import type { IndexerEvent, LinkerThreadData } from './messages.ts';
import { STEPS_BACK, stepBack } from './priority.ts';
import { answerMain } from './thread.ts';
import { Traffic } from './traffic.ts';

stepBack(STEPS_BACK.indexing);
const { configuration, counter, events, place, traffic }: LinkerThreadData = workerData;
const log = createLog({ level: configuration.logLevel, clock: systemClock }).child({ thread: 'linker' });
const linker = new GraphLinker({ log, clock: systemClock, place, throttle: new Traffic(traffic).throttle(systemClock) });
const memory = new MemoryReturn(systemClock);

new BroadcastListener<IndexerEvent>(counter, events, (event) => {
  if (event.kind === 'written') return linker.written(event.collection);
  linker.apply(event.event);
  memory.after(event.event);
});
linker.start();
answerMain({
  stop: async () => {
    await linker.stop();
    events.close();
  },
  configure: ({ logLevel }) => {
    log.level = logLevel;
  },
});
