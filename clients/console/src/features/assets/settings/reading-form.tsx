// SPDX-License-Identifier: Apache-2.0
import { Button, NumberInput, Select, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import type { Asset, AssetOptions } from '@sextant/sdk';
import { useState } from 'react';
import { ENCODINGS } from '../../../data/assets/encodings.ts';
import { useSaveAsset } from '../../../data/assets/queries.ts';
import { fieldError } from '../../../data/services/field-error.ts';
import { checkField, textField } from '../../../ui/fields.ts';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from './form-foot.tsx';
import { shownCharacter, typedCharacter } from './reading-characters.ts';
import { TypesByAttribute } from './types-by-attribute.tsx';

export type Reading = NonNullable<AssetOptions['reading']>;

const DATE_FORMATS: readonly NonNullable<Reading['date_format']>[] = [
  '%Y-%m-%d',
  '%Y/%m/%d',
  '%d.%m.%Y',
  '%d/%m/%Y',
  '%d-%m-%Y',
  '%m/%d/%Y',
  '%m-%d-%Y',
];

/** How the text of files is read: what was found, and what people change of it. */
export function ReadingForm({ asset, reading }: { readonly asset: Asset; readonly reading: Reading }) {
  const [draft, setDraft] = useState<Reading>(reading);
  const saving = useSaveAsset(asset);
  const isDelimited = reading.separator !== undefined;
  const change = (part: Partial<Reading>) => setDraft({ ...draft, ...part });
  const errorOf = (name: keyof Reading) => fieldError(saving.error, `options.reading.${name}`);
  const character = (name: 'separator' | 'quote' | 'escape' | 'comment', label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      {...textField(shownCharacter(draft[name] ?? ''), (text) => change({ [name]: typedCharacter(text) }))}
      maxLength={2}
      maw={240}
      error={errorOf(name)}
    />
  );
  return (
    <Form onSubmit={() => saving.mutate({ options: { separator: null, reading: draft } })}>
      <Text size="sm">The format was detected when the asset was registered. Every scan reads the files with these settings.</Text>
      <Select
        label="Encoding"
        description="A byte order mark in the file takes precedence"
        data={ENCODINGS}
        value={draft.encoding ?? null}
        onChange={(value) => change({ encoding: ENCODINGS.find((encoding) => encoding === value) })}
        maw={240}
        error={errorOf('encoding')}
      />
      {isDelimited && (
        <>
          {character('separator', 'Separator', 'Separates columns; \\t is a tab')}
          {character('quote', 'Quote', 'Encloses values; leave empty if values are not quoted')}
          {character('escape', 'Escape', 'Precedes a quote within a quoted value; the quote character itself if quotes are doubled')}
          {character('comment', 'Comment', 'Starts a comment line; leave empty if there are no comments')}
          <Switch label="The first line holds the column names" {...checkField(draft.header === true, (header) => change({ header }))} />
          <NumberInput
            label="Lines to skip before the table"
            value={draft.skip ?? 0}
            onChange={(value) => change({ skip: typeof value === 'number' ? value : 0 })}
            min={0}
            max={10_000}
            maw={240}
            error={errorOf('skip')}
          />
          <TagsInput
            label="Null values"
            description="Texts that mean no value, such as NULL; a missing value always does"
            value={[...(draft.null_words ?? [])]}
            onChange={(null_words) => change({ null_words })}
            error={errorOf('null_words')}
          />
          <Select
            label="Decimal separator"
            data={['.', ',']}
            value={draft.decimal_separator ?? null}
            onChange={(value) => change({ decimal_separator: value === ',' ? ',' : '.' })}
            allowDeselect={false}
            maw={240}
            error={errorOf('decimal_separator')}
          />
          <Select
            label="Date format"
            description="Used in addition to ISO 8601"
            data={DATE_FORMATS}
            value={draft.date_format ?? null}
            onChange={(value) => change({ date_format: DATE_FORMATS.find((format) => format === value) })}
            maw={240}
            error={errorOf('date_format')}
          />
        </>
      )}
      {reading.records_path !== undefined && (
        <TextInput
          label="Path of the records"
          description="Path of members to the array of records, such as result.items; leave empty if the document itself holds the records"
          {...textField(draft.records_path ?? '', (records_path) => change({ records_path }))}
          error={errorOf('records_path')}
        />
      )}
      {reading.sheet !== undefined && (
        <TextInput
          label="Sheet"
          description="The sheet of the workbook that scans read"
          {...textField(draft.sheet ?? '', (sheet) => change({ sheet }))}
          error={errorOf('sheet')}
        />
      )}
      <TypesByAttribute attributes={asset.attributes ?? []} types={draft.types ?? {}} onChange={(types) => change({ types })} />
      <FormFoot saving={saving} doing="change the file format">
        <Button variant="default" onClick={() => saving.mutate({ options: { separator: null, reading: null } })} loading={saving.isPending}>
          Detect again
        </Button>
      </FormFoot>
    </Form>
  );
}
