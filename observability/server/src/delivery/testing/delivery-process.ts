// SPDX-License-Identifier: Apache-2.0
/**
 * A process that delivers until it is killed, or kills itself. Arguments: the directory of the metadata, then the step after which it
 * dies: `claimed`, `sent`, or `never`.
 */
import { randomBytes } from 'node:crypto';
import { createOutboundGuard } from '@sextant/foundation-service';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { createMailer } from '@sextant/observability-delivery';
import { openMetadata } from '@sextant/observability-metadata';
import { deliver } from '../deliver.ts';
import { openDeliveryOutbox } from '../delivery-outbox.ts';

/** So short that what a killed process held is soon due again, and longer than a delivery on a busy machine takes. */
const LEASE_MS = 3000;

const [directory = '', dieAfter] = process.argv.slice(2);
const clock = systemClock;
const metadata = await openMetadata({ directory }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
const guard = createOutboundGuard({ allowPrivateNetworks: true });
const means = { guard, clock, mailer: createMailer(undefined), publicUrl: undefined };
const outbox = openDeliveryOutbox({
  metadata,
  deliver: async (claim, signal) => {
    if (dieAfter === 'claimed') process.kill(process.pid, 'SIGKILL');
    const aftermath = await deliver({ claim, tenant: metadata.forTenant(claim.tenant_id), means, wire: { ...means, signal } });
    if (dieAfter === 'sent') process.kill(process.pid, 'SIGKILL');
    return aftermath;
  },
  clock,
  random: seededRandom(1),
  log: { error: (details) => void process.stderr.write(`${JSON.stringify(details)}\n`) },
  leaseMs: LEASE_MS,
});
await metadata.platform.deliveries.releaseLeases();
outbox.wake();
process.stdout.write('ready\n');
