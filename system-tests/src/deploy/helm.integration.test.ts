// SPDX-License-Identifier: Apache-2.0
/** The chart as Helm renders it, checked against the schemas of Kubernetes and compared with the services and the images. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { observabilitySettings, readObservabilityConfiguration } from '@sextant/observability-server';
import { readVectorConfiguration, vectorSettings } from '@sextant/vector-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../lifecycle/launched-services.ts';
import { textOf } from './deploy-files.ts';
import { environmentOf, instructionsOf, stagesOf, textsOf } from './dockerfile.ts';
import { type Document, PYTHON, type Rendered, type Renderer, startRenderer } from './helm/renderer.ts';

/** Installed by .ci/run. */
const KUBECONFORM = join(ROOT, '.cache/kubeconform/bin/kubeconform');
/** The oldest that the chart allows, and the newest whose schemas are there. */
const KUBERNETES = ['1.25', '1.37'];
const stages = stagesOf(textOf('image/Dockerfile'));

const ascending = (left = 0, right = 0) => left - right;

let renderer: Renderer;
/** By what they were rendered from. */
const rendered = new Map<string, Promise<Rendered>>();

function render(values: object, kubernetes = KUBERNETES[0] ?? ''): Promise<Rendered> {
  const key = JSON.stringify([values, kubernetes]);
  const found = rendered.get(key) ?? renderer.render(values, kubernetes);
  rendered.set(key, found);
  return found;
}

