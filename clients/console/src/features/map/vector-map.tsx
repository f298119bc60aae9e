// SPDX-License-Identifier: Apache-2.0
import { Button, Group, NumberInput, Progress, SegmentedControl, Select, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type CollectionFacts, vectorText } from '../../data/collections/queries.ts';
import type { HighlightedPoint } from '../../data/points/highlighted-points.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { HighlightGate } from '../../widgets/highlight-gate.tsx';
import { DrawnMap } from './drawn-map.tsx';
import { useDrawing } from './use-drawing.ts';

const USUAL_POINTS = 5_000;
const POINTS_MAX = 50_000;
const route = getRouteApi('/collections/$name');

/** A sample of the collection laid on a plane. What is near there is near in the collection, as far as a plane can show it. */
export function VectorMap(facts: CollectionFacts) {
  const { highlight: jobId } = route.useSearch();
  const drawable = facts.fields.filter(({ kind }) => kind === 'dense');
  if (facts.info.points_count === 0)
    return <EmptyState title="No point yet">The map shows the points of the collection once it has some.</EmptyState>;
  if (drawable.length === 0) {
    return (
      <EmptyState title="No vector that a map can show">
        A map needs one dense vector per point. This collection has only sparse vectors or multivectors, which have no single position in a
        space. Use search to find points.
      </EmptyState>
    );
  }
  return (
    <HighlightGate jobId={jobId} without="draw the map">
      {(highlighted) => <MapOf {...facts} highlighted={highlighted} />}
    </HighlightGate>
  );
}

function MapOf({ name, info, fields, highlighted }: CollectionFacts & { readonly highlighted: readonly HighlightedPoint[] }) {
  const { vector } = useServices();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const drawable = fields.filter(({ kind }) => kind === 'dense');
  const left = fields.filter(({ kind }) => kind !== 'dense');
  const field = drawable.find((each) => each.name === search.vector) ?? drawable[0];
  const projection = search.projection ?? 'umap';
  const [count, setCount] = useState<number | string>(Math.min(USUAL_POINTS, Math.max(1, info.points_count)));
  const { draw, reading, settling, error, sample, coordinates, shown } = useDrawing(projection);
  const change = (part: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const drawAgain = () => {
    if (field !== undefined)
      void draw({ collection: vector.collection(name), field, count: Number(count), always: highlighted.map(({ id }) => id) });
  };
  const using = field?.name;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another vector or other highlighted points are drawn at once; another number waits for the button
  useEffect(drawAgain, [name, using, highlighted, vector]);
  if (field === undefined) return null;
  return (
    <Stack gap="sm">
      <Group align="end" gap="sm">
        {drawable.length > 1 && (
          <Select
            label="Vector"
            data={drawable.map((each) => ({ value: each.name, label: vectorText(each) }))}
            value={field.name}
            onChange={(value) => change({ vector: value ?? undefined })}
            allowDeselect={false}
          />
        )}
        <NumberInput label="Points" value={count} onChange={setCount} min={1} max={POINTS_MAX} step={1000} thousandSeparator="," w={110} />
        <SegmentedControl
          aria-label="Projection"
          data={[
            { value: 'pca', label: 'PCA' },
            { value: 'umap', label: 'UMAP' },
          ]}
          value={projection}
          onChange={(value) => change({ projection: value === 'pca' ? 'pca' : 'umap' })}
        />
        <Button variant="default" onClick={drawAgain} loading={reading !== undefined}>
          Draw again
        </Button>
        {reading !== undefined && <Working label="Reading vectors" share={reading} />}
        {settling !== undefined && <Working label="Running UMAP" share={settling} onCancel={() => change({ projection: 'pca' })} />}
      </Group>
      {error !== undefined && <ErrorPanel error={error} doing="draw the map" onRetry={drawAgain} />}
      {sample !== undefined && coordinates !== undefined && sample.ids.length === 0 && (
        <EmptyState title="No point has this vector">Choose another vector.</EmptyState>
      )}
      {sample !== undefined && coordinates !== undefined && sample.ids.length > 0 && (
        <DrawnMap
          key={using}
          name={name}
          field={field}
          sample={sample}
          coordinates={coordinates}
          highlighted={highlighted}
          projection={shown}
          colourKey={search.colour}
          onColourKey={(colour) => change({ colour })}
        />
      )}
      {left.length > 0 && (
        <Dimmed size="xs">
          Not drawn: {left.map(vectorText).join(', ')}. Sparse vectors and multivectors have no single position in a space.
        </Dimmed>
      )}
    </Stack>
  );
}

function Working({ label, share, onCancel }: { readonly label: string; readonly share: number; readonly onCancel?: () => void }) {
  return (
    <Group gap="sm" wrap="nowrap" style={{ flex: '1 1 200px' }} h={30}>
      <Dimmed size="xs" style={{ whiteSpace: 'nowrap' }}>
        {label}
      </Dimmed>
      <Progress value={share * 100} size="sm" aria-label={label} style={{ flexGrow: 1 }} />
      {onCancel !== undefined && (
        <Button variant="subtle" size="compact-xs" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </Group>
  );
}
