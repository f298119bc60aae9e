// SPDX-License-Identifier: Apache-2.0
/**
 * Vectors from models in folders of the operator. A run of a graph holds the thread, so texts go in runs of few tokens, those of like length together, and
 * between two of them the thread answers others and looks at the clock.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@sextant/foundation-std';
import { EmbeddingFailure, type EmbeddingProvider, type EmbeddingRequest } from '../provider.ts';
import type { OnnxModel } from './onnx-model.ts';

/** Tokens of a run with their padding, unless a single text has more: 0.1 to 0.2 s of all-MiniLM-L6-v2 on one core. */
const TOKENS_PER_RUN = 512;

export type OnnxOptions = {
  readonly models: readonly OnnxModel[];
  readonly batchMax: number;
  /** For the texts of one batch. */
  readonly timeoutMs: number;
};

export function onnxProvider({ models, batchMax, timeoutMs }: OnnxOptions, clock: Clock): EmbeddingProvider {
  const byName = new Map(models.map((model) => [model.name, model]));
  let isClosed = false;

  const embed = async ({ model: name, dimensions, texts }: EmbeddingRequest): Promise<readonly Float32Array[]> => {
    const model = byName.get(name);
    if (model === undefined) throw new EmbeddingFailure('the model is not loaded', { isPassing: false });
    const endsAtMs = clock.monotonicMs() + timeoutMs;
    const vectors = Array.from<Float32Array | undefined>({ length: texts.length });
    const goOn = () => {
      if (isClosed) throw new EmbeddingFailure('the service is shutting down', { isPassing: true });
      if (clock.monotonicMs() >= endsAtMs)
        throw new EmbeddingFailure(`its texts took longer than the limit of ${timeoutMs / 1000} s`, { isPassing: true });
    };
    const lists: (readonly number[])[] = [];
    for (const text of texts) {
      goOn();
      lists.push(model.tokensOf(text));
      // A long text of one word takes a tokenizer a while: others have their turn.
      await setImmediate();
    }
    for (const run of runsOf(lists)) {
      goOn();
      const made = await runOf(model, run);
      for (const [at, { index }] of run.entries()) vectors[index] = made[at];
    }
    const all = vectors.filter((vector) => vector !== undefined);
    return dimensions === undefined ? all : all.map((vector) => shorter(model, vector, dimensions));
  };

  const close = async () => {
    isClosed = true;
    for (const model of models) await model.close();
  };
  // More than one at a time would only wait for each other.
  return { models: [...byName.keys()], batchMax, requestsMax: 1, embed, close };
}

type Tokens = { readonly index: number; readonly ids: readonly number[] };

/** The shortest first, so that little of a run is padding. */
function runsOf(lists: readonly (readonly number[])[]): readonly (readonly Tokens[])[] {
  const runs: Tokens[][] = [];
  let run: Tokens[] = [];
  for (const tokens of lists.map((ids, index) => ({ index, ids })).toSorted((a, b) => a.ids.length - b.ids.length)) {
    if (run.length > 0 && (run.length + 1) * tokens.ids.length > TOKENS_PER_RUN) {
      runs.push(run);
      run = [];
    }
    run.push(tokens);
  }
  return run.length === 0 ? runs : [...runs, run];
}

async function runOf(model: OnnxModel, run: readonly Tokens[]): Promise<readonly Float32Array[]> {
  try {
    return await model.embed(run.map(({ ids }) => ids));
  } catch (cause) {
    // The same text fails again: it is for the operator to look at.
    throw new EmbeddingFailure('the model failed; see the log of the service', {
      isPassing: true,
      retryAfterMs: Number.POSITIVE_INFINITY,
      cause,
    });
  }
}

function shorter(model: OnnxModel, vector: Float32Array, dimensions: number): Float32Array {
  if (dimensions <= vector.length) return model.shortened(vector, dimensions);
  throw new EmbeddingFailure(`the model makes vectors of ${vector.length} components, but ${dimensions} were requested`, {
    isPassing: false,
  });
}
