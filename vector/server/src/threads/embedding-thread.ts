// SPDX-License-Identifier: Apache-2.0
/** The embedding thread: makes vectors of texts for all other threads, so that they share its cache and its requests. */
import { workerData } from 'node:worker_threads';
import { ServiceError } from '@sextant/contracts-vector';
import { createLog } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import type { Embedder } from '../embedding/embedder.ts';
import { openEmbedder } from '../embedding/open-embedder.ts';
import type { EmbeddingAnswer, EmbeddingQuestion, EmbeddingThreadData } from './messages.ts';
import { serveRpc } from './rpc.ts';
import { answerMain, report } from './thread.ts';
import { openThreadTelemetry } from './thread-telemetry.ts';

const { configuration, asked, startedMs, instanceId }: EmbeddingThreadData = workerData;
const log = createLog({ level: configuration.logLevel, clock: systemClock }).child({ thread: 'embedding' });
const telemetry = await openThreadTelemetry({ configuration, startedMs, instanceId }, { thread: 'embedding', log });
const opened = await openEmbedder(configuration, systemClock);

answerMain({
  stop: async () => {
    if (typeof opened !== 'string') await opened.close();
    await telemetry?.close();
    for (const port of asked) port.close();
  },
  configure: ({ logLevel }) => {
    log.level = logLevel;
  },
});

if (typeof opened === 'string') {
  report({ kind: 'refused', problem: opened });
} else {
  for (const port of asked) serveRpc<EmbeddingQuestion, EmbeddingAnswer>(port, (question) => answer(opened, question));
  report({ kind: 'embeds' });
}

async function answer(embedder: Embedder, question: EmbeddingQuestion): Promise<EmbeddingAnswer> {
  if (question === 'figures') return { kind: 'figures', figures: embedder.figures };
  try {
    return { kind: 'vectors', vectors: await embedder.embed(question) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The caller learns what it can use; what lies behind it is the operator's.
    if (error.restStatus >= 500) log.warn({ err: error, model: question.model }, 'texts cannot be embedded');
    return { kind: 'refused', code: error.code, details: error.details };
  }
}
