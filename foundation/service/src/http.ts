// SPDX-License-Identifier: Apache-2.0
/** What a service with an HTTP interface has. An entry of its own, since the framework and the metrics take a thread that serves nobody long to load. */
export { type ConsoleServices, OWN_ORIGIN, serveConsole } from './console.ts';
export { type DocsPage, docsPage } from './docs-page.ts';
export {
  type CollectionFigures,
  createResponseMetrics,
  type Figure,
  gatherMetrics,
  type MetricsPage,
  type MetricsSnapshot,
  type ResponseMetrics,
  renderMetrics,
} from './metrics.ts';
export { NO_SCHEMAS } from './no-schemas.ts';
export { connectionFigures, descriptorFigures, diskFigures } from './process-figures.ts';
export { takeBodiesRaw } from './raw-bodies.ts';
export { type CountedRequest, collectionMetrics, durationMetrics, RequestStatistics } from './request-statistics.ts';
export { type DrainTimes, drainConnections, drainTimes, ServerConnections } from './server-connections.ts';
export { shownRoute } from './shown-route.ts';
export { noteStatus, requestSpan, traceRequests } from './telemetry/traced-requests.ts';
export { certificateFigure } from './tls/certificate-figure.ts';
export { httpsServerFactory } from './tls/https-server.ts';
export { refuseUnreadable } from './unreadable-request.ts';
export { type AccessRules, type ChangeableAccess, changeableAccess } from './web-access/changeable-access.ts';
export { createWebAccess, type WebAccess, type WebRefusal } from './web-access/web-access.ts';
export { openWebGate } from './web-access/web-gate.ts';
export { answerWrongMethods, type ServedPath } from './wrong-methods.ts';
