// SPDX-License-Identifier: Apache-2.0
/** How an operator names a model in a folder: `folder`, whose own name is the model's, or `name=folder`. */
import { basename, resolve } from 'node:path';

type ModelPlace = { readonly name: string; readonly folder: string };

export function placeOf(given: string): ModelPlace {
  const [, name, path] = /^([^=]+)=(.+)$/.exec(given) ?? [];
  const folder = resolve(path?.trim() ?? given);
  return { name: name?.trim() ?? basename(folder), folder };
}

export function modelNameOf(given: string): string {
  return placeOf(given).name;
}
