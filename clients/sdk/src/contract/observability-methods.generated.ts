// Written by `npm run generate` from the endpoint table of the contract.
import type { RequestOptions } from '../http/request-options.ts';
import type { OperationId, RequestOf, ResultOf } from '../observability/request.ts';

/** Every operation of the observability service as a method. */
export abstract class ObservabilityMethods {
  protected abstract call<Id extends OperationId>(id: Id, request: RequestOf<Id>, options?: RequestOptions): Promise<ResultOf<Id>>;

  /** Say that the process is alive. */
  healthz(options?: RequestOptions): Promise<ResultOf<'healthz'>> {
    return this.call('healthz', {}, options);
  }

  /** Say whether requests are served. */
  readyz(options?: RequestOptions): Promise<ResultOf<'readyz'>> {
    return this.call('readyz', {}, options);
  }

  /** Figures for Prometheus. */
  metrics(options?: RequestOptions): Promise<ResultOf<'metrics'>> {
    return this.call('metrics', {}, options);
  }

  /** This document. */
  openapi(options?: RequestOptions): Promise<ResultOf<'openapi'>> {
    return this.call('openapi', {}, options);
  }

  /** This document as a page. */
  docs(options?: RequestOptions): Promise<ResultOf<'docs'>> {
    return this.call('docs', {}, options);
  }

  /** List the tenants. */
  listTenants(options?: RequestOptions): Promise<ResultOf<'list_tenants'>> {
    return this.call('list_tenants', {}, options);
  }

  /** Create a tenant and its first admin; a password that is not given is chosen and shown this once. */
  createTenant(request: RequestOf<'create_tenant'>, options?: RequestOptions): Promise<ResultOf<'create_tenant'>> {
    return this.call('create_tenant', request, options);
  }

  /** Get an access token for a password or a refresh token; the refresh token is used up and comes back new. */
  getToken(request: RequestOf<'get_token'>, options?: RequestOptions): Promise<ResultOf<'get_token'>> {
    return this.call('get_token', request, options);
  }

  /** End a session: no refresh token that came from its sign-in is taken any more. */
  revokeToken(request: RequestOf<'revoke_token'> = {}, options?: RequestOptions): Promise<ResultOf<'revoke_token'>> {
    return this.call('revoke_token', request, options);
  }

  /** List the API keys. */
  listApiKeys(options?: RequestOptions): Promise<ResultOf<'list_api_keys'>> {
    return this.call('list_api_keys', {}, options);
  }

  /** Create an API key; its secret is shown this once. */
  createApiKey(request: RequestOf<'create_api_key'>, options?: RequestOptions): Promise<ResultOf<'create_api_key'>> {
    return this.call('create_api_key', request, options);
  }

  /** Read one API key. */
  getApiKey(request: RequestOf<'get_api_key'>, options?: RequestOptions): Promise<ResultOf<'get_api_key'>> {
    return this.call('get_api_key', request, options);
  }

  /** Delete an API key; it is refused from then on. */
  deleteApiKey(request: RequestOf<'delete_api_key'>, options?: RequestOptions): Promise<ResultOf<'delete_api_key'>> {
    return this.call('delete_api_key', request, options);
  }

  /** List the users. */
  listUsers(options?: RequestOptions): Promise<ResultOf<'list_users'>> {
    return this.call('list_users', {}, options);
  }

  /** Create a user; a password that is not given is chosen and shown this once. */
  createUser(request: RequestOf<'create_user'>, options?: RequestOptions): Promise<ResultOf<'create_user'>> {
    return this.call('create_user', request, options);
  }

  /** Read one user. */
  getUser(request: RequestOf<'get_user'>, options?: RequestOptions): Promise<ResultOf<'get_user'>> {
    return this.call('get_user', request, options);
  }

  /** Change the names and the role of a user. */
  updateUser(request: RequestOf<'update_user'>, options?: RequestOptions): Promise<ResultOf<'update_user'>> {
    return this.call('update_user', request, options);
  }

  /** Delete a user and the tokens of that user. */
  deleteUser(request: RequestOf<'delete_user'>, options?: RequestOptions): Promise<ResultOf<'delete_user'>> {
    return this.call('delete_user', request, options);
  }

  /** Give a user a role in the tenant, or roles in single projects, which replace those before. */
  assignRole(request: RequestOf<'assign_role'>, options?: RequestOptions): Promise<ResultOf<'assign_role'>> {
    return this.call('assign_role', request, options);
  }

