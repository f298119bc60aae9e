// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Button, Group, Paper, Text, Tooltip } from '@mantine/core';
import { IconArrowsMaximize, IconLasso, IconMarquee2, IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { Dimmed } from '../../ui/dimmed.tsx';
import { countText } from '../../ui/figures.ts';
import { type Corner, cornersOf, isWithin, middleOf, moved, type Rectangle, type Steps, sized } from './region.ts';
import type { Drawn } from './scatter-layers.ts';
import { type Pointed, useDeck } from './use-deck.ts';
import { useGlide } from './use-glide.ts';

export type ScatterHandle = { readonly lookAt: (row: number) => void };

type ScatterProps = Omit<Drawn, 'region'> & {
  readonly onPoint: (row: number | undefined) => void;
  readonly onChosen: (rows: readonly number[]) => void;
  /** What stands beside a point while one points at it. */
  readonly cardOf: (row: number) => ReactNode;
  readonly height: number;
  readonly ref: Ref<ScatterHandle>;
};

const LASSO_CORNERS_MIN = 3;
const PAN_SHARE = 0.1;
const CARD_WIDTH_PX = 320;

/** What each arrow key does to a rectangle. */
const STEPS: ReadonlyMap<string, Steps> = new Map([
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['ArrowUp', [0, 1]],
  ['ArrowDown', [0, -1]],
]);

/**
 * Points drawn by the graphics card. Wheel, fingers and keys move; a lasso is drawn in its mode or with Shift, a rectangle by keys; a click chooses a
 * point.
 */
export function Scatter({ onPoint, onChosen, cardOf, height, ref, ...scene }: ScatterProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isLassoing, setIsLassoing] = useState(false);
  const [lasso, setLasso] = useState<readonly Corner[]>([]);
  /** The same, also where the pointer moves on before the last move is drawn. */
  const corners = useRef<readonly Corner[]>([]);
  const [rectangle, setRectangle] = useState<Rectangle>();
  const [pointed, setPointed] = useState<Pointed>();
  const coordinates = useGlide(scene.coordinates);
  const { colours, highlighted, focus, lines, scheme } = scene;
  const region = useMemo(() => (rectangle === undefined ? lasso : cornersOf(rectangle)), [rectangle, lasso]);
  const drawn = useMemo(
    () => ({ coordinates, colours, highlighted, focus, lines, scheme, region }),
    [coordinates, colours, highlighted, focus, lines, scheme, region],
  );
  const camera = useDeck(canvas, drawn, !isLassoing && lasso.length === 0, { onHover: setPointed, onClick: onPoint });
  useImperativeHandle(ref, () => ({
    lookAt: (row) => camera.lookAt(scene.coordinates[row * 2] ?? 0, scene.coordinates[row * 2 + 1] ?? 0),
  }));

  const cornerAt = (event: PointerEvent<HTMLElement>): Corner | undefined => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return camera.placeAt(event.clientX - left, event.clientY - top);
  };
  const lay = (next: readonly Corner[]) => {
    corners.current = next;
    setLasso(next);
  };
  // A second finger is not part of the line.
  const begin = (event: PointerEvent<HTMLElement>) => {
    const isMeant = event.isPrimary && event.target === canvas.current && (isLassoing || event.shiftKey);
    const corner = isMeant ? cornerAt(event) : undefined;
    if (corner === undefined) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    setPointed(undefined);
    setRectangle(undefined);
    lay([corner]);
  };
  const extend = (event: PointerEvent<HTMLElement>) => {
    const corner = corners.current.length === 0 || !event.isPrimary ? undefined : cornerAt(event);
    if (corner === undefined) return;
    event.stopPropagation();
    lay([...corners.current, corner]);
  };
  const close = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    if (corners.current.length >= LASSO_CORNERS_MIN) {
      onChosen(rowsWithin(scene.coordinates, corners.current));
      setIsLassoing(false);
    }
    lay([]);
  };
  const toggleLasso = () => {
    setRectangle(undefined);
    setIsLassoing(!isLassoing);
  };
  const beginRectangle = () => {
    const seen = camera.seen();
    if (seen === undefined) return;
    setIsLassoing(false);
    setRectangle(middleOf(seen));
    frame.current?.focus();
  };
  const within = useMemo(
    () => (rectangle === undefined ? [] : rowsWithin(scene.coordinates, cornersOf(rectangle))),
    [rectangle, scene.coordinates],
  );
  const chooseWithin = () => {
    if (within.length === 0) return;
    onChosen(within);
    setRectangle(undefined);
  };
  const leave = () => {
    if (rectangle !== undefined) {
      setRectangle(undefined);
      return;
    }
    setIsLassoing(false);
    onPoint(undefined);
  };
  const steerRectangle = (event: KeyboardEvent): (() => void) | undefined => {
    // On a button of the map, Enter presses that.
    if (event.key === 'Enter') return event.target === frame.current ? chooseWithin : undefined;
    const steps = STEPS.get(event.key);
    const seen = camera.seen();
    if (rectangle === undefined || steps === undefined || seen === undefined) return undefined;
    return () => setRectangle((event.shiftKey ? sized : moved)(rectangle, steps, seen));
  };
  const steer = (event: KeyboardEvent) => {
    const moves = new Map<string, () => void>([
      ['ArrowLeft', () => camera.panBy(-PAN_SHARE, 0)],
      ['ArrowRight', () => camera.panBy(PAN_SHARE, 0)],
      ['ArrowUp', () => camera.panBy(0, PAN_SHARE)],
      ['ArrowDown', () => camera.panBy(0, -PAN_SHARE)],
      ['+', () => camera.zoomBy(1)],
      ['-', () => camera.zoomBy(-1)],
      ['0', camera.fit],
      ['r', beginRectangle],
      ['Escape', leave],
    ]);
    const move =
      (rectangle === undefined ? undefined : steerRectangle(event)) ?? moves.get(event.key) ?? moves.get(event.key.toLowerCase());
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return (
    <div
      ref={frame}
      role="application"
      aria-label="Map of the vectors"
      aria-description="Press the arrow keys to move, plus and minus to zoom, 0 to show everything, and R to select points with a rectangle."
      aria-busy={!camera.isReady}
      data-points={scene.coordinates.length / 2}
      // The map takes the keys that its description names.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is interactive
      tabIndex={0}
      onKeyDown={steer}
      style={{ position: 'relative', width: '100%', height, touchAction: 'none', cursor: isLassoing ? 'crosshair' : undefined }}
      onPointerDownCapture={begin}
      onPointerMoveCapture={extend}
      onPointerUpCapture={close}
      onPointerCancel={() => lay([])}
      onPointerLeave={() => setPointed(undefined)}
      onContextMenu={(event) => event.preventDefault()}
    >
      <canvas ref={canvas} style={{ width: '100%', height: '100%', display: 'block' }} />
      <ActionIcon.Group orientation="vertical" style={{ position: 'absolute', top: 8, left: 8 }}>
        <Tool label="Zoom in" onClick={() => camera.zoomBy(1)}>
          <IconPlus size={16} />
        </Tool>
        <Tool label="Zoom out" onClick={() => camera.zoomBy(-1)}>
          <IconMinus size={16} />
        </Tool>
        <Tool label="Show everything" onClick={camera.fit}>
          <IconArrowsMaximize size={16} />
        </Tool>
        <Tool label="Choose points with a lasso" isPressed={isLassoing} onClick={toggleLasso}>
          <IconLasso size={16} />
        </Tool>
        <Tool
          label="Choose points with a rectangle"
          isPressed={rectangle !== undefined}
          onClick={() => (rectangle === undefined ? beginRectangle() : setRectangle(undefined))}
        >
          <IconMarquee2 size={16} />
        </Tool>
      </ActionIcon.Group>
      {rectangle !== undefined && <WithinRectangle count={within.length} onChoose={chooseWithin} />}
      {pointed !== undefined && lasso.length === 0 && (
        <div
          style={{
            ...cardPlace(pointed, canvas.current),
            position: 'absolute',
            width: CARD_WIDTH_PX,
            maxWidth: 'calc(50% - 20px)',
            pointerEvents: 'none',
          }}
        >
          {cardOf(pointed.row)}
        </div>
      )}
    </div>
  );
}

