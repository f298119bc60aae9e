// SPDX-License-Identifier: Apache-2.0
import { Skeleton, useComputedColorScheme } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import {
  Background,
  Controls,
  type Edge,
  type FitViewOptions,
  Handle,
  MarkerType,
  MiniMap,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { type CSSProperties, createContext, memo, type RefObject, use, useEffect, useMemo, useRef, useState } from 'react';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { byAssetId, relatedAssets } from '../../data/assets/lineage.ts';
import { scoreColour } from '../../data/scores.ts';
import { worstColour } from '../../widgets/health-badges.tsx';
import { type AssetState, assetState } from './asset-state.ts';
import { firstSight } from './first-sight.ts';
import { type GraphEdge, NODE } from './graph-layout.ts';
import styles from './lineage-graph.module.css';
import { usePlaces } from './use-places.ts';

type LineageGraphProps = {
  readonly rows: readonly AssetRow[];
  /** The asset that it is about; it and what belongs to it stand out while nothing is pointed at. */
  readonly chosen?: string | undefined;
  /** A large graph is entered where it is worst; until that is known, anywhere. */
  readonly isHealthKnown?: boolean;
  readonly height: number | string;
};

type Pointed = {
  readonly related: ReadonlySet<string> | undefined;
  readonly chosen: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
};
type AssetNode = Node<{ readonly row: AssetRow }, 'asset'>;

const PointedContext = createContext<Pointed>({ related: undefined, chosen: undefined, onPoint: () => {} });
const NODE_TYPES = { asset: memo(AssetBox) };

/** Below it names are no longer read, and boxes are as good as marks. */
const FAR_ZOOM = 0.3;
/** Names are read well, and what is next to an asset is in sight too. */
const NEAR_ZOOM = 0.8;
const LEAST_ZOOM = 0.05;

/** Assets and what comes of what. Each is a link to its asset; what belongs to the one that is pointed at stands out. */
export function LineageGraph({ rows, chosen, isHealthKnown = true, height }: LineageGraphProps) {
  const scheme = useComputedColorScheme('light');
  const [pointed, setPointed] = useState<string>();
  const [isFar, setIsFar] = useState(false);
  const isMoved = useRef(false);
  const edges = useMemo(() => edgesOf(rows), [rows]);
  const ids = useMemo(() => rows.map(({ asset }) => asset.id), [rows]);
  const places = usePlaces({ ids, edges });
  const nodes = useMemo(
    () =>
      rows.flatMap((row): AssetNode[] => {
        const { id } = row.asset;
        const position = places?.get(id);
        return position === undefined ? [] : [{ id, type: 'asset', position, data: { row }, ...NODE }];
      }),
    [rows, places],
  );
  const about = pointed ?? chosen;
  const relatedOf = (id: string | undefined) =>
    id === undefined ? undefined : relatedAssets(id, byAssetId(rows.map(({ asset }) => asset)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `relatedOf` is of the rows
  const related = useMemo(() => relatedOf(about), [about, rows]);
  const lines = useMemo(() => edges.map(({ from, to }) => lineOf(from, to, related)), [edges, related]);
  const value = useMemo(() => ({ related, chosen, onPoint: setPointed }), [related, chosen]);
  // Where one begins is not changed by what happens later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first rows say it
  const seen = useMemo(() => firstSight(rows, chosen, relatedOf(chosen)), [chosen, isHealthKnown]);
  const fitting = useMemo(
    () => ({ nodes: seen.ids.map((id) => ({ id })), padding: 0.1, maxZoom: seen.ids.length === 1 ? NEAR_ZOOM : 1 }),
    [seen],
  );
  if (places === undefined) return <Skeleton height={height} />;
  return (
    <PointedContext value={value}>
      <section className={styles.frame} style={{ height }} aria-label="Lineage graph" data-far={isFar}>
        <ReactFlow
          nodes={nodes}
          edges={lines}
          nodeTypes={NODE_TYPES}
          colorMode={scheme}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          onlyRenderVisibleElements
          minZoom={LEAST_ZOOM}
          fitView
          fitViewOptions={fitting}
          onMoveStart={(event) => {
            if (event !== null) isMoved.current = true;
          }}
        >
          <Background />
          <Controls showInteractive={false} fitViewOptions={WHOLE} />
          {seen.isLarge && <MiniMap className={styles.whole ?? ''} ariaLabel="All assets" nodeColor={colourOf} pannable zoomable />}
          <Sight fitting={fitting} isMoved={isMoved} onFar={setIsFar} />
        </ReactFlow>
      </section>
    </PointedContext>
  );
}

const WHOLE = { padding: 0.1, maxZoom: 1 };

function colourOf({ data: { row } }: AssetNode): string {
  return `var(--mantine-color-${stateOf(row).colour}-6)`;
}

type SightProps = {
  readonly fitting: FitViewOptions;
  readonly isMoved: RefObject<boolean>;
  readonly onFar: (isFar: boolean) => void;
};

/** Keeps in sight what one began with when the window changes, unless somebody has moved it; tells when boxes are too small to be read. */
function Sight({ fitting, isMoved, onFar }: SightProps) {
  const { fitView } = useReactFlow();
  const size = useStore(({ width, height }) => `${width} ${height}`);
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < FAR_ZOOM);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size says when
  useEffect(() => {
    if (!isMoved.current) void fitView(fitting);
  }, [size, fitting, fitView, isMoved]);
  useEffect(() => onFar(isFar), [isFar, onFar]);
  return null;
}

function AssetBox({ data: { row } }: NodeProps<AssetNode>) {
  const { related, chosen, onPoint } = use(PointedContext);
  const { asset } = row;
  const { icon: Icon, words, colour } = stateOf(row);
  const classes = [styles.node, related?.has(asset.id) === false && styles.aside, chosen === asset.id && styles.chosen];
  return (
    <>
      <Handle type="target" position={Position.Left} className={styles.handle ?? ''} isConnectable={false} />
      <Link
        to="/assets/$projectId/$assetId"
        params={{ projectId: String(asset.project_id), assetId: asset.id }}
        className={`nopan ${classes.filter(Boolean).join(' ')}`}
        // A custom property, which the types of styles do not know.
        style={{ '--health': `var(--mantine-color-${colour}-6)` } as CSSProperties}
        onMouseEnter={() => onPoint(asset.id)}
        onMouseLeave={() => onPoint(undefined)}
        onFocus={() => onPoint(asset.id)}
        onBlur={() => onPoint(undefined)}
        title={asset.name}
      >
        <div className={styles.name}>{asset.name}</div>
        <div className={styles.state}>
          <Icon size={13} color={`var(--mantine-color-${colour}-6)`} aria-hidden="true" />
          {words}
        </div>
      </Link>
      <Handle type="source" position={Position.Right} className={styles.handle ?? ''} isConnectable={false} />
    </>
  );
}

const ICONS = { open: IconAlertTriangle, failed: IconCircleX, unscored: IconCircleDashed, fine: IconCircleCheck } as const;

function stateOf(row: AssetRow) {
  const { kind, words } = assetState(row);
  return { icon: ICONS[kind], words, colour: colourOfState(kind, row) };
}

function colourOfState(kind: AssetState['kind'], { open, score, isUnhealthy }: AssetRow): string {
  switch (kind) {
    case 'open':
      return isUnhealthy ? 'red' : worstColour(open);
    case 'failed':
      return 'red';
    case 'unscored':
      return 'gray';
    case 'fine':
      return score === undefined ? 'gray' : scoreColour(score);
  }
}

/** Those between assets that are shown. */
function edgesOf(rows: readonly AssetRow[]): readonly GraphEdge[] {
  const ids = new Set(rows.map(({ asset }) => asset.id));
  return rows.flatMap(({ asset: { id: to, parents = [] } }) => parents.filter((from) => ids.has(from)).map((from) => ({ from, to })));
}

function lineOf(from: string, to: string, related: ReadonlySet<string> | undefined): Edge {
  const isHighlighted = related?.has(from) === true && related.has(to);
  const stroke = isHighlighted ? 'var(--mantine-color-chart-5)' : 'var(--mantine-color-dimmed)';
  return {
    id: `${from} ${to}`,
    source: from,
    target: to,
    markerEnd: { type: MarkerType.ArrowClosed, color: stroke },
    style: { stroke, strokeWidth: isHighlighted ? 2 : 1, opacity: related === undefined || isHighlighted ? 1 : 0.2 },
  };
}
