import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { HttpSmsGateway } from './http-sms.gateway.js';
import { MessagingTasks, SmsPersonalData } from './messaging.tasks.js';
import { SmsAttempt } from './sms-attempt.js';
import { SmsDispatch } from './sms-dispatch.js';
import { SMS_GATEWAYS, type SmsGateway } from './sms-gateway.js';
import { SmsLimits, SmsMetrics, SmsOutbox } from './sms-outbox.js';
import { SmsSender } from './sms-sender.js';
import { SmsMessagesRepository } from './store/sms-messages.repository.js';
import { TwilioSmsGateway } from './twilio-sms.gateway.js';

interface GatewayBinding {
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  readonly inject: (new (...parts: never[]) => SmsGateway)[];
}

/** For the command line, without a gateway. */
@Module({
  imports: [ErasureModule],
  providers: [SmsMessagesRepository, SmsLimits, SmsOutbox, SmsPersonalData, SmsMetrics],
  exports: [SmsMessagesRepository, SmsOutbox, SmsMetrics],
})
export class SmsRecordsModule {}

/** The composition root binds the gateways. */
@Module({})
export class MessagingModule {
  static withGateways(binding: GatewayBinding): DynamicModule {
    const gateways: Provider = {
      provide: SMS_GATEWAYS,
      useFactory: (...bound: SmsGateway[]) => bound,
      inject: binding.inject,
    };
    return {
      module: MessagingModule,
      global: true,
      imports: [SmsRecordsModule, ...binding.imports],
      providers: [
        TwilioSmsGateway,
        HttpSmsGateway,
        gateways,
        SmsDispatch,
        SmsAttempt,
        SmsSender,
        MessagingTasks,
      ],
      exports: [SmsRecordsModule],
    };
  }
}
