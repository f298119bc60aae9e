// SPDX-License-Identifier: Apache-2.0
/** Which folder of a package may import which: a package that has folders is built from the ground up, as the packages are. */
import { posix } from 'node:path';
import { importsOf, isTestFile } from './imports.ts';
import type { Finding, SourceFile, SourcePackage } from './source.ts';

/**
 * The layers of a folder's content, from the bottom up. A layer names folders and files; those of one layer do not import each other, and what a layer
 * imports is below it. `features/*` stands for each folder in `features`.
 */
export type FolderLayers = { readonly [folder: string]: readonly (readonly string[])[] };

const FOLDER_LAYERS: FolderLayers = {
  'vector/kernel/assembly': [
    ['memory'],
    ['threads'],
    ['rows'],
    ['codes/scalar'],
    ['codes/product', 'codes/binary', 'codes/reduced'],
    ['codes/encoding'],
    ['distance'],
    ['walk'],
    ['calibration'],
    ['graph', 'search'],
    ['index.ts', 'numbers.ts', 'max-sim.ts'],
  ],
  'vector/collection/src': [
    ['payload'],
    ['filter'],
    ['bm25', 'field-index'],
    ['model'],
    ['strict-mode', 'graph'],
    ['reads'],
    ['query', 'writes'],
    ['snapshots'],
    ['engine.ts'],
    ['engine-reads.ts', 'engine-writes.ts', 'engine-snapshots.ts', 'sharding', 'whole-reads.ts'],
    ['embedded-engine.ts'],
    ['index.ts', 'fixture'],
  ],
  'vector/collection/src/reads': [
    ['pacer.ts', 'search-costs.ts', 'matching-rows.ts', 'top-rows.ts'],
    ['ivf'],
    ['matching'],
    ['view'],
    ['points'],
    ['dense', 'stored-search.ts'],
    ['multi', 'sparse'],
    ['nearest.ts'],
    ['neighbours-among.ts'],
  ],
  'observability/metadata/src': [
    ['errors.ts', 'page.ts'],
    ['database'],
    ['tenant'],
    ['platform', 'processes'],
    ['metadata.ts'],
    ['index.ts'],
  ],
  'observability/connectors/src': [
    ['connector.ts'],
    ['payload.ts', 'store-location.ts'],
    ['unserved-kinds.ts', 'optional-package.ts'],
    ['formats', 'postgresql'],
    ['files', 'pgvector', 'vectors', 'milvus'],
    ['object-stores', 'spark', 'lancedb'],
    ['azure', 'gcs', 's3', 'uploads'],
    ['object-store-kinds.ts'],
    ['open-object-store.ts'],
    ['registry.ts'],
    ['index.ts'],
  ],
  'observability/scan/src': [
    ['dialect', 'scan.ts', 'column-counts.ts', 'schema-changes.ts'],
    ['combinations.ts', 'common-cube.ts', 'segment-measures.ts'],
    ['chance.ts', 'combined-moves.ts'],
    ['checks.ts', 'points.ts', 'engine', 'segment-moves.ts'],
    ['expressions', 'file-rows.ts'],
    ['pii'],
    ['cells', 'rules', 'vectors'],
    ['plan'],
    ['passes'],
    ['measure.ts'],
    ['run-scan.ts'],
    ['index.ts'],
  ],
  'observability/monitors/src': [['bands', 'score'], ['evaluation'], ['explanation'], ['incidents', 'anomaly-bench'], ['index.ts']],
  'observability/delivery/src': [['failure.ts', 'message.ts'], ['exchange.ts', 'mail'], ['chat', 'tracker', 'webhook'], ['index.ts']],
  'observability/server/src': [
    ['configuration.ts', 'product.ts', 'auth', 'outbox', 'sources'],
    ['start-failure.ts', 'upload-place.ts'],
    ['processes.ts', 'resources.ts', 'delivery', 'jobs', 'reports'],
    ['scores'],
    ['evaluation'],
    ['incident-care'],
    ['operations'],
    ['rest'],
    ['service.ts'],
    ['start-failure.ts'],
    ['service-process.ts'],
    ['index.ts', 'main.ts'],
  ],
  'clients/console/src': [['ui'], ['data'], ['widgets'], ['features/*'], ['app'], ['main.tsx']],
  'vector/server/src': [
    ['cluster', 'model-place.ts'],
    ['configuration.ts', 'data-version.ts', 'failure-log.ts', 'product.ts'],
    ['auth', 'embedding', 'resources', 'grpc/messages'],
    ['snapshots'],
    ['operations'],
    ['rest', 'grpc'],
    ['threads'],
    ['service-process.ts'],
    ['index.ts', 'main.ts'],
  ],
};

type Place = { readonly unit: string; readonly layer: number };

/** Tests import what they need: they are what stands above a layer and looks into it. */
export function checkFolders(packages: readonly SourcePackage[], table: FolderLayers = FOLDER_LAYERS): readonly Finding[] {
  const files = packages.flatMap((each) => each.files);
  return Object.entries(table).flatMap(([folder, layers]) => {
    const own = files.filter(({ path }) => path.startsWith(`${folder}/`));
    if (own.length === 0) return [{ path: folder, message: 'has no files; take it out of the table of tools/tidy/folders.ts' }];
    return own.filter(({ path }) => !isTestFile(path)).flatMap((file) => checkImports(file, folder, layers));
  });
}

function checkImports(file: SourceFile, folder: string, layers: FolderLayers[string]): readonly Finding[] {
  const from = placeOf(file.path, folder, layers);
  if (from === undefined) return [{ path: file.path, message: `has no place in the layers of ${folder} in tools/tidy/folders.ts` }];
  return importsOf(file).flatMap(({ specifier, line }) => {
    if (!specifier.startsWith('.')) return [];
    const to = placeOf(posix.join(posix.dirname(file.path), specifier), folder, layers);
    if (to === undefined || to.unit === from.unit || to.layer < from.layer) return [];
    return [{ path: file.path, line, message: `imports ${specifier}: ${to.unit} is not below ${from.unit} in tools/tidy/folders.ts` }];
  });
}

/** Where a file stands; undefined outside the folder, and for what no layer names. The longest name that fits counts. */
function placeOf(path: string, folder: string, layers: FolderLayers[string]): Place | undefined {
  const steps = posix.relative(folder, path).split('/');
  const places = layers.flatMap((names, layer) => names.filter((name) => fits(name, steps)).map((name) => ({ name, layer })));
  const [place] = places.toSorted((a, b) => b.name.split('/').length - a.name.split('/').length);
  return place && { unit: steps.slice(0, place.name.split('/').length).join('/'), layer: place.layer };
}

function fits(name: string, steps: readonly string[]): boolean {
  const names = name.split('/');
  // `features/*` is a folder in `features`, not a file there.
  if (names.at(-1) === '*' && steps.length <= names.length) return false;
  return names.length <= steps.length && names.every((each, index) => each === '*' || each === steps[index]);
}
