// SPDX-License-Identifier: Apache-2.0
import { Alert, Button, Group, Paper, Select, Stack, TextInput, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { VectorField } from '../../data/collections/queries.ts';
import type { HighlightedPoint } from '../../data/points/highlighted-points.ts';
import { neighboursOf } from '../../data/points/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { Form } from '../../ui/form.tsx';
import { jsonText } from '../../ui/json.ts';
import { colourBy, colourKeys, plainColouring } from './colouring.ts';
import { Legend } from './legend.tsx';
import { HighlightedList, Neighbours } from './neighbours.tsx';
import { PointCard } from './point-card.tsx';
import type { Sample } from './sample.ts';
import { Scatter, type ScatterHandle } from './scatter.tsx';
import { coloursOf } from './scatter-layers.ts';
import type { Projection } from './use-drawing.ts';

const HEIGHT_PX = 560;
const route = getRouteApi('/collections/$name');

type DrawnMapProps = {
  readonly name: string;
  readonly field: VectorField;
  readonly sample: Sample;
  readonly coordinates: Float32Array;
  readonly highlighted: readonly HighlightedPoint[];
  readonly projection: Projection;
  readonly colourKey: string | undefined;
  readonly onColourKey: (key: string | undefined) => void;
};

/** The map with what one does on it: colours, a lasso, one point and its neighbours, the points of a scan. */
export function DrawnMap({ name, field, sample, coordinates, highlighted, projection, colourKey, onColourKey }: DrawnMapProps) {
  const { vector } = useServices();
  const navigate = route.useNavigate();
  const scheme = useComputedColorScheme('light');
  const scatter = useRef<ScatterHandle>(null);
  const [focusId, setFocusId] = useState<string>();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [isolated, setIsolated] = useState<number>();
  const rowOf = useMemo(() => new Map(sample.ids.map((id, row) => [String(id), row])), [sample]);
  const keys = useMemo(() => colourKeys(sample.payloads), [sample]);
  const key = colourKey !== undefined && keys.includes(colourKey) ? colourKey : undefined;
  const colouring = useMemo(
    () => (key === undefined ? plainColouring(sample.ids.length, scheme) : colourBy(sample.payloads, key, scheme)),
    [sample, key, scheme],
  );
  const reasonsOf = useMemo(() => new Map(highlighted.map(({ id, reasons }) => [String(id), reasons])), [highlighted]);
  const highlightedRows = useMemo(() => highlighted.flatMap(({ id }) => rowOf.get(String(id)) ?? []), [highlighted, rowOf]);
  const focus = focusId === undefined ? undefined : rowOf.get(focusId);
  const focused = focus === undefined ? undefined : sample.ids[focus];
  const colours = useMemo(() => {
    const isChosen = new Set(chosen);
    if (isChosen.size > 0) return coloursOf(colouring, (row) => isChosen.has(row));
    return coloursOf(colouring, isolated === undefined ? undefined : (row) => colouring.places[row] === isolated);
  }, [colouring, chosen, isolated]);
  const neighbours = useQuery(neighboursOf(vector, name, field, focused));
  const lines = useMemo(() => {
    if (focus === undefined) return [];
    return (neighbours.data ?? []).flatMap(({ id }) => {
      const row = rowOf.get(String(id));
      return row === undefined ? [] : [[focus, row] as const];
    });
  }, [focus, neighbours.data, rowOf]);
  const choose = (row: number | undefined) => setFocusId(row === undefined ? undefined : String(sample.ids[row]));
  const visit = (row: number) => {
    choose(row);
    scatter.current?.lookAt(row);
  };
  const filterByChosen = () => {
    const ids = chosen.flatMap((row) => sample.ids[row] ?? []);
    void navigate({ search: { tab: 'points', filter: jsonText({ must: [{ has_id: ids }] }) } });
  };
  const hasPanel = highlighted.length > 0 || focused !== undefined;
  return (
    <Stack gap="xs">
      <Group align="end" gap="sm">
        <Select
          label="Colour by"
          data={keys}
          value={key ?? null}
          onChange={(value) => {
            setIsolated(undefined);
            onColourKey(value ?? undefined);
          }}
          placeholder="nothing"
          clearable
          searchable
        />
        <FindPoint onFind={(id) => (rowOf.has(id) ? visit(rowOf.get(id) ?? 0) : undefined)} has={(id) => rowOf.has(id)} />
        {chosen.length > 0 && (
          <>
            <Button onClick={filterByChosen}>Show the {countText(chosen.length)} chosen points</Button>
            <Button variant="default" onClick={() => setChosen([])}>
              Clear the selection
            </Button>
          </>
        )}
      </Group>
      <Legend colouring={colouring} isolated={isolated} onIsolate={setIsolated} />
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 12 }}>
        <Paper withBorder style={{ overflow: 'hidden', flex: '3 1 320px', minWidth: 0 }}>
          <Scatter
            ref={scatter}
            coordinates={coordinates}
            colours={colours}
            highlighted={highlightedRows}
            focus={focus}
            lines={lines}
            scheme={scheme}
            onPoint={choose}
            onChosen={setChosen}
            cardOf={(row) => (
              <PointCard id={sample.ids[row] ?? ''} payload={sample.payloads[row]} reasons={reasonsOf.get(String(sample.ids[row])) ?? []} />
            )}
            height={HEIGHT_PX}
          />
        </Paper>
        {hasPanel && (
          <Stack
            gap="md"
            style={{ flex: '1 1 280px', minWidth: 0, maxHeight: HEIGHT_PX, overflowY: 'auto' }}
            tabIndex={0}
            role="region"
            aria-label="Details of the map"
          >
            {neighbours.isError && <ErrorPanel error={neighbours.error} doing="find the neighbours" />}
            {focused !== undefined && neighbours.data !== undefined && (
              <Neighbours id={focused} hits={neighbours.data} rowOf={rowOf} onChoose={visit} onClose={() => choose(undefined)} />
            )}
            {highlighted.length > 0 && <HighlightedList points={highlighted} rowOf={rowOf} focus={focus} onChoose={visit} />}
          </Stack>
        )}
      </div>
      {highlighted.length > 0 && highlightedRows.length === 0 && (
        <Alert color="yellow" variant="light">
          None of the points that the scan found is in this collection: they were deleted, or the scan read another service.
        </Alert>
      )}
      <Dimmed size="xs">
        {countText(sample.ids.length)} points{' '}
        {projection === 'umap'
          ? 'laid out by their neighbours (UMAP): nearby points are similar, large distances mean little'
          : 'projected onto the plane in which they vary most (PCA)'}
        . Scroll to zoom; drag or press the arrow keys to move. Select points with the lasso, by dragging with Shift pressed, or with a
        rectangle (R) that the arrow keys move. Click a point to show its neighbours.
      </Dimmed>
    </Stack>
  );
}

type FindPointProps = { readonly onFind: (id: string) => void; readonly has: (id: string) => boolean };

/** For those who know an id, or use no mouse. */
function FindPoint({ onFind, has }: FindPointProps) {
  const [id, setId] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const submit = () => {
    const wanted = id.trim();
    setIsMissing(wanted !== '' && !has(wanted));
    onFind(wanted);
  };
  return (
    <Form onSubmit={submit}>
      <TextInput
        label="Find a point"
        placeholder="id, then Enter"
        value={id}
        onChange={(event) => {
          setId(event.currentTarget.value);
          setIsMissing(false);
        }}
        error={isMissing ? 'The map does not show a point with this id.' : undefined}
        w={170}
      />
    </Form>
  );
}
