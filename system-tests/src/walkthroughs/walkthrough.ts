// SPDX-License-Identifier: Apache-2.0
/** A page of `docs/tutorials` as steps: what its code blocks ask for, and what they show. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export type Step =
  /** A request, and the result that the page shows for it, if it does. */
  | { readonly kind: 'request'; readonly method: string; readonly path: string; readonly body: string; readonly shown?: unknown }
  | { readonly kind: 'command'; readonly line: string }
  /** A part of a file of ours. */
  | { readonly kind: 'excerpt'; readonly text: string };

const BLOCK = /^```(\w+)\n(.*?)\n```$/gms;

export async function readWalkthrough(name: string): Promise<readonly Step[]> {
  const page = await readFile(fileURLToPath(new URL(`../../../docs/tutorials/${name}.md`, import.meta.url)), 'utf8');
  const steps: Step[] = [];
  for (const [, language, text = ''] of page.matchAll(BLOCK)) {
    const last = steps.at(-1);
    switch (language) {
      case 'http': {
        const [first = '', ...body] = text.split('\n');
        const [method = '', path = ''] = first.split(' ');
        steps.push({ kind: 'request', method, path, body: body.join('\n') });
        break;
      }
      case 'json':
        if (last?.kind !== 'request') throw new Error(`${name}: an answer follows its request`);
        steps[steps.length - 1] = { ...last, shown: JSON.parse(text) };
        break;
      case 'sh':
        steps.push({ kind: 'command', line: text });
        break;
      case 'ts':
        steps.push({ kind: 'excerpt', text });
        break;
      default:
        throw new Error(`${name}: nobody knows what to do with a block of ${language}`);
    }
  }
  return steps;
}