/** @returns the names of the documents that it refuses, by the schemas that the tests install */
async function kubeconform(documents: readonly Document[], version: string): Promise<readonly string[]> {
  await using directory = await temporaryDirectory();
  const [schemas = ''] = globSync(join(PYTHON, '../../lib/*/site-packages/kubernetes_validate/kubernetes-json-schema'));
  const installed = join(schemas, `v${version}.0-local-strict`);
  const kinds = new Set(documents.map(({ kind }) => kind.toLowerCase()));
  for (const name of (await readdir(installed)).filter((each) => each === '_definitions.json' || kinds.has(each.split('-')[0] ?? ''))) {
    // The installed ones refer to each other by addresses that nothing answers; these by the names of their files.
    const schema = (await readFile(join(installed, name), 'utf8')).replaceAll('"/api/_definitions.json#', '"_definitions.json#');
    await writeFile(join(directory.path, name), schema.replaceAll(/,\s*"\$id": "[^"]*"/g, ''));
  }
  const location = join(directory.path, '{{.ResourceKind}}{{.KindSuffix}}.json');
  const options = ['-strict', '-kubernetes-version', `${version}.0`, '-schema-location', location, '-output', 'json', '-'];
  const { stdout, stderr } = spawnSync(KUBECONFORM, options, {
    input: documents.map((document) => JSON.stringify(document)).join('\n---\n'),
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  // What kubeconform prints; it lists what is not valid, or what it cannot check.
  const { resources } = JSON.parse(stdout) as { readonly resources?: readonly { readonly name: string; readonly status: string }[] };
  return (resources ?? []).map(({ name, status }) => `${name}: ${status}`).toSorted();
}

async function documentsOf(kind: string, values: object = {}): Promise<readonly Document[]> {
  const { documents } = await render(values);
  return documents.filter((document) => document.kind === kind);
}

describe.skipIf(!existsSync(PYTHON))('the chart', () => {
  beforeAll(() => {
    renderer = startRenderer();
  });
  afterAll(() => renderer[Symbol.asyncDispose]());

  test('Helm finds nothing to mend', async () => {
    const { errors, messages } = (await render({})).lint;
    expect(errors).toEqual([]);
    // From warnings on.
    expect(messages.filter(({ severity }) => severity > 1)).toEqual([]);
  });

  const full = {
    vector: {
      secrets: ['vector-secrets'],
      hosts: ['vectors.example.com'],
      persistence: { storageClass: 'fast' },
      nodeSelector: { disk: 'nvme' },
    },
    observability: { tolerations: [{ key: 'scans', operator: 'Exists' }], affinity: { nodeAffinity: {} } },
    imagePullSecrets: [{ name: 'registry' }],
    networkPolicy: { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
  };
  const given = KUBERNETES.flatMap((version) => [[version, 'no values', {}] as const, [version, 'all values', full] as const]);
  // Each version and each kind of values once; the long run has every pair.
  test.each(isLongRun() ? given : given.filter(([version], index) => (version === KUBERNETES[0]) === (index % 2 === 0)))(
    'Kubernetes %s takes it with %s',
    async (version, _name, values) => {
      const { documents, faults } = await render(values, version);
      expect(faults).toEqual([]);
      const kinds = ['NetworkPolicy', 'PodDisruptionBudget', 'Service', 'StatefulSet'];
      expect(documents.map(({ kind }) => kind).toSorted()).toEqual(kinds.flatMap((kind) => [kind, kind]));
    },
  );

  test.skipIf(!existsSync(KUBECONFORM)).each(isLongRun() ? KUBERNETES : KUBERNETES.slice(-1))(
    'kubeconform finds no fault in it for Kubernetes %s, and a fault that is put in',
    async (version) => {
      const { documents } = await render(full, version);
      const misspelt = documents
        .filter(({ kind }) => kind === 'StatefulSet')
        .map(({ metadata, spec, ...document }) => ({
          ...document,
          metadata: { ...metadata, name: `misspelt-${metadata.name}` },
          spec: { ...spec, replica: 2 },
        }));
      // Those alone.
      expect(await kubeconform([...documents, ...misspelt], version)).toEqual([
        'misspelt-shop-observability: statusInvalid',
        'misspelt-shop-vector: statusInvalid',
      ]);
    },
  );

  test.each(['vector', 'observability'] as const)(
    'the %s service has the ports, the settings and the folder of its image',
    async (name) => {
      const instructions = instructionsOf(stages, name);
      const ports = textsOf(instructions, 'EXPOSE').flatMap((text) => text.split(' ').map(Number));
      const [set] = (await documentsOf('StatefulSet')).filter(({ metadata }) => metadata.name === `shop-${name}`);
      const [container] = set?.spec.template?.spec.containers ?? [];
      if (container === undefined) throw new Error('the pod has no container');
      expect(container.ports.map(({ containerPort }) => containerPort).toSorted(ascending)).toEqual(ports);
      expect(container.image).toMatch(new RegExp(`^sextant-${name}:\\d`));
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([textsOf(instructions, 'VOLUME')[0], '/tmp']);
      const [user] = textsOf(instructions, 'USER');
      expect(set?.spec.template?.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user?.split(':')[0]) });
      const environment = { ...environmentOf(instructions), ...Object.fromEntries(container.env.map((each) => [each.name, each.value])) };
      const read = name === 'vector' ? readVectorConfiguration(environment, []) : readObservabilityConfiguration(environment, []);
      expect(read.kind).toBe('ready');
      const settings = Object.values(name === 'vector' ? vectorSettings : observabilitySettings).map((setting) => setting.name);
      expect(container.env.map((each) => each.name).filter((each) => !settings.includes(each))).toEqual([]);
      const [service] = (await documentsOf('Service')).filter(({ metadata }) => metadata.name === `shop-${name}`);
      expect(service?.spec.ports?.map(({ port }) => port).toSorted(ascending)).toEqual(ports);
      const [policy] = (await documentsOf('NetworkPolicy')).filter(({ metadata }) => metadata.name === `shop-${name}`);
      expect(policy?.spec.ingress?.flatMap((rule) => rule.ports.map(({ port }) => port)).toSorted(ascending)).toEqual(ports);
    },
  );

  test.each(['vector', 'observability'] as const)('probes of the %s service ask for paths that are always open', async (name) => {
    const [set] = (await documentsOf('StatefulSet')).filter(({ metadata }) => metadata.name === `shop-${name}`);
    const [container] = set?.spec.template?.spec.containers ?? [];
    const alive = /127\.0\.0\.1:\d+([^']*)'/.exec(textsOf(instructionsOf(stages, name), 'HEALTHCHECK').join())?.[1];
    expect(container?.startupProbe?.httpGet).toEqual({ path: alive, port: 'rest' });
    expect(container?.livenessProbe?.httpGet).toEqual({ path: alive, port: 'rest' });
    expect(container?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'rest' });
  });

  test('a service is left out, with all that belongs to it', async () => {
    const { documents } = await render({ observability: { enabled: false } });
    expect(documents.map(({ metadata }) => metadata.name)).toEqual(Array.from({ length: 4 }, () => 'shop-vector'));
  });

  test('names of an ingress are added to those of the cluster', async () => {
    const [set] = await documentsOf('StatefulSet', { vector: { hosts: ['vectors.example.com'] }, observability: { enabled: false } });
    const hosts = set?.spec.template?.spec.containers[0]?.env
      .find(({ name }) => name === vectorSettings.allowedHosts.name)
      ?.value.split(',');
    expect(hosts).toEqual([
      'shop-vector',
      'shop-vector.search',
      'shop-vector.search.svc',
      'shop-vector.search.svc.cluster.local',
      'vectors.example.com',
    ]);
  });

  const several = { replicas: 3, secrets: ['observability'], uploads: { claim: 'shared' } };
  test('Kubernetes takes several pods of the observability service, which share uploads', async () => {
    const { documents, faults } = await render({ observability: several });
    expect(faults).toEqual([]);
    const sets = documents.filter(({ kind }) => kind === 'StatefulSet');
    expect(sets.map(({ spec }) => spec.replicas)).toEqual([3, 1]);
    const [container] = sets[0]?.spec.template?.spec.containers ?? [];
    const place = container?.env.find(({ name }) => name === observabilitySettings.uploadDirectory.name)?.value;
    expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp', place]);
  });

  test('pods of the observability service share uploads in an object store, without a volume', async () => {
    const { documents, faults } = await render({ observability: { ...several, uploads: { store: 's3://bucket/prefix' } } });
    expect(faults).toEqual([]);
    const [set] = documents.filter(({ kind }) => kind === 'StatefulSet');
    const [container] = set?.spec.template?.spec.containers ?? [];
    expect(container?.env).toContainEqual({ name: observabilitySettings.uploadStore.name, value: 's3://bucket/prefix' });
    expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
  });

  const nodes = { replicas: 3, secrets: ['cluster'], settings: { SERVICE_AUTH_ENABLED: false, SERVICE_ALLOW_OPEN_ACCESS: true } };
  test('Kubernetes takes three nodes of the vector service, which reach each other by their names', async () => {
    const { documents, faults } = await render({ vector: nodes, observability: { enabled: false }, networkPolicy: full.networkPolicy });
    expect(faults).toEqual([]);
    const [set] = documents.filter(({ kind }) => kind === 'StatefulSet');
    expect(set?.spec).toMatchObject({ replicas: 3, serviceName: 'shop-vector-nodes' });
    const services = documents.filter(({ kind }) => kind === 'Service');
    expect(services.map(({ metadata }) => metadata.name)).toEqual(['shop-vector', 'shop-vector-nodes']);
    expect(services[1]?.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    const [policy] = documents.filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policy?.spec.ingress).toHaveLength(2);
    const environment = set?.spec.template?.spec.containers[0]?.env ?? [];
    expect(environment[0]).toEqual({ name: 'SERVICE_CLUSTER_NODE', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } });
    const setTo = (name: string) =>
      environment.find((each) => each.name === name)?.value?.replace('$(SERVICE_CLUSTER_NODE)', 'shop-vector-0');
    const name = 'shop-vector-0.shop-vector-nodes.search.svc.cluster.local';
    expect(setTo('SERVICE_CLUSTER_ADDRESS')).toBe(`http://${name}:6573`);
    expect(setTo('SERVICE_ALLOWED_HOSTS')?.split(',')).toContain(name);
    const given = {
      ...Object.fromEntries(environment.map((each) => [each.name, setTo(each.name)])),
      SERVICE_CLUSTER_NODE: 'shop-vector-0',
    };
    const secret = { SERVICE_CLUSTER_LOG: 'nats://nats:4222/sextant?replicas=3', SERVICE_CLUSTER_SECRET: 'a secret of the three nodes' };
    expect(readVectorConfiguration({ ...given, ...secret }, [])).toMatchObject({ kind: 'ready' });
  });

  test.each([
    [{ vector: { replicas: 3 } }, 'SERVICE_CLUSTER_LOG and SERVICE_CLUSTER_SECRET in vector.secrets'],
    [
      { vector: { ...nodes, settings: { SERVICE_CLUSTER_NODE: 'north' } } },
      'leave SERVICE_CLUSTER_NODE and SERVICE_CLUSTER_ADDRESS to the chart',
    ],
    [{ observability: { ...several, secrets: [] } }, 'DATABASE_URL, OBSERVABILITY_ENCRYPTION_KEY and OBSERVABILITY_PLATFORM_TOKEN'],
    [{ observability: { ...several, uploads: {} } }, 'ReadWriteMany in observability.uploads.claim'],
  ])('several pods that could not work together are refused: %j', async (values, sentence) => {
    expect((await render(values)).refused).toContain(sentence);
  });

  test('a setting that the chart makes itself is refused with the way out', async () => {
    const values = { vector: { settings: { SERVICE_ALLOWED_HOSTS: 'vectors.example.com' } } };
    expect((await render(values)).refused).toContain('list names in vector.hosts');
  });
});
