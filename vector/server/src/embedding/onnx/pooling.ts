// SPDX-License-Identifier: Apache-2.0
/** One vector of the vectors of a text's tokens, as the Pooling module of Sentence Transformers makes it. */
import type { Pooling } from './model-folder.ts';

export type TokenVectors = {
  /** One vector after the other. */
  readonly values: Float32Array;
  readonly dimension: number;
  /** Tokens of the text; vectors of padding come after them. */
  readonly tokens: number;
};

export function poolTokens(pooling: Pooling, { values, dimension, tokens }: TokenVectors): Float32Array {
  const vectorOf = (token: number) => values.subarray(token * dimension, (token + 1) * dimension);
  switch (pooling) {
    case 'cls':
      return vectorOf(0).slice();
    case 'lasttoken':
      return vectorOf(tokens - 1).slice();
    case 'max': {
      const pooled = vectorOf(0).slice();
      for (let token = 1; token < tokens; token++)
        for (const [at, value] of vectorOf(token).entries()) pooled[at] = Math.max(pooled[at] ?? value, value);
      return pooled;
    }
    case 'mean':
    case 'mean_sqrt_len': {
      const sums = new Float64Array(dimension);
      for (let token = 0; token < tokens; token++) for (const [at, value] of vectorOf(token).entries()) sums[at] = (sums[at] ?? 0) + value;
      const divisor = pooling === 'mean' ? tokens : Math.sqrt(tokens);
      return Float32Array.from(sums, (sum) => sum / divisor);
    }
  }
}

/** As long as 1; a vector of zeros stays what it is. */
export function normalize(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
