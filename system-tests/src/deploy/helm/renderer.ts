// SPDX-License-Identifier: Apache-2.0
/** The chart as Helm renders it, by one process for all tests: to load what it needs takes it much longer than to render. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ROOT } from '../../lifecycle/launched-services.ts';
import { DEPLOY } from '../deploy-files.ts';

/** Installed by .ci/run. */
export const PYTHON = join(ROOT, '.cache/helm/bin/python');

type Port = { readonly name: string; readonly port?: number; readonly containerPort?: number };
type Container = {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly object[];
  readonly ports: readonly Port[];
  readonly volumeMounts: readonly { readonly mountPath: string }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
};
export type Document = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly ports?: readonly Port[];
    readonly ingress?: readonly { readonly ports: readonly { readonly port: number }[] }[];
    readonly template?: { readonly spec: { readonly containers: readonly Container[]; readonly securityContext: object } };
    readonly maxUnavailable?: number;
  };
};
export type Rendered = {
  readonly refused?: string;
  readonly lint: {
    readonly errors: readonly unknown[];
    readonly messages: readonly { readonly severity: number; readonly error: string }[];
  };
  readonly documents: readonly Document[];
  readonly faults: readonly string[];
};

export type Renderer = AsyncDisposable & {
  /** @param version of Kubernetes */
  render(values: object, version: string): Promise<Rendered>;
};

export function startRenderer(): Renderer {
  const child = spawn(PYTHON, [join(import.meta.dirname, 'render.py'), join(DEPLOY, 'helm/sextant')]);
  const faults = text(child.stderr);
  const ended = once(child, 'close');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    render: async (values, version) => {
      child.stdin.write(`${JSON.stringify({ values, version })}\n`);
      const { value: line, done } = await answers.next();
      if (done === true) throw new Error(await faults);
      // What the script prints.
      return JSON.parse(line) as Rendered;
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
