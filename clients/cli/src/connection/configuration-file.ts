// SPDX-License-Identifier: Apache-2.0
/** The configuration file. Nothing of what is in it is repeated when it is wrong: it may be a key. */
import { refusalOf, strict } from '@sextant/foundation-contract';
import Type, { type Static } from 'typebox';
import { CommandFailure } from '../failure.ts';

const fileSchema = strict({
  url: Type.Optional(Type.String()),
  api_key: Type.Optional(Type.String()),
  observability_url: Type.Optional(Type.String()),
  observability_key: Type.Optional(Type.String()),
  tenant: Type.Optional(Type.String()),
});

export type ConfigurationFile = Static<typeof fileSchema>;

export function parseConfigurationFile(text: string, path: string): ConfigurationFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandFailure('usage', `the configuration file ${path} is not valid JSON`);
  }
  const refusal = refusalOf(fileSchema, value, 'the file');
  if (refusal === undefined) return value as ConfigurationFile;
  throw new CommandFailure('usage', `the configuration file ${path} is not valid: ${refusal.sentence.split(', got ')[0]}`);
}
