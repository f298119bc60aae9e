// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Code, CopyButton, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import type { PointId } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { pointVectors } from '../../data/points/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText, scoreText } from '../../ui/figures.ts';
import { jsonText } from '../../ui/json.ts';

type PointVectorsProps = { readonly name: string; readonly id: PointId; readonly onClose: () => void };

const SHOWN_NUMBERS = 12;

/** The vectors of one point, as they are stored. */
export function PointVectors({ name, id, onClose }: PointVectorsProps) {
  const { vector } = useServices();
  const point = useQuery(pointVectors(vector, name, id));
  return (
    <Modal opened onClose={onClose} title={`Vectors of ${id}`} size="lg">
      <Stack gap="md">
        {point.isPending && <Skeleton height={80} />}
        {point.isError && <ErrorPanel error={point.error} doing="read the vectors" onRetry={() => void point.refetch()} />}
        {point.data === null && <Text size="sm">The point has no vector.</Text>}
        {vectorsOf(point.data).map(([vectorName, value]) => (
          <OneVector key={vectorName} name={vectorName} value={value} />
        ))}
      </Stack>
    </Modal>
  );
}

function OneVector({ name, value }: { readonly name: string; readonly value: unknown }) {
  const { facts, numbers } = described(value);
  return (
    <section aria-label={name === '' ? 'The vector' : `Vector ${name}`}>
      <Group gap="xs" mb={4}>
        {name !== '' && (
          <Text size="sm" fw={600}>
            {name}
          </Text>
        )}
        {facts.map((fact) => (
          <Badge key={fact} variant="default">
            {fact}
          </Badge>
        ))}
        <CopyButton value={jsonText(value)}>
          {({ copied, copy }) => (
            <Button variant="subtle" size="compact-xs" onClick={copy} ml="auto">
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block style={{ whiteSpace: 'pre-wrap' }}>
        {numbers.slice(0, SHOWN_NUMBERS).map(scoreText).join(', ')}
        {numbers.length > SHOWN_NUMBERS && ', …'}
      </Code>
    </section>
  );
}

/** What is returned is an array, an object of indices and values, or any of them by name. */
function vectorsOf(vector: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (vector === undefined || vector === null) return [];
  if (Array.isArray(vector) || typeof vector !== 'object' || 'indices' in vector) return [['', vector]];
  return Object.entries(vector);
}

function described(value: unknown): { readonly facts: readonly string[]; readonly numbers: readonly number[] } {
  if (typeof value === 'object' && value !== null && 'values' in value && Array.isArray(value.values)) {
    return { facts: ['sparse', `${countText(value.values.length)} numbers`], numbers: value.values.map(Number) };
  }
  if (!Array.isArray(value)) return { facts: [], numbers: [] };
  if (Array.isArray(value[0])) {
    const rows: readonly unknown[] = value;
    return { facts: [`${countText(rows.length)} vectors`], numbers: rows.flat().map(Number) };
  }
  const numbers = value.map(Number);
  const length = Math.sqrt(numbers.reduce((sum, each) => sum + each * each, 0));
  return { facts: [`${countText(numbers.length)} numbers`, `length ${scoreText(length)}`], numbers };
}
