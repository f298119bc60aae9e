// SPDX-License-Identifier: Apache-2.0
/** `sextant observe`: what the observability service watches and what it has found. */
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Asset, Job, ObservabilityClient } from '@sextant/sdk';
import { assetOf } from '../connection/assets.ts';
import { LONG_WORK, observabilityClient } from '../connection/clients.ts';
import { CommandFailure, EXIT_CODES } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { count } from '../terminal/figures.ts';
import { wholeNumber } from './option-values.ts';

const LIMIT = 50;

export function observeCommand(shell: Shell): CommandUnknownOpts {
  return new Command('observe')
    .summary('connections, assets, scans, incidents and alerts')
    .description('Works with the observability service in the tenant of --tenant.')
    .addCommand(connectionsCommand(shell))
    .addCommand(assetsCommand(shell))
    .addCommand(scanCommand(shell))
    .addCommand(incidentsCommand(shell))
    .addCommand(alertsCommand(shell));
}

function connectionsCommand(shell: Shell) {
  return new Command('connections').description('Lists the connections to sources.').action(async () => {
    const connections = await (await observabilityClient(shell)).listConnections({ signal: shell.signal });
    shell.terminal.result(connections, () =>
      shell.terminal.table(
        [{ title: 'id', align: 'right' }, 'name', 'type', 'scope', { title: 'project', align: 'right' }],
        connections.map(({ id, name, type, scope, project_id: project }) => [id, name, type, scope, project]),
      ),
    );
  });
}

function assetsCommand(shell: Shell) {
  return new Command('assets').description('Lists the assets with their data quality scores.').action(async () => {
    const client = await observabilityClient(shell);
    const assets = await client.listAssets({}, { signal: shell.signal });
    const scores = new Map((await client.listDqScores({ signal: shell.signal })).map((score) => [score.asset_id, score]));
    const rows = assets.map((asset) => ({ ...asset, dq_score: scores.get(asset.id) ?? null }));
    shell.terminal.result(rows, () =>
      shell.terminal.table(
        ['id', 'name', 'type', { title: 'score', align: 'right' }, 'state', 'last scan'],
        rows.map(({ id, name, type, dq_score: score }) => [
          id,
          name,
          type,
          score?.score?.toFixed(1),
          score?.band ?? score?.state,
          score?.metric_time,
        ]),
      ),
    );
  });
}

function scanCommand(shell: Shell) {
  const { terminal, signal } = shell;
  return new Command('scan')
    .description('Scans an asset, shows the progress, and prints what the monitors found. Ctrl-C stops the scan.')
    .argument('<asset>', 'id of the asset, or its name if it is unique')
    .option('--no-wait', 'start the scan and print the job without waiting')
    .option(
      '--fail-on-alerts',
      `end with exit code ${EXIT_CODES.below_expectation.code} if monitors raised alerts or could not be evaluated`,
    )
    .action(async (wanted, { wait, failOnAlerts }) => {
      const client = await observabilityClient(shell);
      const asset = await assetOf(client, wanted, signal);
      const { job_id: jobId } = await client.startScan({ asset_id: asset.id }, { signal });
      if (!wait) {
        terminal.result({ job_id: jobId, asset_id: asset.id }, () => `Job ${jobId} scans ${asset.name}.`);
        return;
      }
      const job = await watch(shell, client, { id: jobId, asset });
      if (job.status === 'FAILED') throw new CommandFailure('failed', `the scan of ${asset.name} failed: ${job.details}`);
      const alerts = await client.jobAlerts({ asset_id: asset.id, job_id: jobId }, { signal });
      terminal.result({ job, alerts }, () => {
        const found = alerts.map(({ policy_name: policy, priority, metric_value: value, description }) => [
          policy,
          priority,
          value,
          inWords(description),
        ]);
        const scanned = `Scanned ${asset.name}: ${count(job.progress.rows_read)} rows, ${outcome(job, alerts.length)}.`;
        if (found.length === 0) return scanned;
        const columns = ['monitor', 'priority', { title: 'value', align: 'right' as const }, 'what'];
        return `${scanned}\n${terminal.table(columns, found)}`;
      });
      const isAsWished = alerts.length === 0 && (job.checks?.errored ?? 0) === 0;
      if (failOnAlerts === true && !isAsWished) shell.setExitCode(EXIT_CODES.below_expectation.code);
    });
}

