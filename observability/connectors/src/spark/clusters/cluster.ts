// SPDX-License-Identifier: Apache-2.0
/** What the clusters of all providers have in common: how one is asked for, and how its names follow from what asks. */
import { createHash } from 'node:crypto';
import type { Credential, SparkJobConfig } from '@sextant/contracts-observability';
import type { Clock } from '@sextant/foundation-std';
import type { ClusterState } from '../../connector.ts';
import type { SparkAddress } from '../connect-channel.ts';
import type { ProviderCalls } from './provider-calls.ts';

/** What a connection says of its cluster, without secrets: the members of its payload. */
export type ClusterPlace = { readonly [member: string]: unknown };

export type ClusterRequest = {
  readonly place: ClusterPlace;
  readonly credential: Credential | null;
  readonly config: SparkJobConfig;
  /** Tenant and connection: nobody else shares their clusters. */
  readonly owner: string;
  /** What asks, the same for each attempt at a job. */
  readonly run: string;
  readonly onState?: ((state: ClusterState) => void) | undefined;
};

/** Where Spark Connect is; not resolved yet. */
export type ConnectPlace = Omit<SparkAddress, 'address'>;

export type ClusterStep =
  | ({ readonly kind: 'waiting' } & ClusterState)
  /** The provider says that it runs; whether it listens is to be seen. */
  | { readonly kind: 'running'; readonly name: string; readonly connect: ConnectPlace };

/**
 * One request's way to Spark. Each call looks up what there is, by names that follow from the request, and does the one thing that is next: so an attempt
 * goes on where another one died.
 */
export type ClusterAttempt = {
  /** @throws SourceError where waiting longer would not help */
  advance(signal: AbortSignal): Promise<ClusterStep>;
  /** Ends what is for this run alone; the cluster stays for the next one until it has been idle for long enough. */
  release(signal: AbortSignal): Promise<void>;
};

export type ClusterProvider = {
  /** @throws SourceError that names the member which is wrong */
  validate(place: ClusterPlace, credential: Credential | null): void;
  attempt(request: ClusterRequest, tools: ProviderTools): ClusterAttempt;
  /** Proves that the provider knows the credential; starts nothing. */
  check(request: Pick<ClusterRequest, 'place' | 'credential'>, tools: ProviderTools, signal: AbortSignal): Promise<void>;
};

export type ProviderTools = { readonly calls: ProviderCalls; readonly clock: Clock };

const PREFIX = 'sextant';
const DIGITS = 20;

/** The same cluster for the same owner and settings: who changes the settings gets a new one, and the other ends when it is idle. */
export function clusterName(owner: string, settings: unknown): string {
  return `${PREFIX}-${digest(owner, JSON.stringify(settings))}`;
}

/** Names what is for one run alone; numbers count what ended before it was of use. */
export function serverName(run: string, number: number): string {
  return `${PREFIX}-${digest(run)}-${number}`;
}

/** Servers of several runs share a machine. Below the ports that systems give away themselves (32768 and up on Linux). */
export function serverPort(name: string): number {
  const [high = 0, low = 0] = createHash('sha256').update(name).digest();
  return PORT_MIN + ((high * 256 + low) % PORTS);
}

const PORT_MIN = 16_000;
const PORTS = 8000;

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, DIGITS);
}

/** What is set on a server that a provider starts as a program of Spark. */
export function serverProperties(config: SparkJobConfig, port: number): { readonly [name: string]: string } {
  return { ...config.spark_properties, 'spark.connect.grpc.binding.port': String(port) };
}

/** https://spark.apache.org/docs/latest/spark-connect-overview.html; what `sbin/start-connect-server.sh` submits. */
export const CONNECT_SERVER = 'org.apache.spark.sql.connect.service.SparkConnectServer';

/** Servers that end before they are of use, of one request: another port may have been taken. */
export const SERVERS_MAX = 3;
