import { Alert, Code, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Figure } from '../../ui/figure.tsx';
import { countText } from '../../ui/figures.ts';
import { jsonText } from '../../ui/json.ts';
import type { CollectionFacts } from './collection-facts.ts';
import { IndexedShare } from './collection-status.tsx';
import { DeleteCollection } from './delete-collection.tsx';
import { FieldIndexes } from './field-indexes.tsx';
import { vectorText } from './queries.ts';

export function Overview({ name, info, fields }: CollectionFacts) {
  return (
    <Stack gap="lg">
      {info.warnings?.map(({ message }) => (
        <Alert key={message} color="yellow" variant="light">
          {message}
        </Alert>
      ))}
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <Figure label="Points">{countText(info.points_count)}</Figure>
        <Figure label="In the graph">
          <IndexedShare info={info} vectors={fields.length} />
        </Figure>
        <Figure label="Writes that wait">{countText(info.update_queue.length)}</Figure>
        <Figure label="Vectors">
          {fields.map((field) => (
            <Text key={field.name} size="sm">
              {vectorText(field)}
            </Text>
          ))}
        </Figure>
      </SimpleGrid>
      <FieldIndexes name={name} info={info} fields={fields} />
      <section>
        <Title order={2} size="h5" mb="xs">
          Configuration
        </Title>
        <Code block tabIndex={0}>
          {jsonText(info.config, 2)}
        </Code>
      </section>
      <Group>
        <DeleteCollection name={name} points={info.points_count} />
      </Group>
    </Stack>
  );
}
