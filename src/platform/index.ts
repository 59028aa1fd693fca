export {
  EnvironmentError,
  isOpenSandbox,
  parseEnvironment,
  type Environment,
  type Mode,
  ENVIRONMENT,
} from './config/environment.js';
export { ClockDifference, IF_EVERY_REPLICA } from './clock/clock-difference.js';
export { Clock, OffsetClock, onClock, SystemClock } from './clock/clock.js';
export { equalBytes, sha256 } from './crypto/digests.js';
export { Keyring, nullWhenUnreadable, Unreadable } from './crypto/keyring.js';
export { admitMasterKeys, MasterKeyError, verifyMasterKeys } from './crypto/verify-master-keys.js';
export { RandomSource } from './crypto/random-source.js';
export { sealedSamples, type SealedSamples } from './crypto/sealed-samples.js';
export { type ColumnOf, Columns, oneOf, paise } from './database/columns.js';
export { isConnectionLost, isWorthRetrying } from './database/connection-lost.js';
export { Database } from './database/database.js';
export {
  type Durability,
  DurabilityError,
  judgeDurability,
  lookAtDatabase,
  refuseLosses,
} from './database/durability.js';
export { DatabaseWaits } from './database/database-waits.js';
export { databaseProblem } from './database/database-problem.js';
export { readDatabaseFunctions } from './database/database-functions.js';
export { type Asset, keptAsset, sendAsset } from './screens/assets/assets.js';
export { dataSourceOptions, projectPath, type Schema, waysOf } from './database/data-source.js';
export { RowArrays } from './database/row-arrays.js';
export {
  startEmbeddedPostgres,
  type RunningPostgres,
  openDatabase,
} from './database/embedded/embedded-postgres.js';
export { FreshReads } from './database/fresh-reads.js';
export { isToldOutage } from './database/outage.js';
export { OtherSchemaError } from './database/migrate.js';
export { missingMigrations, prepareDatabase } from './database/prepare-database.js';
export { Tx } from './database/tx.js';
export { PLANS_BY_INDEX, type WorkerPool } from './database/worker-pool.js';
export { ERROR_CATALOGUE, type ErrorCode } from './errors/error-catalogue.js';
export { Fault, validationFault, type FieldProblem, messageOf } from './errors/fault.js';
export { configureHttp } from './http/configure-http.js';
export { AddressLimiter, clientNetwork } from './http/address-limiter.js';
export { FaultFilter } from './http/fault.filter.js';
export { ignoredParameters, IgnoredParameters } from './http/ignored-parameters.js';
export { JsonBody, parseJsonBody, ValidBody, isDeeper } from './http/json-body.js';
export { PartnerApi } from './http/partner-api.decorator.js';
export {
  AT_LEAST_ONE_NOTE,
  AtLeastOne,
  PARTNER_CALL_NOTE,
  PartnerCall,
  type PartnerCallNote,
  SCOPE_NOTE,
} from './http/partner-call.decorator.js';
export { HttpAdapter } from './http/http-adapter.js';
export { isPartnerPath } from './http/partner-routes.js';
export type { RawRequest } from './http/raw-request.js';
export {
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
export { writeRateLimitHeaders, type RateLimitFigures } from './http/response-headers.js';
export { RequestBodies } from './http/request-bodies.js';
export { CurrentIdempotencyKey, type IdempotencyKey } from './idempotency/idempotency-key.js';
export { Idempotency, type IdempotentResult } from './idempotency/idempotency.js';
export { AppliedConfiguration } from './health/health.controller.js';
export { IdGenerator, type IdPrefix } from './ids/id-generator.js';
export { bootLog, loggingModule } from './logging/logging.module.js';
export { logFailure, attempt } from './logging/log-failure.js';
export { clearGauge, Metrics } from './metrics/metrics.js';
export { addressProblem, MAX_ADDRESS_CHARACTERS, type Reach } from './outbound/address-problem.js';
export { isPrivateHost } from './outbound/refused-address.js';
export {
  GuardedClient,
  type OutboundAnswer,
  type OutboundBytes,
} from './outbound/guarded-client.js';
export { Mailer } from './outbound/mailer.js';
export { OutboundClient } from './outbound/outbound-client.js';
export { OutboundFailure, type OutboundFailureReason } from './outbound/outbound-failure.js';
export { OutboundThread, type ThreadLimits } from './outbound/outbound-thread/outbound-thread.js';
export { TooLate } from './outbound/exchange.js';
export { OperationModule } from './operation.module.js';
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
export { mobileOf } from './screens/entered-values.js';
export { FormField } from './screens/form-field.js';
export {
  type Language,
  languageOf,
  isLanguage,
  LANGUAGES,
  namedLanguage,
  PageLanguage,
} from './screens/language.js';
export { type BrandLogo, type PageBrand, PageBrandSource } from './screens/page-brand.js';
export { nameOnPages, type PageLogo, type PagePartner } from './screens/page-partner.js';
export { PageCookies } from './screens/page-cookies.js';
export { type Entered, enteredIn, type FormError, readForm } from './screens/read-form.js';
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
export { hasIdentityWord, maskIdentityWords } from './validation/identity-words.js';
export { maskPersonalData } from './validation/mask-personal-data.js';
export { choice, field, wholeNumber } from './validation/schema-field.js';
export { checkBody, missingOr, validated } from './validation/validated.js';
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
export { exponentialBackoff } from './work/backoff.js';
export { Batcher, READS_A_BATCH } from './work/batcher.js';
export { ClaimWorker } from './work/claim-worker.js';
export { DuePoller, type DueQuery, UNWOKEN_MS } from './work/due-poller.js';
export { DueTimes, type TimedWork, type TimesQuery } from './work/due-times.js';
export { fewAtATime } from './work/few-at-a-time.js';
export { BatchQueue } from './work/batch-queue.js';
export { inChunks } from './work/in-chunks.js';
export { InboxConsumer, type InboxWork } from './work/inbox-consumer.js';
export { ScheduledPasses, ScheduledTask } from './work/scheduled-task.js';
export { takeInTurn } from './work/take-in-turn.js';
export { Signal } from './work/signal.js';
export { Slots } from './work/slots.js';
export { within } from './work/within.js';
export { WorkLoop } from './work/work-loop.js';
export { PLATFORM_ENTITIES } from './store/platform-entities.js';
