// SPDX-License-Identifier: Apache-2.0
import { TagsInput, Textarea, TextInput } from '@mantine/core';
import type { Asset } from '@sextant/sdk';
import { useState } from 'react';
import { useSaveAsset } from '../../../data/assets/queries.ts';
import { fieldError } from '../../../data/services/field-error.ts';
import { textField } from '../../../ui/fields.ts';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from './form-foot.tsx';

export function DescriptionForm({ asset }: { readonly asset: Asset }) {
  const [name, setName] = useState(asset.name);
  const [description, setDescription] = useState(asset.description ?? '');
  const [tags, setTags] = useState<string[]>([...asset.tags]);
  const [webhook, setWebhook] = useState(asset.webhook_url ?? '');
  const saving = useSaveAsset(asset);
  return (
    <Form
      onSubmit={() =>
        saving.mutate({ name: name.trim(), description: description.trim() || null, tags, webhook_url: webhook.trim() || null })
      }
    >
      <TextInput label="Name" {...textField(name, setName)} error={fieldError(saving.error, 'name')} required />
      <Textarea
        label="Description"
        {...textField(description, setDescription)}
        error={fieldError(saving.error, 'description')}
        autosize
        minRows={2}
      />
      <TagsInput
        label="Tags"
        description="The incidents of the asset get the same tags. Lists can be searched by tag."
        value={tags}
        onChange={setTags}
        error={fieldError(saving.error, 'tags')}
      />
      <TextInput
        label="Webhook"
        description="Called whenever the state of a scan changes"
        placeholder="https://"
        {...textField(webhook, setWebhook)}
        error={fieldError(saving.error, 'webhook_url')}
      />
      <FormFoot saving={saving} doing="change the asset" />
    </Form>
  );
}