  /** Change the password; ends the sessions of that user. */
  changePassword(request: RequestOf<'change_password'>, options?: RequestOptions): Promise<ResultOf<'change_password'>> {
    return this.call('change_password', request, options);
  }

  /** Replace the password by a chosen one, which is shown this once; ends the sessions of that user. */
  resetPassword(request: RequestOf<'reset_password'>, options?: RequestOptions): Promise<ResultOf<'reset_password'>> {
    return this.call('reset_password', request, options);
  }

  /** List the projects. */
  listProjects(options?: RequestOptions): Promise<ResultOf<'list_projects'>> {
    return this.call('list_projects', {}, options);
  }

  /** Create a project. */
  createProject(request: RequestOf<'create_project'>, options?: RequestOptions): Promise<ResultOf<'create_project'>> {
    return this.call('create_project', request, options);
  }

  /** Read one project. */
  getProject(request: RequestOf<'get_project'>, options?: RequestOptions): Promise<ResultOf<'get_project'>> {
    return this.call('get_project', request, options);
  }

  /** Change the name or the description. */
  updateProject(request: RequestOf<'update_project'>, options?: RequestOptions): Promise<ResultOf<'update_project'>> {
    return this.call('update_project', request, options);
  }

  /** Delete an empty project. */
  deleteProject(request: RequestOf<'delete_project'>, options?: RequestOptions): Promise<ResultOf<'delete_project'>> {
    return this.call('delete_project', request, options);
  }

  /** List the connections of the tenant. */
  listConnections(options?: RequestOptions): Promise<ResultOf<'list_connections'>> {
    return this.call('list_connections', {}, options);
  }

  /** Create a global connection, which every project can use. */
  createConnection(request: RequestOf<'create_connection'>, options?: RequestOptions): Promise<ResultOf<'create_connection'>> {
    return this.call('create_connection', request, options);
  }

  /** Read one connection. */
  getConnection(request: RequestOf<'get_connection'>, options?: RequestOptions): Promise<ResultOf<'get_connection'>> {
    return this.call('get_connection', request, options);
  }

  /** Change what is sent of a connection. */
  updateConnection(request: RequestOf<'update_connection'>, options?: RequestOptions): Promise<ResultOf<'update_connection'>> {
    return this.call('update_connection', request, options);
  }

  /** Delete a connection that nothing uses. */
  deleteConnection(request: RequestOf<'delete_connection'>, options?: RequestOptions): Promise<ResultOf<'delete_connection'>> {
    return this.call('delete_connection', request, options);
  }

  /** Reach the source of a connection. */
  testConnection(request: RequestOf<'test_connection'>, options?: RequestOptions): Promise<ResultOf<'test_connection'>> {
    return this.call('test_connection', request, options);
  }

  /** List what a connection offers: files, tables, collections. */
  listConnectionItems(request: RequestOf<'list_connection_items'>, options?: RequestOptions): Promise<ResultOf<'list_connection_items'>> {
    return this.call('list_connection_items', request, options);
  }

  /** List the connections of a project. */
  listProjectConnections(request: RequestOf<'list_project_connections'>, options?: RequestOptions): Promise<ResultOf<'list_project_connections'>> {
    return this.call('list_project_connections', request, options);
  }

  /** Create a connection of a project. */
  createProjectConnection(request: RequestOf<'create_project_connection'>, options?: RequestOptions): Promise<ResultOf<'create_project_connection'>> {
    return this.call('create_project_connection', request, options);
  }

  /** Read one connection of a project. */
  getProjectConnection(request: RequestOf<'get_project_connection'>, options?: RequestOptions): Promise<ResultOf<'get_project_connection'>> {
    return this.call('get_project_connection', request, options);
  }

  /** Change what is sent of a connection of a project. */
  updateProjectConnection(request: RequestOf<'update_project_connection'>, options?: RequestOptions): Promise<ResultOf<'update_project_connection'>> {
    return this.call('update_project_connection', request, options);
  }

  /** Delete a connection of a project that nothing uses. */
  deleteProjectConnection(request: RequestOf<'delete_project_connection'>, options?: RequestOptions): Promise<ResultOf<'delete_project_connection'>> {
    return this.call('delete_project_connection', request, options);
  }

