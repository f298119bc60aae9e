// SPDX-License-Identifier: Apache-2.0
import { MultiSelect, NumberInput, Select, Switch, TagsInput } from '@mantine/core';
import type { Asset, AssetOptionsChange } from '@sextant/sdk';
import { useState } from 'react';
import { useSaveAsset } from '../../../data/assets/queries.ts';
import { holdsVectors } from '../../../data/assets/vector-kinds.ts';
import { fieldError } from '../../../data/services/field-error.ts';
import { checkField } from '../../../ui/fields.ts';
import { Form } from '../../../ui/form.tsx';
import { isSearchable } from '../suggestions/searchable.ts';
import { FormFoot } from './form-foot.tsx';
import { TextByVector } from './text-by-vector.tsx';
import { stepTo, type TextMembers } from './text-members.ts';
import { ValuesByAttribute } from './values-by-attribute.tsx';

type ScanOptionsFormProps = {
  readonly asset: Asset;
  /** Those that the last scan met. */
  readonly vectors: readonly string[];
};

/** What every scan of the asset does; a schedule may ask for less. */
export function ScanOptionsForm({ asset, vectors }: ScanOptionsFormProps) {
  const { options } = asset;
  const attributes = asset.attributes?.map(({ name }) => name) ?? [];
  const [ids, setIds] = useState<string[]>([...(options.id_attributes ?? [])]);
  const [timestamp, setTimestamp] = useState<string | null>(options.timestamp_attribute ?? null);
  const [isDelta, setIsDelta] = useState(options.delta_only === 'true');
  const [isLight, setIsLight] = useState(options.only_light_scan === 'true');
  const [isSearched, setIsSearched] = useState(options.find_wrong_cells === 'true');
  const [texts, setTexts] = useState<TextMembers>(options.text_members ?? {});
  const [segments, setSegments] = useState(options.segments ?? {});
  const [filter, setFilter] = useState(options.filter ?? {});
  const [sample, setSample] = useState<number | string>(options.sample_fraction ?? '');
  const [limit, setLimit] = useState<number | string>(options.limit ?? '');
  const [empty, setEmpty] = useState<string[]>([...(options.empty_values ?? [])]);
  const [statementSeconds, setStatementSeconds] = useState<number | string>(options.statement_timeout_seconds ?? '');
  const saving = useSaveAsset(asset);
  const submit = () => {
    const change: AssetOptionsChange = {
      id_attributes: ids.length === 0 ? null : ids,
      timestamp_attribute: timestamp,
      delta_only: isDelta ? 'true' : null,
      only_light_scan: isLight ? 'true' : null,
      ...(isSearchable(asset) && { find_wrong_cells: isSearched ? 'true' : null }),
      ...(holdsVectors(asset) && { text_members: Object.keys(texts).length === 0 ? null : texts }),
      segments: Object.keys(segments).length === 0 ? null : segments,
      filter: Object.keys(filter).length === 0 ? null : filter,
      sample_fraction: typeof sample === 'number' ? sample : null,
      limit: typeof limit === 'number' ? limit : null,
      empty_values: empty.length === 0 ? null : empty,
      statement_timeout_seconds: typeof statementSeconds === 'number' ? statementSeconds : null,
    };
    saving.mutate({ options: change });
  };
  const errorOf = (name: keyof AssetOptionsChange) => fieldError(saving.error, `options.${name}`);
  return (
    <Form onSubmit={submit}>
      <MultiSelect
        label="Record id"
        description="Attributes that together identify a record; failed rows are listed by their record id"
        data={attributes}
        value={ids}
        onChange={setIds}
        searchable
        error={errorOf('id_attributes')}
      />
      <Select
        label="Record timestamp"
        description="The attribute from which freshness is measured"
        data={attributes}
        value={timestamp}
        onChange={setTimestamp}
        clearable
        searchable
        error={errorOf('timestamp_attribute')}
      />
      <Switch
        label="Only records newer than the last scan"
        description="Selected by the record timestamp"
        {...checkField(isDelta, setIsDelta)}
      />
      <Switch label="Light scans" description="Scans measure only the schema, counts and freshness" {...checkField(isLight, setIsLight)} />
      {isSearchable(asset) && (
        <Switch
          label="Search for wrong cells"
          description="Scans also look for rules that the rows follow; both are listed under Suggestions"
          {...checkField(isSearched, setIsSearched)}
        />
      )}
      {holdsVectors(asset) && (
        <TextByVector
          vectors={vectors}
          members={attributes}
          values={texts}
          onChange={setTexts}
          errorOf={(vector) => fieldError(saving.error, `options.text_members.${stepTo(vector)}`)}
        />
      )}
      <ValuesByAttribute
        label="Segments"
        description="Every metric is also measured for the rows with each of these values"
        attributes={attributes}
        values={segments}
        onChange={setSegments}
      />
      <ValuesByAttribute
        label="Row filter"
        description="Scans read only rows with these values"
        attributes={attributes}
        values={filter}
        onChange={setFilter}
      />
      <NumberInput
        label="Sample"
        description="Share of the rows that scans read, in percent; leave empty for all rows"
        value={sample}
        onChange={setSample}
        min={0}
        max={100}
        suffix=" %"
        maw={240}
        error={errorOf('sample_fraction')}
      />
      <NumberInput
        label="Maximum number of rows"
        value={limit}
        onChange={setLimit}
        min={1}
        thousandSeparator=","
        maw={240}
        error={errorOf('limit')}
      />
      <NumberInput
        label="Time limit of a rule or metric"
        description="Applies to each rule, expression and SQL statement; 60 s if empty"
        value={statementSeconds}
        onChange={setStatementSeconds}
        min={1}
        max={3600}
        suffix=" s"
        maw={240}
        error={errorOf('statement_timeout_seconds')}
      />
      <TagsInput
        label="Values that count as empty"
        description="In addition to null and empty text, such as NA"
        value={empty}
        onChange={setEmpty}
        error={errorOf('empty_values')}
      />
      <FormFoot saving={saving} doing="change the scan options" />
    </Form>
  );
}
