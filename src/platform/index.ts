export {
  EnvironmentError,
  isOpenSandbox,
  environmentVariables,
  parseEnvironment,
  type Environment,
  type Mode,
  ENVIRONMENT,
  InjectEnvironment,
} from './config/environment.js';
export { ClockDifference, IF_EVERY_REPLICA } from './clock/clock-difference.js';
export { Clock, movedTime, OffsetClock, onClock, SystemClock } from './clock/clock.js';
export {
  equalBytes,
  Keyring,
  nullWhenUnreadable,
  sealedSamples,
  type SealedSamples,
  sha256,
  Unreadable,
} from './crypto/keyring.js';
export { admitMasterKeys, MasterKeyError, verifyMasterKeys } from './crypto/verify-master-keys.js';
export { IdGenerator, type IdPrefix, RandomSource } from './ids/id-generator.js';
export { dueRows, type DueWork, Leased, type TimesQuery } from './work/due-work.js';
export {
  appNow,
  type ColumnOf,
  Columns,
  CountColumn,
  FlagColumn,
  IdentityColumn,
  IntegerColumn,
  JsonColumn,
  NowColumn,
  NullableColumn,
  NullableTextColumn,
  NullableTimeColumn,
  oneOf,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from './database/columns.js';
export { databaseProblem, isConnectionLost, isWorthRetrying } from './database/connection-lost.js';
export { Database } from './database/database.js';
export {
  type Durability,
  DurabilityError,
  judgeDurability,
  lookAtDatabase,
  refuseLosses,
} from './database/durability.js';
export { DatabaseWaits } from './database/database-waits.js';
export { readDatabaseFunctions } from './database/database-functions.js';
export { type Asset, keptAsset, sendAsset } from './screens/assets/assets.js';
export {
  dataSourceOptions,
  type KeptByReset,
  projectPath,
  type Schema,
  sessionClient,
} from './database/data-source.js';
export { RowArrays } from './database/row-arrays.js';
export {
  startEmbeddedPostgres,
  type RunningPostgres,
  openDatabase,
} from './database/embedded/embedded-postgres.js';
export { FreshReads } from './database/fresh-reads.js';
export { Listener } from './database/listener.js';
export { isLoggedOutage } from './database/outage.js';
export { OtherSchemaError } from './database/migrate.js';
export { missingMigrations, prepareDatabase } from './database/prepare-database.js';
export type { Queries } from './database/queries.js';
export { Tx } from './database/tx.js';
export { PLANS_BY_INDEX, type WorkerPool } from './database/worker-pool.js';
export { ERROR_CATALOGUE, type ErrorCode } from './errors/error-catalogue.js';
export { Fault, isFault, validationFault, type FieldProblem, messageOf } from './errors/fault.js';
export { configureHttp } from './http/configure-http.js';
export { AddressLimiter, clientNetwork } from './http/address-limiter.js';
export { FaultFilter } from './http/fault.filter.js';
export {
  exampleId,
  ignoredParameters,
  IgnoredParameters,
  ShownChoice,
  ShownCount,
  ShownFlag,
  ShownId,
  ShownList,
  ShownNumber,
  ShownObject,
  ShownRupees,
  ShownText,
  ShownTime,
  ShownUrl,
} from './http/shown-fields.js';
export { fromRequest } from './http/from-request.js';
export { JsonBody, parseJsonBody, ValidBody, isDeeper } from './http/json-body.js';
export {
  AT_LEAST_ONE_NOTE,
  AtLeastOne,
  isPartnerPath,
  PARTNER_CALL_NOTE,
  PartnerApi,
  PartnerCall,
  type PartnerCallNote,
  type RawRequest,
  SCOPE_NOTE,
} from './http/partner-routes.js';
export { HttpAdapter } from './http/bounded-server.js';
export {
  PAGE_POLICY,
  writeRateLimitHeaders,
  type RateLimitFigures,
} from './http/response-headers.js';
export { RequestBodies } from './http/request-bodies.js';
export { CurrentIdempotencyKey, type IdempotencyKey } from './idempotency/idempotency-key.js';
export { Idempotency } from './idempotency/idempotency.js';
export { IdempotentResult } from './idempotency/idempotent-result.js';
export { AppliedConfiguration, OperationModule } from './health/health.controller.js';
export { bootLog, loggingModule } from './logging/logging.module.js';
export { logFailure, attempt } from './logging/log-failure.js';
export { clearGauge, Metrics } from './metrics/metrics.js';
export { addressProblem, MAX_ADDRESS_CHARACTERS, type Reach } from './outbound/address-problem.js';
export { isPrivateHost } from './outbound/refused-address.js';
export {
  GuardedClient,
  type OutboundAnswer,
  type OutboundBytes,
  OutboundClient,
} from './outbound/guarded-client.js';
export { Mailer } from './outbound/mailer.js';
export { OutboundFailure, type OutboundFailureReason } from './outbound/outbound-failure.js';
export { OutboundThread, type ThreadLimits } from './outbound/outbound-thread/outbound-thread.js';
export { TooLate } from './outbound/exchange.js';
export {
  type DescribedParameter,
  type DocumentOwner,
  type Examples,
  type Failures,
  header,
  headersNamed,
  jsonContent,
  type Operation,
  openApiDocument,
  operation,
  optional,
  parameter,
  reference,
  sharedFailures,
} from './openapi/open-api-document.js';
export { type Schema as JsonSchema, Schemas } from './openapi/schema-examples.js';
export { PlatformModule } from './platform.module.js';
export {
  FormPost,
  CSRF_COOKIE,
  SESSION_COOKIE,
  WORKBENCH_COOKIE,
  WORKBENCH_PATH,
} from './screens/csrf-tokens.js';
export { catalogueOf, defineTexts, type TextsOf, translate } from './screens/catalogue.js';
export {
  formatClock,
  formatDate,
  formatDateTime,
  formatDayMonth,
  formatMoney,
  formatPercent,
  formatRupees,
  formatWeekday,
} from './screens/formats.js';
export {
  type Entered,
  enteredIn,
  type FormError,
  FormField,
  mobileOf,
  readForm,
} from './screens/read-form.js';
export {
  type Language,
  languageOf,
  isLanguage,
  LANGUAGES,
  namedLanguage,
  PageLanguage,
} from './screens/language.js';
export {
  nameOnPages,
  type PageBrand,
  PageBrandSource,
  type PageLogo,
  type PagePartner,
} from './screens/screen-data.js';
export { PageCookies } from './screens/page-cookies.js';
export {
  joined,
  PageText,
  say,
  sayDate,
  sayDateTime,
  sayDayMonth,
  type Shown,
  type ShownValues,
  written,
} from './screens/page-text.js';
export {
  AnswersWithScreens,
  LeaveTo,
  Page,
  PageFile,
  SeeOther,
} from './screens/screen.interceptor.js';
export { type ScreenModel, Screens } from './screens/screens.js';
export { type AnsweringThread, ThreadEnded, functionThread } from './threads/answering-thread.js';
export { canonicalJson } from './validation/canonical-json.js';
export { isCalendarDate, parseIsoInstant } from './validation/iso-instant.js';
export { isObject, isRecord } from './validation/json-object.js';
export {
  hasIdentityWord,
  hasPersonalNumber,
  maskIdentityWords,
  maskPersonalData,
} from './validation/personal-data-masks.js';
export { choice, field, wholeNumber } from './validation/schema-field.js';
export { asSent, checkBody, missingOr, validated } from './validation/validated.js';
export {
  AcceptedField,
  ChoiceField,
  CountField,
  DescribedField,
  EmailField,
  NameField,
  NestedField,
  PatternField,
  Rule,
  InstantField,
  RupeesField,
  TextField,
} from './validation/field-rules.js';
export {
  asPlainText,
  isPlainText,
  NAME,
  PLAIN_TEXT,
  PLAIN_TEXT_RULE,
  withoutInvisible,
} from './validation/plain-text.js';
export { exponentialBackoff, Signal, Slots, WorkLoop } from './work/work-loop.js';
export { Batcher, BatchQueue, READS_A_BATCH } from './work/batcher.js';
export { ClaimWorker } from './work/claim-worker.js';
export { DuePoller, DueTimes, type TimedWork, UNWOKEN_MS } from './work/due-poller.js';
export { fewAtATime, inChunks, within } from './work/few-at-a-time.js';
export { takeInTurn } from './work/take-in-turn.js';
export { InboxConsumer, type InboxWork } from './work/inbox-consumer.js';
export { ScheduledPasses, ScheduledTask } from './work/scheduled-task.js';
export { CountedLimits, type Limit } from './store/counted-limits.js';
export { PLATFORM_ENTITIES, PLATFORM_KEPT } from './store/idempotent-answers.repository.js';