  /** Reach the source of a connection of a project. */
  testProjectConnection(request: RequestOf<'test_project_connection'>, options?: RequestOptions): Promise<ResultOf<'test_project_connection'>> {
    return this.call('test_project_connection', request, options);
  }

  /** List what a connection of a project offers: files, tables, collections. */
  listProjectConnectionItems(request: RequestOf<'list_project_connection_items'>, options?: RequestOptions): Promise<ResultOf<'list_project_connection_items'>> {
    return this.call('list_project_connection_items', request, options);
  }

  /** List the assets of the tenant. */
  listAssets(request: RequestOf<'list_assets'> = {}, options?: RequestOptions): Promise<ResultOf<'list_assets'>> {
    return this.call('list_assets', request, options);
  }

  /** List the assets of a project. */
  listProjectAssets(request: RequestOf<'list_project_assets'>, options?: RequestOptions): Promise<ResultOf<'list_project_assets'>> {
    return this.call('list_project_assets', request, options);
  }

  /** Register an asset; its schema is read, and no attribute is monitored until it is chosen. */
  createAsset(request: RequestOf<'create_asset'>, options?: RequestOptions): Promise<ResultOf<'create_asset'>> {
    return this.call('create_asset', request, options);
  }

  /** Read one asset with its attributes, schedule and lineage. */
  getAsset(request: RequestOf<'get_asset'>, options?: RequestOptions): Promise<ResultOf<'get_asset'>> {
    return this.call('get_asset', request, options);
  }

  /** Change what is sent of an asset. */
  updateAsset(request: RequestOf<'update_asset'>, options?: RequestOptions): Promise<ResultOf<'update_asset'>> {
    return this.call('update_asset', request, options);
  }

  /** Delete an asset and all that was measured of it. */
  deleteAsset(request: RequestOf<'delete_asset'>, options?: RequestOptions): Promise<ResultOf<'delete_asset'>> {
    return this.call('delete_asset', request, options);
  }

  /** Move assets to the project of the path; needs the role editor in both projects. */
  moveAssets(request: RequestOf<'move_assets'>, options?: RequestOptions): Promise<ResultOf<'move_assets'>> {
    return this.call('move_assets', request, options);
  }

  /** List the attributes of an asset. */
  listAttributes(request: RequestOf<'list_attributes'>, options?: RequestOptions): Promise<ResultOf<'list_attributes'>> {
    return this.call('list_attributes', request, options);
  }

  /** Choose which attributes are monitored; the others are not. */
  putAttributes(request: RequestOf<'put_attributes'>, options?: RequestOptions): Promise<ResultOf<'put_attributes'>> {
    return this.call('put_attributes', request, options);
  }

  /** Read which assets this one comes from and which come from it. */
  getLineage(request: RequestOf<'get_lineage'>, options?: RequestOptions): Promise<ResultOf<'get_lineage'>> {
    return this.call('get_lineage', request, options);
  }

  /** Set the assets that this one comes from; cycles are refused. */
  putLineage(request: RequestOf<'put_lineage'>, options?: RequestOptions): Promise<ResultOf<'put_lineage'>> {
    return this.call('put_lineage', request, options);
  }

  /** Read the schedule of an asset. */
  getSchedule(request: RequestOf<'get_schedule'>, options?: RequestOptions): Promise<ResultOf<'get_schedule'>> {
    return this.call('get_schedule', request, options);
  }

  /** Scan an asset by a schedule. */
  putSchedule(request: RequestOf<'put_schedule'>, options?: RequestOptions): Promise<ResultOf<'put_schedule'>> {
    return this.call('put_schedule', request, options);
  }

  /** Remove the schedule of an asset. */
  deleteSchedule(request: RequestOf<'delete_schedule'>, options?: RequestOptions): Promise<ResultOf<'delete_schedule'>> {
    return this.call('delete_schedule', request, options);
  }

  /** List the uploaded files. */
  listUploads(options?: RequestOptions): Promise<ResultOf<'list_uploads'>> {
    return this.call('list_uploads', {}, options);
  }

  /** Delete an uploaded file that no asset uses. */
  deleteUpload(request: RequestOf<'delete_upload'>, options?: RequestOptions): Promise<ResultOf<'delete_upload'>> {
    return this.call('delete_upload', request, options);
  }

