// SPDX-License-Identifier: Apache-2.0
/** What other threads have of the embedding thread. */
import type { MessagePort } from 'node:worker_threads';
import { ServiceError } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import type { EmbeddingFigures } from '../embedding/embedder.ts';
import type { DenseModels } from '../operations/texts.ts';
import type { EmbeddingAnswer, EmbeddingLink, EmbeddingQuestion } from './messages.ts';
import { RpcClient } from './rpc.ts';

export type EmbeddingClient = DenseModels & { figures(): Promise<EmbeddingFigures>; readonly port: MessagePort };

/** Undefined where no model is configured. */
export function embeddingClient(link: EmbeddingLink | undefined): EmbeddingClient | undefined {
  if (link === undefined) return undefined;
  const thread = new RpcClient<EmbeddingQuestion, EmbeddingAnswer>(link.port);
  return {
    models: link.models,
    port: link.port,
    embed: async (request) => {
      const answer = await thread.call(request);
      if (answer.kind === 'refused') throw new ServiceError(answer.code, answer.details);
      assert(answer.kind === 'vectors', 'who asks for vectors gets vectors');
      return answer.vectors;
    },
    figures: async () => {
      const answer = await thread.call('figures');
      assert(answer.kind === 'figures', 'who asks for figures gets figures');
      return answer.figures;
    },
  };
}