/** What a rectangle holds, and how one goes on. */
function WithinRectangle({ count, onChoose }: { readonly count: number; readonly onChoose: () => void }) {
  return (
    <Paper withBorder px="sm" py={6} style={{ position: 'absolute', left: 8, right: 8, bottom: 8 }}>
      <Group gap="sm" justify="space-between">
        <Text size="sm" role="status">
          {count === 0 ? 'No point' : count === 1 ? '1 point' : `${countText(count)} points`} in the rectangle
        </Text>
        <Dimmed size="xs" style={{ flex: '1 1 220px' }}>
          Press the arrow keys to move the rectangle, Shift and the arrow keys to resize it, Enter to select the points, and Escape to
          cancel.
        </Dimmed>
        <Button size="compact-sm" onClick={onChoose} disabled={count === 0}>
          Choose these
        </Button>
      </Group>
    </Paper>
  );
}

type ToolProps = { readonly label: string; readonly isPressed?: boolean; readonly onClick: () => void; readonly children: ReactNode };

function Tool({ label, isPressed, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label} position="right">
      <ActionIcon
        variant={isPressed === true ? 'filled' : 'default'}
        color="chart"
        size={30}
        aria-label={label}
        {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** On the side of the point where there is more room. */
function cardPlace({ x, y }: Pointed, canvas: HTMLCanvasElement | null) {
  const { clientWidth, clientHeight } = canvas ?? { clientWidth: 0, clientHeight: 0 };
  return {
    ...(x < clientWidth / 2 ? { left: x + 14 } : { right: clientWidth - x + 14 }),
    ...(y < clientHeight / 2 ? { top: y + 10 } : { bottom: clientHeight - y + 10 }),
  };
}

function rowsWithin(coordinates: Float32Array, lasso: readonly Corner[]): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < coordinates.length / 2; row++) {
    if (isWithin(lasso, [coordinates[row * 2] ?? 0, coordinates[row * 2 + 1] ?? 0])) rows.push(row);
  }
  return rows;
}