/** What nobody could judge is said, since no alert is not the same as all being well. */
function outcome({ checks }: Job, alerts: number): string {
  const { errored = 0, not_enough_history: waiting = 0 } = checks ?? {};
  const monitors = (number: number) => `${number} ${number === 1 ? 'monitor' : 'monitors'}`;
  const parts = [
    ...(alerts === 0 ? [] : [alerts === 1 ? '1 alert' : `${alerts} alerts`]),
    ...(errored === 0 ? [] : [`${monitors(errored)} could not be evaluated`]),
    ...(waiting === 0 ? [] : [`${monitors(waiting)} need more scans`]),
  ];
  return parts.length === 0 ? 'no alerts' : parts.join(', ');
}

/** Waits for the end of a scan; who presses Ctrl-C wants it stopped, not just to stop looking. */
async function watch(
  { terminal, signal }: Shell,
  client: ObservabilityClient,
  { id, asset }: { readonly id: string; readonly asset: Asset },
): Promise<Job> {
  const progress = terminal.progress({ label: asset.name, unit: 'rows' });
  try {
    return await client.waitForJob(id, {
      ...LONG_WORK,
      signal,
      onProgress: ({ status, progress: { phase, rows_read: rows, fraction } }) => {
        progress.show({ done: rows, share: status === 'FINISHED' ? 1 : (fraction ?? undefined), note: phase });
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    await client.cancelJob({ job_id: id });
    throw new CommandFailure('interrupted', `the scan of ${asset.name} is being stopped`);
  } finally {
    progress.end();
  }
}

/** Sentences by what they are about. */
function inWords(description: { readonly [about: string]: readonly string[] }): string {
  return Object.values(description).flat().join(' ');
}

function incidentsCommand(shell: Shell) {
  return new Command('incidents')
    .description('Lists incidents, newest first.')
    .addOption(new Option('--status <status>', 'only those').choices(['open', 'closed'] as const))
    .addOption(new Option('--severity <severity>', 'only those').choices(['low', 'medium', 'high'] as const))
    .option('--search <text>', 'only incidents whose text contains this')
    .option('-n, --limit <n>', 'how many', wholeNumber({ min: 1, max: 1000 }), LIMIT)
    .option('--fail-on-open', `end with exit code ${EXIT_CODES.below_expectation.code} if a listed incident is open`)
    .action(async ({ status, severity, search, limit, failOnOpen }) => {
      const client = await observabilityClient(shell);
      const query = {
        limit,
        ...(severity !== undefined && { severities: severity.toUpperCase() }),
        ...(search !== undefined && { text_to_search: search }),
      };
      const listed = await client.listIncidents(query, { signal: shell.signal });
      const incidents = listed.filter((incident) => status === undefined || incident.status === status.toUpperCase());
      shell.terminal.result(incidents, () =>
        incidents.length === 0
          ? 'No incidents.'
          : shell.terminal.table(
              [{ title: 'id', align: 'right' }, 'status', 'severity', 'created', 'monitor', 'what'],
              incidents.map((incident) => [
                incident.id,
                incident.status,
                incident.severity,
                incident.created_time,
                incident.alert_policy_name,
                incident.description,
              ]),
            ),
      );
      if (failOnOpen === true && incidents.some((incident) => incident.status === 'OPEN'))
        shell.setExitCode(EXIT_CODES.below_expectation.code);
    });
}

function alertsCommand(shell: Shell) {
  return new Command('alerts')
    .description('Lists the alerts of one scan: the last scan of the asset, or the scan of --job.')
    .argument('<asset>', 'id of the asset, or its name if it is unique')
    .option('--job <id>', 'job of the scan')
    .action(async (wanted, { job }) => {
      const client = await observabilityClient(shell);
      const asset = await assetOf(client, wanted, shell.signal);
      const jobId = job ?? (await client.listJobs({ asset_id: asset.id, most_recent: true }, { signal: shell.signal }))[0]?.id;
      if (jobId === undefined) {
        throw new CommandFailure('not_found', `${asset.name} has not been scanned yet`, {
          advice: `Run \`sextant observe scan ${asset.id}\` to scan it.`,
        });
      }
      const alerts = await client.jobAlerts({ asset_id: asset.id, job_id: jobId }, { signal: shell.signal });
      shell.terminal.result(alerts, () =>
        alerts.length === 0
          ? `No alerts in job ${jobId}.`
          : shell.terminal.table(
              ['created', 'monitor', 'priority', { title: 'value', align: 'right' }, 'what'],
              alerts.map((alert) => [alert.create_time, alert.policy_name, alert.priority, alert.metric_value, inWords(alert.description)]),
            ),
      );
    });
}
