// SPDX-License-Identifier: Apache-2.0
/** What is in `deploy/` compared with the services: a setting, port, path or metric that does not exist fails. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { MALLOC_SETTINGS, settingRows } from '@sextant/foundation-service';
import { type ChildServer, jsonClient, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { observabilitySettings } from '@sextant/observability-server';
import { vectorSettings } from '@sextant/vector-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminApi, startObservabilityServer } from '../observability/observability-server.ts';
import { scanned, uploadAsset } from '../observability/scanning.ts';
import { until } from '../until.ts';
import { startVectorServer } from '../vector-server.ts';
import { DEPLOY, deployFiles, textOf, yamlOf } from './deploy-files.ts';
import { environmentOf, instructionsOf, stagesOf, textsOf } from './dockerfile.ts';
import { metricsIn } from './expressions.ts';

const SETTINGS: ReadonlySet<string> = new Set(
  [...settingRows(vectorSettings), ...settingRows(observabilitySettings)].map(({ name }) => name),
);
const PORTS = {
  vector: [vectorSettings.restPort.fallback, vectorSettings.grpcPort.fallback],
  observability: [observabilitySettings.port.fallback],
};
const stages = stagesOf(textOf('image/Dockerfile'));

type Compose = {
  readonly services: {
    readonly [name: string]: {
      readonly ports?: readonly string[];
      readonly environment?: object;
      readonly build?: { readonly target: string };
    };
  };
};
type Scrapes = {
  readonly scrape_configs: readonly {
    readonly metrics_path: string;
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }[];
};
type Rules = { readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[] };
type Dashboard = { readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[] };

// What each file looks like is known to whoever wrote it beside this test.
const compose = yamlOf(textOf('compose/compose.yaml'))[0] as Compose;
const scrapes = yamlOf(textOf('compose/prometheus.yaml'))[0] as Scrapes;
const rules = yamlOf(textOf('compose/alerts.yaml'))[0] as Rules;
const dashboard = JSON.parse(textOf('compose/grafana/dashboards/sextant.json')) as Dashboard;

describe('settings', () => {
  test.each(deployFiles('**/*'))('%s names none that does not exist', (file) => {
    const named = textOf(file).match(/\b(?:SERVICE|OBSERVABILITY|SMTP)_[A-Z][A-Z_]*\b|\bDATABASE_URL\b/g) ?? [];
    expect(named.filter((name) => !SETTINGS.has(name))).toEqual([]);
  });

  test('compose gives each service its own', () => {
    const others = Object.entries({ vector: 'OBSERVABILITY_', observability: 'SERVICE_' });
    for (const [name, prefix] of others) {
      const environment = Object.keys(compose.services[name]?.environment ?? {});
      expect(environment.length).toBeGreaterThan(0);
      expect(environment.filter((each) => each.startsWith(prefix))).toEqual([]);
    }
  });
});

describe('ports', () => {
  test.each(['vector', 'observability'] as const)('of the image and the composition of the %s service', (name) => {
    const instructions = instructionsOf(stages, name);
    expect(textsOf(instructions, 'EXPOSE').flatMap((text) => text.split(' ').map(Number))).toEqual(PORTS[name]);
    const checked = /127\.0\.0\.1:(\d+)\//.exec(textsOf(instructions, 'HEALTHCHECK').join())?.[1];
    expect(Number(checked)).toBe(PORTS[name][0]);
    expect(compose.services[name]?.build?.target).toBe(name);
    expect(compose.services[name]?.ports).toEqual(PORTS[name].map((port) => `127.0.0.1:${port}:${port}`));
  });

  test('that Prometheus asks', () => {
    const targets = scrapes.scrape_configs.flatMap(({ static_configs }) => static_configs.flatMap((each) => each.targets));
    expect(targets).toEqual(Object.entries(PORTS).map(([name, [port]]) => `${name}:${port}`));
  });
});

