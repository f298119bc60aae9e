// SPDX-License-Identifier: Apache-2.0
/** The screen of a collection, with its points, its search and its map, which are features of their own and load when they are opened. */
import { lazy } from 'react';
import { type CollectionParts, CollectionScreen } from '../features/collections/collection-screen.tsx';

const PARTS: CollectionParts = {
  Points: lazy(async () => ({ default: (await import('../features/points/points-browser.tsx')).PointsBrowser })),
  Search: lazy(async () => ({ default: (await import('../features/search/playground.tsx')).Playground })),
  VectorMap: lazy(async () => ({ default: (await import('../features/map/vector-map.tsx')).VectorMap })),
};

export function CollectionPage() {
  return <CollectionScreen parts={PARTS} />;
}
