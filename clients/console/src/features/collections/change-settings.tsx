// SPDX-License-Identifier: Apache-2.0
import { Button, Group, NumberInput, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UpdateCollection } from '@sextant/sdk';
import { IconAdjustments } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type CollectionFacts, refreshCollection } from '../../data/collections/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { QUANTIZATIONS, type Quantization, quantizationOf } from './collection-form.ts';
import { currentSettings, type Settings } from './settings.ts';

/** What can be changed of a collection that has points. */
export function ChangeSettings({ name, info }: Pick<CollectionFacts, 'name' | 'info'>) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<IconAdjustments size={14} />} onClick={open}>
        Change the settings
      </Button>
      {isOpen && <SettingsForm name={name} before={currentSettings(info.config)} onClose={close} />}
    </>
  );
}

type SettingsFormProps = { readonly name: string; readonly before: Settings; readonly onClose: () => void };

function SettingsForm({ name, before, onClose }: SettingsFormProps) {
  const { vector } = useServices();
  const [settings, setSettings] = useState(before);
  const set = (part: Partial<Settings>) => setSettings((current) => ({ ...current, ...part }));
  const change = useMutation({
    mutationFn: () => vector.updateCollection(name, changesOf(before, settings)),
    onSuccess: async () => {
      await refreshCollection(name);
      onClose();
    },
  });
  const isSame = Object.keys(changesOf(before, settings)).length === 0;
  return (
    <FormDialog
      title={`Settings of ${name}`}
      verb="Change"
      isDisabled={isSame}
      saving={change}
      doing="change the settings"
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Text size="sm">If a change requires new graphs, they are rebuilt. Searches use the current graphs until then.</Text>
      <Group gap="sm" grow>
        <NumberInput label="Links (m)" value={settings.m} onChange={(m) => set({ m: Number(m) })} min={0} required />
        <NumberInput
          label="ef_construct"
          value={settings.efConstruct}
          onChange={(efConstruct) => set({ efConstruct: Number(efConstruct) })}
          min={4}
          required
        />
      </Group>
      <NumberInput
        label="Indexing threshold (kB)"
        value={settings.indexingThreshold}
        onChange={(indexingThreshold) => set({ indexingThreshold: Number(indexingThreshold) })}
        min={0}
        thousandSeparator=","
        required
      />
      <Select
        label="Quantization"
        data={QUANTIZATIONS}
        value={settings.quantization}
        onChange={(value) => set({ quantization: QUANTIZATIONS.find((each) => each === value) ?? 'none' })}
        allowDeselect={false}
      />
    </FormDialog>
  );
}

/** Only what is different: what is not sent stays. */
function changesOf(before: Settings, after: Settings): UpdateCollection {
  const graph = {
    ...(after.m !== before.m && { m: after.m }),
    ...(after.efConstruct !== before.efConstruct && { ef_construct: after.efConstruct }),
  };
  return {
    ...(Object.keys(graph).length > 0 && { hnsw_config: graph }),
    ...(after.indexingThreshold !== before.indexingThreshold && { optimizers_config: { indexing_threshold: after.indexingThreshold } }),
    ...(after.quantization !== before.quantization && { quantization_config: changedQuantization(after.quantization) }),
  };
}

function changedQuantization(quantization: Quantization) {
  return quantizationOf(quantization) ?? ('Disabled' as const);
}
