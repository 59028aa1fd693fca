import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from './config/environment.js';
import { ClockDifference } from './clock/clock-difference.js';
import { Clock, OffsetClock, SystemClock } from './clock/clock.js';
import { Keyring } from './crypto/keyring.js';
import { IdGenerator, RandomSource } from './ids/id-generator.js';
import { Database } from './database/database.js';
import { AddressLimiter, ProcessorMeter, ProcessorShare } from './http/address-limiter.js';
import { DatabaseWaits } from './database/database-waits.js';
import { FreshReads } from './database/fresh-reads.js';
import { FaultFilter } from './http/fault.filter.js';
import { RequestBodies } from './http/request-bodies.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotentAnswersRepository } from './store/idempotent-answers.repository.js';
import { CountedLimits } from './store/counted-limits.js';
import { Metrics } from './metrics/metrics.js';
import { Mailer } from './outbound/mailer.js';
import { OutboundClient } from './outbound/guarded-client.js';
import { OutboundThread } from './outbound/outbound-thread/outbound-thread.js';
import { OperatorServer } from './operator-server.js';
import { Assets } from './screens/assets/assets.js';
import { AssetsController } from './screens/assets/assets.controller.js';
import { DuePoller, DueTimes } from './work/due-poller.js';
import { BrandAssets } from './screens/assets/brand-assets.js';
import { CsrfTokens } from './screens/csrf-tokens.js';
import { FaultScreen } from './screens/fault-screen.js';
import { LanguageController } from './screens/language.controller.js';
import { PageCookies } from './screens/page-cookies.js';
import { Screens } from './screens/screens.js';

@Global()
@Module({})
export class PlatformModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const isSandbox = environment.mode === 'sandbox';
    const providers = [
      { provide: ENVIRONMENT, useValue: environment },
      { provide: Clock, useClass: isSandbox ? OffsetClock : SystemClock },
      // Signatures use the real time, even in a sandbox.
      SystemClock,
      ClockDifference,
      { provide: Keyring, useFactory: () => new Keyring(environment.masterKeys) },
      RandomSource,
      IdGenerator,
      Database,
      DatabaseWaits,
      FreshReads,
      DuePoller,
      DueTimes,
      ProcessorMeter,
      AddressLimiter,
      ProcessorShare,
      RequestBodies,
      FaultFilter,
      Idempotency,
      IdempotentAnswersRepository,
      CountedLimits,
      Metrics,
      OutboundClient,
      Mailer,
      OutboundThread,
      OperatorServer,
      Assets,
      BrandAssets,
      PageCookies,
      CsrfTokens,
      Screens,
      FaultScreen,
    ];
    return {
      module: PlatformModule,
      controllers: [AssetsController, LanguageController],
      providers,
      exports: providers.map((provider) =>
        typeof provider === 'function' ? provider : provider.provide,
      ),
    };
  }
}