  /** Scan an asset; answers the job to follow. */
  startScan(request: RequestOf<'start_scan'>, options?: RequestOptions): Promise<ResultOf<'start_scan'>> {
    return this.call('start_scan', request, options);
  }

  /** Read one job. */
  getJob(request: RequestOf<'get_job'>, options?: RequestOptions): Promise<ResultOf<'get_job'>> {
    return this.call('get_job', request, options);
  }

  /** List the jobs of an asset, newest first; with most_recent=true only the last. */
  listJobs(request: RequestOf<'list_jobs'>, options?: RequestOptions): Promise<ResultOf<'list_jobs'>> {
    return this.call('list_jobs', request, options);
  }

  /** List the jobs of all assets, newest first; with most_recent=true only the last of each. */
  listTenantJobs(request: RequestOf<'list_tenant_jobs'> = {}, options?: RequestOptions): Promise<ResultOf<'list_tenant_jobs'>> {
    return this.call('list_tenant_jobs', request, options);
  }

  /** Stop a job. */
  cancelJob(request: RequestOf<'cancel_job'>, options?: RequestOptions): Promise<ResultOf<'cancel_job'>> {
    return this.call('cancel_job', request, options);
  }

  /** Rows that failed a rule or could not be read, points of a collection that are at fault; personal data masked. */
  listSamples(request: RequestOf<'list_samples'>, options?: RequestOptions): Promise<ResultOf<'list_samples'>> {
    return this.call('list_samples', request, options);
  }

  /** Columns that were added, removed or retyped since the scan before. */
  listSchemaChanges(request: RequestOf<'list_schema_changes'>, options?: RequestOptions): Promise<ResultOf<'list_schema_changes'>> {
    return this.call('list_schema_changes', request, options);
  }

  /** The history of the metrics of an asset, oldest first. */
  listMetrics(request: RequestOf<'list_metrics'>, options?: RequestOptions): Promise<ResultOf<'list_metrics'>> {
    return this.call('list_metrics', request, options);
  }

  /** List the monitors of all assets, those that people made first: all, or those that use a channel or a ticket template. */
  listTenantMonitors(request: RequestOf<'list_tenant_monitors'> = {}, options?: RequestOptions): Promise<ResultOf<'list_tenant_monitors'>> {
    return this.call('list_tenant_monitors', request, options);
  }

  /** List the monitors of an asset, the pre-built ones among them. */
  listMonitors(request: RequestOf<'list_monitors'>, options?: RequestOptions): Promise<ResultOf<'list_monitors'>> {
    return this.call('list_monitors', request, options);
  }

  /** Create a monitor. */
  createMonitor(request: RequestOf<'create_monitor'>, options?: RequestOptions): Promise<ResultOf<'create_monitor'>> {
    return this.call('create_monitor', request, options);
  }

  /** Check a monitor without saving it, and try it on what was measured so far. */
  previewMonitor(request: RequestOf<'preview_monitor'>, options?: RequestOptions): Promise<ResultOf<'preview_monitor'>> {
    return this.call('preview_monitor', request, options);
  }

  /** Read one monitor. */
  getMonitor(request: RequestOf<'get_monitor'>, options?: RequestOptions): Promise<ResultOf<'get_monitor'>> {
    return this.call('get_monitor', request, options);
  }

  /** Replace a monitor; its type stays. */
  updateMonitor(request: RequestOf<'update_monitor'>, options?: RequestOptions): Promise<ResultOf<'update_monitor'>> {
    return this.call('update_monitor', request, options);
  }

  /** Delete a monitor and its alerts; pre-built ones can only be disabled. */
  deleteMonitor(request: RequestOf<'delete_monitor'>, options?: RequestOptions): Promise<ResultOf<'delete_monitor'>> {
    return this.call('delete_monitor', request, options);
  }

  /** List incidents, newest first. */
  listIncidents(request: RequestOf<'list_incidents'> = {}, options?: RequestOptions): Promise<ResultOf<'list_incidents'>> {
    return this.call('list_incidents', request, options);
  }

  /** Count incidents per day of creation (UTC). */
  incidentDistribution(request: RequestOf<'incident_distribution'> = {}, options?: RequestOptions): Promise<ResultOf<'incident_distribution'>> {
    return this.call('incident_distribution', request, options);
  }

