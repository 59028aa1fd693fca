import { Module } from '@nestjs/common';
import { SmsInboxController } from './sms-inbox.controller.js';
import { SmsInboxGateway } from './sms-inbox.gateway.js';

/** The simulated SMS gateway. */
@Module({
  providers: [SmsInboxGateway],
  exports: [SmsInboxGateway],
})
export class SmsInboxModule {}

/** The page that shows everybody what the simulated gateway took. */
@Module({ controllers: [SmsInboxController] })
export class SmsInboxPageModule {}
