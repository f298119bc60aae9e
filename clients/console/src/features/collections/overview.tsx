// SPDX-License-Identifier: Apache-2.0
import { Code, Group, Stack } from '@mantine/core';
import type { CollectionFacts } from '../../data/collections/queries.ts';
import { jsonText } from '../../ui/json.ts';
import { Section } from '../../ui/section.tsx';
import { Aliases } from './aliases.tsx';
import { ChangeSettings } from './change-settings.tsx';
import { DeleteCollection } from './delete-collection.tsx';
import { FieldIndexes } from './field-indexes.tsx';
import { Health } from './health.tsx';
import { Snapshots } from './snapshots.tsx';

export function Overview({ name, info, fields }: CollectionFacts) {
  return (
    <Stack gap="lg">
      <Health name={name} info={info} fields={fields} />
      <FieldIndexes name={name} info={info} fields={fields} />
      <Aliases name={name} />
      <Snapshots name={name} />
      <Section id="configuration" title="Configuration">
        <Code block tabIndex={0} mb="xs">
          {jsonText(info.config, 2)}
        </Code>
        <ChangeSettings name={name} info={info} />
      </Section>
      <Group>
        <DeleteCollection name={name} points={info.points_count} />
      </Group>
    </Stack>
  );
}