  /** Count incidents by status and tag, and say how long they took to resolve. */
  incidentSummary(options?: RequestOptions): Promise<ResultOf<'incident_summary'>> {
    return this.call('incident_summary', {}, options);
  }

  /** Read one incident with its metrics and history. */
  getIncident(request: RequestOf<'get_incident'>, options?: RequestOptions): Promise<ResultOf<'get_incident'>> {
    return this.call('get_incident', request, options);
  }

  /** Alerts by source, time and violation; of an incident with the alert_refs of its history. */
  alertsByFilters(request: RequestOf<'alerts_by_filters'>, options?: RequestOptions): Promise<ResultOf<'alerts_by_filters'>> {
    return this.call('alerts_by_filters', request, options);
  }

  /** The alerts of a job. */
  jobAlerts(request: RequestOf<'job_alerts'>, options?: RequestOptions): Promise<ResultOf<'job_alerts'>> {
    return this.call('job_alerts', request, options);
  }

  /** Close an incident; the next scan reopens it if the violation still stands. */
  closeIncident(request: RequestOf<'close_incident'>, options?: RequestOptions): Promise<ResultOf<'close_incident'>> {
    return this.call('close_incident', request, options);
  }

  /** Reopen the newest incident of a monitor and what it is about. */
  reopenIncident(request: RequestOf<'reopen_incident'>, options?: RequestOptions): Promise<ResultOf<'reopen_incident'>> {
    return this.call('reopen_incident', request, options);
  }

  /** Say which user looks after an incident; null for nobody. */
  putIncidentAssignee(request: RequestOf<'put_incident_assignee'>, options?: RequestOptions): Promise<ResultOf<'put_incident_assignee'>> {
    return this.call('put_incident_assignee', request, options);
  }

  /** Say of an incident that somebody knows, that it can wait, that it is expected or no fault; null takes it back. */
  putIncidentHandling(request: RequestOf<'put_incident_handling'>, options?: RequestOptions): Promise<ResultOf<'put_incident_handling'>> {
    return this.call('put_incident_handling', request, options);
  }

  /** Do the same about many incidents, each by itself. */
  bulkIncidents(request: RequestOf<'bulk_incidents'>, options?: RequestOptions): Promise<ResultOf<'bulk_incidents'>> {
    return this.call('bulk_incidents', request, options);
  }

  /** List the comments on an incident, oldest first. */
  listIncidentComments(request: RequestOf<'list_incident_comments'>, options?: RequestOptions): Promise<ResultOf<'list_incident_comments'>> {
    return this.call('list_incident_comments', request, options);
  }

  /** Comment on an incident. */
  createIncidentComment(request: RequestOf<'create_incident_comment'>, options?: RequestOptions): Promise<ResultOf<'create_incident_comment'>> {
    return this.call('create_incident_comment', request, options);
  }

  /** Who looks after an incident, and who did what about it when. */
  incidentActivity(request: RequestOf<'incident_activity'>, options?: RequestOptions): Promise<ResultOf<'incident_activity'>> {
    return this.call('incident_activity', request, options);
  }

  /** Why an incident is there, and which others have the same cause. */
  incidentStory(request: RequestOf<'incident_story'>, options?: RequestOptions): Promise<ResultOf<'incident_story'>> {
    return this.call('incident_story', request, options);
  }

  /** Make incidents of the alerts of the last 30 days that belong to none; nobody is notified. */
  backfillIncidents(options?: RequestOptions): Promise<ResultOf<'backfill_incidents'>> {
    return this.call('backfill_incidents', {}, options);
  }

  /** Leave a measured point out of learning and alerting, or take it back in. */
  putMetricExclusion(request: RequestOf<'put_metric_exclusion'>, options?: RequestOptions): Promise<ResultOf<'put_metric_exclusion'>> {
    return this.call('put_metric_exclusion', request, options);
  }

  /** The points of an asset that are left out, newest first. */
  listMetricExclusions(request: RequestOf<'list_metric_exclusions'>, options?: RequestOptions): Promise<ResultOf<'list_metric_exclusions'>> {
    return this.call('list_metric_exclusions', request, options);
  }

  /** Who did what when, newest first; the next page begins before the last id of this one. */
  listAudit(request: RequestOf<'list_audit'> = {}, options?: RequestOptions): Promise<ResultOf<'list_audit'>> {
    return this.call('list_audit', request, options);
  }

