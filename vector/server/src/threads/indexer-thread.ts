/** The indexer thread: keeps the graphs of all collections up to date. */
import { workerData } from 'node:worker_threads';
import { createLog } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { GraphIndexer } from '@sextant/vector-collection';
import { BroadcastListener } from './broadcast.ts';
import type { IndexerEvent, IndexerThreadData } from './messages.ts';
import { answerMain } from './thread.ts';

const { configuration, counter, events }: IndexerThreadData = workerData;
const log = createLog({ level: configuration.logLevel, clock: systemClock }).child({ thread: 'indexer' });
const indexer = new GraphIndexer({ log });

new BroadcastListener<IndexerEvent>(counter, events, (event) => {
  if (event.kind === 'written') indexer.written(event.collection);
  else indexer.apply(event.event);
});
indexer.start();
answerMain({
  stop: async () => {
    await indexer.stop();
    events.close();
  },
});
