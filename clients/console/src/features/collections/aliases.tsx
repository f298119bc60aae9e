// SPDX-License-Identifier: Apache-2.0
import { Button, CloseButton, Group, Pill, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useIsServed } from '../../data/collections/capabilities.ts';
import { collectionAliases, refreshAliases } from '../../data/collections/queries.ts';
import { fieldError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';

/** The further names of the collection. */
export function Aliases({ name }: { readonly name: string }) {
  const { vector } = useServices();
  const [alias, setAlias] = useState('');
  const [doomed, setDoomed] = useState<string>();
  const isServed = useIsServed('aliases');
  const list = useQuery({ ...collectionAliases(vector, name), enabled: isServed === true });
  const creation = useMutation({
    mutationFn: () => vector.changeAliases([{ create_alias: { alias_name: alias.trim(), collection_name: name } }]),
    onSuccess: async () => {
      setAlias('');
      await refreshAliases();
    },
  });
  const atField = fieldError(creation.error, 'actions[0].create_alias.alias_name');
  return (
    <Section id="aliases" title="Aliases">
      {list.isError && <ErrorPanel error={list.error} doing="list the aliases" onRetry={() => void list.refetch()} />}
      {isServed === false && <Dimmed>Aliases are switched off. Add “aliases” to SERVICE_CAPABILITIES to use them.</Dimmed>}
      {list.data && (
        <>
          <Group gap="xs" mb="xs">
            {list.data.length === 0 && (
              <Dimmed>
                No aliases. An alias is another name for a collection. When you point an alias at another collection, requests that use it
                switch at once.
              </Dimmed>
            )}
            {list.data.map((each) => (
              <Group key={each} gap={2} wrap="nowrap">
                <Pill>{each}</Pill>
                <CloseButton size="xs" aria-label={`Delete the alias ${each}`} onClick={() => setDoomed(each)} />
              </Group>
            ))}
          </Group>
          <Form onSubmit={() => creation.mutate()}>
            <Group gap="xs" align="end">
              <TextInput label="Name" {...textField(alias, setAlias)} error={atField} required maxLength={255} />
              <Button type="submit" variant="default" loading={creation.isPending}>
                Add this alias
              </Button>
            </Group>
          </Form>
          {creation.isError && atField === undefined && <ErrorPanel error={creation.error} doing="add the alias" />}
        </>
      )}
      {doomed !== undefined && (
        <Confirm
          title={`Delete the alias ${doomed}?`}
          verb="Delete"
          doing="delete the alias"
          act={async () => {
            await vector.changeAliases([{ delete_alias: { alias_name: doomed } }]);
            await refreshAliases();
          }}
          onClose={() => setDoomed(undefined)}
        >
          Requests that use this name will no longer find the collection.
        </Confirm>
      )}
    </Section>
  );
}
