// SPDX-License-Identifier: Apache-2.0
/** How an asset of the graph is, in a few words; icon and colour only repeat them. */
import type { AssetRow } from '../../data/assets/asset-rows.ts';

export type AssetState = {
  /** `failed`: its last scan failed, or some of its monitors could not be evaluated. */
  readonly kind: 'open' | 'failed' | 'unscored' | 'fine';
  readonly words: string;
};

export function assetState({ open, job, score }: Pick<AssetRow, 'open' | 'job' | 'score'>): AssetState {
  const scored = score?.score == null ? '' : `score ${score.score.toFixed(0)}`;
  if (open.total > 0) return { kind: 'open', words: [scored, `${open.total} open`].filter(Boolean).join(', ') };
  if (job?.status === 'FAILED') return { kind: 'failed', words: 'last scan failed' };
  const errored = job?.checks?.errored ?? 0;
  if (errored > 0) return { kind: 'failed', words: [scored, `${errored} errored`].filter(Boolean).join(', ') };
  return scored === '' ? { kind: 'unscored', words: 'no score yet' } : { kind: 'fine', words: scored };
}