  /** List the ticket templates, newest first. */
  listTicketTemplates(options?: RequestOptions): Promise<ResultOf<'list_ticket_templates'>> {
    return this.call('list_ticket_templates', {}, options);
  }

  /** Create a ticket template. */
  createTicketTemplate(request: RequestOf<'create_ticket_template'>, options?: RequestOptions): Promise<ResultOf<'create_ticket_template'>> {
    return this.call('create_ticket_template', request, options);
  }

  /** Read one ticket template. */
  getTicketTemplate(request: RequestOf<'get_ticket_template'>, options?: RequestOptions): Promise<ResultOf<'get_ticket_template'>> {
    return this.call('get_ticket_template', request, options);
  }

  /** Replace a ticket template. */
  updateTicketTemplate(request: RequestOf<'update_ticket_template'>, options?: RequestOptions): Promise<ResultOf<'update_ticket_template'>> {
    return this.call('update_ticket_template', request, options);
  }

  /** Delete a ticket template that no monitor uses. */
  deleteTicketTemplate(request: RequestOf<'delete_ticket_template'>, options?: RequestOptions): Promise<ResultOf<'delete_ticket_template'>> {
    return this.call('delete_ticket_template', request, options);
  }

  /** Read the configuration; `{}` when none was saved. */
  getSparkJobConfig(options?: RequestOptions): Promise<ResultOf<'get_spark_job_config'>> {
    return this.call('get_spark_job_config', {}, options);
  }

  /** Replace the blocks that are sent; null clears a block. */
  putSparkJobConfig(request: RequestOf<'put_spark_job_config'> = {}, options?: RequestOptions): Promise<ResultOf<'put_spark_job_config'>> {
    return this.call('put_spark_job_config', request, options);
  }

  /** Remove the configuration. */
  deleteSparkJobConfig(options?: RequestOptions): Promise<ResultOf<'delete_spark_job_config'>> {
    return this.call('delete_spark_job_config', {}, options);
  }

  /** Read how the score of an asset is weighed. */
  getDqScore(request: RequestOf<'get_dq_score'>, options?: RequestOptions): Promise<ResultOf<'get_dq_score'>> {
    return this.call('get_dq_score', request, options);
  }

  /** Set how the score of an asset is weighed. */
  putDqScore(request: RequestOf<'put_dq_score'>, options?: RequestOptions): Promise<ResultOf<'put_dq_score'>> {
    return this.call('put_dq_score', request, options);
  }

  /** Go back to the default weights. */
  deleteDqScore(request: RequestOf<'delete_dq_score'>, options?: RequestOptions): Promise<ResultOf<'delete_dq_score'>> {
    return this.call('delete_dq_score', request, options);
  }

  /** Read the configuration; `{}` when none was saved. */
  getDqReporting(options?: RequestOptions): Promise<ResultOf<'get_dq_reporting'>> {
    return this.call('get_dq_reporting', {}, options);
  }

  /** Set where the reports of monitor scans are written. */
  putDqReporting(request: RequestOf<'put_dq_reporting'>, options?: RequestOptions): Promise<ResultOf<'put_dq_reporting'>> {
    return this.call('put_dq_reporting', request, options);
  }

  /** Remove the configuration. */
  deleteDqReporting(options?: RequestOptions): Promise<ResultOf<'delete_dq_reporting'>> {
    return this.call('delete_dq_reporting', {}, options);
  }

  /** List the notification channels. */
  listChannels(options?: RequestOptions): Promise<ResultOf<'list_channels'>> {
    return this.call('list_channels', {}, options);
  }

  /** Create a notification channel; of a WEBHOOK channel, the answer holds the secret that signs its messages. */
  createChannel(request: RequestOf<'create_channel'>, options?: RequestOptions): Promise<ResultOf<'create_channel'>> {
    return this.call('create_channel', request, options);
  }

  /** Read one notification channel. */
  getChannel(request: RequestOf<'get_channel'>, options?: RequestOptions): Promise<ResultOf<'get_channel'>> {
    return this.call('get_channel', request, options);
  }

  /** Replace a notification channel. */
  updateChannel(request: RequestOf<'update_channel'>, options?: RequestOptions): Promise<ResultOf<'update_channel'>> {
    return this.call('update_channel', request, options);
  }

