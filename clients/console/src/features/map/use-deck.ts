// SPDX-License-Identifier: Apache-2.0
import { Deck, OrthographicView, type OrthographicViewState, type PickingInfo } from '@deck.gl/core';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Rectangle } from './region.ts';
import { type Drawn, layersOf, ZOOM } from './scatter-layers.ts';

export type Pointed = { readonly row: number; readonly x: number; readonly y: number };

type DeckHandlers = {
  readonly onHover: (pointed: Pointed | undefined) => void;
  readonly onClick: (row: number | undefined) => void;
};

export type Camera = {
  /** Once the graphics card is at hand. */
  readonly isReady: boolean;
  /** Everything, with a margin. */
  readonly fit: () => void;
  /** By powers of two. */
  readonly zoomBy: (steps: number) => void;
  /** By shares of what is seen. */
  readonly panBy: (right: number, up: number) => void;
  /** The middle of what is seen, near enough to tell points apart. */
  readonly lookAt: (x: number, y: number) => void;
  /** Where in the drawing a pixel of the canvas is. */
  readonly placeAt: (x: number, y: number) => readonly [x: number, y: number] | undefined;
  /** The part of the drawing that is on the canvas. */
  readonly seen: () => Rectangle | undefined;
};

const ZOOM_MAX = ZOOM + 12;
const MARGIN = 0.94;
const PICKING_PX = 5;
const NEAR = 2;

type View = { readonly target: [number, number, number]; readonly zoom: number };

/** The graphics card's side of the map. */
export function useDeck(canvas: RefObject<HTMLCanvasElement | null>, drawn: Drawn, isDragging: boolean, handlers: DeckHandlers): Camera {
  const deck = useRef<Deck<OrthographicView>>(undefined);
  const view = useRef<View>({ target: [0, 0, 0], zoom: ZOOM });
  const [isReady, setIsReady] = useState(false);
  const latest = useRef({ handlers, highlighted: drawn.highlighted });
  latest.current = { handlers, highlighted: drawn.highlighted };

  const move = useCallback((next: Partial<View>) => {
    view.current = { ...view.current, ...next };
    deck.current?.setProps({ viewState: { ...view.current } });
  }, []);
  const fittingZoom = useCallback(() => {
    const { clientWidth, clientHeight } = canvas.current ?? { clientWidth: 0, clientHeight: 0 };
    return Math.log2(Math.max(1, (MARGIN * Math.min(clientWidth, clientHeight)) / 2));
  }, [canvas]);

  useEffect(() => {
    if (canvas.current === null) return;
    view.current = { target: [0, 0, 0], zoom: fittingZoom() };
    const rowOf = ({ picked, index, layer }: PickingInfo) =>
      picked !== true ? undefined : layer?.id === 'highlighted' ? latest.current.highlighted[index] : index;
    const created = new Deck({
      canvas: canvas.current,
      width: '100%',
      height: '100%',
      views: new OrthographicView({ flipY: false }),
      viewState: { ...view.current },
      controller: { dragRotate: false },
      pickingRadius: PICKING_PX,
      onLoad: () => setIsReady(true),
      onViewStateChange: ({ viewState }) => move(viewOf(viewState)),
      getCursor: ({ isDragging: isDragged, isHovering }) => (isDragged ? 'grabbing' : isHovering ? 'pointer' : 'default'),
      onHover: (info: PickingInfo) => {
        const row = rowOf(info);
        latest.current.handlers.onHover(row === undefined ? undefined : { row, x: info.x, y: info.y });
      },
      onClick: (info: PickingInfo) => latest.current.handlers.onClick(rowOf(info)),
    });
    deck.current = created;
    return () => {
      created.finalize();
      deck.current = undefined;
      setIsReady(false);
    };
  }, [canvas, move, fittingZoom]);

  useEffect(() => {
    deck.current?.setProps({ controller: { dragRotate: false, dragPan: isDragging }, layers: layersOf(drawn) });
  }, [drawn, isDragging]);

  return useMemo(() => {
    const placeAt: Camera['placeAt'] = (px, py) => {
      const [x, y] = deck.current?.isInitialized === true ? (deck.current.getViewports()[0]?.unproject([px, py]) ?? []) : [];
      return x === undefined || y === undefined ? undefined : [x, y];
    };
    return {
      isReady,
      fit: () => move({ target: [0, 0, 0], zoom: fittingZoom() }),
      zoomBy: (steps) => move({ zoom: Math.min(ZOOM_MAX, Math.max(fittingZoom() - 2, view.current.zoom + steps)) }),
      panBy: (right, up) => {
        const seen = (canvas.current?.clientHeight ?? 0) / 2 ** view.current.zoom;
        const [x, y] = view.current.target;
        move({ target: [x + right * seen, y + up * seen, 0] });
      },
      lookAt: (x, y) => move({ target: [x, y, 0], zoom: Math.max(view.current.zoom, fittingZoom() + NEAR) }),
      placeAt,
      seen: () => {
        const { clientWidth, clientHeight } = canvas.current ?? { clientWidth: 0, clientHeight: 0 };
        const [upperLeft, lowerRight] = [placeAt(0, 0), placeAt(clientWidth, clientHeight)];
        if (upperLeft === undefined || lowerRight === undefined) return undefined;
        return { left: upperLeft[0], right: lowerRight[0], bottom: lowerRight[1], top: upperLeft[1] };
      },
    };
  }, [canvas, move, fittingZoom, isReady]);
}

/** Deck hands over what its controller made of the state that it was given. */
function viewOf({ target, zoom }: OrthographicViewState): Partial<View> {
  const [x = 0, y = 0] = target ?? [];
  return { target: [x, y, 0], zoom: Math.min(ZOOM_MAX, typeof zoom === 'number' ? zoom : (zoom?.[0] ?? ZOOM)) };
}
