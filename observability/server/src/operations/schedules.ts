// SPDX-License-Identifier: Apache-2.0
/** Schedules: when an asset is scanned by itself. */
import { ApiError, type BodyOf, type Schedule } from '@sextant/contracts-observability';
import { cronProblem, nextRun } from '../jobs/cron.ts';
import { requireDated } from './asset-options.ts';
import { assetOfProject } from './assets.ts';
import { operation } from './operation.ts';

export const getSchedule = operation('get_schedule', async (context, { params }) => {
  const { id } = await assetOfProject(context, params);
  const schedule = await context.tenant.schedules.find(id);
  if (schedule === undefined) throw new ApiError('not_found', { what: 'Schedule of asset', id });
  return schedule;
});

export const putSchedule = operation('put_schedule', async (context, { params, body }) => {
  const { id } = await assetOfProject(context, params);
  const problem = cronProblem(body.schedule);
  if (problem !== undefined) throw new ApiError('bad_request', { reason: `schedule: ${problem}` });
  const schedule = complete(body);
  requireDated('timestamp_attribute', schedule.timestamp_attribute ?? undefined, await context.tenant.attributes.list(id));
  await context.tenant.schedules.put(id, schedule, nextRun(schedule.schedule, context.clock.nowMs()));
  return schedule;
});

export const deleteSchedule = operation('delete_schedule', async (context, { params }) => {
  const { id } = await assetOfProject(context, params);
  await context.tenant.schedules.delete(id);
  return { message: `The schedule of asset ${id} was deleted.` };
});

function complete(body: BodyOf<'put_schedule'>): Schedule {
  return {
    schedule: body.schedule,
    enabled: body.enabled ?? true,
    delta_only: body.delta_only ?? false,
    sample_fraction: body.sample_fraction ?? null,
    skip_investigator: body.skip_investigator ?? false,
    timestamp_attribute: body.timestamp_attribute ?? null,
  };
}