describe('metrics', () => {
  let directory: TemporaryDirectory;
  let vector: ChildServer;
  let observability: ChildServer;
  const names = new Set<string>(['up']);

  beforeAll(async () => {
    directory = await temporaryDirectory();
    [vector, observability] = await Promise.all([
      startVectorServer({
        directory: `${directory.path}/vector`,
        environment: { ...environmentIn('vector'), SERVICE_CAPABILITIES: 'all' },
      }),
      startObservabilityServer({ directory: `${directory.path}/observability`, environment: environmentIn('observability') }),
    ]);
    await vector.client.request('PUT', '/collections/a', { vectors: { size: 1, distance: 'Dot' } });
    await vector.client.request('GET', '/collections/missing');
    const api = await adminApi(observability);
    await scanned(api, (await uploadAsset(api, { file: 'a.csv', bytes: Buffer.from('id\n1\n') })).id);
    for (const server of [vector, observability]) for (const name of namesIn(await metricsOf(server))) names.add(name);
  });

  afterAll(async () => {
    await Promise.all([vector?.stop(), observability?.stop()]);
    await directory[Symbol.asyncDispose]();
  });

  test('of the dashboard exist', () => {
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.flatMap(metricsIn).filter((name) => !names.has(name))).toEqual([]);
  });

  test('of the alert rules exist', () => {
    const expressions = rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(5);
    expect(expressions.flatMap(metricsIn).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(['vector', 'observability'] as const)(
    'of the %s service are given to whoever asks for it by its name in the composition',
    async (name) => {
      const address = name === 'vector' ? vector.address : observability.address;
      using client = jsonClient({ baseUrl: address });
      const path =
        scrapes.scrape_configs.find(({ static_configs }) => static_configs[0]?.targets[0]?.startsWith(`${name}:`))?.metrics_path ?? '';
      expect((await client.request('GET', path, undefined, { headers: { host: `${name}:${PORTS[name][0]}` } })).status).toBe(200);
      expect((await client.request('GET', path, undefined, { headers: { host: 'elsewhere.example' } })).status).toBe(403);
    },
  );

  /** The settings of the composition that do not lead to other containers. */
  function environmentIn(name: string): { readonly [name: string]: string } {
    const given = Object.entries(compose.services[name]?.environment ?? {}) as readonly (readonly [string, string])[];
    return Object.fromEntries(given.filter(([, value]) => !value.includes('${')));
  }

  /** A request is counted after its answer. */
  function metricsOf(server: ChildServer): Promise<string> {
    return until('requests are counted', 60_000, async () => {
      const text = String((await server.client.request('GET', '/metrics')).body);
      return /^rest_responses_total\{/m.test(text) ? text : undefined;
    });
  }
});

/** Of the text that Prometheus reads; a histogram has three. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('the images hold the Node.js that the tests run on', () => {
  expect(/^ARG NODE_VERSION=(.*)$/m.exec(textOf('image/Dockerfile'))?.[1]).toBe(process.versions.node);
});

test('the vector service runs with the same settings of malloc in the image and under systemd', () => {
  expect(environmentOf(instructionsOf(stages, 'vector'))).toMatchObject(MALLOC_SETTINGS);
  const unit = Object.entries(MALLOC_SETTINGS).map(([name, value]) => `${name}=${value}`);
  expect(textOf('systemd/sextant-vector.service')).toContain(`\nEnvironment=${unit.join(' ')}\n`);
});

test.skipIf(!hasSystemd).each(deployFiles('systemd/*.service'))('systemd accepts %s', (file) => {
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(DEPLOY, file)], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes('sextant-'))).toEqual([]);
  expect(status).toBe(0);
});

test.each(deployFiles('{compose,helm/sextant}/**/{*.yaml,.*.yaml}').filter((file) => !file.includes('templates/')))(
  '%s is YAML',
  (file) => {
    expect(yamlOf(textOf(file)).length).toBe(1);
  },
);
