/** What the bench says to the process of a peer, and what it hears. */
import type { Build, SearchRun } from '../subject.ts';

export const PEERS = ['usearch', 'hnswlib-node'] as const;
export type PeerName = (typeof PEERS)[number];

export type PeerRequest =
  | { readonly kind: 'build' }
  | { readonly kind: 'search'; readonly selection: number }
  | { readonly kind: 'memory' };

export type PeerReply =
  | { readonly kind: 'build'; readonly build: Build }
  | { readonly kind: 'search'; readonly run: SearchRun }
  | { readonly kind: 'memory'; readonly residentBytes: number };
