import { Alert, Button, Code, Group, NumberInput, Paper, Progress, Select, Stack, Text } from '@mantine/core';
import type { JsonObject, PointId, TypedHit } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText, scoreText } from '../../ui/figures.ts';
import { jsonText } from '../../ui/json.ts';
import type { CollectionFacts } from '../collections/collection-facts.ts';
import { vectorText } from '../collections/queries.ts';
import { colourBy, colourKeys, PLAIN } from './colouring.ts';
import { project } from './project.ts';
import { readSample, type Sample } from './sample.ts';
import { Scatter } from './scatter.tsx';

const USUAL_POINTS = 5_000;
const POINTS_MAX = 50_000;
const NEIGHBOURS = 10;
const HEIGHT_PX = 560;
const route = getRouteApi('/collections/$name');

type Drawing = { readonly sample: Sample; readonly coordinates: Float32Array };

/** A sample of the collection laid on a plane. What is near there is near in the collection, as far as a plane can show it. */
export function VectorMap({ name, info, fields }: CollectionFacts) {
  const { vector } = useServices();
  const navigate = route.useNavigate();
  const dense = fields.filter((field) => !field.isSparse);
  const [using, setUsing] = useState(dense[0]?.name ?? '');
  const [count, setCount] = useState<number | string>(Math.min(USUAL_POINTS, Math.max(1, info.points_count)));
  const [share, setShare] = useState(0);
  const [key, setKey] = useState<string | null>(null);
  const [hovered, setHovered] = useState<number>();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const only = chosen.length === 1 ? chosen[0] : undefined;
  const field = dense.find((each) => each.name === using);
  const drawing = useMutation({
    mutationFn: async (): Promise<Drawing> => {
      if (field === undefined) throw new Error('The collection has no such vector.');
      setChosen([]);
      const signal = new AbortController().signal;
      const sample = await readSample(vector.collection(name), {
        count: Number(count),
        size: field.size,
        using,
        signal,
        onProgress: setShare,
      });
      return { sample, coordinates: await project(sample) };
    },
  });
  const map = drawing.data;
  const keys = useMemo(() => colourKeys(map?.sample.payloads ?? []), [map]);
  const colouring = useMemo(() => (key === null || map === undefined ? PLAIN : colourBy(map.sample.payloads, key)), [key, map]);
  const onlyId = only === undefined ? undefined : map?.sample.ids[only];
  const neighbours = useQuery({
    queryKey: ['vector', 'neighbours', name, using, String(onlyId)],
    queryFn: ({ signal }) =>
      vector
        .collection(name)
        .query({ query: onlyId ?? 0, limit: NEIGHBOURS, with_payload: true, ...(using !== '' && { using }) }, { signal }),
    enabled: onlyId !== undefined,
  });
  const lines = useMemo(() => linesTo(map?.sample, only, neighbours.data ?? []), [map, only, neighbours.data]);
  if (field === undefined) return <Alert variant="light">This collection has no dense vector to draw.</Alert>;
  if (info.points_count === 0) return <EmptyState title="No point yet">The map shows points, once there are some.</EmptyState>;
  const filterByChosen = () => {
    const ids = chosen.flatMap((row) => map?.sample.ids[row] ?? []);
    void navigate({ search: { tab: 'points', filter: jsonText({ must: [{ has_id: ids }] }) } });
  };
  return (
    <Stack gap="sm">
      <Group align="end" gap="sm">
        {dense.length > 1 && (
          <Select
            label="Vector"
            data={dense.map((each) => ({ value: each.name, label: vectorText(each) }))}
            value={using}
            onChange={(value) => setUsing(value ?? '')}
            allowDeselect={false}
          />
        )}
        <NumberInput label="Points" value={count} onChange={setCount} min={1} max={POINTS_MAX} step={1000} thousandSeparator="," w={120} />
        <Select label="Colour by" data={keys} value={key} onChange={setKey} placeholder="nothing" clearable disabled={map === undefined} />
        <Button onClick={() => drawing.mutate()} loading={drawing.isPending}>
          {map === undefined ? 'Draw the map' : 'Draw anew'}
        </Button>
        {chosen.length > 0 && (
          <Button variant="default" onClick={filterByChosen}>
            Show the {countText(chosen.length)} chosen points
          </Button>
        )}
      </Group>
      {drawing.isPending && <Progress value={share * 100} aria-label="Vectors read" />}
      {drawing.isError && <ErrorPanel error={drawing.error} doing="draw the map" />}
      {map !== undefined && (
        <>
          <Paper withBorder style={{ overflow: 'hidden', position: 'relative' }}>
            <Scatter
              coordinates={map.coordinates}
              colouring={colouring}
              onHover={setHovered}
              onSelect={setChosen}
              lit={chosen}
              lines={lines}
              height={HEIGHT_PX}
            />
            {hovered !== undefined && <Hovered sample={map.sample} row={hovered} />}
          </Paper>
          <Group gap="md">
            {colouring.legend.map(({ label, colour }) => (
              <Group key={label} gap={6} wrap="nowrap">
                <span style={{ width: 10, height: 10, borderRadius: 5, background: colour }} />
                <Text size="xs">{label}</Text>
              </Group>
            ))}
          </Group>
          <Text size="xs" c="dimmed">
            {countText(map.sample.ids.length)} points on the plane in which they vary most. Wheel and drag move; drag with Shift to choose
            points; click one for its neighbours.
          </Text>
          {neighbours.isError && <ErrorPanel error={neighbours.error} doing="find the neighbours" />}
          {onlyId !== undefined && neighbours.data !== undefined && <Neighbours id={onlyId} hits={neighbours.data} />}
        </>
      )}
    </Stack>
  );
}

function Hovered({ sample, row }: { readonly sample: Sample; readonly row: number }) {
  return (
    <Paper withBorder shadow="sm" p="xs" maw={360} style={{ position: 'absolute', top: 8, right: 8, pointerEvents: 'none' }}>
      <Text size="xs" fw={600}>
        {String(sample.ids[row])}
      </Text>
      <Code block fz="xs">
        {jsonText(sample.payloads[row] ?? {}, 2)}
      </Code>
    </Paper>
  );
}

type NeighboursProps = { readonly id: PointId; readonly hits: readonly TypedHit<JsonObject>[] };

/** The nearest of one point in the whole collection, whether they are in the sample or not. */
function Neighbours({ id, hits }: NeighboursProps) {
  return (
    <section aria-label={`Neighbours of ${id}`}>
      <Text size="sm" fw={600}>
        Nearest to {String(id)}
      </Text>
      {hits.map((hit) => (
        <Text key={String(hit.id)} size="sm" ff="monospace" truncate>
          {scoreText(hit.score)} {String(hit.id)} {jsonText(hit.payload ?? {})}
        </Text>
      ))}
    </section>
  );
}

/** To those neighbours that the map shows. */
function linesTo(
  sample: Sample | undefined,
  from: number | undefined,
  hits: readonly { readonly id: PointId }[],
): readonly (readonly [number, number])[] {
  if (sample === undefined || from === undefined) return [];
  const rowOf = new Map(sample.ids.map((id, row) => [String(id), row]));
  return hits.flatMap(({ id }) => {
    const to = rowOf.get(String(id));
    return to === undefined ? [] : [[from, to] as const];
  });
}
