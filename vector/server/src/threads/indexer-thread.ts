// SPDX-License-Identifier: Apache-2.0
/** The indexer thread: keeps the graphs of all collections up to date. */
import { workerData } from 'node:worker_threads';
import { createLog } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { GraphIndexer } from '@sextant/vector-collection';
import { BroadcastListener } from './broadcast.ts';
import { Ending } from './ending.ts';
import { MemoryReturn } from './memory-return.ts';
import type { IndexerEvent, IndexerThreadData } from './messages.ts';
import { STEPS_BACK, stepBack } from './priority.ts';
import { answerMain } from './thread.ts';
import { Traffic } from './traffic.ts';

stepBack(STEPS_BACK.indexing);
const { configuration, counter, events, traffic, ending: sharedEnding }: IndexerThreadData = workerData;
const ending = new Ending(sharedEnding);
const log = createLog({ level: configuration.logLevel, clock: systemClock }).child({ thread: 'indexer' });
const indexer = new GraphIndexer({
  log,
  clock: systemClock,
  throttle: new Traffic(traffic).throttle(systemClock),
  isHurried: () => ending.isHurried,
});
const memory = new MemoryReturn(systemClock);

new BroadcastListener<IndexerEvent>(counter, events, (event) => {
  if (event.kind === 'written') return indexer.written(event.collection);
  indexer.apply(event.event);
  memory.after(event.event);
});
indexer.start();
answerMain({
  stop: async () => {
    await indexer.stop();
    events.close();
  },
  configure: ({ logLevel }) => {
    log.level = logLevel;
  },
});
