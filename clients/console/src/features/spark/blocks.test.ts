// SPDX-License-Identifier: Apache-2.0
import { endpoints } from '@sextant/contracts-observability';
import { expect, test } from 'vitest';
import { blockOf, CLUSTERS, propertiesOf, propertyProblems } from './blocks.ts';

test('the forms have the fields of the contract', () => {
  const { properties } = endpoints.get_spark_job_config.result as unknown as { properties: { [block: string]: { properties: object } } };
  const ofContract = Object.entries(properties).filter(([block]) => block !== 'spark_properties');
  expect(Object.fromEntries(CLUSTERS.map(({ block, fields }) => [block, fields.map(({ name }) => name)]))).toEqual(
    Object.fromEntries(ofContract.map(([block, schema]) => [block, Object.keys(schema.properties)])),
  );
});

test.each([
  [{}, undefined],
  [{ a: '', b: '  ' }, undefined],
  [
    { a: ' x ', b: '', c: 0 },
    { a: 'x', c: 0 },
  ],
])('%j become the block %j', (written, block) => {
  expect(blockOf(written)).toEqual(block);
});

test('properties need a name of their own; empty rows are none', () => {
  const rows = [
    { name: 'spark.driver.memory', value: '4g' },
    { name: '', value: '' },
    { name: ' spark.driver.memory', value: '8g' },
    { name: '', value: 'x' },
  ];
  expect(propertyProblems(rows)).toEqual([undefined, undefined, 'already exists', 'has no name']);
  expect(propertiesOf(rows.slice(0, 2))).toEqual({ 'spark.driver.memory': '4g' });
  expect(propertiesOf(rows.slice(1, 2))).toBeUndefined();
});
