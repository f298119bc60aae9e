import { useComputedColorScheme } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Background, Controls, type Edge, Handle, MarkerType, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { type CSSProperties, createContext, memo, use, useMemo, useState } from 'react';
import type { AssetRow } from '../assets/asset-rows.ts';
import { worstColour } from '../assets/health-badges.tsx';
import { scoreColour } from '../assets/queries.ts';
import { type GraphEdge, NODE, placesOf } from './graph-layout.ts';
import styles from './lineage-graph.module.css';
import { relatedTo } from './related.ts';

type LineageGraphProps = {
  readonly rows: readonly AssetRow[];
  /** The asset that it is about; it and what belongs to it stand out while nothing is pointed at. */
  readonly chosen?: string | undefined;
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

/** Assets and what comes of what. Each is a link to its asset; what belongs to the one that is pointed at stands out. */
export function LineageGraph({ rows, chosen, height }: LineageGraphProps) {
  const scheme = useComputedColorScheme('light');
  const [pointed, setPointed] = useState<string>();
  const edges = useMemo(() => edgesOf(rows), [rows]);
  // Health changes often and lineage seldom, so the places are worked out for the shape alone.
  const shape = JSON.stringify([rows.map(({ asset }) => asset.id), edges]);
  const places = useMemo(() => {
    // Written by the line above.
    const [ids, links] = JSON.parse(shape) as [string[], GraphEdge[]];
    return placesOf(ids, links);
  }, [shape]);
  const nodes = useMemo(
    () =>
      rows.map((row): AssetNode => {
        const { id } = row.asset;
        return { id, type: 'asset', position: places.get(id) ?? { x: 0, y: 0 }, data: { row }, ...NODE };
      }),
    [rows, places],
  );
  const about = pointed ?? chosen;
  const related = useMemo(
    () => (about === undefined ? undefined : relatedTo(about, new Map(rows.map(({ asset }) => [asset.id, asset])))),
    [about, rows],
  );
  const lines = useMemo(() => edges.map(({ from, to }) => lineOf(from, to, related)), [edges, related]);
  const value = useMemo(() => ({ related, chosen, onPoint: setPointed }), [related, chosen]);
  return (
    <PointedContext value={value}>
      <section className={styles.frame} style={{ height }} aria-label="Lineage graph">
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
          minZoom={0.05}
          fitView
          fitViewOptions={{
            maxZoom: 1,
            padding: 0.1,
            ...(chosen !== undefined && related !== undefined && { nodes: [...related].map((id) => ({ id })) }),
          }}
        >
          <Background />
          <Controls showInteractive={false} />
        </ReactFlow>
      </section>
    </PointedContext>
  );
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

/** How an asset is, in a few words; colour only repeats them. */
function stateOf({ open, job, score }: AssetRow) {
  const scored = score?.score == null ? '' : `score ${score.score.toFixed(0)}`;
  if (open.total > 0) {
    const words = [scored, `${open.total} open`].filter(Boolean).join(', ');
    return { icon: IconAlertTriangle, words, colour: worstColour(open) };
  }
  if (job?.status === 'FAILED') return { icon: IconCircleX, words: 'last scan failed', colour: 'red' };
  if (scored === '') return { icon: IconCircleDashed, words: 'no score yet', colour: 'gray' };
  return { icon: IconCircleCheck, words: scored, colour: score === undefined ? 'gray' : scoreColour(score) };
}

/** Those between assets that are shown. */
function edgesOf(rows: readonly AssetRow[]): readonly GraphEdge[] {
  const ids = new Set(rows.map(({ asset }) => asset.id));
  return rows.flatMap(({ asset: { id: to, parents = [] } }) => parents.filter((from) => ids.has(from)).map((from) => ({ from, to })));
}

function lineOf(from: string, to: string, related: ReadonlySet<string> | undefined): Edge {
  const isLit = related?.has(from) === true && related.has(to);
  const stroke = isLit ? 'var(--mantine-color-chart-5)' : 'var(--mantine-color-dimmed)';
  return {
    id: `${from} ${to}`,
    source: from,
    target: to,
    markerEnd: { type: MarkerType.ArrowClosed, color: stroke },
    style: { stroke, strokeWidth: isLit ? 2 : 1, opacity: related === undefined || isLit ? 1 : 0.2 },
  };
}
