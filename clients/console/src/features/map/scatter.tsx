import { Deck, OrthographicView, type PickingInfo } from '@deck.gl/core';
import { LineLayer, PolygonLayer, ScatterplotLayer } from '@deck.gl/layers';
import { useComputedColorScheme } from '@mantine/core';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Colouring } from './colouring.ts';
import { type Corner, isWithin } from './lasso.ts';

type ScatterProps = {
  /** Two coordinates for each point, within [-1, 1]. */
  readonly coordinates: Float32Array;
  readonly colouring: Colouring;
  readonly onHover: (row: number | undefined) => void;
  readonly onSelect: (rows: readonly number[]) => void;
  /** Rows that are lit; none means all. */
  readonly lit: readonly number[];
  /** From one row to others. */
  readonly lines: readonly (readonly [from: number, to: number])[];
  readonly height: number;
};

/** Pixels of the drawing for each unit, as a power of two: a coordinate of 1 is 256 pixels from the middle. */
const ZOOM = 8;
const RADIUS_PX = 2.5;
const LASSO_CORNERS_MIN = 3;
const FAINT = 40;
const FULL = 200;

/** Points drawn by the graphics card. Wheel and drag move; drag with Shift draws a lasso; a click chooses one. */
export function Scatter({ coordinates, colouring, onHover, onSelect, lit, lines, height }: ScatterProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const deck = useRef<Deck<OrthographicView>>(undefined);
  const handlers = useRef({ onHover, onSelect });
  handlers.current = { onHover, onSelect };
  const scheme = useComputedColorScheme('light');
  const [lasso, setLasso] = useState<readonly Corner[]>([]);

  useEffect(() => {
    if (canvas.current === null) return;
    deck.current = new Deck({
      canvas: canvas.current,
      width: '100%',
      height: '100%',
      views: new OrthographicView({ flipY: false }),
      initialViewState: { target: [0, 0, 0], zoom: ZOOM, minZoom: ZOOM - 3, maxZoom: ZOOM + 12 },
      controller: { dragRotate: false },
      pickingRadius: 4,
      getCursor: ({ isDragging, isHovering }) => (isDragging ? 'grabbing' : isHovering ? 'pointer' : 'default'),
      onHover: ({ index, picked }: PickingInfo) => handlers.current.onHover(picked === true ? index : undefined),
      onClick: ({ index, picked }: PickingInfo) => handlers.current.onSelect(picked === true ? [index] : []),
    });
    return () => {
      deck.current?.finalize();
      deck.current = undefined;
    };
  }, []);

  useEffect(() => {
    const isLit = new Set(lit);
    const [red, green, blue] = scheme === 'dark' ? [220, 220, 220] : [40, 40, 40];
    deck.current?.setProps({
      controller: { dragRotate: false, dragPan: lasso.length === 0 },
      layers: [
        new ScatterplotLayer({
          id: 'points',
          data: { length: coordinates.length / 2, attributes: { getPosition: { value: coordinates, size: 2 } } },
          pickable: true,
          radiusUnits: 'pixels',
          getRadius: RADIUS_PX,
          getFillColor: (_: unknown, { index }: { index: number }) =>
            rgba(colouring, index, isLit.size === 0 || isLit.has(index) ? FULL : FAINT),
          updateTriggers: { getFillColor: [colouring, lit] },
        }),
        new LineLayer<readonly [number, number]>({
          id: 'lines',
          data: lines,
          getSourcePosition: ([from]) => positionOf(coordinates, from),
          getTargetPosition: ([, to]) => positionOf(coordinates, to),
          getColor: [red, green, blue, 160],
          getWidth: 1,
        }),
        new PolygonLayer<readonly Corner[]>({
          id: 'lasso',
          data: lasso.length < LASSO_CORNERS_MIN ? [] : [lasso],
          getPolygon: (corners) => corners.map(([x, y]) => [x, y]),
          getFillColor: [67, 128, 201, 40],
          getLineColor: [67, 128, 201, 255],
          lineWidthUnits: 'pixels',
          getLineWidth: 1,
        }),
      ],
    });
  }, [coordinates, colouring, lit, lines, lasso, scheme]);

  const cornerAt = (event: PointerEvent<HTMLElement>): Corner | undefined => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = deck.current?.getViewports()[0]?.unproject([event.clientX - left, event.clientY - top]) ?? [];
    return x === undefined || y === undefined ? undefined : [x, y];
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    const corner = event.shiftKey ? cornerAt(event) : undefined;
    if (corner === undefined) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    setLasso([corner]);
  };
  const extend = (event: PointerEvent<HTMLElement>) => {
    const corner = lasso.length === 0 ? undefined : cornerAt(event);
    if (corner === undefined) return;
    event.stopPropagation();
    setLasso([...lasso, corner]);
  };
  const close = () => {
    if (lasso.length >= LASSO_CORNERS_MIN) onSelect(rowsWithin(coordinates, lasso));
    setLasso([]);
  };
  return (
    <div
      role="application"
      aria-label="Map of the vectors"
      style={{ position: 'relative', width: '100%', height }}
      onPointerDownCapture={begin}
      onPointerMoveCapture={extend}
      onPointerUpCapture={close}
      onContextMenu={(event) => event.preventDefault()}
    >
      <canvas ref={canvas} style={{ width: '100%', height: '100%' }} />
    </div>
  );
}

function rowsWithin(coordinates: Float32Array, lasso: readonly Corner[]): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < coordinates.length / 2; row++) {
    if (isWithin(lasso, [coordinates[row * 2] ?? 0, coordinates[row * 2 + 1] ?? 0])) rows.push(row);
  }
  return rows;
}

function positionOf(coordinates: Float32Array, row: number): [number, number] {
  return [coordinates[row * 2] ?? 0, coordinates[row * 2 + 1] ?? 0];
}

function rgba({ colours, places }: Colouring, row: number, alpha: number): [number, number, number, number] {
  const colour = Number.parseInt((colours[places[row] ?? 0] ?? '#999999').slice(1), 16);
  return [colour >> 16, (colour >> 8) & 255, colour & 255, alpha];
}
