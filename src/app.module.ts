import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AdminModule } from './admin/index.js';
import { ApiDocumentModule } from './api-document/index.js';
import { DocsSiteModule } from './docs-site/index.js';
import { AuthModule, OtherMethodsModule } from './auth/index.js';
import { AUDIT_TRAIL, lenderConnectors } from './composition.js';
import { ApplicantWebModule } from './applicant-web/index.js';
import { ClockWatchModule } from './clock-watch/index.js';
import { EligibilityModule } from './eligibility/index.js';
import { InstantLoansModule } from './instant-loans/index.js';
import { JourneysModule } from './journeys/index.js';
import { LeadsModule } from './leads/index.js';
import { LendersModule } from './lenders/index.js';
import { HttpSmsGateway, MessagingModule, TwilioSmsGateway } from './messaging/index.js';
import { PaymentsModule, RazorpayGateway } from './payments/index.js';
import {
  type Environment,
  isOpenSandbox,
  loggingModule,
  OperationModule,
  PlatformModule,
  ScheduledPasses,
} from './platform/index.js';
import { ProductsModule } from './products/index.js';
import { RequestLogModule } from './request-log/index.js';
import {
  SandboxPaymentGateway,
  SandboxPaymentModule,
  SandboxRecordsModule,
  SmsInboxGateway,
  SmsInboxModule,
  SmsInboxPageModule,
} from './sandbox/index.js';
import { WebhooksModule } from './webhooks/index.js';
import { OperatorFlagsModule } from './operator-flags/index.js';
import { SettingsModule } from './settings/index.js';
import { WorkbenchModule } from './workbench/index.js';

const REAL_SMS_GATEWAYS = [TwilioSmsGateway, HttpSmsGateway];

/** The composition root: binds adapters to ports. */
@Module({})
export class AppModule {
  static compose(environment: Environment, dataSource: DataSource): DynamicModule {
    const isSandbox = environment.mode === 'sandbox';
    return {
      module: AppModule,
      imports: [
        loggingModule(environment),
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSource.options,
          dataSourceFactory: () => Promise.resolve(dataSource),
        }),
        ScheduleModule.forRoot(),
        PlatformModule.forEnvironment(environment),
        // Routes are tried in module order: those that partners poll come first.
        JourneysModule,
        OperationModule,
        AuthModule,
        RequestLogModule,
        SettingsModule,
        OperatorFlagsModule,
        ClockWatchModule,
        ProductsModule,
        LeadsModule,
        WebhooksModule,
        LendersModule.withConnectors(lenderConnectors(environment.mode)),
        ...(isSandbox ? [SandboxRecordsModule] : []),
        MessagingModule.withGateways(
          isSandbox
            ? { imports: [SmsInboxModule], inject: [...REAL_SMS_GATEWAYS, SmsInboxGateway] }
            : { imports: [], inject: REAL_SMS_GATEWAYS },
        ),
        ...(isOpenSandbox(environment) ? [SmsInboxPageModule] : []),
        PaymentsModule.withGateways(
          isSandbox
            ? { imports: [SandboxPaymentModule], inject: [RazorpayGateway, SandboxPaymentGateway] }
            : { imports: [], inject: [RazorpayGateway] },
        ),
        InstantLoansModule,
        EligibilityModule,
        ApplicantWebModule,
        WorkbenchModule.forMode(environment.mode),
        AdminModule,
        AUDIT_TRAIL.module,
        ApiDocumentModule,
        DocsSiteModule,
        OtherMethodsModule,
      ],
      providers: [ScheduledPasses],
    };
  }
}
