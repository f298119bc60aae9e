// SPDX-License-Identifier: Apache-2.0
/** Lays out a graph on a thread of its own: hundreds of assets take a third of a second, in which the page would stand still. */
import { type GraphShape, placesOf } from './graph-layout.ts';

self.addEventListener('message', ({ data: { ids, edges } }: MessageEvent<GraphShape>) => {
  self.postMessage(placesOf(ids, edges));
});
