// SPDX-License-Identifier: Apache-2.0
import { useReducedMotion } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const GLIDE_MS = 900;

/** The coordinates, on their way from where the same points were before; at once for those who want no motion. */
export function useGlide(coordinates: Float32Array): Float32Array {
  const isStill = useReducedMotion();
  const [shown, setShown] = useState(coordinates);
  const last = useRef(shown);
  useEffect(() => {
    const from = last.current;
    const show = (next: Float32Array) => {
      last.current = next;
      setShown(next);
    };
    if (isStill || from === coordinates || from.length !== coordinates.length) {
      show(coordinates);
      return;
    }
    let frame = 0;
    let startedMs: number | undefined;
    const step = (nowMs: number) => {
      startedMs ??= nowMs;
      const share = Math.min(1, (nowMs - startedMs) / GLIDE_MS);
      // Slow at both ends.
      const eased = share * share * (3 - 2 * share);
      show(share === 1 ? coordinates : coordinates.map((to, at) => (from[at] ?? to) * (1 - eased) + to * eased));
      if (share < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [coordinates, isStill]);
  return shown;
}
