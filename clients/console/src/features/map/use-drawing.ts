// SPDX-License-Identifier: Apache-2.0
/** A map in the making: vectors are read, laid on their principal plane, and then, if that is wanted, on that of UMAP. */
import type { Collection, PointId } from '@sextant/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { VectorField } from '../../data/collections/queries.ts';
import { principalPlane, type Reduced, umapPlane } from './projection/projections.ts';
import { readSample, type Sample } from './sample.ts';

export type Projection = 'pca' | 'umap';

export type DrawRequest = {
  readonly collection: Collection;
  readonly field: VectorField;
  readonly count: number;
  readonly always: readonly PointId[];
};

type Drawing = {
  readonly sample?: Sample;
  readonly pca?: Float32Array;
  readonly umap?: Float32Array;
  /** For UMAP. */
  readonly reduced?: Reduced;
  readonly reading?: number;
  /** Undefined while it is not. */
  readonly settling?: number | undefined;
  readonly error?: unknown;
};

export function useDrawing(projection: Projection) {
  const [drawing, setDrawing] = useState<Drawing>({});
  const running = useRef<AbortController>(undefined);
  const change = useCallback((part: Drawing) => setDrawing((before) => ({ ...before, ...part })), []);

  const draw = useCallback(async ({ collection, field, count, always }: DrawRequest) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    /** What comes late from a drawing that was given up is nobody's. */
    const set = (change: (before: Drawing) => Drawing) => {
      if (!signal.aborted) setDrawing(change);
    };
    set(({ sample, pca }) => ({ ...(sample !== undefined && pca !== undefined && { sample, pca }), reading: 0 }));
    try {
      const { vectors, ...sample } = await readSample(collection, {
        count,
        always,
        size: field.size,
        using: field.name,
        signal,
        onProgress: (reading) => set((before) => ({ ...before, reading })),
      });
      const reduced = await principalPlane({
        vectors,
        size: field.size,
        isNormalised: field.distance === 'Cosine',
        signal,
        onPlane: (pca) => {
          set(() => ({ sample, pca }));
          performance.mark('map-plane', { detail: { points: sample.ids.length } });
        },
      });
      set((before) => ({ ...before, reduced }));
    } catch (error) {
      set(() => ({ error }));
    }
  }, []);

  useEffect(() => () => running.current?.abort(), []);

  const { pca, umap, reduced } = drawing;
  useEffect(() => {
    if (projection !== 'umap' || umap !== undefined || reduced === undefined || pca === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    change({ settling: 0 });
    umapPlane(reduced, { start: pca, signal, onProgress: (settling) => change({ settling }) }).then(
      (plane) => {
        change({ umap: plane, settling: undefined });
        performance.mark('map-umap', { detail: { points: plane.length / 2 } });
      },
      (error: unknown) => {
        if (!signal.aborted) change({ error, settling: undefined });
      },
    );
    return () => {
      controller.abort();
      change({ settling: undefined });
    };
  }, [projection, umap, reduced, pca, change]);

  const shown: Projection = projection === 'umap' && umap !== undefined ? 'umap' : 'pca';
  return { ...drawing, shown, coordinates: shown === 'umap' ? umap : pca, draw };
}