  /** Delete a notification channel that no monitor uses. */
  deleteChannel(request: RequestOf<'delete_channel'>, options?: RequestOptions): Promise<ResultOf<'delete_channel'>> {
    return this.call('delete_channel', request, options);
  }

  /** What failed in the background, newest first; 100 unless `limit` says otherwise. */
  listBackgroundErrors(request: RequestOf<'list_background_errors'> = {}, options?: RequestOptions): Promise<ResultOf<'list_background_errors'>> {
    return this.call('list_background_errors', request, options);
  }

  /** Send a message to every address of a channel now. */
  testChannel(request: RequestOf<'test_channel'>, options?: RequestOptions): Promise<ResultOf<'test_channel'>> {
    return this.call('test_channel', request, options);
  }

  /** Give a WEBHOOK channel a new secret; for 24 hours, messages carry the signatures of both. */
  rotateChannelSecret(request: RequestOf<'rotate_channel_secret'>, options?: RequestOptions): Promise<ResultOf<'rotate_channel_secret'>> {
    return this.call('rotate_channel_secret', request, options);
  }

  /** What was sent or waits to be, newest first; kept for 30 days. */
  listDeliveries(request: RequestOf<'list_deliveries'> = {}, options?: RequestOptions): Promise<ResultOf<'list_deliveries'>> {
    return this.call('list_deliveries', request, options);
  }

  /** Send a delivery that has ended once more, as the same message. */
  replayDelivery(request: RequestOf<'replay_delivery'>, options?: RequestOptions): Promise<ResultOf<'replay_delivery'>> {
    return this.call('replay_delivery', request, options);
  }

  /** Read how the tracker is reached, `{}` when none is connected; the token stays inside. */
  getTrackerConnection(options?: RequestOptions): Promise<ResultOf<'get_tracker_connection'>> {
    return this.call('get_tracker_connection', {}, options);
  }

  /** Set how the tracker is reached. */
  putTrackerConnection(request: RequestOf<'put_tracker_connection'>, options?: RequestOptions): Promise<ResultOf<'put_tracker_connection'>> {
    return this.call('put_tracker_connection', request, options);
  }

  /** Forget the tracker; its tickets stay linked and are no longer read. */
  deleteTrackerConnection(options?: RequestOptions): Promise<ResultOf<'delete_tracker_connection'>> {
    return this.call('delete_tracker_connection', {}, options);
  }

  /** Ask the tracker who the credential belongs to. */
  testTrackerConnection(options?: RequestOptions): Promise<ResultOf<'test_tracker_connection'>> {
    return this.call('test_tracker_connection', {}, options);
  }

  /** The fields of the ticket that a template would make, for an incident or for sample values. */
  previewTicket(request: RequestOf<'preview_ticket'> = {}, options?: RequestOptions): Promise<ResultOf<'preview_ticket'>> {
    return this.call('preview_ticket', request, options);
  }

  /** Read the ticket of an incident. */
  getTicket(request: RequestOf<'get_ticket'>, options?: RequestOptions): Promise<ResultOf<'get_ticket'>> {
    return this.call('get_ticket', request, options);
  }

  /** Have a ticket made for an incident. */
  createTicket(request: RequestOf<'create_ticket'>, options?: RequestOptions): Promise<ResultOf<'create_ticket'>> {
    return this.call('create_ticket', request, options);
  }

  /** Take the ticket from its incident; the tracker keeps it. */
  unlinkTicket(request: RequestOf<'unlink_ticket'>, options?: RequestOptions): Promise<ResultOf<'unlink_ticket'>> {
    return this.call('unlink_ticket', request, options);
  }

  /** List the assets of the tenant with their scores. */
  listDqScores(options?: RequestOptions): Promise<ResultOf<'list_dq_scores'>> {
    return this.call('list_dq_scores', {}, options);
  }

  /** Read the score of an asset as it is now, with the parts that make it up and what changed it. */
  getDqScoreValue(request: RequestOf<'get_dq_score_value'>, options?: RequestOptions): Promise<ResultOf<'get_dq_score_value'>> {
    return this.call('get_dq_score_value', request, options);
  }

  /** The score of each scan, oldest first; the newest 1000 unless `limit` says otherwise. */
  listDqScoreHistory(request: RequestOf<'list_dq_score_history'>, options?: RequestOptions): Promise<ResultOf<'list_dq_score_history'>> {
    return this.call('list_dq_score_history', request, options);
  }
}
